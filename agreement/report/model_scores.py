"""What a report says of models: each score, every pair that was tested, and models beside people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..estimation.estimate import Figure, Undefined
from ..people.matched_share import MatchedShare
from ..scoring.probe import OtherLabel
from ..scoring.score import Coverage
from ..typed_json import ABSENT, INLINE


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldAsReleased:
    """The interval over items alone, gold held fixed, beside one over items and workers."""

    low: float | None
    high: float | None
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TestAsReleased:
    """The same of a difference, with its test."""

    low: float | None
    high: float | None
    method: str
    p: float | None
    p_holm_all_pairs: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeScore:
    """One figure of a probe. `breakdown` and `group` are empty for all items."""

    probe: str
    metric: str
    breakdown: str
    group: str
    figure: Figure = field(metadata=INLINE)
    chance: float | None
    gold_as_released: GoldAsReleased | None = field(default=None, metadata=ABSENT)

    @property
    def name(self) -> str:
        """Whose score it is."""
        return self.probe


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupScore:
    """The mean score of a group of models, `probes`."""

    models: str
    probes: tuple[str, ...]
    metric: str
    breakdown: str
    group: str
    figure: Figure = field(metadata=INLINE)
    chance: float | None
    gold_as_released: GoldAsReleased | None = field(default=None, metadata=ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceScore:
    """One figure against the reference: `kind` is model, group, people, crowd, constant or chance."""

    kind: str
    name: str
    metric: str
    breakdown: str
    group: str
    figure: Figure = field(metadata=INLINE)
    chance: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeReport:
    """What a reader of a probe's scores must know. `release` is the SHA-256 of the gold that it was scored against."""

    probe: str
    coverage: Coverage
    notes: tuple[str, ...]
    release: str
    matched_share: MatchedShare | Undefined | None = field(default=None, metadata=ABSENT)
    other_labels: tuple[OtherLabel, ...] = field(default=(), metadata=ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedProbes:
    """`first` less `second` on one metric, p two-sided and after Holm in two ways; None where there is no test.

    `other_way_by` are metrics that stand beside it and by which the difference has the opposite sign.
    """

    metric: str
    first: str
    second: str
    figure: Figure = field(metadata=INLINE)
    p: float | None
    p_holm_all_pairs: float | None
    p_holm_with_the_best: float | None
    in_words: str
    times_needed: float | None
    gold_as_released: TestAsReleased | None = field(default=None, metadata=ABSENT)
    other_way_by: tuple[str, ...] = field(default=(), metadata=ABSENT)


def the_other_way(first: str, second: str, title: str) -> str:
    """That a metric of that title, beside the tested one, has the pair the other way round.

    >>> the_other_way("a", "b", "accuracy")
    'by accuracy it is the other way round between a and b'
    """
    return f"by {title} it is the other way round between {first} and {second}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelsPerItem:
    """How many labels the reference gives an item: their mean, their sd (n - 1), and the most."""

    mean: float
    sd: float
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstReference:
    """Models, people, the crowd, constant answers and chance, all held against labels or numbers from elsewhere."""

    source: str
    items: int
    labels_per_item: LabelsPerItem | None = field(default=None, metadata=ABSENT)
    scores: tuple[ReferenceScore, ...]
    groups: Mapping[str, tuple[str, ...]]
    probes: tuple[ProbeReport, ...]
    comparisons: tuple[ComparedProbes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelScores:
    """Models against the gold of people."""

    scores: tuple[ProbeScore, ...]
    probes: tuple[ProbeReport, ...]
    comparisons: tuple[ComparedProbes, ...]
    groups: tuple[GroupScore, ...]
