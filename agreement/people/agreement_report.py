"""The parts of an agreement report: what is requested, every figure, and what is said beside the figures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from ..estimation.design import Design
from ..estimation.estimate import Estimate, Figure, Floats, Undefined, stream
from ..files.numbers import Scale
from ..kinds.kind import QuestionKind
from ..typed_json import ABSENT, inline_but, json_name, stands_beside

# The shape of an agreement report: what `report.parts_of` gives, for report.json, methods.md and the pages.
# `item`, `worker` are int32 [J] codes (gaps allowed), kept judgments on target items only. `answers` are numbers [J]
# or [J, L], codes into `labels` [J], sets of labels [J, L], properties or texts: what `measures` takes, the function
# that makes the parts of the report. `scale` is (low, high) as Decimals where answers are numbers, else None.

Level: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]
Path: TypeAlias = tuple[str, ...]  # the place of a statistic in a report: ("krippendorff_alpha", "interval")


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic with everything that must stand beside it."""

    # with the interval over items and workers; over items where there are two workers
    headline: Figure = field(metadata=inline_but("over"))
    item_percentile: Estimate | None = field(default=None, metadata=ABSENT)  # "for these workers"
    item_bca: Estimate | None = field(default=None, metadata=ABSENT)
    # the same with the worker of most judgments left out
    without_busiest: Figure | None = field(default=None, metadata={**ABSENT, **json_name("without_busiest_worker")})
    # effective number of workers behind the interval
    nu_w: float | None = field(default=None, metadata=stands_beside("estimate"))
    notes: tuple[str, ...] = field(default=(), metadata=ABSENT)


@dataclass(frozen=True, slots=True)
class Kappa:
    """Fleiss' kappa with what it is made of: P, P_e and the p_j; for a slider the `edges` of its bins.

    `steps`, where each bin is one step of the scale.
    """

    statistic: Statistic = field(metadata=inline_but("over"))
    P: float | None = field(default=None, metadata=ABSENT)
    P_e: float | None = field(default=None, metadata=ABSENT)
    p: dict[str, float] = field(default_factory=dict, metadata=ABSENT)
    by_label: dict[str, Figure] = field(default_factory=dict, metadata=ABSENT)
    edges: tuple[float, ...] = field(default=(), metadata={**ABSENT, **stands_beside("estimate")})
    steps: tuple[float, ...] = field(default=(), metadata={**ABSENT, **stands_beside("edges")})


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """One label of several in an answer, or one property."""

    label: str
    fleiss_kappa: Kappa | None = field(default=None, metadata=ABSENT)
    krippendorff_alpha: dict[Level, Statistic] = field(default_factory=dict, metadata=ABSENT)
    icc1: Statistic | None = field(default=None, metadata=ABSENT)
    icc1k: Statistic | None = field(default=None, metadata=ABSENT)
    split_half: Statistic | None = field(default=None, metadata=ABSENT)
    gold_reliability: Statistic | None = field(default=None, metadata=ABSENT)


@dataclass(frozen=True, slots=True)
class JudgmentCounts:
    """Who judged how much. The busiest worker is named by the caller's code, and by the id in a report."""

    judgments: int
    items: int
    items_with_two: int
    workers: int
    judgments_per_item: float
    judgments_per_worker_min: int
    judgments_per_worker_median: float
    judgments_per_worker_max: int
    busiest_worker: int | str | None
    busiest_tied: int  # workers with as many judgments; the first of them by code is named
    busiest_share: float | None  # of all judgments
    repeated: int  # judgments beyond a worker's first on an item


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure made twice: by Touchstone and by an independent package, on all items or on a seeded sample."""

    statistic: str
    package: str
    version: str
    on: str  # "all 30 items", "a seeded sample of 400 of 100,000 items"
    difference: float
    tolerance: float


@dataclass(frozen=True, slots=True)
class DoubleEntry:
    """All comparisons of a report; making one that differs by more than its tolerance raises."""

    COMPUTED: ClassVar = ("largest_difference",)

    comparisons: tuple[Comparison, ...]
    not_compared: tuple[str, ...] = ()

    @property
    def largest_difference(self) -> float | None:
        return max((comparison.difference for comparison in self.comparisons), default=None)


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """How far people agree on one crowd's answers. `first` names the statistic that stands first for this kind."""

    first: str  # "krippendorff_alpha.interval", "fleiss_kappa" or "" where none is defined for the kind
    counts: JudgmentCounts
    fleiss_kappa: Kappa
    krippendorff_alpha: dict[Level, Statistic]
    icc1: Statistic
    icc1k: Statistic
    split_half: Statistic
    split_half_spearman: Statistic
    labels: tuple[LabelAgreement, ...] = ()
    notes: tuple[str, ...] = ()
    double_entry: DoubleEntry = DoubleEntry(())
    kendall_w: Statistic | None = field(default=None, metadata=ABSENT)  # of orders alone, and so is the next
    kendall_distance: Statistic | None = field(default=None, metadata=ABSENT)
    cohen_kappa: Figure | None = field(default=None, metadata=ABSENT)  # of two workers who gave labels
    # linear and quadratic, of ordered labels
    weighted_kappa: dict[str, Figure] = field(default_factory=dict, metadata=ABSENT)
    # the squared correlation of gold with what infinitely many workers would give, of answers that are numbers
    gold_reliability: Statistic | None = field(default=None, metadata=ABSENT)
    # where one label is nearly everything: the coefficient that leads, and each rarer label's own agreement
    gwet_ac1: Statistic | None = field(default=None, metadata=ABSENT)
    own_agreement: dict[str, Figure] = field(default_factory=dict, metadata=ABSENT)
    # where items have labels of their own: agreement beyond the chance of each item
    own_label_kappa: Statistic | None = field(default=None, metadata=ABSENT)

    def statistics(self) -> dict[Path, Statistic]:
        """Every statistic of all answers by its place; a figure without anything beside it as one too."""
        of_levels: dict[Path, Statistic] = {
            ("krippendorff_alpha", level): one for level, one in self.krippendorff_alpha.items()
        }
        weighted: dict[Path, Statistic] = {
            ("weighted_kappa", weights): Statistic(one) for weights, one in self.weighted_kappa.items()
        }
        others = {
            "icc1": self.icc1,
            "icc1k": self.icc1k,
            "gold_reliability": self.gold_reliability,
            "split_half": self.split_half,
            "split_half_spearman": self.split_half_spearman,
            "gwet_ac1": self.gwet_ac1,
            "own_label_kappa": self.own_label_kappa,
            "kendall_w": self.kendall_w,
            "kendall_distance": self.kendall_distance,
            "cohen_kappa": None if self.cohen_kappa is None else Statistic(self.cohen_kappa),
        }
        named: dict[Path, Statistic] = {(name,): one for name, one in others.items() if one is not None}
        return {("fleiss_kappa",): self.fleiss_kappa.statistic, **of_levels, **named, **weighted}

    @property
    def leading(self) -> str:
        """The statistic that people see first: `first`, but for labels of which one is nearly everything."""
        return self.first if self.gwet_ac1 is None else "gwet_ac1"

    @property
    def headline(self) -> Statistic | None:
        """The statistic that stands first; None where none is defined for the kind."""
        return self.statistics()[tuple(self.first.split("."))] if self.first else None

    @property
    def first_figure(self) -> Statistic | Kappa:
        """The same with what a kappa is made of; undefined in words where none is defined for the kind."""
        if self.first in ("", "fleiss_kappa"):
            return self.fleiss_kappa
        return self.statistics()[tuple(self.first.split("."))]


# What must be said beside the figures: who judged how much, and what about the data a reader has to know.

LARGE_SHARE = 0.2
TELLING = 3.0  # standard errors of a correlation


def counts_of(design: Design) -> JudgmentCounts:
    """Judgments, items, workers, and how the judgments spread over workers."""
    if design.judgments == 0:
        return JudgmentCounts(0, 0, 0, 0, 0.0, 0, 0.0, 0, None, 0, None, 0)
    by_worker = design.judgments_of_worker
    most = by_worker.max()
    return JudgmentCounts(
        judgments=design.judgments,
        items=design.items,
        items_with_two=int(np.sum(design.n >= 2)),
        workers=design.workers,
        judgments_per_item=design.judgments / design.items,
        judgments_per_worker_min=int(by_worker.min()),
        judgments_per_worker_median=float(np.median(by_worker)),
        judgments_per_worker_max=int(most),
        busiest_worker=int(design.worker_codes[np.argmax(by_worker)]),
        busiest_tied=int(np.sum(by_worker == most)),
        busiest_share=float(most / design.judgments),
        repeated=design.repeated,
    )


def notes_of(design: Design, disagreement: Floats | None) -> tuple[str, ...]:
    """Sentences for the report; `disagreement` [N] is each item's, nan where it has one judgment."""
    if design.judgments == 0:
        return ()
    counts = counts_of(design)
    notes = []
    if counts.repeated:
        notes.append(
            f"{counts.repeated:,} judgments are a worker's repeated answers to an item; each counts as a judgment, "
            "so that some pairs compare a worker with itself"
        )
    if counts.items_with_two < counts.items:
        single = counts.items - counts.items_with_two
        have, items = "has" if single == 1 else "have", "item" if counts.items == 1 else "items"
        notes.append(f"{single:,} of {counts.items:,} {items} {have} one judgment, which can be compared with none")
    if (
        counts.workers > 1
        and counts.busiest_share is not None
        and counts.busiest_share > LARGE_SHARE
        and counts.busiest_tied == 1
    ):
        notes.append(f"one worker gave {counts.busiest_share:.0%} of the judgments")
    if counts.workers < 2:
        notes.append("all judgments are by one worker: how far people agree can't be known from them")
    if disagreement is not None:
        notes.extend(_outcome_dependent(design.n, disagreement))
    return tuple(notes)


def _outcome_dependent(n: Floats, disagreement: Floats) -> list[str]:
    """Whether more was asked where people disagreed, which biases every statistic of agreement."""
    usable = np.isfinite(disagreement)
    n, disagreement = n[usable], disagreement[usable]
    if len(n) < 10 or n.min() == n.max() or disagreement.min() == disagreement.max():
        return []
    r = float(np.corrcoef(n, disagreement)[0, 1])
    if abs(r) * np.sqrt(len(n)) < TELLING:
        return []
    more = "more" if r > 0 else "less"
    note = (
        f"items with more judgments show {more} disagreement (correlation {r:.2f} over {len(n):,} items): "
        "if the number of judgments was chosen by the answers, agreement is biased"
    )
    return [note]


# The request, and the report that it starts from: a statistic that the kind of question doesn't have says so in words.

NOT_NUMBERS = "answers of kind {kind} are not numbers on a scale"
NO_LABELS = "answers of kind {kind} have no labels to agree on"


@dataclass(frozen=True, slots=True, eq=False)
class StatisticsInput:
    """A question's judgments without their answers, and how its statistics are to be made."""

    kind: QuestionKind  # as sentences name it; no figure looks at it
    design: Design
    labels: tuple[str, ...]
    scale: Scale
    seed: int
    replicates: int
    ordered: bool = False  # whether the order of `labels` means something
    n_options: Floats | None = None  # [N] how many labels each item has, where items have labels of their own

    def stream(self, name: str) -> np.random.Generator:
        return stream(self.seed, name)

    def report(self, disagreement: Floats | None = None, **figures: Any) -> AgreementReport:
        """The report with `figures` in place of what is undefined for this kind; `disagreement` [N] is each item's."""
        no_number = Statistic(Undefined(NOT_NUMBERS.format(kind=self.kind)))
        bare = AgreementReport(
            first="",
            counts=counts_of(self.design),
            fleiss_kappa=Kappa(Statistic(Undefined(NO_LABELS.format(kind=self.kind)))),
            krippendorff_alpha={},
            icc1=no_number,
            icc1k=no_number,
            split_half=no_number,
            split_half_spearman=no_number,
            notes=notes_of(self.design, disagreement),
        )
        return replace(bare, **figures)


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """A report as computations that don't need each other, and how it is made of their answers, in their order."""

    calls: tuple[Callable[[], Any], ...]
    joined: Callable[[Sequence[Any]], AgreementReport]

    @classmethod
    def of_one(cls, report: Callable[[], AgreementReport]) -> "Parts":
        """A report that is one computation."""
        return cls((report,), lambda reports: reports[0])

    def report(self) -> AgreementReport:
        """Computed here, one part after the other."""
        return self.joined([call() for call in self.calls])


Measures: TypeAlias = Callable[[StatisticsInput, Any], Parts]  # the report of answers of one type


def entered(results: list[Comparison | str]) -> DoubleEntry:
    """The comparisons made, and in words those that could not be."""
    return DoubleEntry(
        tuple(result for result in results if isinstance(result, Comparison)),
        tuple(result for result in results if isinstance(result, str)),
    )
