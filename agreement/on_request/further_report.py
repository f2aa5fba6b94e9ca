"""What a report says on request: sentences, tables, tests of models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ..estimation.estimate import Estimate, Figure, Undefined
from ..typed_json import renamed

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
