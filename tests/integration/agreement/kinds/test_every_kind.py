"""Every kind of question from its form to a file: nothing here names one, so a new folder is walked as well."""

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from django.db import models
from django.http import QueryDict
from django.template.loader import get_template
from django.test import Client

from agreement.files.table import encode
from agreement.files.writing import csv_chunks
from agreement.judgments.crowd import Answers, Crowd, Properties, answer_columns, answer_texts
from agreement.judgments.judgments_file import Judgments, read_judgments
from agreement.kinds.answers import Answer
from agreement.kinds.data import data_of, form_fields_of, wrong_right_answer
from agreement.kinds.registry import KINDS, QUESTION_KINDS
from agreement.kinds.statistics import statistics_of
from agreement.simulation.simulated_people import Person
from agreement.simulation.world import KnownItem, World
from annotation.answering.kinds.form import BadAnswer, Facts, form_of, template_of
from annotation.models import Judgment, Study
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.scoring_probes import add_probe
from annotation.releases.from_database.reading_judgments import crowd_of
from tests.integration.agreement.bundles import run_again
from tests.integration.agreement.crowds import a_study_of as a_crowd_of
from tests.integration.agreement.crowds import answers, came
from tests.integration.annotation.answering.views.people import a_study_of, begin, save

pytestmark = pytest.mark.both

every_kind = pytest.mark.parametrize("kind", QUESTION_KINDS)
ENDS = (0.0, 100.0)


def labels_of(study: Study) -> tuple[str, ...]:
    return tuple(study.labels.order_by("position").values_list("value", flat=True))


def an_answer(kind: str, seed: int, thing: str, labels: tuple[str, ...]) -> Answer:
    return Person(Random(seed)).answer(kind, KnownItem({"thing": thing}), World(2, labels), ENDS)


def sent(kind: str, answer: Answer) -> dict[str, Any]:
    return {name: list(values) for name, values in form_fields_of(kind, answer).items()}


def written(crowd: Crowd, path: Path) -> Path:
    """judgments.csv, as analyses write it."""
    columns = {
        "worker_id": encode([crowd.workers[code] for code in crowd.worker], crowd.n_judgments),
        "item_id": encode([crowd.items["item_id"][code] for code in crowd.item], crowd.n_judgments),
        **answer_columns(crowd),
    }
    path.write_bytes(b"".join(csv_chunks(columns)))
    return path


def told(answers: Answers) -> list[Any]:
    if isinstance(answers, Properties):
        return [answers.of(j) for j in range(len(answers))]
    return [each.tolist() if isinstance(each, np.ndarray) else each for each in answers]


def by_item(source: Judgments | Crowd, items: pd.Series) -> dict[tuple[str, str], Any]:
    """The answers by worker and item, for a file has its workers and items in an order of its own."""
    worker = source.worker.text() if isinstance(source, Judgments) else [source.workers[code] for code in source.worker]
    of = [str(items[code]) for code in source.item]
    return dict(zip(zip(map(str, worker), of, strict=True), told(source.answers), strict=True))


@every_kind
@pytest.mark.django_db
def test_answer_goes_from_the_form_to_a_file_and_back(kind: str, client: Client, tmp_path: Path) -> None:
    study = a_study_of(kind)
    labels = labels_of(study)
    given: dict[int, Answer] = {}
    for seed in (1, 2):
        address = begin(client, study)
        for position, thing in enumerate(("fern", "brick", "raven"), start=1):
            answer = an_answer(kind, seed, thing, labels)
            assert save(client, address, position=position, **sent(kind, answer)).status_code == 200
            given[Judgment.objects.latest("pk").pk] = answer

    column = KINDS[kind].column
    stored = {judgment.pk: getattr(judgment, column) for judgment in Judgment.objects.all()}
    assert stored == {pk: getattr(answer, column) for pk, answer in given.items()}

    crowd = crowd_of(study)
    assert (crowd.n_judgments, crowd.n_workers, crowd.labels) == (6, 2, labels)
    assert all(answer_texts(crowd, np.arange(6)))

    path = written(crowd, tmp_path / "judgments.csv")
    read = read_judgments(path, kind=kind, labels=labels, scale=crowd.scale)
    assert (read.kind, read.labels, read.scale) == (kind, labels, crowd.scale)
    assert by_item(read, read.items.frame["item_id"]) == by_item(crowd, crowd.items["item_id"])
    assert len({str(answer) for answer in told(read.answers)}) > 1, "of answers that are all alike nothing is learnt"


THINGS = tuple(f"thing {number}" for number in range(12))
SHARES = ((0.75, 0.25), (0.25, 0.75))


def a_probe_of(kind: str, labels: tuple[str, ...], path: Path) -> Path:
    """A model's outputs in the shape that scores of this kind take, on every item."""
    lines = {
        "numbers": ["item_id,score", *(f"{thing},{at * 7 % 12}" for at, thing in enumerate(THINGS))],
        "labels": [
            "item_id,label,probability",
            *(
                f"{thing},{label},{share}"
                for at, thing in enumerate(THINGS)
                for label, share in zip(labels, SHARES[at % 2], strict=False)
            ),
        ],
        "ranking": [
            "item_id,candidate,score",
            *(f"{thing},is {word},1" for thing in THINGS for word in ("old", "new")),
        ],
        "texts": ["item_id,text", *(f"{thing},It is old." for thing in THINGS)],
    }
    path.write_text("\n".join(lines[statistics_of(kind).takes]) + "\n")
    return path


@every_kind
@pytest.mark.django_db
def test_answers_go_on_through_cleaning_into_gold_scores_and_a_bundle_that_makes_the_same_bytes(
    kind: str, tmp_path: Path
) -> None:
    labels = ("false", "true") if KINDS[kind].has_labels else ()
    study = a_crowd_of(
        kind, [{"item_id": thing, "fields": {"thing": thing}} for thing in THINGS], labels, judgments_per_item=5
    )
    column = KINDS[kind].column
    for seed in range(1, 6):
        given = {thing: getattr(an_answer(kind, seed, thing, labels), column) for thing in THINGS}
        answers(came(study, f"w{seed}"), column, given)
    add_probe(study=study, name="a model", file=a_probe_of(kind, labels, tmp_path / "probe.csv"))

    release = clean_and_release(study=study, replicates=20)
    there, again = run_again(release, tmp_path, with_report=True)

    for name in ("gold.csv", "workers.csv", "judgments.csv"):
        assert (again / name).read_bytes() == (there / name).read_bytes(), name
    first, second = (json.loads((folder / "report.json").read_text()) for folder in (there, again))
    for part in ("agreement", "ceiling", "scores", "probes", "warnings"):
        assert first[part] == second[part], part
    whole = {row["metric"]: row for row in first["scores"] if not row["breakdown"]}
    assert "estimate" in whole[statistics_of(kind).first_metric]
    page = (again / "report.html").read_text()
    for name in ("people-and-judgments", "judgment-distribution", "models-and-people"):
        assert f'id="{name}-title"' in page
        assert (again / "figures" / f"{name}.svg").read_text().count("<svg") == 1


@every_kind
@pytest.mark.django_db
def test_page_shows_the_answer_that_is_stored(kind: str, client: Client) -> None:
    study = a_study_of(kind)
    address = begin(client, study)
    answer = an_answer(kind, 1, "fern", labels_of(study))
    empty = client.get(address).context["page"].items[0].question
    save(client, address, **sent(kind, answer))
    question = client.get(address).context["page"].items[0].question
    assert question.is_answered
    assert question.inputs == question.form.show(question.offered, sent(kind, answer)) != empty.inputs

    form = QueryDict(mutable=True)
    for name, values in sent(kind, answer).items():
        form.setlist(name, values)
    assert form_of(kind).read(dict(form.lists()), facts_of(study)) == answer


def facts_of(study: Study) -> Facts:
    low, high = ENDS if study.question_kind.has_scale else (None, None)
    return Facts(low=low, high=high, labels=labels_of(study))


@every_kind
def test_form_without_an_answer_is_refused_in_a_sentence(kind: str) -> None:
    facts = Facts(low=0, high=100, labels=("blue", "red"))
    with pytest.raises(BadAnswer, match=r"\.$"):
        form_of(kind).read({}, facts)


@every_kind
def test_unseen_picture_is_an_answer_whatever_the_kind(kind: str) -> None:
    answer = form_of(kind).read({"could_not_see": ["1"]}, Facts(has_image=True))
    assert answer == Answer(could_not_see=True)
    assert form_fields_of(kind, answer) == {}


@every_kind
def test_answers_of_a_guessed_file_are_of_the_kind_that_they_show(kind: str, tmp_path: Path) -> None:
    """Kinds that no file shows have to be said; the others are found again in what they write."""
    if data_of(kind).guess is None:
        return
    labels = ("blue", "red") if KINDS[kind].has_labels else ()
    made = [an_answer(kind, seed, ("fern", "brick")[seed % 2], labels) for seed in range(1, 21)]
    values = np.empty(len(made), dtype=np.float64 if KINDS[kind].column == "number" else object)
    values[:] = [getattr(answer, KINDS[kind].column) for answer in made]
    held, found = data_of(kind).from_database(values, labels)
    columns = {
        "worker_id": encode([f"w{k}" for k in range(20)], 20),
        "item_id": encode(["brick", "fern"] * 10, 20),
        **data_of(kind).cells(held, found),
    }
    path = tmp_path / "judgments.csv"
    path.write_bytes(b"".join(csv_chunks(columns)))
    assert data_of(read_judgments(path).kind).cells == data_of(kind).cells


@every_kind
def test_right_answers_keep_to_the_labels_and_bounds_to_a_scale(kind: str) -> None:
    labels = ("red", "blue")
    wrong = dict(wrong_right_answer(kind, labels, "green", ["min"]))
    assert ("min" in wrong) is not KINDS[kind].has_scale
    if KINDS[kind].has_labels:
        assert "green" in wrong["expected"]
        assert "expected" not in dict(wrong_right_answer(kind, labels, "red|blue"))


@every_kind
def test_folder_has_all_that_a_kind_needs(kind: str) -> None:
    folder = Path(__file__).parents[4] / "agreement" / "kinds" / kind
    needed = {"__init__.py", "data.py", "statistics.py"}
    assert needed <= {path.name for path in folder.iterdir()}
    assert KINDS[kind].name == kind, "a kind is called as its folder"
    get_template(template_of(kind))  # raises where there is none


@every_kind
def test_kind_fits_the_database(kind: str) -> None:
    field = Study._meta.get_field("kind")
    assert len(kind) <= (field.max_length or 0)
    assert (kind, KINDS[kind].title) in (field.choices or [])
    assert isinstance(Judgment._meta.get_field(KINDS[kind].column), models.Field)


def test_kinds_stand_in_one_order_and_guesses_too() -> None:
    assert len({kind.order for kind in KINDS.values()}) == len(KINDS)
    guesses = [guess.order for kind in KINDS if (guess := data_of(kind).guess)]
    assert len(set(guesses)) == len(guesses)
