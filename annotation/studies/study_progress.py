"""How far a study is, by a handful of queries whatever its size, and when it will be full."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TypedDict

from django.db.models import Count, Exists, F, OuterRef, Q, Sum
from django.db.models.functions import Coalesce

from agreement.durations import DAY, LEAST_TIME, OverTime, median_time, pay_per_hour, time_taken
from annotation.models import AssignedItem, Assignment, Judgment, Participation, Study
from annotation.places.allocation import answers_beyond_target
from annotation.platforms import PLATFORMS

Status = Participation.Status


@dataclass(frozen=True, slots=True)
class Pay:
    """What the median person earned an hour, beside the least that the platform allows."""

    an_hour: Decimal
    currency: str
    floor: Decimal | None

    @property
    def is_below_floor(self) -> bool:
        return self.floor is not None and self.an_hour < self.floor


class Counts(TypedDict):
    """Of the people of one status."""

    status: str
    people: int
    unverified: int
    consented: int
    begun: int


@dataclass(frozen=True, slots=True)
class StudyProgress:
    items: int
    places: int
    held: int  # claimed and not answered yet
    open: int
    beyond: int  # answers beyond the target, which lifted exclusions left
    people: tuple[tuple[str, int], ...]  # status in words, how many
    unverified: int  # came by an open link, or from a platform without its signature
    funnel: tuple[tuple[str, int], ...]  # how far people got, in words, and how many
    pages_left: dict[int, int]  # after how many pages those who left gave their last answer
    minutes: tuple[float, ...]  # that each of those who finished took
    median_time: dt.timedelta | None
    pay: Pay | None

    @property
    def has_times(self) -> bool:
        """Simulated and imported people take no time that says anything."""
        return self.median_time is not None and self.median_time >= LEAST_TIME

    @property
    def answered(self) -> int:
        return max(self.places - self.open - self.held, 0)

    @property
    def finished(self) -> int:
        return dict(self.people).get(str(Status.FINISHED.label), 0)

    @property
    def answered_share(self) -> float:
        return self.answered / self.places if self.places else 0.0

    @property
    def taken_share(self) -> float:
        return (self.answered + self.held) / self.places if self.places else 0.0


def progress_of(study: Study) -> StudyProgress:
    targets = study.items.targets().aggregate(
        items=Count("pk"), places=Sum(Coalesce("judgments_per_item", F("study__judgments_per_item")))
    )
    has_begun = Exists(Assignment.objects.to_judge().filter(participation=OuterRef("pk")))
    grouped = study.participations.order_by().values("status").annotate(
        people=Count("pk"),
        unverified=Count("pk", filter=Q(is_verified=False)),
        consented=Count("pk", filter=Q(consented_at__isnull=False)),
        begun=Count("pk", filter=has_begun),
    )  # fmt: skip
    rows = {row["status"]: row for row in grouped}
    times = times_taken(study)
    middle = median_time(times)
    return StudyProgress(
        items=targets["items"],
        places=targets["places"] or 0,
        held=unanswered_places(study),
        open=study.open_places.count(),
        beyond=answers_beyond_target(study),
        people=tuple((str(status.label), rows[status]["people"]) for status in Status if status in rows),
        unverified=sum(row["unverified"] for row in rows.values()),
        funnel=_funnel(rows),
        pages_left=pages_left(study),
        minutes=tuple(time.total_seconds() / 60 for time in times),
        median_time=middle,
        pay=pay_of(study, middle),
    )


def _funnel(rows: Mapping[str, Counts]) -> tuple[tuple[str, int], ...]:
    def of(*statuses: str) -> int:
        return sum(rows[status]["people"] for status in statuses if status in rows)

    return (
        ("came", of(*rows)),
        ("consented", sum(row["consented"] for row in rows.values())),
        ("understood and began", sum(row["begun"] for row in rows.values())),
        ("finished", of(Status.FINISHED)),
        ("returned", of(Status.RETURNED)),
        ("timed out", of(Status.TIMED_OUT)),
    )


def unanswered_places(study: Study) -> int:
    """Claimed places without an answer: of open assignments alone, which are few however large the study is."""
    places = AssignedItem.objects.unanswered().filter(
        assignment__status=Assignment.Status.OPEN,
        assignment__participation__study=study,
        slot__isnull=False,
        released_at__isnull=True,
    )
    return places.count()


def pages_left(study: Study) -> dict[int, int]:
    """How many people left after so many pages, of those who began and neither finished nor are still at work."""
    ended = Assignment.objects.filter(
        participation__study=study, status__in=(Assignment.Status.EXPIRED, Assignment.Status.RELEASED)
    ).exclude(participation__status__in=(Status.FINISHED, Status.WITHDRAWN))
    answered = Count("assigned_items", filter=Exists(Judgment.objects.filter(assigned_item=OuterRef("assigned_items"))))
    rows = ended.order_by().values("participation").annotate(answers=answered, per_page=F("items_per_page"))
    pages: Counter[int] = Counter()
    for row in rows.values_list("answers", "per_page"):
        pages[-(-row[0] // (row[1] or study.items_per_page))] += 1
    return dict(sorted(pages.items()))


def times_taken(study: Study) -> list[dt.timedelta]:
    """From consent to the end, of those who finished."""
    done = study.participations.filter(status=Status.FINISHED, consented_at__isnull=False)
    times = (time_taken(*between) for between in done.values_list("consented_at", "finished_at"))
    return [time for time in times if time is not None]


def pay_of(study: Study, time: dt.timedelta | None) -> Pay | None:
    an_hour = None if study.pay is None else pay_per_hour(study.pay, time)
    if an_hour is None or not study.currency:
        return None
    floor = PLATFORMS[study.platform].pay_floors.get(study.currency)
    return Pay(an_hour=an_hour, currency=study.currency, floor=floor)


# When a study will be full, at the pace at which judgments have come in.

LEAST_MINUTES = 10  # a pace of fewer is none
LONGEST = dt.timedelta(days=3 * 365)


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
    >>> counts = {"counts": [60, 60], "first": minutes - 120, "last": minutes, "last_day": 120}
    >>> found = forecast(counts, 240, 1.0, now)
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
