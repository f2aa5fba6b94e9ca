"""One page of a list that is sorted by a column of numbers or texts, whatever the column comes from."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

import numpy as np
import numpy.typing as npt
from django.http import QueryDict

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Heading:
    """A column's heading: its link sorts by it, or the other way round where it is sorted by it already."""

    key: str
    name: str
    address: str
    is_number: bool
    direction: str  # as aria-sort has it; "" where it isn't sorted by


@dataclass(frozen=True, slots=True)
class Sorting:
    """Which column, and which way; read from an address, where a minus sign means downwards."""

    key: str
    is_descending: bool

    @classmethod
    def of(cls, key: str, known: tuple[str, ...], default: str) -> Sorting:
        name = key.removeprefix("-")
        chosen = key if name in known else default
        return cls(chosen.removeprefix("-"), chosen.startswith("-"))

    def __str__(self) -> str:
        return f"-{self.key}" if self.is_descending else self.key

    def order(self, values: npt.NDArray[np.generic]) -> npt.NDArray[np.intp]:
        """What has no value comes last either way; equals stay in the order that they have.

        >>> Sorting("n", is_descending=True).order(np.array([2.0, np.nan, 3.0, 2.0])).tolist()
        [2, 0, 3, 1]
        """
        if values.dtype.kind == "f":
            numbers = values.astype(np.float64)
            keys = np.where(np.isnan(numbers), np.inf, -numbers if self.is_descending else numbers)
            return np.argsort(keys, kind="stable")
        codes = np.unique(values.astype(str), return_inverse=True)[1]
        return np.argsort(-codes if self.is_descending else codes, kind="stable")

    def headings(self, columns: dict[str, tuple[str, bool]], query: QueryDict) -> list[Heading]:
        """`columns` have a name, and whether they hold numbers, which are first sorted downwards."""
        columns_shown = []
        for key, (name, is_number) in columns.items():
            is_chosen = key == self.key
            downwards = not self.is_descending if is_chosen else is_number
            address = address_with(query, sort=f"-{key}" if downwards else key, page=None)
            direction = ("descending" if self.is_descending else "ascending") if is_chosen else ""
            columns_shown.append(Heading(key, name, address, is_number, direction))
        return columns_shown


@dataclass(frozen=True, slots=True)
class PageBounds:
    """The page of that number of `total` rows; a number that is too high or none gives the last or first page."""

    number: int
    pages: int
    total: int

    @classmethod
    def of(cls, text: str, total: int) -> PageBounds:
        pages = max(-(-total // PER_PAGE), 1)
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 1
        return cls(min(max(number, 1), pages), pages, total)

    @property
    def first(self) -> int:
        """The number of the page's first row, from 1 on; 0 where there is none."""
        return min((self.number - 1) * PER_PAGE + 1, self.total)

    @property
    def last(self) -> int:
        return min(self.number * PER_PAGE, self.total)

    @property
    def rows(self) -> slice:
        return slice(max(self.first - 1, 0), self.last)

    def links(self, query: QueryDict) -> dict[str, str]:
        """The ways to the page before and after, where there are any."""
        return {
            "previous": address_with(query, page=self.number - 1) if self.number > 1 else "",
            "next": address_with(query, page=self.number + 1) if self.number < self.pages else "",
        }


def address_with(query: QueryDict, **changes: object) -> str:
    """This page with other parameters; None removes one."""
    kept = {name: value for name, value in query.items() if name not in changes}
    new = {name: str(value) for name, value in changes.items() if value is not None}
    return f"?{urlencode({**kept, **new})}"
