"""How much further data a figure takes whose interval is too wide, and an item whose label or mean is unsure.

Of an interval with half-width h = t_nu s over items and workers, s^2 = s_I^2 + s_W^2: s_I^2 is what other items would
do, for these workers, and s_W^2 what other workers add. Judged by f times as many workers, the same items have
s_I^2 + s_W^2 / f; f times as many items and workers have s^2 / f. nu, the effective number of workers, grows by f too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, inf, isfinite, sqrt

import numpy as np
from scipy import special

from agreement.arrays import Floats
from agreement.planning.precision import Z

MOST_TIMES = 2.0**40
LEVEL = 0.975
NEARLY = 1e-9  # what rounding may add to a number that is whole


@dataclass(frozen=True, slots=True)
class Further:
    """Either would do: judgments per item by further workers, or further items with as many more workers, judged as
    often as those that are there. None: no number would.
    """

    judgments_per_item: int | None
    items: int | None


def further_for_width(
    half: float,
    target: float,
    *,
    over_items: float | None,
    items: int,
    judgments_per_item: float,
    workers: float | None,
) -> Further:
    """What brings half the width of an interval down to `target`.

    `over_items` is half the width over items alone; None where that isn't known. `workers` is nu; None: as if many.

    >>> further_for_width(0.2, 0.1, over_items=0.05, items=100, judgments_per_item=5, workers=None)
    Further(judgments_per_item=20, items=300)
    >>> further_for_width(0.2, 0.1, over_items=0.15, items=100, judgments_per_item=5, workers=None)
    Further(judgments_per_item=None, items=300)
    """
    nu = inf if workers is None else workers
    s = half / _t(nu)

    def of_larger_study(times: float) -> float:
        return _t(nu * times) * s / sqrt(times)

    larger = _first_times(of_larger_study, target)
    further_items = None if larger is None else _whole(items * (larger - 1))
    if over_items is None:
        return Further(None, further_items)
    s_items = min(over_items / _t(inf), s)
    s_workers = sqrt(s**2 - s_items**2)

    def by_more_workers(times: float) -> float:
        return _t(nu * times) * sqrt(s_items**2 + s_workers**2 / times)

    more = _first_times(by_more_workers, target)
    return Further(None if more is None else _whole(judgments_per_item * (more - 1)), further_items)


def _t(nu: float) -> float:
    return float(special.stdtrit(nu, LEVEL)) if isfinite(nu) else float(special.ndtri(LEVEL))


def _whole(number: float) -> int:
    return max(ceil(number - NEARLY * max(number, 1.0)), 1)


def _first_times(half: Callable[[float], float], target: float) -> float | None:
    """The least f from 1 on with half(f) <= target, of a half-width that falls with f."""
    if half(MOST_TIMES) > target:
        return None
    low, high = 1.0, MOST_TIMES
    while high - low > NEARLY * low:
        middle = sqrt(low * high)
        low, high = (low, middle) if half(middle) <= target else (middle, high)
    return high


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
