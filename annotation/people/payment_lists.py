"""Lists of payments as files: the one that goes to the platform, and the one that a researcher brings back."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from django.db.models import QuerySet

from agreement.errors import Refused
from agreement.files.numbers import decimal_of, has_comma
from agreement.files.problems import Problems, quote_cell
from agreement.files.reading import read_table
from agreement.files.table import Column, Table, encode
from annotation.models import Payment
from annotation.platforms import PLATFORMS

# The status of payments changes here alone: one that is settled stays as it is, and keeps no id of the platform.
# Call it inside a transaction; the audit row is the caller's.

Status = Payment.Status
# What each status can be reached from.
FROM: dict[str, tuple[str, ...]] = {
    Status.APPROVED: (Status.DUE,),
    Status.PAID: Payment.OPEN,
    Status.REJECTED: Payment.OPEN,
    Status.WAIVED: Payment.OPEN,
    Status.LAPSED: Payment.OPEN,  # by the clock alone (annotation/people/retention.py)
}
DECISIONS = tuple(status for status in FROM if status != Status.LAPSED)


def settle_payments(*, payments: Sequence[int], to: str, moment: dt.datetime, reason: str = "") -> int:
    """Gives these payments the status `to`, as far as they may still get it; returns how many did.

    Compare-and-set. The race it prevents: two people settle the same payment, and the second overwrites the first.
    """
    changes: dict[str, object] = {"status": to}
    if to not in Payment.OPEN:
        changes |= {"settled_at": moment, "platform_id": None, "session_id": None}
    if to == Status.REJECTED:
        changes["reason"] = reason
    return Payment.objects.filter(pk__in=payments, status__in=FROM[to]).update(**changes)


def rejection_problem(reason: str, platform: str) -> str:
    """Why this platform would not take a rejection with this reason; nothing: it would."""
    if not reason:
        return "A rejection needs a reason: the person is told this reason."
    known = PLATFORMS[platform]
    if len(reason) < known.rejection_min_characters:
        return (
            f"{known.name} needs a message of {known.rejection_min_characters} characters or more for a rejection: "
            f"this reason has {len(reason)}."
        )
    return ""


def refuse_bad_reason(reason: str, platforms: Iterable[str]) -> None:
    """Raise `Refused` where one of the platforms that the people came from would not take the reason."""
    problems = {rejection_problem(reason, platform) for platform in platforms} - {""}
    if problems:
        raise Refused(sorted(problems))


def total_of(sums: Iterable[tuple[Decimal | None, str | None]]) -> str:
    """Amounts added up by currency, in words.

    >>> total_of([(Decimal("1.20"), "GBP"), (Decimal("3"), "USD"), (Decimal("1.20"), "GBP"), (None, None)])
    '2.40 GBP and 3.00 USD'
    >>> total_of([(None, None)])
    'no amount'
    """
    totals: dict[str, Decimal] = {}
    for amount, currency in sums:
        if amount is not None and currency:
            totals[currency] = totals.get(currency, Decimal(0)) + amount
    return " and ".join(f"{total:.2f} {currency}" for currency, total in sorted(totals.items())) or "no amount"


# The columns that can say who is meant: the first of them that a file has is used.
WHO = ("pseudonym", "session_id", "platform_id")
MOST = Decimal("999999.99")
READ = {*WHO, "status", "amount", "currency", "reason", "settled_at"}
TO_PLATFORM = ("pseudonym", "platform_id", "session_id", "status", "amount", "currency", "reason")


def payments_table(payments: QuerySet[Payment], columns: tuple[str, ...]) -> dict[str, Column]:
    """The payments as columns of text, in the order of pseudonyms; a blank where nothing is known."""
    rows = list(payments.select_related("participation__worker").order_by("participation__pseudonym"))
    return {name: encode((_cell(row, name) for row in rows), len(rows)) for name in columns}


def _cell(payment: Payment, column: str) -> str:
    match column:
        case "pseudonym":
            value: object = payment.participation.pseudonym
        case "platform_id":
            value = payment.participation.worker.platform_id
        case "settled_at":
            value = payment.settled_at and payment.settled_at.isoformat(timespec="seconds")
        case _:
            value = getattr(payment, column)
    return "" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a list that was brought back; a blank status or no amount leaves them as they are."""

    row: int
    who: str
    status: str
    amount: Decimal | None
    currency: str
    reason: str


@dataclass(frozen=True, slots=True)
class PaymentList:
    """The rows that can be understood, which of the columns `WHO` names people, what is wrong with the file, and the
    columns that have no meaning in it.
    """

    file: str
    by: str
    lines: tuple[Line, ...]
    problems: Problems
    unread: tuple[str, ...] = ()


def read_payment_list(path: Path) -> PaymentList:
    problems = Problems(path.name)
    table = read_table(path, problems)
    by = next((name for name in WHO if table is not None and name in table.columns), "")
    if table is None or not by:
        if table is not None:
            problems.whole(
                f"no column identifies the person: the file needs {', '.join(WHO[:-1])} or {WHO[-1]}"
                f"{_columns_sentence(table)}"
            )
        return PaymentList(path.name, by, (), problems)
    if not {"status", "amount"} & set(table.columns):
        problems.whole(
            f"there is nothing to change: the file needs the column status or amount{_columns_sentence(table)}"
        )
    elif not len(table):
        problems.whole("there are no rows below the names of the columns")
    unread = tuple(name for name in table.columns if name not in READ)
    return PaymentList(path.name, by, tuple(_lines(table, by, problems)), problems, unread)


def _columns_sentence(table: Table) -> str:
    return f"; it has {', '.join(table.columns)}"


def _lines(table: Table, by: str, problems: Problems) -> list[Line]:
    cells = {name: column.text() for name, column in table.columns.items()}
    seen: dict[str, int] = {}
    lines = []
    for position, number in enumerate(table.rows.tolist()):
        row = {name: str(column[position]).strip() for name, column in cells.items()}
        who = row[by]
        if not who:
            problems.row(number, f"column {by}: it is blank; enter whose payment this is")
        elif who in seen:
            problems.row(number, f"column {by}: {quote_cell(who)} is in row {seen[who]} already; name each person once")
        else:
            seen[who] = number
            lines.append(_line(row, number, who, problems))
    return lines


def _line(row: Mapping[str, str], number: int, who: str, problems: Problems) -> Line:
    status = row.get("status", "").lower()
    if status and status not in (Status.DUE, *DECISIONS):
        allowed = ", ".join(DECISIONS)
        problems.row(
            number, f"column status: {quote_cell(row['status'])} is not one of {allowed}; blank leaves it as it is"
        )
        status = ""
    reason = row.get("reason", "")
    return Line(number, who, status, _amount(row.get("amount", ""), number, problems), row.get("currency", ""), reason)


def _amount(text: str, number: int, problems: Problems) -> Decimal | None:
    if not text:
        return None
    amount = decimal_of(text)
    if amount is None:
        hint = "; write decimals with a point and thousands without a comma" if has_comma(text) else ""
        problems.row(number, f"column amount: {quote_cell(text)} is not a number{hint}")
    elif amount < 0:
        problems.row(number, f"column amount: {quote_cell(text)} is below 0")
    elif amount > MOST:
        problems.row(
            number, f"column amount: {quote_cell(text)} is above {MOST}, the largest amount that can be stored"
        )
    elif amount != round(amount, 2):
        problems.row(number, f"column amount: {quote_cell(text)} has more than two decimals")
    else:
        return round(amount, 2)
    return None
