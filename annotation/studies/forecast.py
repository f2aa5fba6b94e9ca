"""When a study will be full, at the pace at which judgments have come in."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TypedDict

from agreement.durations import DAY

LEAST_MINUTES = 10  # a pace of fewer is none
LONGEST = dt.timedelta(days=3 * 365)


class OverTime(TypedDict, total=False):
    """Judgments by equal spans of time; the minutes of the first and the last, if any; how many the last day had."""

    counts: list[int]
    first: int
    last: int
    last_day: int
    start: int  # the minute in which the first span begins
    step: int  # a span's minutes


@dataclass(frozen=True, slots=True)
class Forecast:
    """At the faster and the slower of two paces: of all the time so far, and of the last day in which judgments came.
    `why` says why there is none.
    """

    earliest: dt.datetime | None = None
    latest: dt.datetime | None = None
    why: str = ""

    @property
    def is_one_moment(self) -> bool:
        return (
            self.earliest is not None
            and self.latest is not None
            and self.latest - self.earliest < dt.timedelta(hours=1)
        )


def forecast(over_time: OverTime, needed: int, share_on_targets: float, now: dt.datetime) -> Forecast:
    """`over_time` are the summary's counts; `needed` judgments are still to come, all on target items, on which
    `share_on_targets` of all judgments are.

    >>> now = dt.datetime(2026, 5, 1, 12, tzinfo=dt.UTC)
    >>> minutes = int(now.timestamp()) // 60
    >>> found = forecast({"counts": [60, 60], "first": minutes - 120, "last": minutes, "last_day": 120}, 240, 1.0, now)
    >>> found.earliest.hour, found.latest.hour
    (16, 16)
    """
    if needed <= 0:
        return Forecast(why="All judgments are in.")
    total = sum(over_time["counts"])
    minute = now.timestamp() / 60
    if not total or share_on_targets <= 0:
        return Forecast(why="A forecast needs judgments.")
    if minute - over_time["last"] > DAY:
        return Forecast(why="No judgment has come in for more than a day, so there is no pace to go by.")
    if minute - over_time["first"] < LEAST_MINUTES:
        return Forecast(why=f"A forecast needs {LEAST_MINUTES} minutes of judgments.")
    overall = total / (minute - over_time["first"])
    recent = over_time["last_day"] / max(minute - max(over_time["first"], over_time["last"] - DAY), LEAST_MINUTES)
    ends = [
        dt.timedelta(minutes=needed / share_on_targets / pace) for pace in (max(overall, recent), min(overall, recent))
    ]
    if ends[0] > LONGEST:
        return Forecast(why="At this pace it takes years.")
    return Forecast(now + ends[0], now + min(ends[1], LONGEST))
