"""A researcher decides on pay: approves, rejects, marks as paid, waives, singly, together or by a list."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from agreement.errors import Refused, TouchstoneError
from agreement.files.problems import Problems, quote_cell, refuse_if_any
from annotation.models import AuditEntry, Participation, Payment, Study, User
from annotation.models.participation import session_digest
from annotation.people.leaving import record_gone
from annotation.people.payment_lists import (
    FROM,
    Line,
    PaymentList,
    refuse_bad_reason,
    rejection_problem,
    settle_payments,
    total_of,
)

# A researcher decides on pay: approves, rejects, marks as paid, waives. Any number of one study's payments at once.

Status = Payment.Status
NOTHING_IS_PAID = {Status.REJECTED, Status.WAIVED}
STANDS = {
    Status.DUE: "due",
    Status.APPROVED: "approved already",
    Status.PAID: "paid already",
    Status.REJECTED: "rejected already",
    Status.WAIVED: "waived already",
    Status.LAPSED: "recorded as never decided already",
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
        super().__init__("The payments have changed since the page was opened.")


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
class StatusChange:
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


def approve(
    *, payments: QuerySet[Payment], by: User | None, why: str = "", expected: Figures | None = None
) -> StatusChange:
    """From due to approved: they are to be paid, and stand on the list to take to the platform."""
    return _move_payments(payments, Status.APPROVED, by, why, expected)


def mark_paid(
    *, payments: QuerySet[Payment], by: User | None, why: str = "", expected: Figures | None = None
) -> StatusChange:
    """From due or approved to paid: the platform has paid them, and the pay rows lose their ids."""
    return _move_payments(payments, Status.PAID, by, why, expected)


def waive(
    *, payments: QuerySet[Payment], by: User | None, why: str = "", expected: Figures | None = None
) -> StatusChange:
    """From due or approved to waived: nothing is owed, and the pay rows lose their ids."""
    return _move_payments(payments, Status.WAIVED, by, why, expected)


def reject(*, payments: QuerySet[Payment], by: User | None, why: str, expected: Figures | None = None) -> StatusChange:
    """From due or approved to rejected, and the people with them, unless they have ended otherwise: their answers don't
    count and their places open again. `why` is kept with the payment, for it is what the platform tells the person.
    """
    return _move_payments(payments, Status.REJECTED, by, why.strip(), expected)


def figures_of(rows: Sequence[Row]) -> Figures:
    return Figures(len(rows), total_of((row.amount, row.currency) for row in rows))


def rows_of(payments: QuerySet[Payment]) -> list[Row]:
    return [Row(*values) for values in payments.values_list(*FIELDS)]


def movable_payments(rows: Sequence[Row], to: str) -> list[Row]:
    return [row for row in rows if row.status in FROM[to]]


def lock_payments(payments: QuerySet[Payment], *, to: Collection[str]) -> list[Row]:
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


def change_payments(
    rows: Sequence[Row],
    *,
    to: str,
    moment: dt.datetime,
    by: User | None,
    why: str,
    more: dict[str, object] | None = None,
) -> None:
    """Changes locked payments of one study that may be changed, and records it as one entry."""
    detail: dict[str, object] = {"payments": len(rows), "to": to, "total": figures_of(rows).total}
    if to == Status.REJECTED:
        people = Participation.objects.filter(pk__in=[row.person for row in rows])
        counts = record_gone(people=people, status=Participation.Status.REJECTED, moment=moment, why=why)
        detail["places"] = counts.places
    # After a rejection those alone are left whose people had ended otherwise.
    settle_payments(payments=[row.pk for row in rows], to=to, moment=moment, reason=why)
    AuditEntry.objects.create(
        study_id=rows[0].study,
        by=by,
        action=AuditEntry.Action.PAID if to == Status.PAID else AuditEntry.Action.CHANGED,
        why=why,
        detail=detail | {"participations": [row.pseudonym for row in rows]} | (more or {}),
    )


def _move_payments(
    payments: QuerySet[Payment], to: str, by: User | None, why: str, expected: Figures | None
) -> StatusChange:
    with transaction.atomic():
        rows = lock_payments(payments, to=[to])
        if len(studies := Counter(row.study for row in rows)) > 1:
            raise Refused(f"These payments belong to {len(studies)} studies: choose payments of one study.")
        moving = movable_payments(rows, to)
        figures = figures_of(moving)
        if expected is not None and figures != expected:
            raise FiguresChanged(figures)
        if moving:
            if to == Status.REJECTED:
                refuse_bad_reason(why, {row.platform for row in moving})
            change_payments(moving, to=to, moment=timezone.now(), by=by, why=why)
    unchanged: dict[str, list[str]] = {}
    for row in rows:
        if row.status not in FROM[to]:
            unchanged.setdefault(row.status, []).append(row.pseudonym)
    return StatusChange(figures, {status: tuple(names) for status, names in unchanged.items()})


# A researcher brings back a list of payments: all of its rows are done, or none and every reason why.

DONE = {
    Status.APPROVED: "approved",
    Status.PAID: "marked as paid",
    Status.REJECTED: "rejected",
    Status.WAIVED: "waived",
}
# How a person is found: ids that a settled payment no longer has are known by the worker, or by their digest.
FOUND_BY: dict[str, tuple[str, Callable[[str], str]]] = {
    "pseudonym": ("participation__pseudonym", str),
    "session_id": ("participation__session_digest", session_digest),
    "platform_id": ("participation__worker__platform_id", str),
}


@dataclass(frozen=True, slots=True)
class PaymentListResult:
    """What a list changed, and how many of its rows said what was so already."""

    moved: dict[str, int] = field(default_factory=dict)
    already: dict[str, int] = field(default_factory=dict)
    amounts: int = 0
    unread: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        parts = [f"{_count_with_verb(count)} {DONE[Status(status)]}" for status, count in self.moved.items()]
        parts += [f"{self.amounts} amount{'s were' if self.amounts != 1 else ' was'} set"] if self.amounts else []
        parts += [f"{_count_with_verb(count)} {STANDS[Status(status)]}" for status, count in self.already.items()]
        done = f"{', '.join(parts)}." if parts else "There was nothing to change."
        if not self.unread:
            return done
        columns = f"column{'s' if len(self.unread) > 1 else ''} {', '.join(self.unread)}"
        return f"{done} Nothing was read from the {columns}."


def _count_with_verb(count: int) -> str:
    return f"{count} {'was' if count == 1 else 'were'}"


def apply_list(*, study: Study, payment_list: PaymentList, by: User | None) -> PaymentListResult:
    """Settles and prices as the list says, with one entry in the record for each status and reason."""
    problems = payment_list.problems
    with transaction.atomic():
        rows = _rows_of(study, payment_list)
        moves: dict[tuple[str, str], list[Row]] = defaultdict(list)
        amounts: dict[Decimal, list[Row]] = defaultdict(list)
        done = PaymentListResult()
        for line in payment_list.lines:
            if len(candidates := rows.get(line.who, [])) != 1:
                who = (
                    f"{len(candidates)} people in this study: use pseudonyms" if candidates else "nobody in this study"
                )
                problems.row(line.row, f"column {payment_list.by}: {quote_cell(line.who)} is {who}")
                continue
            (row,) = candidates
            if _is_new_amount(line, row, study, problems) and line.amount is not None:
                amounts[line.amount].append(row)
            if line.status == row.status and line.status != Status.DUE:
                done.already[row.status] = done.already.get(row.status, 0) + 1
            elif _is_new_status(line, row, problems):
                moves[line.status, line.reason if line.status == Status.REJECTED else ""].append(row)
        refuse_if_any(problems)
        _set_amounts(study, amounts, payment_list.file, by)
        priced = {row.pk: amount for amount, payments in amounts.items() for row in payments}
        for (status, reason), payments in moves.items():
            now_priced = [row._replace(amount=priced[row.pk], currency=study.currency) if row.pk in priced else row
                          for row in payments]  # fmt: skip
            change_payments(
                now_priced, to=status, moment=timezone.now(), by=by, why=reason, more={"from": payment_list.file}
            )
            done.moved[status] = done.moved.get(status, 0) + len(payments)
    return PaymentListResult(done.moved, done.already, len(priced), payment_list.unread)


def _rows_of(study: Study, payment_list: PaymentList) -> dict[str, list[Row]]:
    """The payments that the list names, locked, by the name that the list has for each."""
    path, stored = FOUND_BY[payment_list.by] if payment_list.by else ("pk", str)
    wanted = {stored(line.who): line.who for line in payment_list.lines}
    payments: QuerySet[Payment] = Payment.objects.filter(participation__study=study)
    named = {pk: wanted[key] for pk, key in payments.values_list("pk", path) if key in wanted}
    rows: dict[str, list[Row]] = defaultdict(list)
    for row in lock_payments(
        Payment.objects.filter(pk__in=list(named)), to={line.status for line in payment_list.lines}
    ):
        rows[named[row.pk]].append(row)
    return rows


def _is_new_status(line: Line, row: Row, problems: Problems) -> bool:
    if line.reason and Status.REJECTED not in {line.status, row.status}:
        problems.row(line.row, f"column reason: only the status {Status.REJECTED} takes a reason")
    if line.status in {"", row.status}:
        return False
    if line.status == Status.DUE or row.status not in FROM[line.status]:
        ends = "" if row.status in Payment.OPEN else "; a settled payment can't change"
        problems.row(
            line.row, f"column status: {row.pseudonym} is {STANDS[Status(row.status)]} and can't be {line.status}{ends}"
        )
        return False
    if line.status == Status.REJECTED and (sentence := rejection_problem(line.reason, row.platform)):
        problems.row(line.row, f"column reason: {sentence.rstrip('.')}")
        return False
    return True


def _is_new_amount(line: Line, row: Row, study: Study, problems: Problems) -> bool:
    currency = row.currency
    is_new = line.amount is not None and line.amount != row.amount
    if is_new:
        currency = study.currency
        if row.status not in Payment.OPEN:
            is_was = STANDS[Status(row.status)]
            problems.row(line.row, f"column amount: {row.pseudonym} is {is_was}: the amount stays {row.amount}")
            return False
        if not currency:
            problems.row(line.row, "column amount: the study has no currency; set its pay first")
            return False
    if line.currency and line.currency != currency:
        problems.row(
            line.row, f"column currency: {quote_cell(line.currency)} is not {currency or 'known: none is set'}"
        )
        return False
    return is_new


def _set_amounts(study: Study, amounts: dict[Decimal, list[Row]], file: str, by: User | None) -> None:
    """Sets the amounts, and records them with what they were."""
    if not amounts:
        return
    for amount, rows in amounts.items():
        Payment.objects.filter(pk__in=[row.pk for row in rows]).update(amount=amount, currency=study.currency)
    AuditEntry.objects.create(
        study=study,
        by=by,
        action=AuditEntry.Action.CHANGED,
        detail={
            "amounts": sum(map(len, amounts.values())),
            "total": total_of((amount, study.currency) for amount, rows in amounts.items() for _ in rows),
            "from": file,
            "participations": {
                row.pseudonym: f"{row.amount if row.amount is not None else 'none'} to {amount}"
                for amount, rows in amounts.items()
                for row in rows
            },
        },
    )
