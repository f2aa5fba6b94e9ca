"""The status of payments changes here alone: one that is settled stays as it is, and keeps no id of the platform.

Call it inside a transaction; the audit row is the caller's.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from decimal import Decimal

from agreement.errors import Refused
from annotation.models import Payment
from annotation.platforms import PLATFORMS

Status = Payment.Status
# What each status can be reached from.
FROM: dict[str, tuple[str, ...]] = {
    Status.APPROVED: (Status.DUE,),
    Status.PAID: Payment.OPEN,
    Status.REJECTED: Payment.OPEN,
    Status.WAIVED: Payment.OPEN,
}


def settle(*, payments: Sequence[int], to: str, at: dt.datetime, reason: str = "") -> int:
    """Gives these payments the status `to`, as far as they may still get it; returns how many did.

    Compare-and-set. The race it prevents: two people settle the same payment, and the second overwrites the first.
    """
    changes: dict[str, object] = {"status": to}
    if to not in Payment.OPEN:
        changes |= {"settled_at": at, "platform_id": None, "session_id": None}
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
