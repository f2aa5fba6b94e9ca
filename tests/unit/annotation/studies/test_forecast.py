"""When a study will be full: at the pace so far, and why there is no forecast where there is none."""

import datetime as dt

import pytest

from agreement.durations import OverTime
from annotation.studies.study_progress import forecast

NOW = dt.datetime(2026, 5, 10, 12, tzinfo=dt.UTC)
MINUTE = int(NOW.timestamp()) // 60
DAY = 24 * 60


def came(*, total: int, first: int, last: int = 0, last_day: int | None = None) -> OverTime:
    """`first` and `last` are minutes ago."""
    recent = total if last_day is None else last_day
    start = MINUTE - first
    return {
        "counts": [total],
        "first": start,
        "last": MINUTE - last,
        "last_day": recent,
        "start": start,
        "step": first + 1,
    }


def test_two_paces_give_two_ends() -> None:
    # 100 an hour over ten days, 20 an hour in the last one.
    found = forecast(came(total=24_000, first=10 * DAY, last_day=480), 240, 1.0, NOW)
    assert (found.earliest, found.latest) == (NOW + dt.timedelta(hours=2.4), NOW + dt.timedelta(hours=12))
    assert not found.is_one_moment


def test_answers_to_checks_are_part_of_the_pace_and_not_of_what_is_needed() -> None:
    found = forecast(came(total=120, first=120), 60, 0.5, NOW)
    assert found.earliest == found.latest == NOW + dt.timedelta(hours=2)
    assert found.is_one_moment


@pytest.mark.parametrize(
    ("facts", "needed", "why"),
    [
        (came(total=120, first=120), 0, "All judgments are in"),
        ({"counts": [], "start": 0, "step": 60, "last_day": 0}, 10, "needs judgments"),
        (came(total=10, first=5), 10, "10 minutes"),
        (came(total=10, first=3 * DAY, last=2 * DAY), 10, "more than a day"),
        (came(total=1, first=20 * 60), 10_000_000, "years"),
    ],
)
def test_where_there_is_none_it_says_why(facts: OverTime, needed: int, why: str) -> None:
    found = forecast(facts, needed, 1.0, NOW)
    assert why in found.why
    assert found.earliest is None
