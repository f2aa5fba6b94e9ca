"""The shape of an agreement report: what `report.agreement_of` gives, for report.json, methods.md and the pages.

    agreement_of(kind, item, worker, answers, *, labels, scale, seed, replicates) -> AgreementReport

`item`, `worker` are int32 [J] codes (gaps allowed), kept judgments on target items only. `answers` by kind:
slider float64 [J]; choice, verify int32 [J] codes into `labels`; choices bool [J, L]; sliders float64 [J, L];
list: an object with `offsets` int64 [J + 1], `property` int32 [P] and `names`; text: anything.
`scale` is (low, high) as Decimals for slider and sliders, else None. `as_dict()` is ready for `json.dumps`.
"""

from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

from agreement.stats.estimate import Estimate, Figure, Undefined

Level: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]
Kind: TypeAlias = Literal["slider", "sliders", "choice", "choices", "verify", "list", "text"]


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic with everything that must stand beside it."""

    headline: Figure  # with the interval over items and workers; over items where there are two workers
    item_percentile: Estimate | None = None  # "for these workers"
    item_bca: Estimate | None = None
    without_busiest: Figure | None = None  # the same with the worker of most judgments left out
    nu_w: float | None = None  # effective number of workers behind the interval
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """`{estimate, low, high, n, method, ...}` or `{undefined}`, as docs/formats.md promises."""
        given: dict[str, Any] = figure_dict(self.headline)
        over = given.pop("over", None)
        if self.item_percentile is not None:
            given["item_percentile"] = figure_dict(self.item_percentile)
        if self.item_bca is not None:
            given["item_bca"] = figure_dict(self.item_bca)
        if self.without_busiest is not None:
            given["without_busiest_worker"] = figure_dict(self.without_busiest)
        if isinstance(self.headline, Estimate):
            given["nu_w"] = self.nu_w
        if self.notes:
            given["notes"] = list(self.notes)
        return given if over is None else given | {"over": over}


@dataclass(frozen=True, slots=True)
class Kappa:
    """Fleiss' kappa with what it is made of: P, P_e and the p_j; for a slider the `edges` of its bins.

    `steps`, where each bin is one step of the scale.
    """

    statistic: Statistic
    P: float | None = None
    P_e: float | None = None
    p: dict[str, float] = field(default_factory=dict)
    by_label: dict[str, Figure] = field(default_factory=dict)
    edges: tuple[float, ...] = ()
    steps: tuple[float, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        given = self.statistic.as_dict()
        over = given.pop("over", None)
        if self.P is not None:
            given |= {"P": self.P, "P_e": self.P_e, "p": self.p}
        if self.by_label:
            given["by_label"] = {label: figure_dict(figure) for label, figure in self.by_label.items()}
        if self.edges and isinstance(self.statistic.headline, Estimate):
            given["edges"] = list(self.edges)
            if self.steps:
                given["steps"] = list(self.steps)
        return given if over is None else given | {"over": over}


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """One label of `choices` or `sliders`, or one property of `list`."""

    label: str
    fleiss_kappa: Kappa | None = None
    krippendorff_alpha: dict[Level, Statistic] = field(default_factory=dict)
    icc1: Statistic | None = None
    icc1k: Statistic | None = None
    split_half: Statistic | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """Who judged how much; workers are named by code, the caller knows their ids."""

    judgments: int
    items: int
    items_with_two: int
    workers: int
    judgments_per_item: float
    judgments_per_worker_min: int
    judgments_per_worker_median: float
    judgments_per_worker_max: int
    busiest_worker: int | None  # the caller's worker code
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

    comparisons: tuple[Comparison, ...]
    not_compared: tuple[str, ...] = ()

    @property
    def largest_difference(self) -> float | None:
        return max((comparison.difference for comparison in self.comparisons), default=None)

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "largest_difference": self.largest_difference}


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """How far people agree on one crowd's answers. `first` names the statistic that stands first for this kind."""

    kind: Kind
    first: str  # "krippendorff_alpha.interval", "fleiss_kappa" or "" where none is defined for the kind
    counts: Counts
    fleiss_kappa: Kappa
    krippendorff_alpha: dict[Level, Statistic]
    icc1: Statistic
    icc1k: Statistic
    split_half: Statistic
    split_half_spearman: Statistic
    labels: tuple[LabelAgreement, ...] = ()
    notes: tuple[str, ...] = ()
    double_entry: DoubleEntry = DoubleEntry(())
    cohen_kappa: Figure | None = None  # of two workers who gave labels
    weighted_kappa: dict[str, Figure] = field(default_factory=dict)  # linear and quadratic, of ordered labels

    def as_dict(self) -> dict[str, Any]:
        """The `agreement.raw` or `agreement.cleaned` part of report.json."""
        given = {
            "first": self.first,
            "counts": asdict(self.counts),
            "fleiss_kappa": self.fleiss_kappa.as_dict(),
            "krippendorff_alpha": _alphas(self.krippendorff_alpha),
            "icc1": self.icc1.as_dict(),
            "icc1k": self.icc1k.as_dict(),
            "split_half": self.split_half.as_dict(),
            "split_half_spearman": self.split_half_spearman.as_dict(),
            "labels": [_label(label) for label in self.labels],
            "notes": list(self.notes),
            "double_entry": self.double_entry.as_dict(),
        }
        if self.cohen_kappa is not None:
            given["cohen_kappa"] = figure_dict(self.cohen_kappa)
        if self.weighted_kappa:
            given["weighted_kappa"] = {name: figure_dict(figure) for name, figure in self.weighted_kappa.items()}
        return given


def figure_dict(figure: Figure) -> dict[str, Any]:
    """`{estimate, low, high, n, method}`, with `over` where there is an interval, or `{undefined: "why"}`."""
    if isinstance(figure, Undefined):
        return {"undefined": figure.why}
    given = asdict(figure)
    if figure.over is None:
        del given["over"]
    return given


def _alphas(alphas: dict[Level, Statistic]) -> dict[str, Any]:
    return {level: statistic.as_dict() for level, statistic in alphas.items()}


def _label(label: LabelAgreement) -> dict[str, Any]:
    given: dict[str, Any] = {"label": label.label}
    if label.fleiss_kappa is not None:
        given["fleiss_kappa"] = label.fleiss_kappa.as_dict()
    if label.krippendorff_alpha:
        given["krippendorff_alpha"] = _alphas(label.krippendorff_alpha)
    for name in ("icc1", "icc1k", "split_half"):
        statistic: Statistic | None = getattr(label, name)
        if statistic is not None:
            given[name] = statistic.as_dict()
    return given
