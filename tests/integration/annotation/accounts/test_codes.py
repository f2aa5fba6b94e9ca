"""Completion codes: for those who may change a study, and hidden from its viewers on every page and in the API."""

import pytest
from django.urls import reverse

from annotation.models import AuditEntry, Study
from tests.factories import a_study
from tests.integration.annotation.api.scripts import ALL, Script
from tests.integration.annotation.pages.admin.test_study_setup import save
from tests.integration.researchers import a_researcher, signed_in

pytestmark = pytest.mark.django_db
OLD, NEW = "OLDC0DE7", "NEWC0DE8"


def a_study_with_a_changed_code() -> Study:
    owner = a_researcher()
    study = a_study(owner=owner, platform="prolific", code_completed=OLD)
    save(signed_in(owner), study, code_completed=NEW, pay="2.00", currency="GBP")
    detail = AuditEntry.objects.filter(study=study).latest("pk").detail
    assert (detail["from"]["code_completed"], detail["to"]["code_completed"]) == (OLD, NEW)
    return study


def pages_of(study: Study) -> list[str]:
    entry = AuditEntry.objects.filter(study=study).latest("pk")
    return [
        reverse("admin:annotation_study_change", args=[study.pk]),
        reverse("admin:annotation_auditentry_changelist"),
        reverse("admin:annotation_auditentry_change", args=[entry.pk]),
        reverse("annotation:preview-page", args=[study.slug, "done"]),
    ]


@pytest.mark.parametrize(("level", "sees"), [("viewer", False), ("editor", True), ("manager", True)])
def test_codes_are_on_pages_of_those_who_may_change_the_study(level: str, *, sees: bool) -> None:
    study = a_study_with_a_changed_code()
    client = signed_in(a_researcher(study, level))
    shown = {address: client.get(address) for address in pages_of(study)}
    assert {page.status_code for page in shown.values()} == {200}
    assert {NEW in page.text for page in shown.values()} == {sees}
    assert any(OLD in page.text for page in shown.values()) == sees


@pytest.mark.parametrize(
    ("level", "scopes", "sees"),
    [("viewer", ALL, False), ("editor", ("read", "write"), False), ("editor", ALL, True), ("manager", ALL, True)],
)
def test_codes_are_in_the_history_for_those_who_see_them_in_the_study(
    level: str, scopes: tuple[str, ...], *, sees: bool
) -> None:
    study = a_study_with_a_changed_code()
    script = Script(a_researcher(study, level), scopes)
    found = script.get(f"studies/{study.slug}/history/?action=changed").content.decode()
    assert '"currency": "GBP"' in found.replace('":"', '": "')
    assert (OLD in found, NEW in found) == (sees, sees)
    assert (NEW in script.get(f"studies/{study.slug}/").content.decode()) == sees


def test_a_viewer_reads_that_a_code_was_set_and_not_which() -> None:
    study = a_study_with_a_changed_code()
    user = a_researcher(study, "viewer")
    (entry,) = Script(user).get(f"studies/{study.slug}/history/?action=changed").json()["results"]
    assert entry["detail"]["to"] == {"pay": "2.00", "currency": "GBP", "code_completed": "HIDDEN"}
