import pytest

from annotation.study_tabs import TABS, Tab, uuid
from tests.factories import a_study

pytestmark = pytest.mark.django_db


def test_a_page_that_is_not_installed_has_no_tab() -> None:
    assert Tab("none", "None", "agreement:no_such_page", uuid).address(a_study()) == ""


def test_every_tab_has_a_key_of_its_own() -> None:
    assert len({tab.key for tab in TABS}) == len(TABS)
