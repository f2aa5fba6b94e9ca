"""Signs that a person answered: kept where the study counts them and the person agreed, bounded, erased with them."""

import datetime as dt
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from agreement.kinds.signs import NAMES, SIGNS
from annotation.answering.judging import open_assignment
from annotation.answering.kinds.form import BadAnswer
from annotation.entry.entering import enter, give_consent
from annotation.models import AnswerSigns, Assignment, Judgment, Participation, Study
from annotation.people.leaving import withdraw
from annotation.people.retention import purge
from annotation.simulating.crowds import simulate
from annotation.studies.study_life import change_status
from tests.factories import a_person, a_small_study, an_answer
from tests.integration.annotation.answering.views.people import a_study_of, begin, come_in, here
from tests.integration.annotation.answering.views.several import ask

pytestmark = [pytest.mark.django_db, pytest.mark.both]
NONE = dict.fromkeys(NAMES, 0)


def a_counting_study(**changes: Any) -> Study:
    return a_small_study(items=3, judgments_per_item=2, items_per_assignment=3, counts_signs=True, **changes)


def an_assignment(study: Study, *, names_signs: bool = True) -> Assignment:
    person = enter(study=study, platform="direct", platform_id=f"signs-{uuid4()}", seed=3)
    give_consent(participation=person, names_signs=names_signs)
    return open_assignment(participation=person)


def form_with(**signs: object) -> dict[str, str]:
    return {"number": "50", **{f"sign_{name}": str(number) for name, number in (NONE | signs).items()}}


def counts_stored() -> list[dict[str, int]]:
    return [{name: getattr(row, name) for name in NAMES} for row in AnswerSigns.objects.order_by("pk")]


def test_signs_of_an_answer_are_kept_beside_it() -> None:
    key = uuid4()
    counts = NONE | {"hidden_ms": 4_000, "clicks": 3, "unmoved_clicks": 2, "webdriver": 1}

    an_answer(an_assignment(a_counting_study()), 1, client_key=key, fields=form_with(**counts))

    assert counts_stored() == [counts]
    assert AnswerSigns.objects.get().client_key == Judgment.objects.get().client_key == key


def test_the_same_answer_again_adds_none() -> None:
    assignment, key = an_assignment(a_counting_study()), uuid4()
    an_answer(assignment, 1, client_key=key, fields=form_with(clicks=1))

    an_answer(assignment, 1, client_key=key, fields=form_with(clicks=9))

    assert [row["clicks"] for row in counts_stored()] == [1]


def test_a_form_without_signs_is_taken_and_none_are_kept() -> None:
    an_answer(an_assignment(a_counting_study()), 1)

    assert (Judgment.objects.count(), counts_stored()) == (1, [])


@pytest.mark.parametrize(("counts", "agrees"), [(False, True), (True, False)], ids=["off", "not named"])
def test_none_are_kept_where_they_are_off_or_were_not_agreed_to(*, counts: bool, agrees: bool) -> None:
    study = a_counting_study()
    Study.objects.filter(pk=study.pk).update(counts_signs=counts)
    study.refresh_from_db()

    an_answer(an_assignment(study, names_signs=agrees), 1, fields=form_with(clicks=1))

    assert (Judgment.objects.count(), counts_stored()) == (1, [])


def test_saving_takes_no_statement_more_where_they_are_off(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    assignment = open_assignment(participation=a_person(a_small_study(items=3, items_per_assignment=3)))
    with django_assert_num_queries(2):
        an_answer(assignment, 1)


@pytest.mark.parametrize(
    "changes",
    [
        *({sign.name: sign.most + 1} for sign in SIGNS),
        *({sign.name: -1} for sign in SIGNS),
        {"clicks": ""},
        {"clicks": "1.5"},
        {"clicks": "１"},
        {"clicks": 1, "unmoved_clicks": 2},
        {"long_pastes": 1, "pasted_characters": 99},
        {"pasted_characters": 100},
        {"text": 1},
        {"webdriver": "true"},
    ],
    ids=str,
)
def test_impossible_counts_are_refused_and_so_is_an_unknown_one(changes: dict[str, object]) -> None:
    with pytest.raises(BadAnswer):
        an_answer(an_assignment(a_counting_study()), 1, fields=form_with(**changes))

    assert (Judgment.objects.count(), counts_stored()) == (0, [])


@pytest.mark.parametrize("name", NAMES)
def test_a_count_that_is_missing_is_refused(name: str) -> None:
    form = form_with()
    del form[f"sign_{name}"]
    with pytest.raises(BadAnswer):
        an_answer(an_assignment(a_counting_study()), 1, fields=form)


@pytest.mark.parametrize(
    "changes",
    [
        *({sign.name: sign.most + 1} for sign in SIGNS),
        {"unmoved_clicks": 1},
        {"long_pastes": 2, "pasted_characters": 199},
        {"pasted_characters": 500},
    ],
    ids=str,
)
def test_the_database_refuses_what_can_not_be(changes: dict[str, int]) -> None:
    place = an_assignment(a_counting_study()).assigned_items.get(position=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        AnswerSigns.objects.create(assigned_item=place, client_key=uuid4(), **{**NONE, **changes})


def test_the_database_refuses_to_change_them() -> None:
    an_answer(an_assignment(a_counting_study()), 1, fields=form_with())
    with pytest.raises(IntegrityError), transaction.atomic():
        AnswerSigns.objects.update(clicks=9)


def test_nobody_agrees_to_them_before_consent() -> None:
    person = enter(study=a_counting_study(), platform="direct", platform_id="early", seed=3)
    with pytest.raises(IntegrityError), transaction.atomic():
        Participation.objects.filter(pk=person.pk).update(agreed_to_signs=True)


def test_withdrawing_erases_them() -> None:
    study = a_counting_study()
    leaves, stays = an_assignment(study), an_assignment(study)
    for assignment in (leaves, stays):
        an_answer(assignment, 1, fields=form_with())

    withdraw(participation=leaves.participation)

    kept = AnswerSigns.objects.get()
    assert kept.assigned_item.participation == stays.participation


def test_they_are_erased_at_the_end_of_the_retention() -> None:
    study = a_counting_study(retention_days=30)
    an_answer(an_assignment(study), 1, fields=form_with())
    change_status(study=study, status=Study.Status.CLOSED)
    now = timezone.now()

    purge(now=now + dt.timedelta(days=29))
    assert AnswerSigns.objects.count() == 1
    purge(now=now + dt.timedelta(days=31))
    assert (AnswerSigns.objects.count(), Judgment.objects.count()) == (0, 1)


@pytest.mark.parametrize("is_on", [True, False])
def test_consent_page_names_them_where_they_are_counted(client: Client, *, is_on: bool) -> None:
    page = come_in(client, a_study_of("slider", counts_signs=is_on))
    assert ("What this study counts while you answer" in page.content.decode()) is is_on

    named = {"signs": "named"} if 'name="signs"' in page.content.decode() else {}
    instructions = client.post(here(page), {"consent": "yes", **named}, follow=True)
    assert Participation.objects.get().agreed_to_signs is is_on
    question = client.post(here(instructions), follow=True).content.decode()
    assert ("signs.js" in question) is is_on


def test_a_consent_page_that_did_not_name_them_is_no_agreement(client: Client) -> None:
    """Shown before the setting was switched on, and sent after."""
    question = begin(client, a_study_of("slider", counts_signs=True))
    assert Participation.objects.get().agreed_to_signs is False
    assert "signs.js" not in client.get(question).content.decode()


def test_signs_of_an_item_with_several_questions_are_kept_once_an_answer() -> None:
    study = a_study_of("slider", counts_signs=True, platform="direct")
    ask(study, 2, kind="slider")
    assignment, key = an_assignment(study), uuid4()
    form = {f"sign_{name}": str(number) for name, number in NONE.items()} | {"sign_clicks": "4"}
    for _ in range(2):
        an_answer(assignment, 1, client_key=key, fields={"q1-number": "50", "q2-number": "20", **form})

    assert (Judgment.objects.count(), [row["clicks"] for row in counts_stored()]) == (2, [4])


def test_simulated_people_send_signs_where_the_study_counts_them() -> None:
    study = a_counting_study()
    simulate(study=study, workers=2, vices={"language-model": 1}, seed=5)
    assert {row["copied_and_left"] for row in counts_stored()} == {0, 1}
