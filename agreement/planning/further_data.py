"""How much further data a figure takes whose interval is too wide, and an item whose label or mean is unsure.

Of half the width of an interval over items and workers, h^2 = h_I^2 + h_W^2: h_I is that over items, for these workers,
and h_W^2 what other workers add. Judged by f times as many workers, the same items have h_I^2 + h_W^2 / f; f times as
many items and workers have h^2 / f. Simulated, that is closer than to let t's quantile fall with more workers too.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from ..arrays import Floats
from .precision import Z

NEARLY = 1e-9  # what rounding may add to a number that is whole


@dataclass(frozen=True, slots=True)
class Further:
    """Either would do: judgments per item by further workers, or further items with as many more workers, judged as
    often as those that are there. None: no number would.
    """

    judgments_per_item: int | None
    items: int | None


def further_for_width(
    half: float, target: float, *, over_items: float | None, items: int, judgments_per_item: float
) -> Further:
    """What brings half the width of an interval down to `target`, which is less.

    `over_items` is half the width over items alone; None where that isn't known.

    >>> further_for_width(0.2, 0.1, over_items=0.05, items=100, judgments_per_item=5)
    Further(judgments_per_item=20, items=300)
    >>> further_for_width(0.2, 0.1, over_items=0.15, items=100, judgments_per_item=5)
    Further(judgments_per_item=None, items=300)
    """
    further_items = _whole(items * ((half / target) ** 2 - 1))
    if over_items is None or over_items >= target:
        return Further(None, further_items)
    of_workers = max(half**2 - over_items**2, 0.0)
    times = of_workers / (target**2 - over_items**2)
    return Further(_whole(judgments_per_item * (times - 1)), further_items)


def _whole(number: float) -> int:
    return max(ceil(number - NEARLY * max(number, 1.0)), 1)


def further_for_lead(n: Floats, first: Floats, second: Floats) -> Floats:
    """[N] how many further judgments of an item show that the label with most, `first`, leads the next one, `second`,
    if their shares stay as they are: 0 where that is shown, NaN where they tie.

    The lead is shown where (first - second)^2 / (first + second) >= z^2: the score test of a share of one half, of
    those who gave one of the two labels.

    >>> further_for_lead(np.array([10.0, 10, 10]), np.array([7.0, 9, 5]), np.array([3.0, 1, 5])).tolist()
    [15.0, 0.0, nan]
    """
    lead = first - second
    is_led = lead > NEARLY
    times = np.divide(Z**2 * (first + second), lead**2, out=np.full(len(n), np.nan), where=is_led)
    return np.where(is_led, np.maximum(np.ceil(n * (times - 1) - NEARLY), 0.0), np.nan)


def further_for_mean(n: Floats, half: Floats, target: float, needed: float) -> Floats:
    """[N] how many further judgments bring half the width of an item's interval down to `target`, which falls with the
    root of n: 0 where it is as narrow. An item without an interval has `needed` judgments less those it has.

    >>> further_for_mean(np.array([5.0, 5, 2]), np.array([20.0, 10, np.nan]), 10.0, 15.0).tolist()
    [15.0, 0.0, 13.0]
    """
    wanted = np.where(np.isnan(half), needed, n * (half / target) ** 2)
    return np.maximum(np.ceil(wanted - n - NEARLY), 0.0)


def items_for_share(within: float) -> int:
    """The fewest items of which any share is known within that much, at its worst: z^2 / (4 d^2).

    >>> items_for_share(0.2)
    25
    """
    return ceil(Z**2 / (4 * within**2))


# Claims that have too few data, as a report holds them.


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """`judgments_per_item` and `items` are further ones, either of which would do; None, and `note` says why. Of items
    that need different numbers `judgments_per_item` is the median, and `judgments` what all of them need together.
    """

    claim: str
    now: str
    enough: str
    judgments_per_item: int | None = None
    judgments: int | None = None
    items: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsureItem:
    """An item whose label or mean is unsure, and how many further judgments it needs; None: nobody can say."""

    item_id: str
    n: int
    judgments: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """What was looked at, and the claims that have too few data."""

    how: str
    looked_at: tuple[str, ...]
    too_few: tuple[Claim, ...]
    items: tuple[UnsureItem, ...]
