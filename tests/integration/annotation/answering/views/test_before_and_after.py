"""What stands before and after judging: comprehension, practice, remarks; and the directions things are shown in."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.answering.views.previewing import question_pages
from annotation.models import (
    AssignedItem,
    Assignment,
    CheckQuota,
    ComprehensionQuestion,
    EndQuestion,
    Item,
    Judgment,
    Participation,
    Study,
)
from tests.integration.annotation.answering.views.people import a_study_of, base_of, begin, come_in, here, save
from tests.integration.annotation.answering.views.several import a_study_of_four

pytestmark = pytest.mark.django_db
KEY = "11111111-1111-4111-8111-111111111111"


def a_study_with_questions() -> tuple[Study, ComprehensionQuestion]:
    study = a_study_of("slider")
    question = ComprehensionQuestion.objects.create(
        study=study, position=1, text="What is asked?", right_answer="Things", wrong_answers="Words\nNumbers"
    )
    return study, question


def to_questions(client: Client, study: Study) -> str:
    response = client.post(here(come_in(client, study)), {"consent": "yes"}, follow=True)
    return here(client.post(here(response), follow=True))


def test_right_answers_lead_to_the_first_question(client: Client) -> None:
    study, question = a_study_with_questions()
    address = to_questions(client, study)
    assert address.endswith("/questions/")
    assert here(client.post(address, {f"q{question.pk}": "Things"}, follow=True)).endswith("/1/")


def test_second_try_is_given_and_says_not_which_was_wrong(client: Client) -> None:
    study, question = a_study_with_questions()
    address = to_questions(client, study)
    response = client.post(address, {f"q{question.pk}": "Words"}, follow=True)
    assert here(response) == address
    assert "one more try" in response.text
    assert "two tries" not in response.text
    assert here(client.post(address, {f"q{question.pk}": "Things"}, follow=True)).endswith("/1/")
    assert Participation.objects.get().comprehension_tries == 1


def test_who_understood_and_found_no_place_free_is_not_told_to_have_been_wrong(client: Client) -> None:
    study, question = a_study_with_questions()
    address = to_questions(client, study)
    study.open_places.all().delete()
    assert "no more questions for you" in client.post(address, {f"q{question.pk}": "Things"}, follow=True).text
    assert "Not all of your answers were right" not in client.get(address).text
    assert Participation.objects.get().comprehension_tries == 0


def test_same_try_sent_twice_is_one(client: Client) -> None:
    study, question = a_study_with_questions()
    address = to_questions(client, study)
    for _tap in range(2):
        response = client.post(address, {f"q{question.pk}": "Words", "tries": "0"}, follow=True)
        assert "one more try" in response.text
    assert Participation.objects.get().comprehension_tries == 1


def test_failing_twice_ends_with_its_own_code_and_claims_no_place(client: Client) -> None:
    study, question = a_study_with_questions()
    address = to_questions(client, study)
    client.post(address, {f"q{question.pk}": "Words"})
    response = client.post(address, {f"q{question.pk}": "Numbers"}, follow=True)
    assert "cc=FAILED6" in response.text
    assert Participation.objects.get().status == Participation.Status.FAILED_COMPREHENSION
    assert here(client.post(address, {f"q{question.pk}": "Things"}, follow=True)).endswith("/done/")
    assert not Assignment.objects.exists()


def test_unanswered_question_costs_no_try(client: Client) -> None:
    study, _question = a_study_with_questions()
    address = to_questions(client, study)
    assert client.post(address).status_code == 422
    assert Participation.objects.get().comprehension_tries == 0


def test_instructions_read_again_lead_back_and_promise_no_new_time(client: Client) -> None:
    study = a_study_of("slider")
    question = begin(client, study)
    visit = client.get(question)
    again = visit.context["visit"].instructions_address
    page = client.get(again).text
    assert "minutes" not in page
    assert "Continue" in page
    assert here(client.post(again, follow=True)) == question


def test_questions_can_not_be_stepped_over(client: Client) -> None:
    study, _question = a_study_with_questions()
    address = to_questions(client, study)
    assert here(client.post(address.replace("/questions/", "/instructions/"), follow=True)) == address
    assert not Assignment.objects.exists()


PRACTICE = [
    {"item_id": "try", "kind": "practice", "fields": {"thing": "chair", "feedback": "Most say: far to the right."}},
    {"item_id": "one", "fields": {"thing": "fern", "feedback": "never shown"}},
]


def test_practice_comes_first_and_shows_its_feedback_once_answered(client: Client) -> None:
    address = begin(client, a_study_of("slider", items=PRACTICE))
    page = client.get(address)
    assert "Practice 1 of 1" in page.text
    response = client.post(address, {"i1-key": KEY, "i1-number": "50"}, follow=True)
    assert here(response) == address
    assert "Most say: far to the right." in response.text
    following = client.post(address, {"i1-key": KEY, "i1-number": "50"}, follow=True)
    assert here(following).endswith("/2/")
    assert Judgment.objects.count() == 1


def test_only_practice_has_feedback(client: Client) -> None:
    address = begin(client, a_study_of("slider", items=PRACTICE))
    save(client, address, position=2, number="50")
    assert "never shown" not in client.get(f"{base_of(address)}2/").text


GRADED = {"thing": "chair", "feedback_right": "Well seen.", "feedback_wrong": "Look again.", "feedback": "It is 40."}
GRADED_PRACTICE: list[dict[str, Any]] = [
    {"item_id": "try", "kind": "practice", "max": 50.0, "fields": GRADED},
    {"item_id": "one", "fields": {"thing": "fern"}},
]


@pytest.mark.parametrize(
    ("number", "said", "unsaid"), [("30", "Well seen.", "Look again."), ("70", "Look again.", "Well")]
)
def test_feedback_on_practice_depends_on_the_answer(client: Client, number: str, said: str, unsaid: str) -> None:
    address = begin(client, a_study_of("slider", items=GRADED_PRACTICE))
    before = client.get(address).text
    assert not any(text in before for text in GRADED.values() if text != "chair")

    page = client.post(address, {"i1-key": KEY, "i1-number": number}, follow=True)

    assert here(page) == address
    assert f"{said} It is 40." in page.text
    assert unsaid not in page.text
    assert here(client.post(address, {"i1-key": KEY, "i1-number": number}, follow=True)).endswith("/2/")


def test_script_is_told_what_to_say_of_practice_and_of_nothing_else(client: Client) -> None:
    study = a_study_of("slider", items=GRADED_PRACTICE)
    check = {"item_id": "check", "kind": "check", "check_name": "known", "max": 50.0, "fields": GRADED}
    Item.objects.create(study=study, position=3, **check)
    CheckQuota.objects.create(study=study, check_name="known", per_assignment=1)
    address = begin(client, study)

    assert save(client, address, position=1, number="30", practice="1").json() == {
        "saved": True, "feedback": "Well seen. It is 40.",
    }  # fmt: skip
    assert save(client, address, position=1, number="70", practice="1").json()["feedback"] == "Look again. It is 40."
    for position in (2, 3):
        assert save(client, address, position=position, number="30", practice="1").json() == {"saved": True}
        page = client.get(f"{base_of(address)}{position}/").text
        assert (page.count("data-feedback"), page.count("-practice")) == (1, 1)  # of the page ahead that is practice


def test_feedback_of_several_questions_is_about_the_one_that_practice_checks(client: Client) -> None:
    fields = {"thing": "chair", "feedback_right": "Well seen.", "feedback_wrong": "Look again."}
    practice = {"item_id": "try", "kind": "practice", "check_question": 3, "min": 90.0, "fields": fields}
    study = a_study_of_four(items=[{"item_id": "one", "fields": {"thing": "fern"}}])
    Item.objects.create(study=study, position=2, **practice)
    address = begin(client, study)
    part = {"q1-label": "blue", "practice": "1"}

    assert save(client, address, position=1, **part).json() == {"saved": True}
    whole = {**part, "q3-number": "95", "q4-asked": "1"}
    assert save(client, address, position=1, **whole).json()["feedback"] == "Well seen."
    assert save(client, address, position=1, **{**whole, "q3-number": "5"}).json()["feedback"] == "Look again."
    assert "Look again." in client.get(address).text


def test_preview_shows_all_that_may_be_said_of_practice(client: Client) -> None:
    study = a_study_of("slider", items=GRADED_PRACTICE)

    (first, _second) = question_pages(study)

    assert first.items[0].feedback == "If the answer is right: Well seen. If it is wrong: Look again. It is 40."
    assert not first.items[0].awaits_feedback


def test_remarks_are_kept_and_what_was_not_asked_is_not(client: Client) -> None:
    study = a_study_of("slider", items=[{"item_id": "one", "fields": {"thing": "fern"}}])
    EndQuestion.objects.create(study=study, position=1, name="age", text="How old?", options="18-29\n30 or older")
    EndQuestion.objects.create(study=study, position=2, name="languages", text="Which languages?")
    address = begin(client, study)
    save(client, address, number="5")
    finish = address.replace("/1/", "/finish/")
    assert "How old?" in client.get(finish).text
    client.post(finish, {"end-age": "17", "end-languages": " Swedish\x00 ", "end-name": "Ann", "comments": "x" * 9000})
    participation = Participation.objects.get()
    assert participation.demographics == {"languages": "Swedish"}
    assert len(participation.comments) == 5000
    assert participation.status == Participation.Status.FINISHED


def test_study_may_ask_for_no_comments(client: Client) -> None:
    study = a_study_of("slider", items=[{"item_id": "one", "fields": {"thing": "fern"}}], asks_comments=False)
    address = begin(client, study)
    save(client, address, number="5")
    finish = address.replace("/1/", "/finish/")
    assert "<textarea" not in client.get(finish).text
    client.post(finish, {"comments": "sent all the same"})
    assert Participation.objects.get().comments == ""


@pytest.mark.parametrize(("language", "is_reversed", "direction"), [
    ("en", False, "ltr"), ("en", True, "rtl"), ("ar", False, "rtl"), ("ar", True, "ltr"),
])  # fmt: skip
def test_line_runs_from_where_reading_starts_unless_reversed(
    client: Client, language: str, direction: str, *, is_reversed: bool
) -> None:
    address = begin(client, a_study_of("slider", language=language))
    AssignedItem.objects.update(is_direction_reversed=is_reversed)
    html = client.get(address).text.split("<template")[0]
    assert f'dir="{direction}"' in html[html.index('type="range"') :]


def test_answer_is_stored_as_sent_whichever_way_the_line_ran(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    AssignedItem.objects.update(is_direction_reversed=True)
    save(client, address, number="80")
    judgment = Judgment.objects.get()
    assert (judgment.number, judgment.is_direction_reversed) == (80.0, True)


@pytest.mark.parametrize("language", ["de", "sv"])
def test_numbers_in_markup_keep_their_point_in_every_language(client: Client, language: str) -> None:
    address = begin(client, a_study_of("slider", language=language, scale_low="0.5", scale_high="4.5"))
    save(client, address, number="1.25")
    html = client.get(address).text
    for attribute in ('min="0.5"', 'max="4.5"', 'step="0.04"', 'value="1.25"'):
        assert attribute in html


def test_page_takes_the_same_few_statements_however_many_questions(client: Client) -> None:
    counts = []
    for items in (3, 30):
        things = [{"item_id": f"i{k}", "fields": {"thing": f"t{k}"}} for k in range(items)]
        address = begin(client, a_study_of("slider", items=things, items_per_assignment=items))
        with CaptureQueriesContext(connection) as context:
            assert client.get(address).status_code == 200
        counts.append(len(context))
    assert counts == [4, 4]
