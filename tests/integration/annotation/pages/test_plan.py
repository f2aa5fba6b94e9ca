"""The page Plan: a sentence with judgments per item, people and cost, from a pilot or from simulated people."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from agreement.estimation.estimate import Undefined
from agreement.kinds.registry import KINDS
from agreement.planning.precision import Components
from annotation.models import Study
from annotation.releases.actions.rule_sets import exclude
from annotation.simulating import crowds
from tests.factories import a_study, per_assignment_done
from tests.integration.annotation.answering.views.people import a_study_of
from tests.integration.researchers import a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db
ASKED = {
    "source": "simulated", "goal": "alpha", "target": "0.1", "items": "66", "items_per_person": "20", "people": "",
}  # fmt: skip


def ask(client: Client, study: Study, **changes: Any) -> Any:
    return client.get(reverse("agreement:plan", args=[study.uuid]), {**ASKED, **changes})


def test_plan_names_judgments_people_and_cost() -> None:
    study, client = an_owned_study(live=False, pay=Decimal(1), currency="GBP", platform="prolific")
    page = ask(client, study, target="0.15")
    best = page.context["answer"]
    assert best.startswith("For alpha within ±0.15: ")
    assert "In 80% of such studies the printed interval is within ±" in best
    assert "Another pilot like this one might have said" in best
    rows = page.context["figure"].rows
    first = rows[rows["precision"] <= 0.15].iloc[0]
    assert f"{first['judgments_per_item']:.0f} judgments per item, {first['people']:.0f} people, " in best
    assert f"{first['cost_GBP']:,.2f} GBP with the platform's fee" in best
    assert "no substitute for a pilot" in page.text


@pytest.mark.parametrize(
    ("goal", "target"),
    [("alpha", "0.02"), ("gold", "1"), ("models", "0.0001"), ("reliability", "0.9999"), ("alt-test", "0.001")],
)
def test_target_that_can_not_be_reached_is_said_in_a_sentence(goal: str, target: str) -> None:
    study, client = an_owned_study(live=False)
    answer = ask(client, study, goal=goal, target=target, people="40", items_per_person="33").context["answer"]
    assert "can't be reached with 40 people" in answer


def test_reliability_that_is_promised_is_below_that_of_the_variance_components() -> None:
    """Four studies of five print it, and half of them what the components give."""
    study, client = an_owned_study(live=False)
    page = ask(client, study, goal="reliability", target="0.8")
    rows = page.context["figure"].rows
    first = rows[rows["precision"] >= 0.8].iloc[0]
    assert f"reliability of 0.8: {first['judgments_per_item']:.0f} judgments per item" in page.context["answer"]
    components = crowds.simulated_components(study)
    assert isinstance(components, Components)
    noise = (components.worker + components.residual) / first["judgments_per_item"]
    expected = components.item / (components.item + noise)
    assert expected - 0.1 < first["precision"] < expected
    caption = page.context["figure"].caption
    assert "by REML" in caption
    assert "biases count as noise" in caption


def test_alternative_annotator_test_is_planned_by_items_of_each_person() -> None:
    study, client = an_owned_study(live=False)
    assert "30 items or more of each person" in ask(client, study, goal="alt-test", target="0.2").text
    page = ask(client, study, goal="alt-test", target="0.9", items_per_person="60")
    assert page.context["is_reached"]
    assert "the test takes" in page.context["answer"]
    assert "items of each person, for a model that answers as one more person would" in page.context["answer"]


def test_too_few_people_for_two_judgments_of_each_item_are_told_so() -> None:
    study, client = an_owned_study(live=False)
    assert "3 people can't even give two judgments" in ask(client, study, people="3").context["answer"]


def test_pilot_is_what_was_judged() -> None:
    study, client = an_owned_study(judgments_per_item=4, items_per_assignment=30)
    for number in (20, 40, 60, 80):
        per_assignment_done(study, number=number, is_careful=True)
    components = crowds.pilot_components(study)
    assert isinstance(components, Components)
    assert components.judgments == 120
    assert components.worker > 0
    page = client.get(reverse("agreement:plan", args=[study.uuid]))
    assert page.context["form"]["source"].value() == "pilot"
    assert "(120 judgments of" in ask(client, study, source="pilot").context["figure"].caption


def test_people_who_are_excluded_are_asked_again_in_their_share() -> None:
    study, client = an_owned_study(judgments_per_item=4, items_per_assignment=30)
    people = [per_assignment_done(study, number=number, is_careful=True).participation for number in (20, 40, 60, 80)]
    assert ask(client, study, source="pilot", target="0.9").context["exclusions"] == ""
    exclude(participation=people[0], reason="careless", by=None)
    page = ask(client, study, source="pilot", target="0.9")
    needed = page.context["figure"].rows["people"].iloc[0]
    asked = -(-needed * 4 // 3)
    assert page.context["exclusions"] == (
        f"1 of 4 people so far is excluded. The plan needs {needed} who remain: if as many are excluded again, ask"
        f" {asked}."
    )
    assert ask(client, study, source="simulated", target="0.9").context["exclusions"] == ""


def test_study_that_nobody_has_judged_has_no_pilot() -> None:
    study, client = an_owned_study(live=False)
    assert "nothing has been judged yet" in ask(client, study, source="pilot").text


@pytest.mark.parametrize("kind", KINDS)
def test_simulated_people_answer_every_kind_of_question(kind: str) -> None:
    study = a_study_of(kind)
    found = crowds.simulated_components(study)
    assert isinstance(found, Undefined) == (KINDS[kind].in_own_words or study.items.targets().count() < 2)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"target": "0"}, "greater than or equal to 0.0001"),
        ({"target": "lots"}, "Enter a number"),
        ({"items": "1"}, "greater than or equal to 2"),
        ({"items_per_person": ""}, "This field is required"),
        ({"people": "-4"}, "greater than or equal to 1"),
        ({"goal": "nonsense"}, "Select a valid choice"),
    ],
)
def test_bad_input_is_refused_beside_its_field_and_kept(changes: dict[str, str], sentence: str) -> None:
    study, client = an_owned_study(live=False)
    page = ask(client, study, **changes)
    assert (page.status_code, sentence in page.text) == (422, True)
    assert all(f'value="{value}"' in page.text for name, value in changes.items() if name != "goal" and value)


def test_nothing_is_computed_before_it_is_asked_for() -> None:
    study, client = an_owned_study(live=False)
    page = client.get(reverse("agreement:plan", args=[study.uuid]))
    assert (page.status_code, "answer" in page.context) == (200, False)


def test_viewer_may_plan_and_a_stranger_not() -> None:
    study = a_study(live=False)
    assert ask(signed_in(a_researcher(study, "viewer")), study).status_code == 200
    assert ask(signed_in(a_researcher()), study).status_code == 404


def test_plan_from_a_pilot_costs_the_same_few_queries_for_more_people() -> None:
    counted = []
    for people in (3, 5):
        study, client = an_owned_study(judgments_per_item=5, items_per_assignment=30)
        for number in range(people):
            per_assignment_done(study, number=20 + 10 * number)
        with CaptureQueriesContext(connection) as captured:
            assert "answer" in ask(client, study, source="pilot").context
        counted.append(len(captured))
    assert counted[0] == counted[1], counted
