import pytest
from django.urls import reverse

from annotation.pages.study_tabs import TABS, Tab, uuid
from tests.factories import a_study
from tests.integration.researchers import an_owned_study

pytestmark = pytest.mark.django_db


def test_a_page_that_is_not_installed_has_no_tab() -> None:
    assert Tab("none", "None", "agreement:no_such_page", uuid).address(a_study()) == ""


def test_every_tab_has_a_key_of_its_own() -> None:
    assert len({tab.key for tab in TABS}) == len(TABS)


def test_sidebar_marks_studies_on_every_page_of_a_study_and_results_on_the_list_of_results() -> None:
    study, client = an_owned_study()
    addresses = {
        reverse("agreement:index"): "Results",
        reverse("agreement:results", args=[study.uuid]): "Studies",
        reverse("agreement:launch", args=[study.uuid]): "Studies",
        reverse("admin:annotation_study_changelist"): "Studies",
        reverse("admin:annotation_study_links", args=[study.pk]): "Studies",
        reverse("admin:annotation_item_changelist"): "Items",
    }
    for address, marked in addresses.items():
        groups = client.get(address).context["sidebar_navigation"]
        assert [str(item["title"]) for group in groups for item in group["items"] if item["active"]] == [marked]
