"""Long words without a space make no page wider than the window of a phone."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from annotation.models import Item, Study
from tests.browser.test_new_study import log_in
from tests.factories import per_assignment_done
from tests.integration.researchers import an_owned_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WORD = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft" * 2
WIDTHS = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"


def test_no_page_is_wider_than_a_phone(page: Page) -> None:
    study, _client = an_owned_study(title=WORD, researchers=WORD, contact=WORD)
    Item.objects.filter(study=study).update(fields={"left": WORD, "right": WORD})
    per_assignment_done(study)
    assert study.owner is not None
    page.set_viewport_size({"width": 390, "height": 844})
    log_in(page, study.owner.username)
    too_wide = {}
    for name, address in _addresses(study).items():
        page.goto(address)
        wide, window = page.evaluate(WIDTHS)
        if wide > window:
            too_wide[name] = wide
    assert too_wide == {}


def _addresses(study: Study) -> dict[str, str]:
    of_desk = ("launch", "watch", "people", "items", "clean", "plan", "results", "leaderboard")
    of_admin = ("change", "import_items", "preview", "links", "payments", "duplicate")
    return {
        "index": reverse("admin:index"),
        "studies": reverse("admin:annotation_study_changelist"),
        "list of items": f"{reverse('admin:annotation_item_changelist')}?study={study.pk}",
        **{name: reverse(f"agreement:{name}", args=[study.uuid]) for name in of_desk},
        **{name: reverse(f"admin:annotation_study_{name}", args=[study.pk]) for name in of_admin},
    }
