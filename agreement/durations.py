"""How long people took and what that pays per hour. Knows nothing of Django."""

import datetime as dt
from collections.abc import Iterable
from decimal import Decimal
from math import inf
from statistics import median
from typing import NotRequired, TypedDict

HOUR, DAY = 60, 24 * 60  # minutes
# Seconds per answer, in bins that double: half a second to over half an hour.
ANSWER_SECONDS = (0.0, *(0.5 * 2**power for power in range(13)), inf)
# Simulated and imported people take no time at all, and would earn millions per hour.
LEAST_TIME = dt.timedelta(seconds=5)


class OverTime(TypedDict):
    """Judgments by equal spans of time; the minutes of the first and the last, if any; how many the last day had."""

    counts: list[int]
    first: NotRequired[int]
    last: NotRequired[int]
    last_day: int
    start: int  # the minute of 1970 in which the first span begins
    step: int  # a span's minutes


class AnswerTimes(TypedDict):
    """Answers counted by the bins of ANSWER_SECONDS, and the median in seconds."""

    counts: list[int]
    median: float | None


def time_taken(consented_at: dt.datetime | None, finished_at: dt.datetime | None) -> dt.timedelta | None:
    """From consent to the end; None for those who did not get so far, and where the clock was set back meanwhile."""
    if consented_at is None or finished_at is None or finished_at < consented_at:
        return None
    return finished_at - consented_at


def minutes_text(time: dt.timedelta) -> str:
    """Minutes with one decimal.

    >>> minutes_text(dt.timedelta(minutes=3, seconds=45))
    '3.8'
    """
    return f"{time.total_seconds() / 60:.1f}"


def median_time(times: Iterable[dt.timedelta]) -> dt.timedelta | None:
    """None where there are no times.

    >>> median_time([dt.timedelta(minutes=2), dt.timedelta(minutes=5)])
    datetime.timedelta(seconds=210)
    """
    seconds = [time.total_seconds() for time in times]
    return dt.timedelta(seconds=median(seconds)) if seconds else None


def pay_per_hour(pay: Decimal, time: dt.timedelta | None) -> Decimal | None:
    """What `pay` for that time comes to per hour; None for those who took no time.

    >>> pay_per_hour(Decimal("1.50"), dt.timedelta(minutes=10))
    Decimal('9.00')
    """
    if time is None or time < LEAST_TIME:
        return None
    return round(pay / (Decimal(time.total_seconds()) / 3600), 2)
