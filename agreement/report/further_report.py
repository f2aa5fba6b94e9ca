"""What a report says on request, and of claims that have too few data: sentences, tables, tests of models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ..estimation.estimate import Estimate, Figure, Undefined
from ..typed_json import renamed


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


Cell: TypeAlias = str | int | float | Estimate | Undefined | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`columns` are the keys of its rows and their headings."""

    name: str
    caption: str
    columns: Mapping[str, str]
    rows: Sequence[Mapping[str, Cell]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherReport:
    """An analysis that was asked for: sentences and tables."""

    analysis: str
    title: str
    explained_in: str
    says: tuple[str, ...]
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoFurtherReport:
    """An analysis that was asked for and can't be had of these data."""

    analysis: str
    title: str
    explained_in: str
    why: str = field(metadata=renamed("undefined"))

    @property
    def tables(self) -> tuple[Table, ...]:
        """There are none."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutAnnotator:
    """One annotator of the test. `rejected`: that the annotator is better than the model by epsilon."""

    worker: str
    p: float
    rejected: bool
    advantage: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AltTestReport:
    """The alternative annotator test of one model."""

    probe: str
    epsilon: float
    winning_rate: float
    advantage: Figure
    annotators: tuple[LeftOutAnnotator, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoAltTest:
    """A model that has no such test, and why."""

    probe: str
    epsilon: float
    why: str = field(metadata=renamed("undefined"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityAbout:
    """Of the terms of a study of pairs: how many, how many pairs they make, and of how many something is known."""

    terms: int
    pairs: int
    known: int
