"""The array types that gold is made from, and sums that don't depend on the order of the rows."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.integer]
Bools: TypeAlias = npt.NDArray[np.bool_]

EXACT = 2.0**53  # integers up to here are exact in a double
DECIMALS = 6
FEW_CODES = 1 << 16
MOST_EMPTY = 3  # times as many places as values, in a table with a row for each code


def on_grid(values: Floats) -> tuple[Floats, float]:
    """`values` as whole multiples of a decimal step, and how many steps make one; (values, 1.0) where there is no step.

    4.1 + 4.2 + 4.3 depends in binary on the order of the terms, and ties between means with it; 41 + 42 + 43 doesn't.
    """
    for places in range(DECIMALS + 1):
        steps = 10.0**places
        multiples = np.rint(values * steps)
        if np.abs(multiples).sum() < EXACT and np.array_equal(multiples / steps, values):
            return multiples, steps
    return values, 1.0


def order_by(codes: Ints) -> npt.NDArray[np.int64]:
    """[J] the order that puts equal codes together, the lowest first, each in the order they come.

    Codes that fit into 16 bits are sorted by radix, several times as fast.
    """
    few = len(codes) and codes.min() >= 0 and codes.max() < FEW_CODES
    return np.argsort(codes.astype(np.uint16) if few else codes, kind="stable")


def as_they_come(codes: Ints) -> npt.NDArray[np.int64]:
    """The distinct codes in the order in which each comes first.

    >>> as_they_come(np.array([7, 2, 7, 5, 2])).tolist()
    [7, 2, 5]
    """
    first = np.full(int(codes.max(initial=-1)) + 1, len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of several places of a code the last that is written stays
    used_codes = np.flatnonzero(first < len(codes))
    return used_codes[np.argsort(first[used_codes])]


def count_by(codes: Ints, size: int) -> npt.NDArray[np.int64]:
    """[size] how often each code occurs."""
    return np.bincount(codes, minlength=size).astype(np.int64, copy=False)


def sum_by(codes: Ints, values: Floats | Bools, size: int) -> Floats:
    """[size] the sum of `values` over each code."""
    return np.bincount(codes, weights=values, minlength=size).astype(np.float64, copy=False)


def exact_sum_by(codes: Ints, values: Floats, size: int) -> Floats:
    """[size] the same of fractions, in which the order of the terms changes no digit.

    Each is taken as whole steps of a power of two, so small that all sums of steps are exact in a double.
    """
    most = float(np.abs(values).max(initial=0.0)) * float(np.bincount(codes).max(initial=0))
    if not most > 0:
        return np.zeros(size)
    power = int(np.log2(EXACT)) - int(np.frexp(most)[1])
    return np.asarray(np.ldexp(sum_by(codes, np.rint(np.ldexp(values, power)), size), -power))


def rows_by(codes: Ints, values: Floats, size: int) -> tuple[Floats, Ints] | None:
    """[size, most] the values of each code in a row, infinity after them, and [J] the place of each in its row.

    None where codes don't ascend, or rows are so unequal in length that most of it would be empty.

    >>> rows_by(np.array([0, 0, 1]), np.array([5.0, 4.0, 3.0]), 2)[0].tolist()
    [[5.0, 4.0], [3.0, inf]]
    """
    n = np.bincount(codes, minlength=size)
    most = int(n.max(initial=0))
    if size * most > MOST_EMPTY * len(codes) or bool(np.any(codes[1:] < codes[:-1])):
        return None
    place = np.arange(len(codes)) - np.repeat(np.cumsum(n) - n, n)
    table = np.full((size, most), np.inf)
    table[codes, place] = values
    return table, place


def median_by(codes: Ints, values: Floats, size: int) -> Floats:
    """[size] the median of the values of each code, NaN where it has none; values that are NaN don't count."""
    is_known = ~np.isnan(values)
    if not is_known.all():
        codes, values = codes[is_known], values[is_known]
    n = np.bincount(codes, minlength=size)
    has = n > 0
    if rows := rows_by(codes, values, size):
        table = np.sort(rows[0], axis=1)  # five times as fast as to sort all values at once
        in_order, first = table.ravel(), np.arange(size) * table.shape[1]
    else:
        by_value = np.argsort(values)
        in_order = values[by_value[order_by(codes[by_value])]]  # twice as fast as to sort by both at once
        first = np.cumsum(n) - n
    lower, upper = (first + (n - 1) // 2)[has], (first + n // 2)[has]
    median = np.full(size, np.nan)
    median[has] = (in_order[lower] + in_order[upper]) / 2
    return median


def divide(numerator: npt.NDArray[Any], denominator: npt.NDArray[Any], *, by_zero: float = np.nan) -> Floats:
    """The quotient, NaN or what is said instead where the denominator is 0."""
    out = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), by_zero)
    np.divide(numerator, denominator, out=out, where=denominator != 0)
    return out
