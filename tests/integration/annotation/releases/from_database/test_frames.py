"""From the database to a `Crowd`: the same on both databases, and the same as by way of a file."""

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agreement.judgments.crowd import ITEM_COLUMNS, Properties, Scale
from agreement.kinds.label_lists import UnknownLabel
from annotation.models import AssignedItem, Judgment, Participation, Study
from annotation.releases.from_database.judgment_rows import counted_judgments
from annotation.releases.from_database.reading_judgments import crowd_of, frame_of
from tests.integration.agreement.crowds import a_slider_crowd, a_study_of, answers, came, judged

pytestmark = [pytest.mark.django_db, pytest.mark.both]
TWO_ITEMS = [{"item_id": "a"}, {"item_id": "b"}]


def test_slider_crowd_is_what_a_file_would_give() -> None:
    study = a_slider_crowd()
    crowd = crowd_of(study)
    assert (crowd.kind, crowd.scale, crowd.labels) == ("slider", Scale(Decimal(0), Decimal(100)), ())
    assert list(crowd.workers) == ["ann", "ben", "eve", "zoe"]
    assert list(crowd.items["item_id"]) == ["i1", "i2", "i3", "u1", "s1"]
    assert list(crowd.items["check"]) == ["", "", "", "unrelated", "self"]
    assert list(crowd.items["max"]) == [None, None, None, Decimal(60), None]
    assert [name for name in crowd.items.columns if name not in ITEM_COLUMNS] == ["left", "right"]
    assert crowd.answers.tolist()[:5] == [90, 10, 70, 60, 90]  # type: ignore[union-attr]
    assert crowd.worker.tolist() == [0] * 5 + [1] * 5 + [2] * 5 + [3] * 5
    assert crowd.item.tolist() == [0, 1, 2, 3, 4] * 4
    assert set(crowd.extras["response_ms"]) == {1500.0}


def test_times_are_told_to_the_minute_and_assignments_by_running_numbers() -> None:
    a_slider_crowd()
    study = a_slider_crowd()
    Judgment.objects.of_study(study.pk).filter(assigned_item__participation__pseudonym="ann").delete()
    extras = crowd_of(study).extras
    given = Judgment.objects.of_study(study.pk).exclude(assigned_item__item__kind="practice").order_by("pk")
    assert list(extras["submitted_at"]) == [f"{one.created_at:%Y-%m-%dT%H:%MZ}" for one in given]
    assert list(extras["assignment_id"]) == ["2"] * 5 + ["3"] * 5 + ["4"] * 5, "ann's number is nobody else's"


@pytest.mark.parametrize(
    ("kind", "field", "labels", "given", "expected"),
    [
        ("choice", "label", ["red", "blue"], ["blue", "red"], [1, 0]),
        ("verify", "label", ["true", "false"], ["true", "true"], [0, 0]),
        ("choices", "labels", ["x", "y", "z"], [["z", "x"], ["y"]], [[True, False, True], [False, True, False]]),
        ("sliders", "numbers", ["x", "y"], [{"x": 1, "y": 2.5}, {"y": 0, "x": 0}], [[1, 2.5], [0, 0]]),
        ("text", "text", [], ["a cat", "=1+1"], ["a cat", "=1+1"]),
    ],
)
def test_answers_of_each_kind(kind: str, field: str, labels: list[str], given: list[Any], expected: list[Any]) -> None:
    study = a_study_of(kind, TWO_ITEMS, labels)
    answers(came(study, "ann"), field, dict(zip("ab", given, strict=True)))
    crowd = crowd_of(study)
    assert crowd.answers.tolist() == expected  # type: ignore[union-attr]
    assert crowd.labels == tuple(labels)


@pytest.mark.parametrize("text", ["NA", "nan", "\\N", 'two\r\nlines, "quoted"', "\ttab\n", "naïve \u4f60", "'", " "])
def test_texts_come_as_they_were_given(text: str) -> None:
    study = a_study_of("text", TWO_ITEMS)
    answers(came(study, "ann"), "text", {"a": text}, response_ms=None)
    crowd = crowd_of(study)
    assert crowd.answers.tolist() == [text]  # type: ignore[union-attr]
    assert np.isnan(crowd.extras["response_ms"]).all()


@pytest.mark.parametrize("number", [0.1, 1 / 3, 1e-300, 57.0, 99.99999999999999])
def test_numbers_come_to_the_last_bit(number: float) -> None:
    study = a_study_of("slider", TWO_ITEMS)
    answers(came(study, "ann"), "number", {"a": number})
    assert crowd_of(study).answers.tolist() == [number]  # type: ignore[union-attr]


def test_properties_keep_their_order_and_count_once() -> None:
    study = a_study_of("list", TWO_ITEMS)
    answers(came(study, "ann"), "properties", {"a": ["is green", "has leaves", " is green "], "b": ["has leaves"]})
    given = crowd_of(study).answers
    assert isinstance(given, Properties)
    assert [given.of(j) for j in range(2)] == [["is green", "has leaves"], ["has leaves"]]


def test_labels_without_an_order_are_sorted_and_removed_ones_are_named() -> None:
    study = a_study_of("choice", TWO_ITEMS)
    answers(came(study, "ann"), "label", {"a": "red", "b": "blue"})
    assert crowd_of(study).labels == ("blue", "red")
    study = a_study_of("choice", TWO_ITEMS, ["red"])
    answers(came(study, "ann"), "label", {"a": "red", "b": "blue"})
    with pytest.raises(UnknownLabel, match="blue"):
        crowd_of(study)


def test_study_without_answers_gives_an_empty_crowd() -> None:
    crowd = crowd_of(a_study_of("sliders", TWO_ITEMS, ["x", "y"]))
    assert (crowd.n_judgments, crowd.n_workers, crowd.n_items) == (0, 0, 2)
    assert np.asarray(crowd.answers).shape == (0, 2)


def test_latest_revision_counts() -> None:
    study = a_study_of("slider", TWO_ITEMS)
    answers(came(study, "ann"), "number", {"a": 10.0, "b": 20.0})
    judged(AssignedItem.objects.get(item__item_id="a", item__study=study), "number", 90.0, revision=2)
    assert crowd_of(study).answers.tolist() == [20.0, 90.0]  # type: ignore[union-attr]


def test_late_answers_count_only_if_the_study_says_so() -> None:
    study = a_study_of("slider", TWO_ITEMS)
    answers(came(study, "ann"), "number", {"a": 10.0}, is_late=True)
    answers(came(study, "bob", status="returned"), "number", {"a": 20.0})
    assert not counted_judgments(study).exists()
    study.counts_late_answers = True
    assert counted_judgments(study).count() == 2


def test_late_answers_to_checks_still_say_how_careful_a_person_was() -> None:
    study = a_slider_crowd()
    answers(came(study, "kim"), "number", {"i1": 10.0, "u1": 99.0}, is_late=True)
    theirs = counted_judgments(study).filter(assigned_item__participation__pseudonym="kim")
    assert list(theirs.values_list("assigned_item__item__item_id", flat=True)) == ["u1"]


@pytest.mark.parametrize("status", ["declined", "failed-comprehension", "rejected", "withdrawn"])
def test_people_who_do_not_count(status: str) -> None:
    study = a_study_of("slider", TWO_ITEMS, counts_late_answers=True)
    answers(came(study, "ann", status=status), "number", {"a": 10.0})
    assert not counted_judgments(study).exists()


def test_pilots_count_while_piloting_and_never_when_live() -> None:
    study = a_study_of("slider", TWO_ITEMS, status="piloting")
    answers(came(study, "ann", is_pilot=True), "number", {"a": 10.0})
    assert counted_judgments(study).count() == 1
    study.status = "live"
    assert not counted_judgments(study).exists()


def test_pictures_that_could_not_be_seen_are_no_answers() -> None:
    study = a_study_of("choice", TWO_ITEMS, ["red", "blue"])
    answers(came(study, "ann"), "could_not_see", {"a": True})
    assert not counted_judgments(study).exists()


def test_frame_names_its_rows() -> None:
    study = a_slider_crowd()
    frame = frame_of(study)
    first = Judgment.objects.get(pk=frame.judgments[7])
    assert first.number == frame.crowd.answers[7] == 75.5  # type: ignore[index]
    people = Participation.objects.in_bulk(frame.participations.tolist())
    assert [people[pk].pseudonym for pk in frame.participations.tolist()] == list(frame.crowd.workers)


def test_reading_takes_few_queries_whatever_the_size(django_assert_num_queries: Any) -> None:
    study = a_slider_crowd()
    queries = 9 if connection.vendor == "sqlite" else 7  # of which SQLite's planner needs two
    with django_assert_num_queries(queries):
        crowd_of(study)
    for number in range(5):
        answers(came(study, f"more-{number}"), "number", {"i1": 5.0})
    study = Study.objects.get(pk=study.pk)
    with django_assert_num_queries(queries):
        crowd_of(study)
    assert timezone.is_aware(Judgment.objects.latest("pk").created_at)


@pytest.mark.sqlite
@pytest.mark.parametrize("others", [0, 6])
def test_a_study_that_is_much_of_the_site_is_read_along_the_judgments_without_a_sort(others: int) -> None:
    study = a_slider_crowd()
    for _ in range(others):
        a_slider_crowd()
    with CaptureQueriesContext(connection) as queries:
        frame_of(study)
    [read] = [query["sql"] for query in queries if "created_at" in query["sql"] and "ORDER BY" in query["sql"]]
    with connection.cursor() as cursor:
        plan = [row[3] for row in cursor.execute(f"EXPLAIN QUERY PLAN {read}").fetchall()]
    is_much = others == 0
    assert plan[0].startswith("SCAN annotation_judgment") == is_much
    assert any("TEMP B-TREE" in step for step in plan) != is_much
