"""What the first page reads: each query is of all studies at once, so that two hundred cost as many as one."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypedDict

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from agreement.report.verdict import weakest_in_json
from annotation.models import AssignedItem, Assignment, Item, Job, OpenPlace, Participation, Payment, Study
from annotation.releases.models import Exclusion, GoldRelease

NEWS = dt.timedelta(days=2)  # jobs that failed longer ago are nothing new


@dataclass(frozen=True, slots=True)
class PeopleOfStudy:
    """How many came to a study, and when the last of them."""

    people: int = 0
    finished: int = 0
    last_entered: dt.datetime | None = None
    last_finished: dt.datetime | None = None


NOBODY = PeopleOfStudy()


@dataclass(frozen=True, slots=True)
class LatestRelease:
    """The newest release of a study, over all its questions."""

    number: int
    run: int
    run_created_at: dt.datetime
    created_at: dt.datetime
    verdict: Mapping[str, Any] | None  # of the weakest question; None in releases of earlier versions
    suspects: frozenset[str]


def in_order(studies: QuerySet[Study]) -> QuerySet[Study]:
    """What is going on first: open, paused, drafts, closed; of each the newest."""
    status = Study.Status
    ranks = {status.LIVE: 0, status.PILOTING: 0, status.PAUSED: 1, status.DRAFT: 2}
    rank = Case(*(When(status=key, then=Value(value)) for key, value in ranks.items()), default=Value(3))
    return studies.annotate(
        rank=rank,
        needs_judgments=Exists(OpenPlace.objects.filter(study=OuterRef("pk"))),
        has_items=Exists(Item.objects.targets().filter(study=OuterRef("pk"))),
    ).order_by("rank", "-created_at", "-pk")


def people_of(studies: QuerySet[Any]) -> dict[int, PeopleOfStudy]:
    came, finished = Count("pk"), Count("pk", filter=Q(finished_at__isnull=False))
    rows = Participation.objects.filter(study__in=studies).order_by().values_list("study")
    figures = rows.annotate(n=came, n_finished=finished, entered=Max("entered_at"), ended=Max("finished_at"))
    return {study: PeopleOfStudy(*row) for study, *row in figures}


def latest_releases(studies: QuerySet[Any]) -> dict[int, LatestRelease]:
    newest = GoldRelease.objects.filter(study=OuterRef("study_id")).order_by("-number").values("number")[:1]
    releases = GoldRelease.objects.filter(study__in=studies, number=Subquery(newest)).order_by("study", "question")
    fields = ("study_id", "number", "run_id", "run__created_at", "created_at", "question")
    by_study: dict[int, list[Any]] = defaultdict(list)
    for row in releases.values(*fields, verdict=F("report__verdict"), suspects=F("report__suspects")):
        by_study[row["study_id"]].append(row)
    return {study: _latest(rows) for study, rows in by_study.items()}


def _latest(rows: Sequence[Mapping[str, Any]]) -> LatestRelease:
    first = rows[0]
    verdicts = {str(row["question"]): row["verdict"] for row in rows}
    suspects = [row["suspects"] for row in rows if isinstance(row["suspects"], list)]
    return LatestRelease(
        number=first["number"],
        run=first["run_id"],
        run_created_at=first["run__created_at"],
        created_at=first["created_at"],
        verdict=weakest_in_json(verdicts) if all(verdicts.values()) else None,
        suspects=frozenset(str(one["worker"]) for each in suspects for one in each),
    )


@dataclass(frozen=True, slots=True)
class ExclusionDates:
    pseudonym: str
    run: int | None
    created_at: dt.datetime
    lifted_at: dt.datetime | None

    def is_unknown_to(self, release: LatestRelease) -> bool:
        """Whether the release doesn't know of this exclusion, or of its being lifted."""
        if self.lifted_at is not None:
            return self.lifted_at > release.created_at
        return self.run != release.run and self.created_at > release.run_created_at


def exclusions_of(studies: QuerySet[Any]) -> dict[int, list[ExclusionDates]]:
    rows = Exclusion.objects.filter(participation__study__in=studies).order_by()
    by_study: dict[int, list[ExclusionDates]] = defaultdict(list)
    names = ("participation__study", "participation__pseudonym", "run", "created_at", "lifted_at")
    for study, pseudonym, run, created_at, lifted_at in rows.values_list(*names):
        by_study[study].append(ExclusionDates(pseudonym, run, created_at, lifted_at))
    return by_study


class PaymentRow(TypedDict):
    study: int
    status: str
    currency: str | None
    people: int
    amount: Decimal | None


def payments_of(studies: QuerySet[Any]) -> dict[int, list[PaymentRow]]:
    rows = Payment.objects.filter(participation__study__in=studies).order_by()
    sums = rows.values("status", "currency", study=F("participation__study"))
    by_study: dict[int, list[PaymentRow]] = defaultdict(list)
    for row in sums.annotate(people=Count("pk"), amount=Sum("amount")):
        by_study[row["study"]].append(row)
    return by_study


def failed_jobs(studies: QuerySet[Any], now: dt.datetime) -> QuerySet[Job]:
    """Those that failed lately, and that nobody started again."""
    failed = Job.objects.filter(study__in=studies, status=Job.Status.FAILED, finished_at__gt=now - NEWS)
    return failed.filter(retries=None).order_by("-finished_at")


@dataclass(slots=True)
class Places:
    """The judgments that a study's items need, and those of them that are not there yet."""

    needed: int = 0
    missing: int = 0  # nobody has begun them, or somebody has and hasn't answered

    @property
    def done(self) -> int:
        return max(self.needed - self.missing, 0)


def places_of(studies: Sequence[int]) -> dict[int, Places]:
    needed = Sum(Coalesce("judgments_per_item", F("study__judgments_per_item"), output_field=IntegerField()))
    items = Item.objects.targets().filter(study__in=studies)
    not_begun = OpenPlace.objects.filter(study__in=studies)
    begun = AssignedItem.objects.unanswered().filter(
        assignment__status=Assignment.Status.OPEN,
        assignment__participation__study__in=studies,
        slot__isnull=False,
        released_at__isnull=True,
    )
    places: dict[int, Places] = defaultdict(Places)
    for key, count in items.order_by().values_list("study").annotate(n=needed):
        places[key].needed = count
    for rows, study in ((not_begun, "study"), (begun, "assignment__participation__study")):
        for key, count in rows.order_by().values_list(study).annotate(n=Count("pk")):
            places[key].missing += count
    return places
