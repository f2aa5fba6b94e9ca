"""Simulated people answer every question that is shown to them; who drops out leaves an item half done."""

from typing import Any

import pytest

from annotation.models import AssignedItem, Judgment, Participation, Study
from annotation.simulating.crowds import simulate
from annotation.simulating.over_http import simulate_over_http
from tests.integration.annotation.answering.views.several import a_study_of_four, ask

WORKERS = 6


def a_study_for_a_crowd() -> Study:
    items: list[dict[str, Any]] = [{"item_id": str(k), "fields": {"thing": f"thing {k}"}} for k in range(12)]
    study = a_study_of_four(items=items, judgments_per_item=WORKERS, platform="direct", items_per_page=2)
    ask(study, 5, "choices", ("a", "b"))
    return study


def answers() -> list[tuple[str, int, str | None]]:
    rows = Judgment.objects.current().order_by("assigned_item__participation", "assigned_item__position", "question")
    return list(rows.values_list("assigned_item__item__item_id", "question", "label"))


def assert_every_question_is_accounted_for(items: int) -> None:
    """Each done item has one row for each question; what is not asked is so because of the answer to the first."""
    done = AssignedItem.objects.filter(done_at__isnull=False)
    assert done.count() == items
    current = Judgment.objects.current().filter(assigned_item__in=done)
    assert [current.filter(question=number).count() for number in range(1, 6)] == [items] * 5
    red = set(current.filter(question=1, label="red").values_list("assigned_item", flat=True))
    asked = set(current.filter(question=2, no_answer__isnull=True).values_list("assigned_item", flat=True))
    assert red == asked != set()
    assert set(current.filter(question=2).exclude(assigned_item__in=red).values_list("no_answer", flat=True)) == {
        "not-asked"
    }
    assert len(set(current.filter(question=2, no_answer__isnull=True).values_list("confidence", flat=True))) > 1
    assert current.filter(question=3, no_answer="dont-know").exists()
    assert current.filter(question=4, no_answer="left-empty").exists()
    assert current.filter(question=4, text__isnull=False).exists()


@pytest.mark.django_db
def test_people_answer_all_that_is_shown() -> None:
    study = a_study_for_a_crowd()
    crowd = simulate(study=study, workers=WORKERS, seed=5)
    assert crowd.answers == 10 * WORKERS
    assert_every_question_is_accounted_for(10 * WORKERS)
    assert set(study.participations.values_list("status", flat=True)) == {Participation.Status.FINISHED}
    first = answers()
    Judgment.objects.all().delete()
    simulate(study=a_study_for_a_crowd(), workers=WORKERS, seed=5)
    assert answers() == first


@pytest.mark.django_db
def test_who_drops_out_leaves_an_item_half_done_that_counts_nowhere() -> None:
    study = a_study_for_a_crowd()
    crowd = simulate(study=study, workers=1, vices={"drops-out": 1}, seed=5)
    begun = AssignedItem.objects.get(done_at__isnull=True, judgments__isnull=False)
    assert list(begun.judgments.values_list("question", flat=True)) == [1]
    assert AssignedItem.objects.answered().count() == crowd.answers
    assert not Judgment.objects.of_done_items().filter(assigned_item=begun).exists()


@pytest.mark.django_db(transaction=True)
def test_people_find_their_way_through_the_pages(live_server: Any) -> None:
    study = a_study_for_a_crowd()
    simulate_over_http(study=study, site=live_server.url, workers=5, vices={"drops-out": 1}, seed=3)
    finished = study.participations.filter(status=Participation.Status.FINISHED).count()
    assert finished == 4
    half = AssignedItem.objects.filter(done_at__isnull=True, judgments__isnull=False).distinct().count()
    assert half == 1
    assert_every_question_is_accounted_for(AssignedItem.objects.answered().count())
