"""Simulated people: seeded, through the real actions, with vices that checks can find."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from annotation.models import Judgment, Study
from questions.registry import QUESTION_KINDS
from simulation.by_actions import simulate
from simulation.people import World
from tests.factories import a_small_study, a_study

pytestmark = pytest.mark.django_db
KINDS = list(QUESTION_KINDS)


def answers_of(study: Study) -> list[tuple[str, float | None]]:
    judgments = Judgment.objects.of_study(study.pk).order_by("pk")
    return list(judgments.values_list("assigned_item__item__item_id", "number"))


def test_the_same_seed_gives_the_same_answers() -> None:
    first, second, third = a_study(), a_study(), a_study()

    for study, seed in ((first, 5), (second, 5), (third, 6)):
        simulate(study=study, workers=4, careless=1, seed=seed)

    assert answers_of(first) == answers_of(second)
    assert answers_of(first) != answers_of(third)


def test_a_pairs_similarity_doesnt_depend_on_its_order() -> None:
    world = World(3)

    assert world.similarity({"left": "on", "right": "above"}) == world.similarity({"left": "above", "right": "on"})
    assert world.similarity({"left": "on", "right": "green"}) < 0.05
    assert world.similarity({"left": "on", "right": "on"}) > 0.95


@pytest.mark.parametrize("kind", KINDS)
def test_people_answer_every_kind_of_question(kind: str) -> None:
    study = a_small_study(items=4, items_per_assignment=4, live=False, kind=kind, judgments_per_item=3)
    for position, value in enumerate(("false", "true"), start=1):
        study.labels.create(value=value, display_text=value, position=position)
    Study.objects.filter(pk=study.pk).update(status="live")
    study.refresh_from_db()
    from annotation.open_places import open_places

    open_places(study=study)

    crowd = simulate(study=study, workers=3, careless=1, seed=1)

    assert crowd.answers == 12
    assert Judgment.objects.of_study(study.pk).count() == 12


def test_the_command_says_who_came() -> None:
    study = a_study()
    out = StringIO()

    call_command("simulate", study.slug, workers=5, careless=0.4, json=True, stdout=out)

    told = json.loads(out.getvalue())
    assert (told["workers"], told["answers"], len(told["careless"])) == (5, 60, 2)


def test_people_stop_coming_when_all_places_are_full() -> None:
    study = a_small_study(items=2, items_per_assignment=2, judgments_per_item=1)

    assert len(simulate(study=study, workers=3, careless=0, seed=1).vices) == 1
