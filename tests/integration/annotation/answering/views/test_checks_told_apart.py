"""Somebody records all that a browser gets of 200 assignments, words apart, and tries to tell the checks from it."""

import datetime as dt
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.entry import entering
from annotation.models import AssignedItem, Assignment, CheckQuota, Item, Judgment, Study
from annotation.places.allocation import expire_overdue
from tests.integration.annotation.answering.views.people import a_study_of, base_of, begin, save

# On PostgreSQL rows that one transaction has changed thousands of times take minutes to read.
pytestmark = [pytest.mark.django_db, pytest.mark.slow]
TARGETS, CHECKS = 4, 2
# An area under the curve of 0.5 is chance. With 200 checks and 400 others its standard error is 0.025: this is four.
CHANCE = 0.1
FULL = 200


@dataclass
class Seen:
    """What was received about one item of one assignment, by what it is called here."""

    is_check: bool
    received: dict[str, Any] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)


@pytest.fixture
def seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """People's seeds in a row, so that the test draws the same orders each time."""
    numbers = count(1)
    monkeypatch.setattr(entering, "new_seed", lambda: next(numbers))


def a_study_with_checks(assignments: int) -> Study:
    items: list[dict[str, Any]] = [{"item_id": f"t{n}", "fields": {"thing": f"thing {n}"}} for n in range(8)]
    items += [
        {"item_id": f"c{n}", "kind": "check", "check_name": "attention", "max": 60.0, "fields": {"thing": f"check {n}"}}
        for n in range(4)
    ]
    study = a_study_of(
        "slider", items=items[:8], judgments_per_item=assignments, items_per_assignment=TARGETS, word_order="random"
    )
    Item.objects.bulk_create(Item(study=study, position=at, **item) for at, item in enumerate(items[8:], start=9))
    CheckQuota.objects.create(study=study, check_name="attention", per_assignment=CHECKS)
    return study


def received(response: Any) -> tuple[int, tuple[tuple[str, str], ...], bytes]:
    return response.status_code, tuple(sorted(response.headers.items())), response.content


def questions_of(client: Client, base: str) -> dict[int, tuple[str, str]]:
    """Each question's key, and its markup with its words, its number, its keys and the time made equal to any other's;
    all other numbers stand as they are, for one that is an item's own would tell.
    """
    html = client.get(f"{base}1/").text
    found = {}
    for markup in re.findall(r'<fieldset class="item".*?</fieldset>', html, re.DOTALL):
        position = re.search(r'data-item="(\d+)"', markup)[1]  # type: ignore[index]
        without_words = re.sub(r">(thing|check) \d<", ">WORDS<", markup)
        without_keys = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d{13}", "KEY", without_words)
        key = re.search(r'data-key="([^"]+)"', markup)[1]  # type: ignore[index]
        found[int(position)] = (key, re.sub(rf"(?<!\d){position}(?!\d)", "N", without_keys))
    return found


def one_assignment(client: Client, study: Study, rng: random.Random) -> list[Seen]:
    """Half of the answers in time, the others and all of them again when the time is over; then handing in, twice."""
    base = base_of(begin(client, study))
    assignment = Assignment.objects.latest("pk")
    kinds = assignment.assigned_items.order_by("position").values_list("position", "item__kind")
    seen = {position: Seen(kind == "check") for position, kind in kinds}
    for position, (key, markup) in questions_of(client, base).items():
        seen[position].received |= {"markup": markup, "key": key, "position": position}
    in_time, left_out = rng.sample(sorted(seen), 3), rng.choice(sorted(seen))
    for position in in_time:
        answer(client, base, position, seen[position], "in time")
    Assignment.objects.filter(pk=assignment.pk).update(expires_at=timezone.now() - dt.timedelta(minutes=5))
    expire_overdue(now=timezone.now())
    for position in sorted(set(seen) - {left_out}):
        when = "changed late" if position in in_time else "late"
        answer(client, base, position, seen[position], when)
    reply = client.post(f"{base}finish/")
    seen[left_out].received["finish without it"] = (reply.status_code, reply.headers["Location"].count(base))
    answer(client, base, left_out, seen[left_out], "last")
    for position, (key, markup) in questions_of(client, base).items():
        seen[position].received |= {"markup at the end": markup, "key at the end": key}
    return list(seen.values())


def answer(client: Client, base: str, position: int, seen: Seen, when: str) -> None:
    begun = time.perf_counter()
    reply = save(client, base, position, number="57.5", response_ms="900")
    seen.seconds.append(time.perf_counter() - begun)
    seen.received[f"reply {when}"] = received(reply)


def area(scores: list[tuple[float, bool]]) -> float:
    """How often a check scores above another item, ties by halves: the area under the ROC curve."""
    checks = Counter(score for score, is_check in scores if is_check)
    others = Counter(score for score, is_check in scores if not is_check)
    pairs = ((high - low, n * m) for high, n in checks.items() for low, m in others.items())
    won = sum(how_many * (0.5 if ahead == 0 else ahead > 0) for ahead, how_many in pairs)
    return won / (checks.total() * others.total())


def by_what_was_received(name: str, learn: list[Seen], judge: list[Seen]) -> float:
    """A classifier that learns how often each value of one thing received was a check's."""
    values = [(repr(one.received.get(name)), one.is_check) for one in learn]
    all_of, checks = Counter(value for value, _ in values), Counter(value for value, is_check in values if is_check)
    base = CHECKS / (CHECKS + TARGETS)

    def score(one: Seen) -> float:
        value = repr(one.received.get(name))
        return (checks[value] + base) / (all_of[value] + 1)

    return area([(score(one), one.is_check) for one in judge])


@pytest.mark.usefixtures("seeds")
@pytest.mark.parametrize("assignments", [50, pytest.param(FULL, marks=pytest.mark.prove)])
def test_checks_are_told_from_nothing_received_better_than_by_chance(assignments: int) -> None:
    study, rng = a_study_with_checks(assignments), random.Random(5)
    walked = [one_assignment(Client(REMOTE_ADDR=f"192.0.2.{n}"), study, rng) for n in range(assignments)]
    learn = [one for each in walked[::2] for one in each]
    judge = [one for each in walked[1::2] for one in each]
    assert sum(one.is_check for one in judge) == CHECKS * assignments / 2
    names = {name for one in learn for name in one.received}
    assert names >= {
        "position",
        "reply in time",
        "reply late",
        "reply changed late",
        "finish without it",
        "markup",
        "key",
    }

    areas = {name: by_what_was_received(name, learn, judge) for name in sorted(names)}
    areas["seconds"] = area([(sum(one.seconds) / len(one.seconds), one.is_check) for one in [*learn, *judge]])

    print(f"areas under the curve from {min(areas.values()):.3f} to {max(areas.values()):.3f}; 0.5 is chance")

    chance = CHANCE * (FULL / assignments) ** 0.5
    assert {name: round(found, 3) for name, found in areas.items() if abs(found - 0.5) > chance} == {}
    assert Judgment.objects.filter(is_late=True, assigned_item__item__kind="check").exists()
    assert not AssignedItem.objects.filter(released_at=None, item__kind="check", judgments__is_late=True).exists()


def test_classifier_finds_checks_where_a_reply_tells_them() -> None:
    """The test above can fail: a word that stands in some replies is enough for it."""
    told = [Seen(is_check, {"reply": b"late" if is_check else b"saved"}) for is_check in (True, False) * 50]

    assert by_what_was_received("reply", told, told) == 1.0
