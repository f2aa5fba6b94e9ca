"""What a report says of people: how far they agree, how well a person does, and what figures owe to one worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..estimation.estimate import Figure, Over, Undefined
from ..people.agreement_report import AgreementReport
from ..typed_json import ABSENT, beside
from .model_scores import ProbeScore


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
    workers_counted: int = field(default=0, metadata=beside("metric"))
    items_per_worker: Mapping[str, float] = field(default_factory=dict, metadata=beside("metric"))
    others_behind_a_gold: float = field(default=0.0, metadata=beside("metric"))
    other_metrics: Mapping[str, Figure] = field(default_factory=dict, metadata=beside("metric"))
    headline: Literal["mean", "pooled"] = field(default="mean", metadata=ABSENT)
    left_out: Mapping[str, str] = field(default_factory=dict, metadata=beside("metric"))

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
