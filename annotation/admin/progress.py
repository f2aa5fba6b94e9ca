"""How far a study is: places, answers, people, time and effective pay, by a handful of queries whatever its size."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Exists, F, OuterRef, Q, Sum
from django.db.models.functions import Coalesce

from annotation.allocation import beyond_target
from annotation.durations import median_time, pay_per_hour, time_taken
from annotation.models import AssignedItem, Judgment, Participation, Study

# Prolific's floors an hour, on the median time: https://researcher-help.prolific.com (How much should I pay?)
FLOORS = {Study.Platform.PROLIFIC: {"GBP": Decimal(6), "USD": Decimal(8)}}


@dataclass(frozen=True, slots=True)
class Pay:
    """What the median person earned an hour, beside the least that the platform allows."""

    an_hour: Decimal
    currency: str
    floor: Decimal | None

    @property
    def is_below_floor(self) -> bool:
        return self.floor is not None and self.an_hour < self.floor


@dataclass(frozen=True, slots=True)
class StudyProgress:
    items: int
    places: int
    answered: int
    held: int  # claimed and not answered yet
    open: int
    beyond: int  # answers beyond the target, which lifted exclusions left
    people: tuple[tuple[str, int], ...]  # status in words, how many
    unverified: int  # came by an open link, or from a platform without its signature
    finished: int
    median_time: dt.timedelta | None
    pay: Pay | None

    @property
    def answered_share(self) -> float:
        return self.answered / self.places if self.places else 0.0

    @property
    def taken_share(self) -> float:
        return (self.answered + self.held) / self.places if self.places else 0.0


def progress_of(study: Study) -> StudyProgress:
    targets = study.items.targets().aggregate(items=Count("pk"), places=Sum(Coalesce("target", F("study__target"))))
    held = AssignedItem.objects.filter(item__study=study, slot__isnull=False, released_at__isnull=True)
    answered = Exists(Judgment.objects.filter(assigned_item=OuterRef("pk")))
    taken = held.aggregate(all=Count("pk"), answered=Count("pk", filter=Q(answered)))
    by_status = study.participations.order_by().values("status")
    grouped = by_status.annotate(people=Count("pk"), unverified=Count("pk", filter=Q(is_verified=False)))
    rows = list(grouped.values_list("status", "people", "unverified"))
    counts = {status: people for status, people, _ in rows}
    middle = median_time_of(study)
    return StudyProgress(
        items=targets["items"],
        places=targets["places"] or 0,
        answered=taken["answered"],
        held=taken["all"] - taken["answered"],
        open=study.open_places.count(),
        beyond=beyond_target(study),
        people=tuple((str(status.label), counts[status]) for status in Participation.Status if status in counts),
        unverified=sum(unverified for _, _, unverified in rows),
        finished=counts.get(Participation.Status.FINISHED, 0),
        median_time=middle,
        pay=pay_of(study, middle),
    )


def median_time_of(study: Study) -> dt.timedelta | None:
    """From consent to the end, of those who finished."""
    done = study.participations.filter(status=Participation.Status.FINISHED, consented_at__isnull=False)
    times = (time_taken(*between) for between in done.values_list("consented_at", "finished_at"))
    return median_time(time for time in times if time is not None)


def pay_of(study: Study, time: dt.timedelta | None) -> Pay | None:
    an_hour = None if study.pay is None else pay_per_hour(study.pay, time)
    if an_hour is None or not study.currency:
        return None
    floor = FLOORS.get(Study.Platform(study.platform), {}).get(study.currency)
    return Pay(an_hour=an_hour, currency=study.currency, floor=floor)
