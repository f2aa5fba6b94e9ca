"""A slider's scale in decimal."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from ..errors import Refused, option
from .problems import Problems
from .table import Column, Rows


@dataclass(frozen=True, slots=True)
class Scale:
    """The two ends of a slider, in decimal: 90 per cent of 1:5 is 4.6, and binary floating point would miss it."""

    low: Decimal
    high: Decimal

    def raw(self, per_cent: Decimal) -> Decimal:
        """The point of this scale that lies `per_cent` of the way from its low end, exactly.

        >>> Scale(Decimal(1), Decimal(5)).raw(Decimal(90))
        Decimal('4.6')
        """
        return self.low + per_cent * (self.high - self.low) / 100

    def __str__(self) -> str:
        return f"{self.low:f}:{self.high:f}"


PER_CENT = Scale(Decimal(0), Decimal(100))


# Numbers in cells, read and compared with their limits as decimals before they are floats; numbers in
# sentences.

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_WITH_COMMA = re.compile(r"[+-]?[0-9]+(?:,[0-9]+)+")
_WITH_PER_CENT = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?\s*[%٪％]")
_NO_SIGN = f"; delete the percent sign, or type {option('kind', 'choice')} if these are labels"
_NO_COMMA = "; write decimals with a point and thousands without a comma"
_ANYTHING = Scale(Decimal("-Infinity"), Decimal("Infinity"))


def decimal_of(text: str) -> Decimal | None:
    """The number that a cell holds, or None: NaN, infinities, other scripts' digits and `1_000` are no numbers here.

    >>> decimal_of(" 4.60 "), decimal_of("nan")
    (Decimal('4.60'), None)
    """
    text = text.strip()
    return Decimal(text) if _NUMBER.fullmatch(text) else None


def has_comma(text: str) -> bool:
    """Whether a cell is a number but for its comma, of decimals or of thousands: which of them nobody can tell.

    >>> has_comma(" 57,5 "), has_comma("57.5")
    (True, False)
    """
    return _WITH_COMMA.fullmatch(text.strip()) is not None


def has_per_cent(text: str) -> bool:
    """Whether a cell is a number but for its percent sign.

    >>> has_per_cent("85 %"), has_per_cent("85")
    (True, False)
    """
    return _WITH_PER_CENT.fullmatch(text.strip()) is not None


def parse_scale(text: str) -> Scale:
    """The scale that `A:B` names.

    >>> parse_scale("0:4")
    Scale(low=Decimal('0'), high=Decimal('4'))
    """
    low, colon, high = text.partition(":")
    ends = decimal_of(low), decimal_of(high)
    if not colon or ends[0] is None or ends[1] is None or ends[0] >= ends[1]:
        raise Refused(f"{option('scale')} {text!r} is not two numbers A:B with A below B, such as 0:100")
    return Scale(ends[0], ends[1])


def numbers(
    column: Column,
    name: str,
    rows: Rows,
    problems: Problems,
    scale: Scale | None,
    *,
    hint: str = "",
    blank: bool = False,
) -> npt.NDArray[np.float64]:
    """[R] the column's numbers, nan for a blank where that is allowed; what lies off the scale goes to `problems`."""
    low_high = scale or _ANYTHING
    parsed = [decimal_of(value) for value in column.values]
    fine = np.fromiter(
        (
            (low_high.low <= number <= low_high.high) if number is not None else blank and not value.strip()
            for number, value in zip(parsed, column.values, strict=True)
        ),
        dtype=np.bool_,
        count=len(parsed),
    )
    bad = np.flatnonzero(~fine[column.codes]) if not fine.all() else np.empty(0, dtype=np.intp)
    texts = [column.values[code] for code in column.codes[bad].tolist()]
    comma, sign = (np.array([*map(has, texts)], dtype=np.bool_) for has in (has_comma, has_per_cent))
    for which, more in ((bad[~comma & ~sign], hint), (bad[comma], _NO_COMMA + hint), (bad[sign], _NO_SIGN + hint)):
        problems.cells(rows[which], name, column.codes[which], column.values, f"is not {_expected(scale)}{more}")
    floats = [float(number) if number is not None else np.nan for number in parsed]
    return np.array([*floats, np.nan], dtype=np.float64)[column.codes]


def _expected(scale: Scale | None) -> str:
    if scale is None:
        return "a number"
    if scale.high.is_infinite():
        return f"a number of {scale.low:f} or more"
    return f"a number from {scale.low:f} to {scale.high:f}"


# Numbers as texts.


def number_text(number: float) -> str:
    """A number in the fewest digits that give it back.

    >>> number_text(57.0), number_text(4.6)
    ('57', '4.6')
    """
    return repr(number).removesuffix(".0")


def number_column(numbers: npt.NDArray[np.float64]) -> Column:
    """[J] numbers as texts, blank for nan."""
    distinct, codes = np.unique(numbers + 0.0, return_inverse=True)  # -0.0 is 0
    texts = [number_text(number) if number == number else "" for number in distinct.tolist()]  # noqa: PLR0124 - not nan
    return Column(codes.astype(np.int32), texts, is_plain=True)


def in_digits(number: float) -> str:
    """The number in few digits, without an exponent and without changing it.

    >>> [in_digits(number) for number in (20.0, 0.1 + 0.2, 999999990.0, 1e9, 123456.7)]
    ['20', '0.3', '999999990', '1000000000', '123456.7']
    """
    short = f"{number:g}"
    return short if "e" not in short and math.isclose(float(short), number, rel_tol=1e-9) else f"{number:.15g}"


def count_text(count: int, one: str, several: str = "") -> str:
    """A number with what it counts.

    >>> count_text(1, "item"), count_text(2_000, "item"), count_text(0, "person", "people")
    ('1 item', '2,000 items', '0 people')
    """
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"


def short_decimal(value: float, bounds: Iterable[float] = ()) -> str:
    """Two decimals and no zero before them; more where rounding would lift a figure over one of `bounds`.

    >>> short_decimal(0.9114), short_decimal(-0.05), short_decimal(0.999), short_decimal(0.8964, [0.9])
    ('.91', '-.05', '1.00', '.896')
    """
    text, wanted = "", list(bounds)
    for digits in (2, 3, 4):
        text = f"{round(value, digits) + 0.0:.{digits}f}"  # no -0.00
        if all((float(text) >= bound) == (value >= bound) for bound in wanted):
            break
    return text.replace("0.", ".", 1) if abs(float(text)) < 1 else text


def percent(share: float) -> str:
    r"""A share in per cent, with as many digits as say something.

    >>> [percent(share).replace("\u00a0", " ") for share in (0.0004, 0.0123, 0.5, 1, 0.00000001)]
    ['0.04 %', '1.2 %', '50 %', '100 %', 'less than 0.001 %']
    """
    if 0 < share < 1e-5:
        return "less than 0.001\u00a0%"
    return f"{100 * share:.2g}\u00a0%" if share < 0.1 else f"{100 * share:.0f}\u00a0%"
