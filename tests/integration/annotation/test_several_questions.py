"""A study of four questions with a condition, from its items to gold, reports, models and a bundle: the same data as
four studies of one question each give the same figures.
"""

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from agreement.analysis.file_job import FileJob, run
from agreement.cli.verifying import verify
from agreement.errors import Refused
from agreement.files.numbers import Scale
from annotation.answering.judging import finish_assignment, open_assignment
from annotation.answering.saving_answers import save_answer
from annotation.models import Assignment, CheckQuota, Item, Judgment, Label, Question, Study
from annotation.releases.actions.analysing import AnalysisFailed, clean_and_release
from annotation.releases.actions.scoring_probes import add_probe
from annotation.releases.exports.bundle_zip import bundle
from annotation.releases.exports.export_choice import release_numbered, stream, study_for
from annotation.releases.models import Exclusion, GoldRelease
from annotation.studies.study_life import add_items, change_status
from tests.factories import a_person
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_researcher

ITEMS, PEOPLE = 12, 7
NAMES = ("relation", "fluency", "colours", "sure")
pytestmark = [pytest.mark.django_db, pytest.mark.both]


@dataclass(frozen=True)
class Given:
    """What one person answers to one item; `fluency` is asked where the relation is not `none`."""

    relation: str
    fluency: float
    colours: tuple[str, ...]
    sure: str

    def fields(self, number: int) -> dict[str, list[str]]:
        values: dict[int, dict[str, list[str]]] = {
            1: {"label": [self.relation], "confidence": ["4"]},
            2: {"number": [str(self.fluency)]},
            3: {"labels": list(self.colours)},
            4: {"label": [self.sure]},
        }
        return values[number]

    def is_asked(self, number: int) -> bool:
        return number != 2 or self.relation != "none"


LABELS = {1: ("left", "right", "none"), 3: ("red", "green", "blue"), 4: ("no", "somewhat", "yes")}
KINDS = {1: "choice", 2: "slider", 3: "choices", 4: "choice"}


def answers() -> dict[tuple[int, int], Given]:
    """Of each person to each item: mostly the item's own, with errors."""
    draws = np.random.default_rng(11)
    made = {}
    for item in range(ITEMS + 1):
        truth = (draws.integers(3), draws.integers(20, 80), draws.integers(1, 8), draws.integers(3))
        for person in range(PEOPLE):
            relation = LABELS[1][truth[0] if draws.random() < 0.8 else draws.integers(3)]
            fluency = float(np.clip(truth[1] + draws.normal(0, 8), 0, 100).round(1))
            picked = tuple(sorted(name for bit, name in enumerate(LABELS[3]) if truth[2] >> bit & 1)) or ("red",)
            sure = LABELS[4][truth[3] if draws.random() < 0.7 else draws.integers(3)]
            made[person, item] = Given(relation, fluency, picked, sure)
    return made


def a_study(slug: str, numbers: tuple[int, ...]) -> Study:
    """Asking these of the four questions, the first of them on the study itself."""
    first, *others = numbers
    scale = {"scale_low": 0, "scale_high": 100}
    study = Study.objects.create(
        slug=slug, title=slug, kind=KINDS[first], question_name=NAMES[first - 1], question="What of {thing}?",
        seed=7, judgments_per_item=PEOPLE, items_per_assignment=ITEMS, asks_confidence=first == 1,
        **(scale if KINDS[first] == "slider" else {}),
    )  # fmt: skip
    for place, number in enumerate(others, start=2):
        Question.objects.create(
            study=study, number=place, kind=KINDS[number], question_name=NAMES[number - 1], question="And of {thing}?",
            **(scale if KINDS[number] == "slider" else {}),
            **({"shown_if": 1, "shown_if_labels": ["left", "right"]} if number == 2 else {}),
        )  # fmt: skip
    for place, number in enumerate(numbers, start=1):
        for position, value in enumerate(LABELS.get(number, ()), start=1):
            Label.objects.create(study=study, question=place, value=value, display_text=value, position=position)
    items: list[Any] = [
        {"item_id": f"i{k:02}", "fields": {"thing": f"thing {k}", "feedback_right": ""}} for k in range(ITEMS)
    ]
    if 4 in numbers:
        check = {"check_name": "sure", "expected": ["yes"], "check_question": numbers.index(4) + 1}
        items.append({"item_id": "check", "kind": "check", "fields": {"thing": "a check"}, **check})
        CheckQuota.objects.create(study=study, check_name="sure", per_assignment=1)
    add_items(study=study, items=items, source="a test")
    return change_status(study=study, status=Study.Status.LIVE)


def collected(study: Study, numbers: tuple[int, ...], *, careless: int | None = None) -> list[Assignment]:
    """Everybody answers everything that they are asked; one person fails the check."""
    made, assignments = answers(), []
    for person in range(PEOPLE):
        assignment = open_assignment(participation=a_person(study, seed=person, platform_id=f"p{person}"))
        for place in assignment.assigned_items.select_related("item"):
            given = made[person, ITEMS if place.item.item_id == "check" else int(place.item.item_id[1:])]
            is_check = place.item.kind == Item.Kind.CHECK
            fields: dict[str, list[str]] = {}
            for position, number in enumerate(numbers, start=1):
                own = given.fields(number)
                if is_check and number == 4:
                    own = {"label": ["no" if person == careless else "yes"]}
                if len(numbers) > 1:
                    own = {f"q{position}-{name}": value for name, value in own.items()}
                elif not given.is_asked(number):
                    continue
                fields |= own
            if fields:
                say(assignment, place.position, fields)
        if not assignment.assigned_items.unanswered().exists():
            finish_assignment(assignment=assignment)
        assignments.append(assignment)
    return assignments


def say(assignment: Assignment, position: int, fields: dict[str, list[str]]) -> None:
    form = {"position": [str(position)], "key": [str(uuid4())], "input_kind": ["mouse"], **fields}
    save_answer(assignment_uuid=assignment.uuid, token_version=assignment.token_version, fields=form)


def published(release: GoldRelease) -> dict[str, Any]:
    """The figures of a report, without what names the study or is of others in it."""
    report = json.loads(release.report_file or "")
    return {name: report[name] for name in ("agreement", "ceiling", "claims", "scores", "counts", "influence")}


@pytest.fixture
def four() -> Study:
    study = a_study("four", (1, 2, 3, 4))
    collected(study, (1, 2, 3, 4))
    return study


@pytest.fixture
def released(four: Study) -> Study:
    four.owner = a_researcher()
    four.save(update_fields=["owner"])
    clean_and_release(study=four, seed=3)
    return four


def test_the_same_data_as_four_studies_give_the_same_figures(four: Study, tmp_path: Path) -> None:
    probe = tmp_path / "model.csv"
    probe.write_text("item_id,label\n" + "".join(f"i{k:02},left\n" for k in range(ITEMS)))
    add_probe(study=four, name="model", file=probe)
    clean_and_release(study=four, seed=3)
    rows = GoldRelease.objects.filter(study=four).order_by("question")
    assert [(row.number, row.study.question_name) for row in rows] == [(1, name) for name in NAMES]
    for number, row in enumerate(rows, start=1):
        alone = a_study(f"alone-{number}", (number,))
        collected(alone, (number,))
        if number == 1:
            add_probe(study=alone, name="model", file=probe)
        # The check is of the fourth question: of the others it is no judgment, alone as in company.
        released = clean_and_release(study=alone, seed=3)
        assert (row.sha256, row.columns) == (released.sha256, released.columns), NAMES[number - 1]
        assert with_named_workers(row) == with_named_workers(released)


def with_named_workers(release: GoldRelease) -> str:
    """The report with people by their number, for pseudonyms are random and figures follow their order."""
    text = json.dumps(published(release))
    people = release.study.participations.values_list("pseudonym", "worker__platform_id")
    for pseudonym, platform_id in people:
        text = text.replace(pseudonym, str(platform_id))
    return text


def test_a_hidden_question_is_not_asked_and_counts_nowhere(four: Study) -> None:
    hidden = Judgment.objects.current().filter(question=2, no_answer="not-asked")
    relations = Judgment.objects.current().filter(question=1, label="none")
    assert hidden.count() == relations.count() > 0
    release = clean_and_release(study=four, seed=3)
    fluency = GoldRelease.objects.get(study=four, number=release.number, question=2)
    everything = ITEMS * PEOPLE
    targets = relations.filter(assigned_item__item__kind="target").count()
    assert fluency.published.counts.judgments == everything - targets
    rows = csv_rows(stream(four, "judgments", release=None, of_all=True))
    assert rows[0][-3:] == ["confidence", "no_answer", "question"]
    # A check of another question is no row of this one, answered or not.
    assert sum(row[-2] == "not-asked" for row in rows) == targets
    assert {row[-1] for row in rows[1:]} == set(NAMES)


def figures(folder: Path) -> dict[str, Any]:
    report = json.loads((folder / "report.json").read_text())
    return {name: report[name] for name in ("agreement", "ceiling", "claims", "counts", "influence", "cleaning")}


def csv_rows(pieces: Iterator[bytes]) -> list[list[str]]:
    return [line.split(",") for line in b"".join(pieces).decode().splitlines()]


def test_who_fails_one_questions_check_is_excluded_from_all() -> None:
    study = a_study("careless", (1, 2, 3, 4))
    assignments = collected(study, (1, 2, 3, 4), careless=2)
    release = clean_and_release(study=study, seed=3)
    [exclusion] = Exclusion.objects.filter(participation__study=study)
    assert exclusion.participation_id == assignments[2].participation_id
    for row in GoldRelease.objects.filter(study=study, number=release.number):
        assert row.published.counts.workers_kept == PEOPLE - 1
        elsewhere = row.published.by_hand.in_other_questions
        assert elsewhere == (0 if row.question == 4 else 1)


def test_an_unfinished_item_counts_nowhere_and_is_exported() -> None:
    study = a_study("unfinished", (1, 2, 3, 4))
    assignment = open_assignment(participation=a_person(study))
    say(assignment, 1, {"q1-label": ["left"], "q1-confidence": ["2"]})
    place = assignment.assigned_items.get(position=1)
    assert place.done_at is None
    assert assignment.assigned_items.answered().count() == 0
    with pytest.raises(AnalysisFailed, match="no judgments that count yet"):
        clean_and_release(study=study)
    rows = csv_rows(stream(study, "judgments", release=None, of_all=True))
    assert next(row for row in rows if "left" in row)[8:10] == ["0", "other questions of the item lack an answer"]
    say(assignment, 1, {"q2-number": ["40"], "q3-labels": ["red"], "q4-label": ["yes"]})
    place.refresh_from_db()
    assert place.done_at is not None


def test_an_answer_to_a_hidden_question_is_no_answer() -> None:
    study = a_study("hidden", (1, 2, 3, 4))
    assignment = open_assignment(participation=a_person(study))
    none = {"q1-label": ["none"], "q1-confidence": ["2"]}
    say(assignment, 1, {**none, "q2-number": ["40"], "q3-labels": ["red"], "q4-label": ["yes"]})
    stored = Judgment.objects.get(assigned_item__assignment=assignment, question=2)
    assert (stored.number, stored.no_answer) == (None, "not-asked")
    say(assignment, 1, {"q1-label": ["left"], "q1-confidence": ["2"], "q2-number": ["40"]})
    say(assignment, 1, none)
    history = Judgment.objects.filter(assigned_item__assignment=assignment, question=2).order_by("revision")
    assert [(row.number, row.no_answer) for row in history] == [(None, "not-asked"), (40.0, None), (None, "not-asked")]


def test_a_question_has_to_be_named_where_one_is_wanted(four: Study) -> None:
    with pytest.raises(Refused, match=r"several questions.*relation, fluency, colours, sure"):
        study_for(four, "gold", "")
    with pytest.raises(Refused, match="no question 'size'"):
        study_for(four, "gold", "size")
    clean_and_release(study=four, seed=3)
    asked = study_for(four, "gold", "fluency")
    gold = csv_rows(stream(asked, "gold", release=release_numbered(asked, None)))
    assert gold[0][:3] == ["item_id", "left", "right"] or gold[0][0] == "item_id"
    assert "mean" in gold[0]
    assert "feedback_right" not in gold[0]


def test_a_bundle_has_a_folder_for_each_question_and_verifies(four: Study, tmp_path: Path) -> None:
    clean_and_release(study=four, seed=3)
    rows = list(GoldRelease.objects.filter(study=four).order_by("question"))
    content = b"".join(bundle(*rows))
    with zipfile.ZipFile(BytesIO(content)) as archive:
        names = set(archive.namelist())
        report = json.loads(archive.read("report.json"))
    assert {f"{name}/report.json" for name in NAMES} | {f"gold-{name}.csv" for name in NAMES} <= names
    assert [question["name"] for question in report["questions"]] == list(NAMES)
    path = tmp_path / "bundle.zip"
    path.write_bytes(content)
    verified = verify(path)
    assert (verified.words, verified.differences, verified.notes) == ("identical", [], [])


def test_api_wants_the_questions_name_where_one_is_meant(released: Study) -> None:
    assert released.owner is not None
    script = Script(released.owner)
    for address in ("exports/gold/", "releases/1/", "releases/1/report/", "scores/", "leaderboard/"):
        refused = script.get(f"studies/four/{address}")
        assert refused.status_code in {400, 409, 422}, address
        assert "relation, fluency, colours, sure" in refused.content.decode()
        script.get(f"studies/four/{address}?question=colours")
    judgments = script.get("studies/four/exports/judgments/").getvalue().decode().splitlines()
    one = script.get("studies/four/exports/judgments/?question=sure").getvalue().decode().splitlines()
    assert {line.rpartition(",")[2] for line in judgments[1:]} == set(NAMES)
    assert {line.rpartition(",")[2] for line in one[1:]} == {"sure"}
    shown = script.get("studies/four/judgments/?limit=500").json()["results"]
    assert {row["question"] for row in shown} == set(NAMES)
    assert {row["no_answer"] for row in shown} == {None, "not-asked"}


def test_pages_show_the_question_that_was_chosen_last(released: Study, client: Client) -> None:
    assert released.owner is not None
    client.force_login(released.owner)
    for page in ("results", "clean", "people", "items", "leaderboard", "plan"):
        address = reverse(f"agreement:{page}", args=[released.uuid])
        first = client.get(address)
        assert first.status_code == 200, page
        assert "?question=fluency" in first.content.decode()
        chosen = client.get(f"{address}?question=fluency")
        assert 'href="?question=fluency"\n           aria-current="true"' in chosen.content.decode(), page
        assert client.get(f"{address}?question=nothing").status_code == 404
    gold = client.get(reverse("agreement:download", args=[released.uuid, 1, "gold"]))
    assert gold.headers["Content-Disposition"].endswith('"four-release-1-gold-fluency.csv"')
    assert b"mean" in gold.getvalue().splitlines()[0]


def test_commands_take_the_questions_name(released: Study, tmp_path: Path) -> None:
    out = tmp_path / "gold.csv"
    with pytest.raises(SystemExit):
        call_command("export", "four", "gold", out=out)
    call_command("export", "four", "gold", question="colours", out=out)
    assert b"p:red" in out.read_bytes().splitlines()[0]
    judgments = tmp_path / "judgments.csv"
    call_command("export", "four", "judgments", out=judgments)
    with pytest.raises(Refused, match="several questions"):
        run(FileJob(judgments=judgments, out=tmp_path / "refused", seed=3, replicates=100))
    analysis = run(FileJob(judgments=judgments, out=tmp_path / "out", question="colours", seed=3, replicates=100))
    assert analysis.report.question.kind == "choices"
    assert (tmp_path / "out" / "judgments.csv").read_text().splitlines()[0].endswith(",question")


def test_a_bundle_analysed_by_hand_gives_the_figures_of_its_release(tmp_path: Path) -> None:
    study = a_study("careless", (1, 2, 3, 4))
    collected(study, (1, 2, 3, 4), careless=2)
    clean_and_release(study=study, seed=3)
    rows = GoldRelease.objects.filter(study=study).order_by("question")
    folder = tmp_path / "bundle"
    zipfile.ZipFile(BytesIO(b"".join(bundle(*rows)))).extractall(folder)
    # The items as the study has them, with the check of the fourth question among them.
    items = tmp_path / "items.csv"
    check = "check,check,sure,sure,yes,a check\n"
    things = "".join(f"i{k:02},,,,,thing {k}\n" for k in range(ITEMS))
    items.write_text(f"item_id,kind,check,check_question,expected,thing\n{things}{check}")
    for number, name in enumerate(NAMES, start=1):
        scale = Scale(Decimal(0), Decimal(100)) if KINDS[number] == "slider" else None
        by_hand = folder / name / "by_hand.csv"
        job = FileJob(
            judgments=folder / "judgments.csv", items=items, question=name, kind=KINDS[number], scale=scale,
            labels=LABELS.get(number, ()), by_hand=by_hand if by_hand.exists() else None,
            out=tmp_path / name, seed=3, replicates=1000, is_of_bundle=True,
        )  # fmt: skip
        run(job)
        assert figures(tmp_path / name) == figures(folder / name), name
        gold = (tmp_path / name / "gold.csv").read_bytes()
        assert gold == (folder / f"gold-{name}.csv").read_bytes(), name
