"""Who may do what: a viewer looks, an editor changes, a manager sees platform ids, a stranger is told of nothing."""

from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from annotation.accounts.permissions import Right, may, right_on, studies_where
from annotation.models import (
    AccountEntry,
    AuditEntry,
    Judgment,
    LogInAttempt,
    Participation,
    Payment,
    Role,
    Study,
    User,
)
from annotation.pages.admin.base import StudyScopedAdmin
from annotation.releases.models import StoredRuleSet
from annotation.studies.study_form_fields import MANAGERS_ALONE, OTHER_CODES, PAY_AND_PLATFORM
from annotation.studies.study_form_fields import SECTIONS as FORM_SECTIONS
from tests.factories import a_person, a_study, per_assignment_done
from tests.integration.annotation.pages.admin.test_study_setup import save
from tests.integration.researchers import a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db
LEVELS = [("viewer", Right.LOOK), ("editor", Right.CHANGE), ("manager", Right.MANAGE)]
SECTIONS = [
    "annotation_study", "annotation_item", "annotation_participation", "annotation_judgment", "annotation_auditentry",
    "annotation_job", "annotation_payment", "agreement_cleaningrun", "agreement_verdict", "agreement_exclusion",
    "agreement_goldrelease", "agreement_storedruleset",
]  # fmt: skip


def pages_of(study: Study) -> dict[str, str]:
    return {
        "setup": reverse("admin:annotation_study_change", args=[study.pk]),
        "watch": reverse("agreement:watch", args=[study.uuid]),
        "results": reverse("agreement:results", args=[study.uuid]),
        "links": reverse("admin:annotation_study_links", args=[study.pk]),
        "import": reverse("admin:annotation_study_import_items", args=[study.pk]),
        "status": reverse("admin:annotation_study_status", args=[study.pk, "paused"]),
        "exclude": reverse("agreement:exclude", args=[study.uuid]),
    }


LOOKING, CHANGING = {"setup", "watch", "results"}, {"links", "import", "status", "exclude"}


@pytest.mark.parametrize(("level", "right"), LEVELS)
def test_right_on_a_study_is_that_of_the_role(level: str, right: Right) -> None:
    study = a_study()
    user = a_researcher(study, level)
    assert right_on(user, study) == right
    assert list(studies_where(user, right)) == [study]
    assert [may(user, each, study) for each in Right] == [each <= right for each in Right]


def test_owner_and_superuser_may_everything_and_the_inactive_nothing() -> None:
    owner = a_researcher()
    study = a_study(owner=owner)
    assert right_on(owner, study) == Right.MANAGE
    assert right_on(a_researcher(is_superuser=True), study) == Right.MANAGE
    assert right_on(a_researcher(study, "manager", is_active=False), study) is None


def test_viewer_looks_and_is_told_no_where_something_changes() -> None:
    study = a_study()
    client = signed_in(a_researcher(study, "viewer"))
    answers = {name: client.get(address).status_code for name, address in pages_of(study).items()}
    assert answers == {name: 200 if name in LOOKING else 403 for name in LOOKING | CHANGING}


def test_viewer_sees_a_form_without_fields_and_can_not_send_one() -> None:
    study = a_study()
    client = signed_in(a_researcher(study, "viewer"))
    page = client.get(pages_of(study)["setup"])
    assert 'name="title"' not in page.text
    assert client.post(pages_of(study)["setup"], {"title": "Mine now"}).status_code == 403
    study.refresh_from_db()
    assert study.title != "Mine now"


@pytest.mark.parametrize("level", ["editor", "manager"])
def test_editor_reaches_every_page(level: str) -> None:
    study = a_study()
    client = signed_in(a_researcher(study, level))
    assert {client.get(address).status_code for address in pages_of(study).values()} == {200}
    assert 'name="title"' in client.get(pages_of(study)["setup"]).text


def test_stranger_is_not_told_that_a_study_exists() -> None:
    study = a_study()
    client = signed_in(a_researcher())
    assert {client.get(address).status_code for address in pages_of(study).values()} == {404}


def test_nobody_signed_in_is_sent_to_sign_in(client: Client) -> None:
    for address in pages_of(a_study()).values():
        answer = client.get(address)
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith(reverse("admin:login"))


@pytest.mark.parametrize("section", SECTIONS)
def test_stranger_finds_every_list_empty(section: str) -> None:
    study, _ = an_owned_study()
    a_person(study)
    page = signed_in(a_researcher()).get(reverse(f"admin:{section}_changelist"))
    assert page.status_code == 200
    assert page.context["cl"].result_count == 0


@pytest.mark.parametrize("section", SECTIONS[:7])
def test_superuser_sees_all(section: str) -> None:
    study, _ = an_owned_study()
    a_person(study)
    page = signed_in(a_researcher(is_superuser=True)).get(reverse(f"admin:{section}_changelist"))
    assert page.context["cl"].result_count == page.context["cl"].model.objects.count()


@pytest.mark.parametrize("level", ["viewer", "editor", "manager"])
def test_platform_ids_are_for_managers_alone(level: str) -> None:
    study = a_study()
    person = a_person(study, platform_id="PID-5f3a", session_id="SES-77b1")
    client = signed_in(a_researcher(study, level))
    page = client.get(reverse("admin:annotation_participation_change", args=[person.pk]))
    assert ("PID-5f3a" in page.text) == (level == "manager")
    assert ("SES-77b1" in page.text) == (level == "manager")
    payments = client.get(reverse("admin:annotation_payment_changelist"))
    assert payments.context["cl"].result_count == (1 if level == "manager" else 0)


def test_platform_ids_stand_in_no_list_and_no_record() -> None:
    study, client = an_owned_study()
    a_person(study, platform_id="PID-5f3a", session_id="SES-77b1")
    for section in SECTIONS:
        assert "PID-5f3a" not in client.get(reverse(f"admin:{section}_changelist")).text
    assert not AuditEntry.objects.filter(detail__icontains="PID-5f3a").exists()


def _nothing_can_be_done(client: Client, section: str, pk: Any) -> bool:
    address = reverse(f"admin:{section}_change", args=[pk])
    answers = [
        client.get(reverse(f"admin:{section}_add")).status_code,
        client.post(address, {"comments": "changed"}).status_code,
        client.post(reverse(f"admin:{section}_delete", args=[pk]), {"post": "yes"}).status_code,
    ]
    return answers == [403, 403, 403] and client.get(address).status_code == 200


def test_records_can_be_neither_added_nor_changed_nor_deleted_even_by_a_superuser() -> None:
    study = a_study()
    person = a_person(study)
    client = signed_in(a_researcher(is_superuser=True))
    rows = {
        "annotation_participation": Participation.objects.get(pk=person.pk).pk,
        "annotation_payment": Payment.objects.get(participation=person).pk,
        "annotation_auditentry": AuditEntry.objects.filter(study=study)[0].pk,
    }
    assert [section for section, pk in rows.items() if not _nothing_can_be_done(client, section, pk)] == []


def test_only_managers_share() -> None:
    study = a_study()
    editor, manager = a_researcher(study, "editor"), a_researcher(study, "manager")
    for user, may_share in ((editor, False), (manager, True)):
        page = signed_in(user).get(pages_of(study)["setup"])
        assert ('name="roles-0-level"' in page.text) == may_share
    assert Role.objects.filter(study=study).count() == 2


@pytest.mark.parametrize("level", ["viewer", "editor", "manager"])
def test_person_is_found_by_the_platforms_id_for_managers_alone(level: str) -> None:
    study = a_study()
    person = a_person(study, platform_id="PID-5f3a")
    client = signed_in(a_researcher(study, level))
    page = client.post(reverse("admin:annotation_participation_find"), {"platform_id": " PID-5f3a "})
    assert page.context["found"] == ([person] if level == "manager" else [])


@pytest.mark.parametrize(("level", "status"), [("viewer", 403), ("editor", 403), ("manager", 302)])
def test_manager_withdraws_a_person_who_asked_for_it(level: str, status: int) -> None:
    study = a_study()
    assignment = per_assignment_done(study)
    client = signed_in(a_researcher(study, level))
    address = reverse("admin:annotation_participation_withdraw", args=[assignment.participation_id])
    assert client.post(address).status_code == status
    assert Judgment.objects.exists() == (level != "manager")
    assert AuditEntry.objects.filter(action=AuditEntry.Action.WITHDREW).count() == (level == "manager")


def test_every_section_is_limited_to_the_studies_that_one_may_see() -> None:
    # People, and how they log in, are for superusers; rule sets belong to several studies: test_rule_sets.py.
    free = {User, LogInAttempt, AccountEntry, StoredRuleSet}
    sections = {model: section for model, section in admin.site._registry.items() if model not in free}
    assert [model for model, section in sections.items() if not isinstance(section, StudyScopedAdmin)] == []


def test_researchers_are_the_superusers_business() -> None:
    people = reverse("admin:annotation_user_changelist")
    assert signed_in(a_researcher(a_study(), "manager")).get(people).status_code == 403
    client = signed_in(a_researcher(is_superuser=True))
    new = {
        "username": "new-one",
        "password1": "wall-nut-tree-9",
        "password2": "wall-nut-tree-9",
        "usable_password": "true",
    }
    client.post(reverse("admin:annotation_user_add"), new)
    assert User.objects.get(username="new-one").is_staff
    assert "Researchers" in client.get(reverse("admin:index")).text


def test_researchers_pages_speak_english_whatever_the_browser_asks_for(client: Client) -> None:
    page = client.get(reverse("admin:login"), headers={"accept-language": "de"})
    assert 'lang="en"' in page.text
    assert "Password" in page.text
    assert page.headers["Content-Language"] == "en"
    assert client.get("/", headers={"accept-language": "de"}).headers["Content-Language"] == "de"


MONEY: dict[str, str] = {
    "platform": "prolific",
    "platform_study_id": "5f3a0000000000000000beef",
    "requires_signed_entry": "True",
    "pay": "99.00",
    "currency": "USD",
    "minutes_expected": "1",
    "fee_percent": "1.50",
    "code_completed": "EVIL1",
    "code_no_consent": "EVIL2",
    "code_failed_comprehension": "EVIL3",
    "code_failed_qualification": "EVIL4",
    "finish_url": "https://evil.example/x",
    "retention_days": "99999",
}


def money_of(study: Study) -> dict[str, str]:
    study.refresh_from_db()
    return {name: str(getattr(study, name)) for name in MONEY}


def a_paid_study() -> Study:
    return a_study(pay="1.50", currency="GBP", code_completed="DONE", finish_url="https://lab.example/thanks")


def test_everything_about_pay_and_platform_is_a_managers() -> None:
    """A field that comes into those sections is one of them, or this says so."""
    fields = [
        line for name, parts in FORM_SECTIONS if name in (PAY_AND_PLATFORM, OTHER_CODES) for line in parts["fields"]
    ]
    flat = [name for line in fields for name in ([line] if isinstance(line, str) else line)]
    assert sorted(flat) == sorted(MANAGERS_ALONE) == sorted(MONEY)


def test_editor_sends_what_only_managers_change_and_nothing_of_it_is_changed() -> None:
    study = a_paid_study()
    before = money_of(study)
    client = signed_in(a_researcher(study, "editor"))
    page = save(client, study, title="Another title", **MONEY)
    assert page.status_code == 200
    assert money_of(study) == before
    assert study.title == "Another title"
    assert AuditEntry.objects.filter(study=study).latest("pk").detail == {"fields": ["title"]}


def test_editor_reads_what_only_managers_change() -> None:
    study = a_paid_study()
    page = signed_in(a_researcher(study, "editor")).get(pages_of(study)["setup"])
    assert "Only the study's managers can change these fields." in page.text
    for name in MONEY:
        assert f'name="{name}"' not in page.text
    for value in ("1.50", "GBP", "DONE", "https://lab.example/thanks"):
        assert value in page.text


@pytest.mark.parametrize("is_owner", [True, False])
def test_manager_and_owner_change_pay_and_where_people_are_sent(*, is_owner: bool) -> None:
    study = a_paid_study()
    user = a_researcher(study, "manager")
    if is_owner:
        Study.objects.filter(pk=study.pk).update(owner=user)
        Role.objects.filter(study=study).delete()
    page = save(signed_in(user), study, **MONEY)
    assert "Only the study's managers" not in page.text
    assert money_of(study) == MONEY
    entry = AuditEntry.objects.filter(study=study, action="changed").latest("pk")
    assert (entry.detail["from"]["pay"], entry.detail["to"]["pay"]) == ("1.50", "99.00")
    assert entry.detail["from"]["finish_url"] == "https://lab.example/thanks"
    assert entry.detail["to"]["finish_url"] == "https://evil.example/x"


def test_editor_of_one_study_is_asked_for_the_pay_of_a_new_one() -> None:
    client = signed_in(a_researcher(a_paid_study(), "editor"))
    page = client.get(reverse("admin:annotation_study_add"), {"kind": "slider"}).text
    assert all(f'name="{name}"' in page for name in MONEY)
