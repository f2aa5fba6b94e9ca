"""How many people a study needs, and what they cost: from its items, judgments per item, quotas, pay and platform."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import ceil

from django.db.models import Count, F, Max, Q, Sum
from django.db.models.functions import Coalesce

from annotation.models import Item, Study
from annotation.platforms import PLATFORMS

CENT = Decimal("0.01")
MINUTES_PER_HOUR = 60


@dataclass(frozen=True, slots=True)
class Cost:
    """Of so many people: their pay, the platform's fee on top, and both."""

    currency: str
    pay: Decimal
    fee_percent: Decimal
    fee: Decimal
    per_hour: Decimal | None  # by the minutes that the study expects
    floor: Decimal | None  # the least per hour that the platform allows

    @property
    def total(self) -> Decimal:
        return self.pay + self.fee

    @property
    def is_below_floor(self) -> bool:
        return self.per_hour is not None and self.floor is not None and self.per_hour < self.floor


@dataclass(frozen=True, slots=True)
class Recruiting:
    items: int  # to judge
    judgments: int  # wanted of all of them
    most_per_item: int
    per_assignment: int  # items to judge in one assignment
    checks: int  # check items in one assignment
    practice: int
    people: int  # places to request from the platform
    still_needed: int | None  # judgments; None: the study has not been open yet
    people_more: int | None  # places for those
    cost: Cost | None

    @property
    def questions(self) -> int:
        """That one person answers in one assignment."""
        return self.per_assignment + self.checks + self.practice


def recruiting_of(study: Study) -> Recruiting:
    """Four statements, whatever the size of the study."""
    of_item = Coalesce("judgments_per_item", F("study__judgments_per_item"))
    counted = study.items.aggregate(
        items=Count("pk", filter=Q(kind=Item.Kind.TARGET)),
        judgments=Sum(of_item, filter=Q(kind=Item.Kind.TARGET)),
        most=Max(of_item, filter=Q(kind=Item.Kind.TARGET)),
        practice=Count("pk", filter=Q(kind=Item.Kind.PRACTICE)),
    )
    items, judgments, most = counted["items"], counted["judgments"] or 0, counted["most"] or 0
    per_assignment = min(study.items_per_assignment, items)
    people = people_for(judgments, most, items, study.items_per_assignment, study.assignments_per_worker)
    was_open = study.status != Study.Status.DRAFT
    still = study.open_places.count() if was_open else None
    return Recruiting(
        items=items,
        judgments=judgments,
        most_per_item=most,
        per_assignment=per_assignment,
        checks=sum(study.check_quotas.values_list("per_assignment", flat=True)),
        practice=counted["practice"],
        people=people,
        still_needed=still,
        people_more=None
        if still is None
        else people_for(still, 0, items, study.items_per_assignment, study.assignments_per_worker),
        cost=cost_of(study, people),
    )


def people_for(judgments: int, most_per_item: int, items: int, per_assignment: int, assignments: int) -> int:
    """N = ceil(judgments / what one person gives); at least as many as the most that one item needs, since nobody
    judges an item twice.

    >>> people_for(660, 10, 66, 20, 1), people_for(660, 10, 66, 20, 4), people_for(30, 10, 3, 20, 1)
    (33, 10, 10)
    """
    each = min(per_assignment * assignments, items)
    return max(ceil(judgments / each), most_per_item) if each else 0


def fee_percent_of(study: Study) -> Decimal:
    """What the researcher has entered, else the platform's usual fee."""
    return PLATFORMS[study.platform].fee_percent if study.fee_percent is None else study.fee_percent


def cost_of(study: Study, people: int) -> Cost | None:
    """None where no pay is set."""
    if study.pay is None or not study.currency:
        return None
    pay, percent = study.pay * people, fee_percent_of(study)
    hourly = study.pay * MINUTES_PER_HOUR / study.minutes_expected if study.minutes_expected else None
    return Cost(
        currency=study.currency,
        pay=pay,
        fee_percent=percent,
        fee=(pay * percent / 100).quantize(CENT, ROUND_HALF_UP),
        per_hour=None if hourly is None else hourly.quantize(CENT, ROUND_HALF_UP),
        floor=PLATFORMS[study.platform].pay_floors.get(study.currency),
    )
