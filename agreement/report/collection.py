"""How the judgments were collected, in figures and in sentences that a paper can print."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from statistics import fmean, stdev

import numpy as np
import pandas as pd

from ..cleaning.cleaning_run import Cleaning
from ..durations import LEAST_TIME, median_time, pay_per_hour
from ..estimation.estimate import Estimate, Figure, Undefined
from ..files.items_file import OUTSIDE_RESULTS
from ..judgments.crowd import Crowd
from .collection_report import CollectionReport, Pay, PersonalAnswers, Recruitment, Unverified

# How the judgments were collected, for the methods paragraph: when, from whom, for what pay, and who the workers are.
#
# The numbers alone; the sentences are below. What a study in the database knows comes in as a
# `Collection`; of a file there are the days at most.

DIRECT = "direct"
NOT_KNOWN = "not known"
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_AFTER_THE_DAY = {"", "T", " "}
# Ages, years of birth or of experience. A longer number may be a telephone number or a postcode, and a range would
# publish one of them.
_SHORT_NUMBER = re.compile(r"-?\d{1,4}(?:[.,]\d{1,2})?")


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the person, asked at the end; without `options` the answer is free text."""

    name: str
    text: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Person:
    """A worker in the data. `time` is that of people who finished; `pay` is an amount and its currency."""

    time: dt.timedelta | None
    pay: tuple[Decimal, str] | None
    device: str | None
    is_verified: bool
    answers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Collection:
    """What the database knows of how a study's judgments came about.

    `platform` is its name, or `DIRECT`; `people` counts all who came, by how far they got; `workers` are those with
    judgments, by their ids. `is_from_platform` says that all of it is the platform's own export: how long a submission
    took there, and what it knows of people, without a question of ours. `not_valid` has the status of workers whose
    submission it doesn't take as valid.
    """

    platform: str
    people: Mapping[str, int]
    questions: Sequence[Question]
    workers: Mapping[str, Person]
    is_from_platform: bool = False
    not_valid: Mapping[str, str] = field(default_factory=dict)


def collection_report(cleaning: Cleaning, collection: Collection | None) -> CollectionReport:
    """What is known of how the judgments were collected."""
    days = days_of(cleaning.crowd)
    first_day, last_day = days or ("", "")
    if collection is None:
        return CollectionReport(first_day=first_day, last_day=last_day)
    everybody = list(collection.workers.values())
    kept = cleaning.crowd.workers[cleaning.worker_kept & cleaning.took_part]
    workers = [collection.workers[worker] for worker in map(str, kept) if worker in collection.workers]
    times = [person.time for person in everybody if person.time is not None]
    recruitment = Recruitment(
        platform=collection.platform,
        is_from_platform=collection.is_from_platform,
        people=dict(collection.people),
        unverified=Unverified(workers=sum(not person.is_verified for person in everybody), of=len(everybody)),
        median_minutes=_median_minutes(times),
        pay=tuple(_pay(everybody, median_time(times))),
        workers_described=len(workers),
        devices=dict(Counter(person.device or NOT_KNOWN for person in workers).most_common()),
        questions=tuple(_answers(question, workers) for question in collection.questions),
    )
    return CollectionReport(first_day=first_day, last_day=last_day, recruitment=recruitment)


def days_of(crowd: Crowd) -> tuple[str, str] | None:
    """The days of the first and the last judgment, practice apart, as written; None unless each has an ISO time."""
    times = pd.Categorical(crowd.extras["submitted_at"])
    texts = [str(text) for text in times.categories]
    codes = np.asarray(times.codes)
    counted = np.unique(codes[np.asarray(~crowd.items["kind"].isin(OUTSIDE_RESULTS))[crowd.item]])
    if not len(counted) or (codes < 0).any() or not {text[10:11] for text in texts} <= _AFTER_THE_DAY:
        return None
    if not all(map(_is_day, {text[:10] for text in texts})):
        return None
    days = [texts[code][:10] for code in counted.tolist()]
    return min(days), max(days)


def _is_day(text: str) -> bool:
    try:
        return _DAY.fullmatch(text) is not None and bool(dt.date.fromisoformat(text))
    except ValueError:  # 2026-02-30
        return False


def _median_minutes(times: Sequence[dt.timedelta]) -> Figure:
    middle = median_time(times)
    if middle is None:
        return Undefined("nobody in the data finished")
    if middle < LEAST_TIME:
        return Undefined("these people took no time, so they were simulated or imported")
    minutes = middle.total_seconds() / 60
    method = "median from consent to the end, over those who finished and are in the data; no interval asked for"
    return Estimate(minutes, None, None, len(times), method)


def _pay(people: Iterable[Person], time: dt.timedelta | None) -> Iterator[Pay]:
    """By currency, the least and the most that a person in the data was promised; per hour where all get the same."""
    amounts: dict[str, list[Decimal]] = {}
    for person in people:
        if person.pay is not None:
            amounts.setdefault(person.pay[1], []).append(person.pay[0])
    for currency, promised in sorted(amounts.items()):
        least, most = min(promised), max(promised)
        an_hour = pay_per_hour(least, time) if least == most else None
        yield Pay(
            currency=currency,
            least=float(least),
            most=float(most),
            people=len(promised),
            per_hour=None if an_hour is None else float(an_hour),
        )


def _answers(question: Question, workers: Sequence[Person]) -> PersonalAnswers:
    """Counts by option; of free text how many answered, and its numbers where all who answered wrote a short one."""
    answers = [person.answers[question.name] for person in workers if person.answers.get(question.name)]
    about = PersonalAnswers(
        name=question.name, text=question.text, answered=len(answers), no_answer=len(workers) - len(answers)
    )
    if question.options:
        counts = Counter(answers)
        by_option = {option: counts.pop(option, 0) for option in question.options}
        return replace(about, options=by_option, no_longer_an_option=counts.total())
    if len(answers) < 2 or not all(map(_SHORT_NUMBER.fullmatch, answers)):
        return about
    numbers = [float(answer.replace(",", ".")) for answer in answers]
    return replace(about, mean=fmean(numbers), sd=stdev(numbers), least=min(numbers), most=max(numbers))


# How the judgments were collected, in sentences that a paper can print, from the report alone.

# Not `calendar`'s, which are in the language of the machine.
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
# Everybody who came is in one of these, but for those who consented, who are in others too.
_ENDED = {
    "declined": "declined",
    "failed_comprehension": "failed the comprehension questions",
    "failed_qualification": "did not qualify",
    "returned_or_timed_out": "returned the task or ran out of time",
    "rejected": "rejected on the platform",
    "withdrew": "withdrew",
    "unfinished": "had not finished",
}


def collection_text(collection: CollectionReport) -> str:
    """The paragraph; nothing where nothing is known."""
    return " ".join(_sentences(collection))


def _sentences(collection: CollectionReport) -> Iterator[str]:
    when = days_text(collection.first_day, collection.last_day) if collection.first_day else ""
    recruitment = collection.recruitment
    if recruitment is None:  # a file, whose times may be in any zone
        if when:
            yield f"The judgments were given {when}."
        return
    platform = recruitment.platform
    yield (
        "People were recruited directly, by invitations or an open link"
        if platform == DIRECT
        else f"People were recruited through {platform}"
    ) + (f"; the judgments were given {when} (UTC)." if when else ".")
    yield _people(recruitment.people)
    yield from _time_and_pay(recruitment)
    unverified = recruitment.unverified
    if unverified.workers:
        yield (
            f"{unverified.workers:,} of the {unverified.of:,} workers in the data came through an open link or"
            " through the platform without its signature, so their identities are not verified."
        )
    yield from _workers(recruitment)


def days_text(first: str, last: str) -> str:
    """From day to day, without saying a month or a year twice.

    >>> print(days_text("2026-11-03", "2026-11-18"), days_text("2026-10-31", "2026-11-02"), sep="; ")
    from 3 to 18 November 2026; from 31 October to 2 November 2026
    >>> print(days_text("2026-11-03", "2026-11-03"), days_text("2025-12-31", "2026-01-02"), sep="; ")
    on 3 November 2026; from 31 December 2025 to 2 January 2026
    """
    begin, end = dt.date.fromisoformat(first), dt.date.fromisoformat(last)
    until = f"{end.day} {_MONTHS[end.month - 1]} {end.year}"
    if begin == end:
        return f"on {until}"
    month = f" {_MONTHS[begin.month - 1]}" if (begin.year, begin.month) != (end.year, end.month) else ""
    year = f" {begin.year}" if begin.year != end.year else ""
    return f"from {begin.day}{month}{year} to {until}"


def _people(people: Mapping[str, int]) -> str:
    came = "1 person" if people["came"] == 1 else f"{people['came']:,} people"
    imported = people.get("imported", 0)
    brought = f"The judgments of {imported:,} people were gathered elsewhere and imported." if imported else ""
    if imported and not people["came"]:
        return brought
    ended = ", ".join(f"{people[key]:,} {words}" for key, words in _ENDED.items() if people.get(key))
    consented = f"{people['consented']:,} consented and " if "consented" in people else ""
    summary = f"{came} came, of whom {consented}{people['finished']:,} finished"
    return " ".join(filter(None, [f"{summary} ({ended})." if ended else f"{summary}.", brought]))


def _time_and_pay(recruitment: Recruitment) -> Iterator[str]:
    time = recruitment.median_minutes
    if isinstance(time, Estimate):
        timed = f"that {recruitment.platform} gives" if recruitment.is_from_platform else "from consent to the end"
        yield (
            f"The median time {timed} was {time.estimate:.1f} minutes, over the {time.n:,} people who finished"
            " and are in the data."
        )
    for pay in recruitment.pay:
        least, most = f"{pay.least:.2f}", f"{pay.most:.2f}"
        amount = least if least == most else f"{least} to {most}"
        currency = pay.currency
        an_hour = f", which comes to {pay.per_hour:.2f} {currency} per hour" if pay.per_hour is not None else ""
        yield f"Pay was {amount} {currency} per person{f'{an_hour} at the median time' if an_hour else ''}."


def _workers(recruitment: Recruitment) -> Iterator[str]:
    described, devices = recruitment.workers_described, dict(recruitment.devices)
    if not described:
        return
    whose = f"the {described:,} {'worker' if described == 1 else 'workers'} whose judgments are kept"
    not_known = devices.pop(NOT_KNOWN, 0)
    if devices:
        used = ", ".join(f"{count:,} used a {device}" for device, count in devices.items())
        yield f"Of {whose}, {used}{f'; the device of {not_known:,} is not known' if not_known else ''}."
    if recruitment.is_from_platform:
        yield f"{recruitment.platform} knows of {whose}:"
    elif recruitment.questions:
        yield f"At the end, {'they' if devices else whose} were asked about themselves, and could leave any answer out."
    for question in recruitment.questions:
        yield _question(question)


def _question(question: PersonalAnswers) -> str:
    asked, answered, blank = f'"{" ".join(question.text.split())}"', question.answered, question.no_answer
    if question.options is not None:
        counts = [f"{option} {count:,}" for option, count in question.options.items()]
        if question.no_longer_an_option:
            counts.append(f"an answer that is no longer offered {question.no_longer_an_option:,}")
        if question.withheld:
            counts.append(f"answers that fewer than five people share {question.withheld:,}")
        return f"{asked}: {', '.join([*counts, f'no answer {blank:,}'])}."
    if question.mean is not None and question.sd is not None:
        spread = f"M = {question.mean:.1f}, SD = {question.sd:.1f}"
        has_ends = question.least is not None and question.most is not None
        ends = f", range {question.least:g} to {question.most:g}" if has_ends else ""
        return f"{asked}: n = {answered:,}, {spread}{ends}, no answer {blank:,}."
    return f"{asked}: {answered:,} answered in their own words, no answer {blank:,}."


# What a published report says of people: answers and devices that fewer than five people share are withheld.

# Fewer people than this who share an answer could be told apart by it.
LEAST_ALIKE = 5


def to_publish(collection: CollectionReport) -> CollectionReport:
    """The same, where each question says how many people's answers are `withheld`."""
    recruitment = collection.recruitment
    if recruitment is None:
        return collection
    devices = {device: n for device, n in recruitment.devices.items() if n >= LEAST_ALIKE or device == NOT_KNOWN}
    withheld = sum(recruitment.devices.values()) - sum(devices.values())
    if withheld:
        devices[NOT_KNOWN] = devices.get(NOT_KNOWN, 0) + withheld
    questions = tuple(map(_question_to_publish, recruitment.questions))
    return replace(collection, recruitment=replace(recruitment, devices=devices, questions=questions))


def _question_to_publish(question: PersonalAnswers) -> PersonalAnswers:
    """Of numbers, the mean and its spread; the least and the most are one person's each."""
    if question.options is not None:
        shared = {option: n for option, n in question.options.items() if n >= LEAST_ALIKE}
        withheld = sum(question.options.values()) - sum(shared.values()) + question.no_longer_an_option
        return replace(question, options=shared, no_longer_an_option=0, withheld=withheld)
    if question.answered < LEAST_ALIKE:
        return replace(question, mean=None, sd=None, least=None, most=None)
    return replace(question, least=None, most=None)
