"""Signs on People: flags with their numbers and innocent explanations; files; and that they decide nothing."""

import ast
import csv
import io
import re
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from agreement.errors import Refused
from agreement.files.trap_columns import TRAP_COLUMNS
from agreement.kinds.signs import NAMES, SIGNS
from annotation.answering.judging import finish_assignment, open_assignment
from annotation.entry.entering import enter, give_consent
from annotation.models import Assignment, Participation, Study
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.exports.export_choice import stream
from annotation.studies.item_files import NewItem
from annotation.studies.study_life import add_items, change_status
from tests.factories import a_quota, a_study, an_answer
from tests.integration.annotation.answering.views.people import a_study_of, begin
from tests.integration.researchers import a_researcher, signed_in
from tools import place

pytestmark = pytest.mark.django_db
LOUD = {
    "hidden_ms": 900_000,
    "copied_and_left": 9,
    "clicks": 9,
    "unmoved_clicks": 9,
    "untrusted_events": 7,
    "webdriver": 1,
}


def signs_in_form(**signs: int) -> dict[str, str]:
    return {f"sign_{name}": str(signs.get(name, 0)) for name in NAMES}


def done_by(study: Study, person: str, answers: tuple[float, ...], **signs: int) -> Assignment:
    someone = enter(study=study, platform="direct", platform_id=person, seed=3)
    give_consent(participation=someone, names_signs=True)
    assignment = open_assignment(participation=someone)
    for place_of_item in assignment.assigned_items.select_related("item"):
        item = place_of_item.item
        right = item.min if item.min is not None else item.max
        number = answers[place_of_item.position % len(answers)] if right is None else right
        form = {"number": str(number), **signs_in_form(**signs)}
        an_answer(assignment, place_of_item.position, fields=form)
    finish_assignment(assignment=assignment)
    return assignment


def looking_at(study: Study, level: str = "viewer") -> Client:
    return signed_in(a_researcher(study, level))


def a_counted_study() -> tuple[Study, Participation, Participation]:
    study = a_study(counts_signs=True)
    loud = done_by(study, "loud", (40, 60), **LOUD).participation
    quiet = done_by(study, "quiet", (45, 55), clicks=30).participation
    return study, loud, quiet


def test_flags_stand_on_the_list_and_on_the_persons_page_with_their_numbers() -> None:
    study, loud, quiet = a_counted_study()
    client = looking_at(study)
    answers = loud.assigned_items.count()
    page = client.get(reverse("agreement:people", args=[study.uuid]), {"show": "signs"}).content.decode()
    one = client.get(reverse("agreement:person", args=[study.uuid, loud.pseudonym])).content.decode()
    other = client.get(reverse("agreement:person", args=[study.uuid, quiet.pseudonym])).content.decode()

    number = f"{9 * answers:,} of {9 * answers:,} clicks"
    assert f"Clicks without movement: {number}" in page
    assert loud.pseudonym in page
    assert quiet.pseudonym not in page.partition('id="table"')[2]
    for sign in SIGNS:
        if sign.flagged_from is not None:
            assert sign.innocent in one
    assert f"<strong>Clicks without movement</strong>: {number}" in one
    assert "Worth a look" not in other
    assert "Signs that a person answered" in other


def test_no_page_calls_anybody_names() -> None:
    study, loud, _quiet = a_counted_study()
    client = looking_at(study)
    for address in (
        reverse("agreement:people", args=[study.uuid]),
        reverse("agreement:person", args=[study.uuid, loud.pseudonym]),
    ):
        text = re.sub(r"<[^>]+>", " ", client.get(address).content.decode())
        assert not re.search(r"\bbots?\b", text, re.IGNORECASE)
        assert "score of" not in text.lower()


def test_a_study_that_counts_none_says_nothing_of_them() -> None:
    study = a_study()
    done_by(study, "somebody", (40, 60), **LOUD)
    assert (
        "Signs that a person answered"
        not in looking_at(study).get(reverse("agreement:people", args=[study.uuid])).content.decode()
    )


def test_they_are_exported_by_person_and_item_in_a_file_of_their_own(tmp_path: Path) -> None:
    study, loud, _quiet = a_counted_study()
    client = looking_at(study)
    file = client.get(reverse("agreement:download_signs", args=[study.uuid, "signs"]))
    rows = list(csv.DictReader(io.StringIO(b"".join(file.streaming_content).decode("utf-8-sig"))))  # type: ignore[attr-defined]
    assert list(rows[0]) == ["worker_id", "item_id", "answers", *NAMES]
    theirs = [row for row in rows if row["worker_id"] == loud.pseudonym]
    assert len(theirs) == loud.assigned_items.count()
    assert {row["untrusted_events"] for row in theirs} == {"7"}

    call_command("export", study.slug, "signs", "--out", str(tmp_path / "signs.csv"), stdout=io.StringIO())
    assert (tmp_path / "signs.csv").read_bytes() == b"".join(stream(study, "signs", release=None))
    assert b"navigator.webdriver" in (tmp_path / "signs.dictionary.csv").read_bytes()


@pytest.mark.parametrize("export", ["signs", "authenticity"])
def test_there_is_no_file_where_there_is_none_of_it(export: str) -> None:
    study = a_study()
    with pytest.raises(Refused, match="has no "):
        stream(study, export, release=None)
    assert looking_at(study).get(reverse("agreement:download_signs", args=[study.uuid, export])).status_code == 404


def test_a_changed_answer_adds_nothing_twice() -> None:
    study = a_study(counts_signs=True)
    someone = enter(study=study, platform="direct", platform_id="changes", seed=3)
    give_consent(participation=someone, names_signs=True)
    assignment = open_assignment(participation=someone)
    for clicks in (3, 5):
        an_answer(assignment, 1, fields={"number": "50", **signs_in_form(clicks=clicks)})
    [row] = csv.DictReader(io.StringIO(b"".join(stream(study, "signs", release=None)).decode("utf-8-sig")))
    assert (row["answers"], row["clicks"]) == ("2", "5")


def test_signs_change_no_exclusion_and_no_byte_of_gold() -> None:
    releases = []
    for signs in (LOUD, {}):
        study = a_study(counts_signs=True)
        for person, answers in (("one", (40, 60)), ("two", (45, 55)), ("three", (10, 90))):
            done_by(study, f"{person}-{uuid4()}", answers, **signs)
        release = clean_and_release(study=study, replicates=50, by=study.owner)
        excluded = study.participations.filter(set_aside_at__isnull=False).count()
        releases.append((release.sha256, excluded))
    assert releases[0] == releases[1]


def test_no_rule_and_no_reader_of_judgments_knows_of_signs() -> None:
    """What cleaning sees is read and judged by these folders alone."""
    names = {"AnswerSigns", "AuthenticityResult", "signs", "authenticity"}
    folders = ("agreement/cleaning", "agreement/screening", "agreement/judgments", "annotation/releases/from_database")
    modules = [path for folder in folders for path in (place.ROOT / folder).rglob("*.py")]
    assert modules
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text())):
            imported = [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom | ast.Import) else []
            module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            assert not names & {*imported, *module.split(".")}, path


# Traps: a check like any other to whoever answers it.

KNOWN = {
    "trap_version": "seven",
    "trap_date": "2031-03-07",
    "trap_models": "one-model|two-model",
    "trap_passed": "97.5",
}


def a_study_with_a_trap() -> Study:
    items: list[NewItem] = [
        {"item_id": "x1", "fields": {"thing": "fern", **dict.fromkeys(TRAP_COLUMNS, "")}},
        {
            "item_id": "x2",
            "kind": "check",
            "check_name": "trap",
            "expected": ["red"],
            "fields": {"thing": "moth", **KNOWN},
        },
    ]
    study = a_study_of("choice", items=items[:1], items_per_assignment=1)
    study = change_status(study=study, status=Study.Status.PAUSED)
    a_quota(study, "trap", 1)
    add_items(study=study, items=items[1:], source="a test")
    return change_status(study=study, status=Study.Status.LIVE)


def test_nothing_on_a_page_tells_a_trap_from_another_item(client: Client) -> None:
    study = a_study_with_a_trap()
    pages = [client.get(begin(client, study)).content.decode()]
    text = "".join(pages)
    assert "moth" in text
    for word in ("trap", *KNOWN.values(), "one-model", "check_name"):
        assert word not in text
    fieldsets = re.findall(r"<fieldset class=\"item.*?</fieldset>", text, re.DOTALL)
    alike = {re.sub(r"fern|moth|[0-9a-f-]{36}|i?\d+|[12] of 2", "", fieldset) for fieldset in fieldsets}
    assert len(fieldsets) == 2
    assert len(alike) == 1


def test_item_page_and_report_say_what_is_known_of_a_trap(client: Client) -> None:
    study = a_study_with_a_trap()
    for person in ("a", "b", "c"):
        someone = enter(study=study, platform="prolific", platform_id=person, seed=3, session_id=person)
        give_consent(participation=someone)
        assignment = open_assignment(participation=someone)
        for one in assignment.assigned_items.select_related("item"):
            label = "red" if one.item.check_name or person != "c" else "blue"
            label = "blue" if one.item.check_name and person == "c" else label
            an_answer(assignment, one.position, fields={"label": label})
        finish_assignment(assignment=assignment)
    release = clean_and_release(study=study, replicates=50, by=None)

    assert release.report["cleaning"]["traps"] == [
        {"item": "x2", "version": "seven", "date": "2031-03-07", "models": ["one-model", "two-model"], "passed": "97.5"}
    ]
    assert study.participations.filter(set_aside_at__isnull=False).count() == 1  # by the trap's own right answer
    assert not any(name in line for name in TRAP_COLUMNS for line in release.columns)
    trap = study.items.get(item_id="x2")
    page = looking_at(study).get(reverse("agreement:item", args=[study.uuid, trap.uuid])).content.decode()
    assert "one-model, two-model" in page
    assert "97.5 %" in page
