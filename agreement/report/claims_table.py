"""The claims of a report that have too few data, and the items that need further judgments, as tables."""

from __future__ import annotations

from math import ceil, floor, log10

from ..planning.further_data import Claims
from .paper_table import PaperTable

TITLE = "Claims that have too few data"
DIGITS = 2  # of how many more are needed: an estimate's


def claims_table(claims: Claims) -> PaperTable:
    """One row per claim."""
    rows = [
        (
            claim.claim,
            claim.now,
            claim.enough,
            _about(claim.judgments_per_item),
            _about(claim.judgments),
            _about(claim.items),
            claim.note,
        )
        for claim in claims.too_few
    ]
    header = (
        "Claim",
        "Now",
        "Enough",
        "Further judgments per item",
        "In all",
        "Further items",
        "Note",
    )
    caption = f"{claims.how} Rounded up to {DIGITS} digits."
    return PaperTable("claims", caption, header, rows, frozenset({3, 4, 5}), TITLE)


def items_table(claims: Claims) -> PaperTable:
    """The items whose label or mean is unsure, those that need most first."""
    rows = [(item.item_id, f"{item.n:,}", _about(item.judgments)) for item in claims.items]
    caption = (
        "Items whose label or mean is unsure, those that need fewest first; blank where labels tie or too few judgments"
        " are there to say."
    )
    header = ("Item", "Judgments", "Further judgments")
    return PaperTable("items-to-judge", caption, header, rows, frozenset({1, 2}), "Items that need further judgments")


def nothing_lacks(claims: Claims) -> str:
    """What is said where every claim that was looked at has enough data; "" where one has not."""
    if claims.too_few or not claims.how:
        return ""
    return f"None of those looked at has too few: {', '.join(claims.looked_at)}. {claims.how}"


def _about(number: int | None) -> str:
    """Rounded up to two digits.

    >>> _about(7), _about(134), _about(16000), _about(16001), _about(None)
    ('7', '140', '16,000', '17,000', '')
    """
    if number is None:
        return ""
    step = 10 ** max(floor(log10(max(number, 1))) + 1 - DIGITS, 0)
    return f"{ceil(number / step) * step:,}"
