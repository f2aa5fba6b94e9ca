"""How judgments were collected: the numbers, and the sentences that a paper can print."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest

from agreement.cleaning.cleaning_run import Cleaning, clean
from agreement.cleaning.decided_by_hand import Decision
from agreement.cleaning.rule_set import RuleSet
from agreement.estimation.estimate import Undefined
from agreement.report.collection import (
    DIRECT,
    Collection,
    Person,
    Question,
    collection_report,
    collection_text,
    days_of,
)
from agreement.report.collection_report import CollectionReport
from tests.reports import as_dict
from tests.unit.agreement.cleaning.crowds import crowd_of

NO_RULES = RuleSet("none", "1", drop_unchecked=False, minimum_checks=0, rules=())
AGE = Question("age", "How old are you?", ())
GENDER = Question("gender", "What is your gender?", ("female", "male", "other"))
PEOPLE = {
    "came": 9, "consented": 8, "finished": 5, "unfinished": 0, "declined": 1, "failed_comprehension": 1,
    "returned_or_timed_out": 1, "rejected": 0, "withdrew": 1,
}  # fmt: skip
POUNDS = (Decimal("0.60"), "GBP")


def a_cleaning(workers: int = 4, excluded: str = "") -> Cleaning:
    """Workers w0, w1, … with a judgment each, on days from 3 to 18 November."""
    times = [f"2026-11-{day:02}T20:31:00Z" for day in (3, 18, 5, 4, 6, 7)][:workers]
    crowd = crowd_of([(f"w{n}", "a", n) for n in range(workers)], submitted_at=times)
    return clean(crowd, NO_RULES, {excluded: Decision(kept=False, why="a colleague")} if excluded else {})


def a_person(minutes: float | None = 4, **changes: Any) -> Person:
    time = None if minutes is None else dt.timedelta(minutes=minutes)
    return Person(**{"time": time, "pay": POUNDS, "device": "phone", "is_verified": True, "answers": {}, **changes})


def a_collection(*people: Person, questions: tuple[Question, ...] = (), platform: str = "Prolific") -> Collection:
    return Collection(platform, PEOPLE, questions, {f"w{n}": person for n, person in enumerate(people)})


def told(*people: Person, excluded: str = "", **changes: Any) -> str:
    return collection_text(collection_report(a_cleaning(len(people), excluded), a_collection(*people, **changes)))


def test_paragraph_says_when_and_where() -> None:
    said = told(a_person(), a_person())
    assert "People were recruited through Prolific; the judgments were given from 3 to 18 November 2026 (UTC)." in said
    assert "recruited directly, by invitations or an open link" in told(a_person(), platform=DIRECT)


def test_paragraph_says_how_far_people_got() -> None:
    assert (
        "9 people came, of whom 8 consented and 5 finished (1 declined, 1 failed the comprehension questions,"
        " 1 returned the task or ran out of time, 1 withdrew)."
    ) in told(a_person())


def test_paragraph_says_the_median_time_of_those_who_finished() -> None:
    said = told(a_person(3), a_person(4.5), a_person(60), a_person(None))
    assert "The median time from consent to the end was 4.5 minutes, over the 3 people who finished" in said


def test_paragraph_says_the_pay_and_what_it_comes_to_per_hour() -> None:
    said = told(a_person(4), a_person(4))
    assert "Pay was 0.60 GBP per person, which comes to 9.00 GBP per hour at the median time." in said


def test_paragraph_says_from_what_to_what_the_pay_was_where_it_differs() -> None:
    said = told(a_person(pay=(Decimal("0.50"), "GBP")), a_person())
    assert "Pay was 0.50 to 0.60 GBP per person." in said


def test_paragraph_has_no_pay_where_there_was_none() -> None:
    assert "Pay" not in told(a_person(pay=None))


def test_people_who_took_no_time_have_no_median_time_and_no_pay_per_hour() -> None:
    cleaning, collection = a_cleaning(2), a_collection(a_person(0.01), a_person(0.05))
    report = collection_report(cleaning, collection)
    assert report.recruitment is not None
    assert isinstance(report.recruitment.median_minutes, Undefined)
    assert "took no time" in report.recruitment.median_minutes.why
    said = collection_text(report)
    assert "median" not in said
    assert "per hour" not in said
    assert "Pay was 0.60 GBP per person." in said


def test_nobody_finished_is_said_in_words() -> None:
    recruitment = collection_report(a_cleaning(1), a_collection(a_person(None))).recruitment
    assert recruitment is not None
    assert recruitment.median_minutes == Undefined("nobody in the data finished")


def test_paragraph_says_how_many_are_unverified() -> None:
    said = told(a_person(is_verified=False), a_person())
    assert (
        "1 of the 2 workers in the data came through an open link or through the platform without its signature, so"
        " their identities are not verified."
    ) in said
    assert "open link" not in told(a_person())


def test_paragraph_counts_devices_of_the_workers_who_are_kept() -> None:
    people = [a_person(), a_person(), a_person(device="computer"), a_person(device=None), a_person(device="tablet")]
    said = told(*people, excluded="w4")
    assert (
        "Of the 4 workers whose judgments are kept, 2 used a phone, 1 used a computer; the device of 1 is not known."
    ) in said


def test_paragraph_is_silent_on_devices_where_none_is_known() -> None:
    assert "device" not in told(a_person(device=None))


def test_choice_question_is_counted_by_option_over_the_workers_who_are_kept() -> None:
    answers: list[dict[str, str]] = [{"gender": "male"}, {"gender": "female"}, {}, {"gender": "female"}]
    people = [a_person(answers=each) for each in answers]
    assert '"What is your gender?": female 1, male 1, other 0, no answer 1.' in told(
        *people, excluded="w3", questions=(GENDER,)
    )


def test_answer_that_is_no_longer_an_option_is_counted_and_not_printed() -> None:
    said = told(a_person(answers={"gender": "secret"}), a_person(), questions=(GENDER,))
    assert "an answer that is no longer offered 1, no answer 1." in said
    assert "secret" not in said


def test_free_text_of_numbers_has_mean_sd_and_range() -> None:
    people = [a_person(answers={"age": age}) for age in ("20", "30,5", "40")]
    report = collection_report(a_cleaning(4), a_collection(*people, a_person(), questions=(AGE,)))
    assert report.recruitment is not None
    assert list(map(as_dict, report.recruitment.questions)) == [
        {
            "name": "age", "text": "How old are you?", "answered": 3, "no_answer": 1,
            "mean": pytest.approx(30.1667, abs=1e-4), "sd": pytest.approx(10.0042, abs=1e-4),
            "least": 20.0, "most": 40.0,
        }
    ]  # fmt: skip
    assert '"How old are you?": n = 3, M = 30.2, SD = 10.0, range 20 to 40, no answer 1.' in collection_text(report)


@pytest.mark.parametrize(
    "answers",
    [("34", "thirty"), ("0701234567", "0707654321"), ("34", ""), ("34", "nan"), ("1_0", "20")],
    ids=["words", "telephone numbers", "only one answered", "not a number", "underscore"],
)
def test_other_free_text_is_only_counted(answers: tuple[str, str]) -> None:
    people = [a_person(answers={"age": answer}) for answer in answers]
    recruitment = collection_report(a_cleaning(2), a_collection(*people, questions=(AGE,))).recruitment
    assert recruitment is not None
    (question,) = recruitment.questions
    assert as_dict(question) == {
        "name": "age", "text": "How old are you?", "answered": sum(map(bool, answers)), "no_answer": answers.count(""),
    }  # fmt: skip
    said = told(*people, questions=(AGE,))
    assert f'"How old are you?": {question.answered} answered in their own words' in said
    assert not [answer for answer in answers if answer and answer in said.partition("How old")[2]]


def test_answers_without_kept_workers_are_not_described() -> None:
    said = told(a_person(answers={"age": "34"}), excluded="w0", questions=(AGE,))
    assert "How old" not in said


@pytest.mark.parametrize(
    ("times", "days"),
    [
        (["2026-11-18T20:31:00+01:00", "2026-11-03 08:00"], ("2026-11-03", "2026-11-18")),
        (["2026-11-18", "2026-11-18"], ("2026-11-18", "2026-11-18")),
        (["2026-11-18T20:31Z", ""], None),
        (["18/11/2026", "2026-11-18"], None),
        (["2026-02-30", "2026-11-18"], None),
        (["2026-W01-1", "2026-11-18"], None),
        (["2026-11-181", "2026-11-18"], None),
    ],
)
def test_days_are_known_where_every_judgment_has_an_iso_time(times: list[str], days: tuple[str, str] | None) -> None:
    crowd = crowd_of([("v", "a", 1), ("w", "a", 2)], submitted_at=times)
    assert days_of(crowd) == days


def test_days_are_those_of_judgments_that_can_count() -> None:
    crowd = crowd_of(
        [("v", "a", 1), ("v", "try", 2)],
        submitted_at=["2026-11-18", "2026-10-01"],
        fields={"try": {"kind": "practice"}},
    )
    assert days_of(crowd) == ("2026-11-18", "2026-11-18")


def test_file_says_its_days_and_nothing_else() -> None:
    report = collection_report(a_cleaning(2), None)
    assert as_dict(report) == {"first_day": "2026-11-03", "last_day": "2026-11-18"}
    assert collection_text(report) == "The judgments were given from 3 to 18 November 2026."
    assert collection_text(CollectionReport()) == ""
