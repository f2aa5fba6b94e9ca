"""A researcher decides on pay: approves, rejects, marks as paid, waives. Any number of one study's payments at once."""

import datetime as dt
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.actions.leaving import record_gone
from annotation.errors import Refused, TouchstoneError
from annotation.models import AuditEntry, Participation, Payment, User
from annotation.settling import FROM, refuse_bad_reason, settle, total_of

Status = Payment.Status
NOTHING_IS_PAID = {Status.REJECTED, Status.WAIVED}
STANDS = {
    Status.DUE: "due",
    Status.APPROVED: "approved already",
    Status.PAID: "paid already",
    Status.REJECTED: "rejected already",
    Status.WAIVED: "waived already",
}


@dataclass(frozen=True, slots=True)
class Figures:
    """How many payments, and their sum in words: what a researcher is shown before pressing the button."""

    count: int
    total: str


class FiguresChanged(TouchstoneError):
    """Something else would be done now than the researcher was shown; `figures` are the new ones."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        super().__init__("The payments have changed since the page was made.")


class Row(NamedTuple):
    """A payment as it stood when it was locked."""

    pk: int
    status: str
    amount: Decimal | None
    currency: str | None
    person: int
    pseudonym: str
    study: int
    platform: str


FIELDS = (
    "pk", "status", "amount", "currency", "participation", "participation__pseudonym", "participation__study",
    "participation__worker__platform",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Moved:
    """What was changed, and what was not because it stood otherwise: status -> pseudonyms."""

    figures: Figures
    unchanged: dict[str, tuple[str, ...]]

    @property
    def sentences(self) -> list[str]:
        """Why some were not changed; nothing where all were."""
        return [
            f"{len(names)} {'was' if len(names) == 1 else 'were'} {STANDS[Status(status)]} and not changed: "
            f"{', '.join(names[:10])}{f' and {len(names) - 10} more' if len(names) > 10 else ''}."
            for status, names in self.unchanged.items()
        ]


def approve(*, payments: QuerySet[Payment], by: User | None, why: str = "", expected: Figures | None = None) -> Moved:
    """From due to approved: they are to be paid, and stand on the list to take to the platform."""
    return _move(payments, Status.APPROVED, by, why, expected)


def mark_paid(*, payments: QuerySet[Payment], by: User | None, why: str = "", expected: Figures | None = None) -> Moved:
    """From due or approved to paid: the platform has paid them, and the pay rows lose their ids."""
    return _move(payments, Status.PAID, by, why, expected)


def waive(*, payments: QuerySet[Payment], by: User | None, why: str = "", expected: Figures | None = None) -> Moved:
    """From due or approved to waived: nothing is owed, and the pay rows lose their ids."""
    return _move(payments, Status.WAIVED, by, why, expected)


def reject(*, payments: QuerySet[Payment], by: User | None, why: str, expected: Figures | None = None) -> Moved:
    """From due or approved to rejected, and the people with them, unless they have ended otherwise: their answers don't
    count and their places open again. `why` is kept with the payment, for it is what the platform tells the person.
    """
    return _move(payments, Status.REJECTED, by, why.strip(), expected)


def figures_of(rows: Sequence[Row]) -> Figures:
    return Figures(len(rows), total_of((row.amount, row.currency) for row in rows))


def rows_of(payments: QuerySet[Payment]) -> list[Row]:
    return [Row(*values) for values in payments.values_list(*FIELDS)]


def movable(rows: Sequence[Row], to: str) -> list[Row]:
    return [row for row in rows if row.status in FROM[to]]


def lock(payments: QuerySet[Payment], *, to: Collection[str]) -> list[Row]:
    """Locks the payments, and before them the people where they get nothing, in the order of allocation.py.

    The race it prevents: a person hands in while "who did not finish" are waived. Whoever holds the person's lock first
    is waited for, and only then is it asked again which payments are meant.
    """
    if not NOTHING_IS_PAID.isdisjoint(to):
        pks = list(payments.values_list("pk", flat=True))
        people = Participation.objects.filter(payment__in=pks).order_by("pk")
        list(people.select_for_update(no_key=True, of=("self",)).values_list("pk", flat=True))
        payments = payments.filter(pk__in=pks)
    return rows_of(payments.locked())  # type: ignore[attr-defined]  # every QuerySet of payments has it


def change(
    rows: Sequence[Row], *, to: str, at: dt.datetime, by: User | None, why: str, more: dict[str, Any] | None = None
) -> None:
    """Changes locked payments of one study that may be changed, and records it as one entry."""
    detail: dict[str, Any] = {"payments": len(rows), "to": to, "total": figures_of(rows).total}
    if to == Status.REJECTED:
        people = Participation.objects.filter(pk__in=[row.person for row in rows])
        gone = record_gone(people=people, status=Participation.Status.REJECTED, at=at, why=why)
        detail["places"] = gone.places
    # After a rejection those alone are left whose people had ended otherwise.
    settle(payments=[row.pk for row in rows], to=to, at=at, reason=why)
    AuditEntry.objects.create(
        study_id=rows[0].study,
        by=by,
        action=AuditEntry.Action.PAID if to == Status.PAID else AuditEntry.Action.CHANGED,
        why=why,
        detail=detail | {"participations": [row.pseudonym for row in rows]} | (more or {}),
    )


def _move(payments: QuerySet[Payment], to: str, by: User | None, why: str, expected: Figures | None) -> Moved:
    with transaction.atomic():
        rows = lock(payments, to=[to])
        if len(studies := Counter(row.study for row in rows)) > 1:
            raise Refused(f"These payments are of {len(studies)} studies: choose those of one study.")
        moving = movable(rows, to)
        figures = figures_of(moving)
        if expected is not None and figures != expected:
            raise FiguresChanged(figures)
        if moving:
            if to == Status.REJECTED:
                refuse_bad_reason(why, {row.platform for row in moving})
            change(moving, to=to, at=timezone.now(), by=by, why=why)
    unchanged: dict[str, list[str]] = {}
    for row in rows:
        if row.status not in FROM[to]:
            unchanged.setdefault(row.status, []).append(row.pseudonym)
    return Moved(figures, {status: tuple(names) for status, names in unchanged.items()})
