"""A qualification round: items with known answers before any place is claimed, graded by the rules of practice."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from agreement.errors import Refused
from annotation.answering.judging import NothingLeft, finish_qualification, open_assignment
from annotation.answering.practice import right_answers_in
from annotation.answering.views.previewing import pages_to_preview, question_pages
from annotation.models import AssignedItem, Assignment, ComprehensionQuestion, Item, Judgment, Participation, Study
from annotation.people.leaving import withdraw
from annotation.people.payment_groups import GROUPS
from annotation.people.retention import purge
from annotation.places.allocation import expire_overdue
from annotation.releases.from_database.judgment_rows import counted_judgments
from annotation.releases.from_database.reading_judgments import crowd_of, frame_of
from annotation.releases.from_database.study_history import collection_of
from annotation.studies.study_life import add_items, change_status
from tests.factories import a_person, an_answer
from tests.integration.annotation.answering.views.people import (
    a_study_of,
    base_of,
    begin,
    come_in,
    here,
    links_of,
    save,
)
from tests.integration.annotation.answering.views.several import a_study_of_four

pytestmark = pytest.mark.django_db
FEEDBACK = {"feedback_right": "Well seen.", "feedback_wrong": "It is red."}
Status = Participation.Status


def qualification(name: str, *, expected: str = "red", **fields: str) -> dict[str, Any]:
    return {"item_id": name, "kind": "qualification", "expected": [expected], "fields": {"thing": name, **fields}}


ITEMS: list[dict[str, Any]] = [
    qualification("rose"), qualification("brick"), qualification("sky", expected="blue"),
    {"item_id": "one", "fields": {"thing": "fern"}}, {"item_id": "two", "fields": {"thing": "raven"}},
]  # fmt: skip


def a_study_with_qualification(**changes: Any) -> Study:
    """Three items, of which two have to be answered right."""
    fields = {"items": ITEMS, "qualification_pass_mark": 2, "code_failed_qualification": "NOTQ789", **changes}
    return a_study_of("choice", **fields)


def answer_all(client: Client, address: str, *labels: str) -> str:
    """With script, in the order of the pages; the address of the last page."""
    for position, label in enumerate(labels, start=1):
        assert save(client, address, position=position, label=label).json()["saved"]
    return f"{base_of(address)}finish/"


def answers_by_thing(labels: Mapping[str, str]) -> list[str]:
    """What to answer, in the order in which the person has the items."""
    places = AssignedItem.objects.filter(assignment__number=0).order_by("position")
    return [labels[name] for name in places.values_list("item__item_id", flat=True)]


RIGHT = {"rose": "red", "brick": "red", "sky": "blue"}
WRONG = {"rose": "blue", "brick": "green", "sky": "blue"}


def test_it_comes_before_any_place_and_is_told_of_beforehand(client: Client) -> None:
    study = a_study_with_qualification()
    sentence = "you answer qualification questions (3). Only people who answer at least 2 of them right go on."
    first = come_in(client, study)
    places = study.open_places.count()
    assert sentence in client.get(f"/take/{study.slug}/?PROLIFIC_PID=a&STUDY_ID=s&SESSION_ID=t").text
    instructions = client.post(here(first), {"consent": "yes"}, follow=True)
    assert sentence in instructions.text

    page = client.post(here(instructions), follow=True)

    assert "Qualification 1 of 3" in page.text
    assert study.open_places.count() == places
    assert set(AssignedItem.objects.values_list("item__kind", "slot")) == {("qualification", None)}


@pytest.mark.both
def test_who_qualifies_goes_on_to_the_items_to_judge(client: Client) -> None:
    study = a_study_with_qualification()
    address = begin(client, study)
    finish = answer_all(client, address, *answers_by_thing({**RIGHT, "sky": "green"}))
    assert "You have answered the qualification questions" in client.get(finish).text

    page = client.post(finish, follow=True)

    assert "1 of 2" in page.text
    assert here(page).endswith("/1/")
    person = Participation.objects.get()
    assert person.status == Status.WORKING
    assert list(person.assignments.order_by("number").values_list("number", "status")) == [
        (0, "submitted"), (1, "open"),
    ]  # fmt: skip
    assert "DONE123" in client.post(answer_all(client, here(page), "red", "red"), follow=True).text


def fail(client: Client, study: Study, person: str | None = None) -> tuple[str, Any]:
    """The address of the round, and the page at which it ended."""
    address = begin(client, study, person)
    return address, client.post(answer_all(client, address, *answers_by_thing(WRONG)), follow=True)


@pytest.mark.both
def test_who_is_below_the_pass_mark_gets_a_code_of_their_own_and_is_thanked(client: Client) -> None:
    study = a_study_with_qualification()
    places = study.open_places.count()

    _address, page = fail(client, study)

    assert here(page).endswith("/done/")
    assert "Thank you for trying" in page.text
    assert "nobody is rejected for it" in page.text
    assert "cc=NOTQ789" in page.text
    assert "/withdraw/" in page.text
    person = Participation.objects.get()
    assert (person.status, person.payment.status) == (Status.FAILED_QUALIFICATION, "due")
    assert person.ended_at is not None
    assert person.finished_at is None
    assert study.open_places.count() == places


def test_without_a_code_people_read_what_to_do(client: Client) -> None:
    _address, page = fail(client, a_study_with_qualification(code_failed_qualification=""))
    assert "Prolific" in page.text
    assert "cc=" not in page.text


def test_going_back_and_coming_again_lead_to_the_same_code(client: Client) -> None:
    study = a_study_with_qualification()
    address, _page = fail(client, study, "once")
    for again in (address, f"{base_of(address)}finish/"):
        assert "cc=NOTQ789" in client.get(again, follow=True).text
        assert "cc=NOTQ789" in client.post(again, {"i1-label": "red"}, follow=True).text
    assert save(client, address, position=1, label="red").status_code == 410
    assert "cc=NOTQ789" in come_in(client, study, "once").text
    assert Participation.objects.count() == 1


def test_open_place_is_claimed_by_nobody_who_fails_in_a_second_tab(client: Client) -> None:
    study = a_study_with_qualification()
    address = begin(client, study)
    finish = answer_all(client, address, *answers_by_thing(WRONG))
    assignment = Assignment.objects.get()
    for _tab in range(2):
        finish_qualification(assignment=assignment)
        assert here(client.post(finish, follow=True)).endswith("/done/")
    with pytest.raises(NothingLeft):
        open_assignment(participation=Participation.objects.get())
    assert Assignment.objects.count() == 1


def test_two_tabs_of_who_qualifies_open_one_assignment(client: Client) -> None:
    address = begin(client, a_study_with_qualification())
    finish = answer_all(client, address, *answers_by_thing(RIGHT))
    first, second = (here(client.post(finish, follow=True)) for _tab in range(2))
    assert first == second
    assert Assignment.objects.to_judge().count() == 1


def test_unanswered_item_keeps_the_round_open(client: Client) -> None:
    address = begin(client, a_study_with_qualification())
    save(client, address, position=1, label="red")
    assert here(client.post(f"{base_of(address)}finish/", follow=True)).endswith("/2/")
    assert Participation.objects.get().status == Status.WORKING


def test_who_leaves_half_way_holds_nothing_and_comes_back_to_the_round(client: Client) -> None:
    study = a_study_with_qualification()
    address = begin(client, study, "half")
    save(client, address, position=1, label="red")
    assert here(come_in(client, study, "half")).endswith("/2/")
    Assignment.objects.update(expires_at=timezone.now() - dt.timedelta(days=2))
    assert expire_overdue(now=timezone.now()) == 1
    assert here(client.get(base_of(address), follow=True)).endswith("/done/")
    with pytest.raises(NothingLeft):
        open_assignment(participation=Participation.objects.get())
    assert GROUPS["waive-unfinished"].of(study).count() == 0
    Participation.objects.update(entered_at=timezone.now() - dt.timedelta(days=2))
    assert GROUPS["waive-unfinished"].of(study).count() == 1


def test_without_script_it_is_the_same(client: Client) -> None:
    address = begin(client, a_study_with_qualification())
    page: Any = None
    for position, label in enumerate(answers_by_thing(WRONG), start=1):
        number = f"{base_of(address)}{position}/"
        key = f"11111111-1111-4111-8111-11111111111{position}"
        page = client.post(number, {f"i{position}-key": key, f"i{position}-label": label}, follow=True)
    assert here(page).endswith("/finish/")
    assert "cc=NOTQ789" in client.post(here(page), follow=True).text


@pytest.mark.parametrize("changed_to", ["red", "green"])
def test_with_feedback_the_first_answer_counts(client: Client, changed_to: str) -> None:
    items = [qualification("rose", **FEEDBACK), *ITEMS[3:]]
    study = a_study_with_qualification(items=items, qualification_pass_mark=1, qualification_feedback=True)
    address = begin(client, study)
    assert "Your first answer counts" in client.get(address).text

    first = save(client, address, position=1, label="blue", practice="1").json()
    second = save(client, address, position=1, label=changed_to, practice="1").json()

    assert (first["feedback"], second["feedback"]) == ("It is red.", "It is red.")
    assert right_answers_in(Assignment.objects.get()) == 0
    assert "<fieldset" in client.get(address).text
    assert "disabled" in client.get(address).text
    assert "cc=NOTQ789" in client.post(f"{base_of(address)}finish/", follow=True).text


def test_with_feedback_and_without_script_what_is_sent_again_changes_nothing(client: Client) -> None:
    items = [qualification("rose", **FEEDBACK), *ITEMS[3:]]
    study = a_study_with_qualification(items=items, qualification_pass_mark=1, qualification_feedback=True)
    address = begin(client, study)
    sent = {"i1-key": "11111111-1111-4111-8111-111111111111", "i1-label": "red"}
    page = client.post(address, sent, follow=True)
    assert here(page) == address
    assert "Well seen." in page.text
    assert here(client.post(address, {**sent, "i1-label": "blue"}, follow=True)).endswith("/finish/")
    assert Judgment.objects.count() == 1
    assert right_answers_in(Assignment.objects.get()) == 1


def test_without_feedback_nothing_is_said_and_the_last_answer_counts(client: Client) -> None:
    items = [qualification("rose", **FEEDBACK), *ITEMS[3:]]
    study = a_study_with_qualification(items=items, qualification_pass_mark=1)
    address = begin(client, study)
    assert save(client, address, position=1, label="blue", practice="1").json() == {"saved": True}
    assert save(client, address, position=1, label="red").json() == {"saved": True}
    assert "data-feedback" not in client.get(address).text
    assert right_answers_in(Assignment.objects.get()) == 1


def test_of_several_questions_the_one_that_it_is_about_is_graded(client: Client) -> None:
    item = {"item_id": "try", "kind": "qualification", "check_question": 3, "min": 90.0, "fields": {"thing": "chair"}}
    study = a_study_of_four(items=[{"item_id": "one", "fields": {"thing": "fern"}}])
    Item.objects.create(study=study, position=2, **item)
    Study.objects.update(qualification_pass_mark=1)
    address = begin(client, study)
    save(client, address, position=1, **{"q1-label": "blue", "q3-number": "5", "q4-asked": "1"})
    assert right_answers_in(Assignment.objects.get()) == 0
    save(client, address, position=1, **{"q1-label": "blue", "q3-number": "95", "q4-asked": "1"})
    assert right_answers_in(Assignment.objects.get()) == 1


def test_practice_comes_before_it_and_only_once(client: Client) -> None:
    practice = {"item_id": "try", "kind": "practice", "fields": {"thing": "chair"}}
    study = a_study_with_qualification(items=[*ITEMS, practice])
    address = begin(client, study)
    assert "Practice 1 of 1" in client.get(address).text
    save(client, address, position=1, label="red")
    labels = answers_by_thing({**RIGHT, "try": "red"})[1:]
    for position, label in enumerate(labels, start=2):
        save(client, address, position=position, label=label)
    assert "1 of 2" in client.post(f"{base_of(address)}finish/", follow=True).text


def test_each_person_may_answer_some_of_the_items_alone(client: Client) -> None:
    study = a_study_with_qualification(qualification_items=2)
    assert (
        "qualification questions (2)" in client.get(f"/take/{study.slug}/?PROLIFIC_PID=a&STUDY_ID=s&SESSION_ID=t").text
    )
    begin(client, study)
    assert AssignedItem.objects.count() == 2


def test_nobody_is_asked_to_qualify_for_nothing(client: Client) -> None:
    study = a_study_with_qualification()
    response = client.post(here(come_in(client, study)), {"consent": "yes"}, follow=True)
    study.open_places.all().delete()
    assert "no more questions for you" in client.post(here(response), follow=True).text
    assert not Assignment.objects.exists()


def test_who_qualified_when_the_last_place_went_may_come_again_and_begin(client: Client) -> None:
    study = a_study_with_qualification()
    ComprehensionQuestion.objects.create(study=study, position=1, text="What?", right_answer="A", wrong_answers="B")
    response = client.post(here(come_in(client, study, "late")), {"consent": "yes"}, follow=True)
    response = client.post(here(response), follow=True)
    question = study.comprehension_questions.get()
    address = here(client.post(here(response), {f"q{question.pk}": "A"}, follow=True))
    finish = answer_all(client, address, *answers_by_thing(RIGHT))
    change_status(study=study, status=Study.Status.PAUSED)
    assert "paused at the moment" in client.post(finish, follow=True).text
    change_status(study=Study.objects.get(), status=Study.Status.LIVE)
    page = come_in(client, study, "late")
    assert here(page).endswith("/instructions/")
    assert "1 of 2" in client.post(here(page), follow=True).text


@pytest.mark.both
def test_nothing_of_it_enters_any_figure(client: Client) -> None:
    study = a_study_with_qualification()
    fail(client, study)
    with_places = begin(client, study)
    last = AssignedItem.objects.filter(assignment__participation__status=Status.WORKING).order_by("position")
    for position, name in enumerate(last.values_list("item__item_id", flat=True), start=1):
        save(client, with_places, position=position, label=RIGHT[name])
    page = client.post(f"{base_of(with_places)}finish/", follow=True)
    answer_all(client, here(page), "red", "blue")

    assert Judgment.objects.count() == 8
    assert counted_judgments(study).count() == 2
    crowd = crowd_of(study)
    assert (crowd.n_workers, crowd.n_judgments, sorted(crowd.items["kind"])) == (1, 2, ["target", "target"])
    people = collection_of(study, frame_of(study)).people
    assert (people["came"], people["failed_qualification"], people["failed_comprehension"]) == (2, 1, 0)


def test_pay_is_decided_as_of_everybody_who_did_not_finish(client: Client) -> None:
    study = a_study_with_qualification()
    fail(client, study)
    assert GROUPS["waive-unfinished"].of(study).count() == 1
    assert GROUPS["approve-part"].of(study).count() == 0


@pytest.mark.both
def test_undecided_pay_of_who_failed_is_waived_when_the_ids_go(client: Client) -> None:
    study = a_study_with_qualification(retention_days=1)
    fail(client, study)
    Study.objects.update(status="closed", closed_at=timezone.now() - dt.timedelta(days=2))
    purge(now=timezone.now())
    person = Participation.objects.get()
    assert (person.payment.status, person.status) == ("waived", Status.FAILED_QUALIFICATION)


def test_who_withdraws_after_failing_is_erased(client: Client) -> None:
    study = a_study_with_qualification()
    fail(client, study)
    person = Participation.objects.get()
    assert withdraw(participation=person) == 3
    assert not Judgment.objects.exists()
    assert "You have withdrawn" in client.get(f"{links_of(person)['participation']}done/").text


def test_people_at_the_round_count_towards_capacity_as_readers_do() -> None:
    study = a_study_with_qualification(platform="direct", capacity=1)
    person = a_person(study)
    open_assignment(participation=person)
    now = timezone.now()
    assert study.participations.counting_towards_capacity(now).count() == 1
    assert study.participations.finished_or_at_work().count() == 0
    assert study.participations.counting_towards_capacity(now + dt.timedelta(hours=2)).count() == 0


def test_what_could_not_be_known_is_not_right() -> None:
    study = a_study_with_qualification(platform="direct", offers_dont_know=True)
    assignment = open_assignment(participation=a_person(study))
    an_answer(assignment, 1, fields={"dont_know": "1"})
    assert right_answers_in(assignment) == 0


def test_preview_shows_its_pages_and_its_ending(client: Client, admin_user: Any) -> None:
    study = a_study_with_qualification()
    client.force_login(admin_user)
    keys = [page.key for page in pages_to_preview(study)]
    assert keys[3:8] == ["q1", "q2", "q3", "q4", "q5"]
    assert "unqualified" in keys
    assert [page.kind for page in question_pages(study)] == ["qualification"] * 3 + [""] * 2
    for key, words in (("unqualified", "Thank you for trying"), ("instructions", "qualification questions (3)")):
        assert words in client.get(f"/preview/{study.slug}/{key}/").text


@pytest.mark.both
def test_item_without_a_right_answer_is_refused_by_the_database() -> None:
    study = Study.objects.create(slug="bad", kind="choice", question="?")
    with pytest.raises(IntegrityError, match="qualification_has_right_answer"):
        Item.objects.create(study=study, item_id="a", position=1, kind="qualification", fields={})


def test_opening_says_what_the_round_lacks() -> None:
    for changes, why in (
        ({"qualification_pass_mark": None}, "3 qualification items and no pass mark"),
        ({"qualification_pass_mark": 4}, "needs 4 qualification items and has 3"),
        ({"qualification_items": 5}, "needs 5 qualification items and has 3"),
    ):
        with pytest.raises(Refused, match=why):
            a_study_with_qualification(**changes)


def test_items_added_later_are_of_the_round() -> None:
    study = a_study_with_qualification(platform="direct")
    add_items(study=study, items=[qualification("coal", expected="green")], source="a test")  # type: ignore[list-item]
    assert open_assignment(participation=a_person(study)).assigned_items.count() == 4
