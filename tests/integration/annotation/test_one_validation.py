"""One validation of items for the admin, the commands, the item's own form, the opening of a study and its bundle."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from agreement.errors import Refused
from annotation.models import AuditEntry, CheckQuota, Item, Label, Study
from annotation.releases.actions.analysing import clean_and_release
from annotation.studies.study_life import change_status
from tests.factories import a_quota
from tests.integration.agreement.bundles import run_again
from tests.integration.agreement.crowds import a_study_of, answers, came
from tests.integration.annotation.pages.admin.test_study_setup import form_data, save, upload
from tests.integration.researchers import a_researcher, signed_in

pytestmark = pytest.mark.django_db
HEADER = "item_id,sentence,kind,check,expected,min,max\n"
GOOD = HEADER + "a,The sea sang,,,,,\nc1,The pen fell,check,clear,literal,,\n"


def a_draft(**changes: Any) -> tuple[Study, Client]:
    owner = a_researcher()
    values = {"kind": "choice", "question": 'Is "{sentence}" literal?', "status": "draft", "owner": owner, **changes}
    study = a_study_of(values.pop("kind"), [], ["literal", "metaphor"], **values)
    return study, signed_in(owner)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (
            "c1,The pen fell,check,clear,litteral,,",
            "row 2, column expected: 'litteral' is not among the answers' labels",
        ),
        ("b,,,,,,", "row 2, column sentence: '' is blank, but the question uses it"),
        ("c1,,check,clear,literal,,", "row 2, column sentence: '' is blank, but the question uses it"),
        ("c1,The pen fell,check,clear,,80,", "row 2, column min: bounds are for sliders; kind choice uses expected"),
        ("c1,The pen fell,check,clear,,,130", "row 2, column max: '130' is not a number from 0 to 100"),
        ("b,The pen fell,,,literal,,", "row 2, column expected: 'literal' is a right answer, but the item is"),
        ("b,The pen fell,target,,,80,", "row 2, column min: '80' is a right answer, but the item is not a check"),
    ],
)
def test_bad_item_is_refused_by_the_admin_and_the_commands_alike(row: str, reason: str, tmp_path: Path) -> None:
    study, client = a_draft()
    page = upload(client, study, HEADER + row)
    assert page.status_code == 422
    assert f"items.csv, {reason}" in page.context["reasons"][0]
    file = tmp_path / "items.csv"
    file.write_text(HEADER + row)
    said = io.StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("import_items", study.slug, str(file), stderr=said)
    assert stopped.value.code == 1
    assert reason in said.getvalue()
    assert not study.items.exists()


def test_bad_right_answer_is_refused_before_create_study_makes_anything(tmp_path: Path) -> None:
    file = tmp_path / "items.csv"
    file.write_text("item_id,scene,object,other,kind,check,expected\nc,office,desk,lamp,check,clear,abvoe\n")
    said = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("create_study", "rooms", "--preset", "scene-relations", "--items", str(file), stderr=said)
    assert "column expected: 'abvoe' is not among the answers' labels" in said.getvalue()
    assert not Study.objects.filter(slug="rooms").exists()


def test_blank_field_of_a_question_of_an_items_own_is_refused() -> None:
    study, client = a_draft()
    rows = "item_id,sentence,question,verb\na,x,,\nb,,Is {verb} literal?,\nc,,Is {noun} literal?,fell\n"
    reasons = upload(client, study, rows).context["reasons"]
    assert [reason.removeprefix("items.csv, ") for reason in reasons] == [
        "row 3, column verb: '' is blank, but the question uses it.",
        "row 4, column question: it uses {noun}, but there is no such column.",
    ]


def test_check_without_a_right_answer_comes_in_and_is_told_of() -> None:
    study, client = a_draft()
    page = upload(client, study, HEADER + "c1,The pen fell,check,clear,,,\n")
    assert page.status_code == 302
    page = client.get(page.headers["Location"])
    assert "1 of the check items have no right answer of their own" in page.text


def test_command_tells_of_checks_without_a_right_answer(tmp_path: Path) -> None:
    study, _client = a_draft()
    (tmp_path / "items.csv").write_text(HEADER + "c1,The pen fell,check,clear,,,\n")
    said = io.StringIO()
    call_command("import_items", study.slug, str(tmp_path / "items.csv"), stdout=said)
    assert "1 of the check items have no right answer of their own" in said.getvalue()


def test_study_does_not_open_with_checks_that_no_assignment_carries() -> None:
    study, client = a_draft()
    upload(client, study, GOOD)
    page = client.post(reverse("admin:annotation_study_status", args=[study.pk, "live"]), {"why": ""})
    assert page.status_code == 422
    (reason,) = page.context["reasons"]
    assert reason.startswith("1 check item is named 'clear', and no assignment carries any")
    a_quota(study, "clear", 1)
    assert change_status(study=study, status="live").status == "live"


def test_study_does_not_open_with_quotas_without_items() -> None:
    study, client = a_draft()
    upload(client, study, GOOD)
    a_quota(study, "clear", 1)
    a_quota(study, "claer", 1)
    with pytest.raises(Refused, match="needs 1 check items named 'claer' and has 0"):
        change_status(study=study, status="live")


def test_label_renamed_after_the_import_keeps_the_study_from_opening() -> None:
    study, client = a_draft()
    upload(client, study, GOOD)
    a_quota(study, "clear", 1)
    Label.objects.filter(study=study, value="literal").update(value="literally")
    with pytest.raises(Refused, match="Item c1, expected: 'literal' is not among the answers' labels"):
        change_status(study=study, status="live")


def test_blank_field_keeps_a_study_from_opening() -> None:
    study, client = a_draft()
    upload(client, study, HEADER + "a,The sea sang,,,,,\n")
    Item.objects.filter(study=study).update(fields={"sentence": " "})
    with pytest.raises(Refused, match="which 1 of the items don't have"):
        change_status(study=study, status="live")


def test_checks_of_a_new_name_come_into_a_paused_study_alone() -> None:
    study, client = a_draft()
    upload(client, study, GOOD)
    a_quota(study, "clear", 1)
    change_status(study=study, status="live")
    more = HEADER + "c9,The cup fell,check,other,literal,,\n"
    page = upload(client, study, more)
    assert page.status_code == 422
    assert "no assignment contains checks named other: pause the study" in page.context["reasons"][0]
    study.refresh_from_db()
    change_status(study=study, status="paused")
    assert upload(client, study, more).status_code == 302
    with pytest.raises(Refused, match="named 'other', and no assignment carries any"):
        change_status(study=Study.objects.get(pk=study.pk), status="live")


def test_quota_of_an_open_study_can_not_part_from_its_items() -> None:
    study, client = a_draft()
    upload(client, study, GOOD)
    a_quota(study, "clear", 1)
    change_status(study=study, status="live")
    study.refresh_from_db()
    prefix = "check_quotas-0"
    assert f"{prefix}-per_assignment" in form_data(client, study)
    page = save(client, study, **{f"{prefix}-DELETE": "on"})
    assert "no assignment carries any" in page.text
    page = save(client, study, **{f"{prefix}-per_assignment": 2})
    assert "needs 2 check items named &#x27;clear&#x27; and has 1" in page.text
    assert CheckQuota.objects.get().per_assignment == 1


def test_check_item_of_an_open_study_is_not_deleted() -> None:
    study, client = a_draft()
    upload(client, study, GOOD)
    a_quota(study, "clear", 1)
    change_status(study=study, status="live")
    check = study.items.checks().get()
    page = client.post(reverse("admin:annotation_item_delete", args=[check.pk]), {"post": "yes"})
    assert "pause the study first" in page.text
    assert study.items.checks().exists()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"expected": '["litteral"]'}, "is not among the answers"),
        ({"min": "80"}, "Bounds are for sliders; kind choice uses expected."),
        ({"expected": '"literal"'}, "Enter the right labels as a list of texts"),
        ({"fields": '{"sentence": ""}'}, "The question uses sentence: enter a value for each."),
        ({"kind": "target", "check_name": ""}, "Only a check, a practice or a qualification item has a right answer."),
    ],
)
def test_items_own_form_holds_to_the_same_rules(changes: dict[str, str], reason: str) -> None:
    study, client = a_draft()
    given = {"study": study.pk, "item_id": "c", "kind": "check", "check_name": "clear", "reference": ""}
    given |= {
        "fields": '{"sentence": "x"}',
        "expected": '["literal"]',
        "min": "",
        "max": "",
        "judgments_per_item": "",
        **changes,
    }
    page = client.post(reverse("admin:annotation_item_add"), given)
    assert page.status_code == 200
    assert reason in page.text
    assert not study.items.exists()


def test_item_form_refuses_bounds_off_the_scale() -> None:
    study, client = a_draft(kind="slider", question="How {sentence}?", scale_low=1, scale_high=7)
    given = {"study": study.pk, "item_id": "c", "kind": "check", "check_name": "clear", "reference": ""}
    given |= {"fields": '{"sentence": "x"}', "expected": "null", "min": "120", "max": "", "judgments_per_item": ""}
    page = client.post(reverse("admin:annotation_item_add"), given)
    assert "Enter the bounds in per cent of the scale: numbers from 0 to 100." in page.text


def test_status_page_says_what_people_will_see_where_consent_and_contact_are_empty() -> None:
    study, client = a_draft()
    upload(client, study, HEADER + "a,The sea sang,,,,,\n")
    page = client.get(reverse("admin:annotation_study_status", args=[study.pk, "live"]))
    assert "Consent is empty: people are asked to agree to a general text" in page.text
    assert "Contact is empty: people have nobody to write to." in page.text
    Study.objects.filter(pk=study.pk).update(consent="Do you agree?", contact="lab@example.org")
    page = client.get(reverse("admin:annotation_study_status", args=[study.pk, "live"]))
    assert "is empty" not in page.text
    setup = client.get(reverse("admin:annotation_study_change", args=[study.pk])).text
    assert "nobody is asked" not in setup
    assert "If it is empty, a general text is shown." in setup


def test_command_in_a_bundle_runs_and_makes_the_same_gold(tmp_path: Path) -> None:
    study, client = a_draft()
    upload(client, study, GOOD)
    a_quota(study, "clear", 1)
    change_status(study=study, status="live")
    answers(came(study, "ann"), "label", {"a": "literal", "c1": "literal"})
    answers(came(study, "ben"), "label", {"a": "metaphor", "c1": "literal"})
    answers(came(study, "eve"), "label", {"a": "metaphor", "c1": "metaphor"})
    release = clean_and_release(study=Study.objects.get(pk=study.pk), replicates=50)
    there, again = run_again(release, tmp_path)
    assert (again / "gold.csv").read_bytes() == (there / "gold.csv").read_bytes()
    assert release.report["counts"]["workers_kept"] == 2


def test_draft_without_labels_takes_checks_and_is_asked_when_it_opens() -> None:
    study, client = a_draft()
    study.labels.all().delete()
    assert upload(client, study, GOOD).status_code == 302
    a_quota(study, "clear", 1)
    with pytest.raises(Refused, match="needs more labels"):
        change_status(study=study, status="live")
    assert AuditEntry.objects.filter(study=study, action="imported").count() == 1
