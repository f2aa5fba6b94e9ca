"""A researcher brings back a list of payments: all of its rows are done, or none and every reason why."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.actions.entering import session_digest
from annotation.actions.paying import STANDS, Row, change, lock
from annotation.files.problems import Problems, refuse_if_any, shown
from annotation.models import AuditEntry, Payment, Study, User
from annotation.payment_lists import Line, PaymentList
from annotation.settling import FROM, rejection_problem, total_of

Status = Payment.Status
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
class Done:
    """What a list changed, and how many of its rows said what was so already."""

    moved: dict[str, int] = field(default_factory=dict)
    already: dict[str, int] = field(default_factory=dict)
    amounts: int = 0

    @property
    def sentence(self) -> str:
        parts = [f"{_were(count)} {DONE[Status(status)]}" for status, count in self.moved.items()]
        parts += [f"{self.amounts} amount{'s were' if self.amounts != 1 else ' was'} set"] if self.amounts else []
        parts += [f"{_were(count)} {STANDS[Status(status)]}" for status, count in self.already.items()]
        return f"{', '.join(parts)}." if parts else "Nothing was to be changed."


def _were(count: int) -> str:
    return f"{count} {'was' if count == 1 else 'were'}"


def apply_list(*, study: Study, given: PaymentList, by: User | None) -> Done:
    """Settles and prices as the list says, with one entry in the record for each status and reason."""
    problems = given.problems
    with transaction.atomic():
        rows = _rows_of(study, given)
        moves: dict[tuple[str, str], list[Row]] = defaultdict(list)
        amounts: dict[Decimal, list[Row]] = defaultdict(list)
        done = Done()
        for line in given.lines:
            if len(meant := rows.get(line.who, [])) != 1:
                who = f"{len(meant)} people in {study}: use pseudonyms" if meant else f"nobody in {study}"
                problems.row(line.row, f"column {given.by}: {shown(line.who)} is {who}")
                continue
            (row,) = meant
            if _is_new_amount(line, row, study, problems) and line.amount is not None:
                amounts[line.amount].append(row)
            if line.status == row.status and line.status != Status.DUE:
                done.already[row.status] = done.already.get(row.status, 0) + 1
            elif _is_new_status(line, row, problems):
                moves[line.status, line.reason if line.status == Status.REJECTED else ""].append(row)
        refuse_if_any(problems)
        _price(study, amounts, given.file, by)
        priced = {row.pk: amount for amount, those in amounts.items() for row in those}
        for (status, reason), those in moves.items():
            now_priced = [row._replace(amount=priced[row.pk], currency=study.currency) if row.pk in priced else row
                          for row in those]  # fmt: skip
            change(now_priced, to=status, at=timezone.now(), by=by, why=reason, more={"from": given.file})
            done.moved[status] = done.moved.get(status, 0) + len(those)
    return Done(done.moved, done.already, len(priced))


def _rows_of(study: Study, given: PaymentList) -> dict[str, list[Row]]:
    """The payments that the list names, locked, by the name that the list has for each."""
    path, stored = FOUND_BY[given.by] if given.by else ("pk", str)
    wanted = {stored(line.who): line.who for line in given.lines}
    payments: QuerySet[Payment] = Payment.objects.filter(participation__study=study)
    named = {pk: wanted[key] for pk, key in payments.values_list("pk", path) if key in wanted}
    found: dict[str, list[Row]] = defaultdict(list)
    for row in lock(Payment.objects.filter(pk__in=list(named)), to={line.status for line in given.lines}):
        found[named[row.pk]].append(row)
    return found


def _is_new_status(line: Line, row: Row, problems: Problems) -> bool:
    if line.reason and Status.REJECTED not in {line.status, row.status}:
        problems.row(line.row, f"column reason: a reason goes with the status {Status.REJECTED} alone")
    if line.status in {"", row.status}:
        return False
    if line.status == Status.DUE or row.status not in FROM[line.status]:
        ends = "" if row.status in Payment.OPEN else "; what is settled stays as it is"
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
        problems.row(line.row, f"column currency: {shown(line.currency)} is not {currency or 'known: none is set'}")
        return False
    return is_new


def _price(study: Study, amounts: dict[Decimal, list[Row]], file: str, by: User | None) -> None:
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
