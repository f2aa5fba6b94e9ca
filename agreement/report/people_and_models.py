"""What a report says of models and of people: scores, tests, how far people agree and how well a person does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from ..estimation.estimate import Figure, Over, Undefined
from ..people.agreement_report import AgreementReport, Kappa
from ..people.matched_share import MatchedShare
from ..scoring.answer_mapping.mapping_table import AnswerCounts
from ..scoring.probe import OtherLabel
from ..scoring.score import Coverage
from ..typed_json import ABSENT, INLINE, from_json, read_as, stands_beside


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
    answers: AnswerCounts | None = field(default=None, metadata=ABSENT)


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


# What a report says of people: how far they agree, how well a person does, and what figures owe to one
# worker.


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Of all judgments, and of those that cleaning kept."""

    raw: AgreementReport
    cleaned: AgreementReport


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAgainstOthers:
    """Leave-one-out: each worker scored against the gold of the others. `metric` is empty where none scores a person.

    `headline` names the figure that stands beside models; `left_out` has the workers who don't count, with reasons.
    """

    metric: str = field(default="", metadata=ABSENT)
    mean: Figure
    weighted: Figure
    pooled: Figure
    workers_counted: int = field(default=0, metadata=stands_beside("metric"))
    items_per_worker: Mapping[str, float] = field(default_factory=dict, metadata=stands_beside("metric"))
    others_behind_a_gold: float = field(default=0.0, metadata=stands_beside("metric"))
    other_metrics: Mapping[str, Figure] = field(default_factory=dict, metadata=stands_beside("metric"))
    headline: Literal["mean", "pooled"] = field(default="mean", metadata=ABSENT)
    left_out: Mapping[str, str] = field(default_factory=dict, metadata=stands_beside("metric"))

    @property
    def person(self) -> Figure:
        """The figure that stands beside models: of texts the pooled one."""
        return self.pooled if self.headline == "pooled" else self.mean


@dataclass(frozen=True, slots=True, kw_only=True)
class CrowdAgainstReference:
    """What the crowd's gold, and what its workers one by one, make of labels or numbers from elsewhere."""

    source: str
    items: int
    crowd: tuple[ProbeScore, ...]
    workers: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """How well people do, and the most that a model can reach."""

    leave_one_out: PersonAgainstOthers
    upper_bound: Figure
    pairwise: Figure
    noise_lower: Figure
    noise_upper: Figure
    reference: CrowdAgainstReference | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureWithout:
    """A figure of all workers but one."""

    estimate: float
    low: float | None
    high: float | None
    over: Over | None = field(default=None, metadata=ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Influence:
    """A figure without the worker who moves it furthest. `warned` where the share passes the 99 % point."""

    statistic: str
    worker: str
    share_of_variance: float
    warned: bool
    without: FigureWithout | Undefined


# Parts of a report that are stored by themselves, read back: figures, scores, tests between models.

Stored = Mapping[str, object]


def stored_figure(stored: Stored) -> Figure:
    """A figure by itself: an estimate, or why there is none."""
    return cast("Figure", read_as(Figure, stored))


def stored_statistic(stored: Stored) -> Kappa:
    """A statistic with what stands beside it; of one that is no kappa nothing more."""
    return from_json(Kappa, stored)


def stored_share(stored: Stored) -> MatchedShare | Undefined:
    """A model as a share of a person."""
    return cast("MatchedShare | Undefined", read_as(MatchedShare | Undefined, stored))


def stored_scores(stored: Sequence[Stored]) -> list[ProbeScore]:
    return [from_json(ProbeScore, one) for one in stored]


def stored_groups(stored: Sequence[Stored]) -> list[GroupScore]:
    return [from_json(GroupScore, one) for one in stored]


def stored_comparisons(stored: Sequence[Stored]) -> list[ComparedProbes]:
    """Those of older leaderboards don't say how many more items would tell two models apart."""
    return [from_json(ComparedProbes, {"times_needed": None, **one}) for one in stored]


def stored_reference(stored: Stored) -> AgainstReference | Undefined:
    """Models and people against a reference; of nothing stored that there is none."""
    if "undefined" in stored or not stored:
        return Undefined(str(stored.get("undefined", "nothing was held against a reference")))
    return from_json(AgainstReference, {"groups": {}, "probes": [], "comparisons": [], **stored})
