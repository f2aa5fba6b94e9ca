"""How the judgments were collected, for the methods paragraph: when, from whom, for what pay, and who the workers are.

The numbers alone; `collection_words.py` puts them in sentences. What a study in the database knows comes in as a
`Collection`; of a file there are the days at most.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pandas as pd

from agreement.cleaning.run import Cleaning
from agreement.crowd import Crowd
from annotation.durations import LEAST_TIME, median_time, pay_per_hour

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
    judgments, by their ids.
    """

    platform: str
    people: Mapping[str, int]
    questions: Sequence[Question]
    workers: Mapping[str, Person]


def described(cleaning: Cleaning, collection: Collection | None) -> dict[str, Any]:
    """The report's `collection`; empty where nothing is known."""
    days = days_of(cleaning.crowd)
    found: dict[str, Any] = {} if days is None else {"first_day": days[0], "last_day": days[1]}
    if collection is None:
        return found
    everybody = list(collection.workers.values())
    kept = cleaning.crowd.workers[cleaning.worker_kept & cleaning.took_part]
    workers = [collection.workers[worker] for worker in map(str, kept) if worker in collection.workers]
    times = [person.time for person in everybody if person.time is not None]
    return found | {
        "platform": collection.platform,
        "people": dict(collection.people),
        "unverified": {"workers": sum(not person.is_verified for person in everybody), "of": len(everybody)},
        "median_minutes": _median_minutes(times),
        "pay": _pay(everybody, median_time(times)),
        "workers_described": len(workers),
        "devices": dict(Counter(person.device or NOT_KNOWN for person in workers).most_common()),
        "questions": [_answers(question, workers) for question in collection.questions],
    }


def days_of(crowd: Crowd) -> tuple[str, str] | None:
    """The days of the first and the last judgment, practice apart, as written; None unless each has an ISO time."""
    times = pd.Categorical(crowd.extras["submitted_at"])
    texts = [str(text) for text in times.categories]
    codes = np.asarray(times.codes)
    counted = np.unique(codes[np.asarray(crowd.items["kind"] != "practice")[crowd.item]])
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


def _median_minutes(times: Sequence[dt.timedelta]) -> dict[str, Any]:
    middle = median_time(times)
    if middle is None:
        return {"undefined": "nobody in the data finished"}
    if middle < LEAST_TIME:
        return {"undefined": "these people took no time, so they were simulated or imported"}
    minutes = middle.total_seconds() / 60
    method = "median from consent to the end, over those who finished and are in the data; no interval asked for"
    return {"estimate": minutes, "low": None, "high": None, "n": len(times), "method": method}


def _pay(people: Iterable[Person], time: dt.timedelta | None) -> list[dict[str, Any]]:
    """By currency, the least and the most that a person in the data was promised; per hour where all get the same."""
    amounts: dict[str, list[Decimal]] = {}
    for person in people:
        if person.pay is not None:
            amounts.setdefault(person.pay[1], []).append(person.pay[0])
    found = []
    for currency, promised in sorted(amounts.items()):
        least, most = min(promised), max(promised)
        an_hour = pay_per_hour(least, time) if least == most else None
        given = {"currency": currency, "least": float(least), "most": float(most), "people": len(promised)}
        found.append(given if an_hour is None else {**given, "per_hour": float(an_hour)})
    return found


def _answers(question: Question, workers: Sequence[Person]) -> dict[str, Any]:
    """Counts by option; of free text how many answered, and its numbers where all who answered wrote a short one."""
    given = [person.answers[question.name] for person in workers if person.answers.get(question.name)]
    about = {
        "name": question.name,
        "text": question.text,
        "answered": len(given),
        "no_answer": len(workers) - len(given),
    }
    if question.options:
        counts = Counter(given)
        by_option = {option: counts.pop(option, 0) for option in question.options}
        return {**about, "options": by_option, "no_longer_an_option": counts.total()}
    if len(given) < 2 or not all(map(_SHORT_NUMBER.fullmatch, given)):
        return about
    numbers = [float(answer.replace(",", ".")) for answer in given]
    return {**about, "mean": fmean(numbers), "sd": stdev(numbers), "least": min(numbers), "most": max(numbers)}
