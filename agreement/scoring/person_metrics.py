"""What one person's answers are scored by against the gold of the others, by the type of the answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from agreement.arrays import Floats, Ints, divide
from agreement.scoring import label_metrics

BY_ROW = {
    "kendall": label_metrics.kendall_rows,
    "spearman": label_metrics.spearman_rows,
    "jensen_shannon": label_metrics.jensen_shannon,
    "top_1": label_metrics.top_1,
}
Given: TypeAlias = npt.NDArray[Any]
# What answers [J] say: [J, L] the weight that each gives each label; or (judgment, label) of each label that one names.
Weights: TypeAlias = Callable[[Given, int], Floats]
Named: TypeAlias = Callable[[Given], tuple[Ints, Ints]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonMetrics:
    """What a person's answers of one type are scored by, and how they are written for it.

    Without `weights` answers are numbers. `named` says that each names whole labels, so that where there are many an
    item's own can be held alone. `beside` are the metrics that are reported beside the first.
    """

    metrics: tuple[str, ...]  # the default first
    beside: tuple[str, ...] = ()
    weights: Weights | None = None
    named: Named | None = None
    has_one_label: bool = False
    by_order: bool = False  # a probe's scores stand in a person's place, and not the shares made of them
    of_probe: Mapping[str, str] = field(default_factory=dict)  # what a probe's score is called, where it differs

    @property
    def default(self) -> str:
        return self.metrics[0]

    @property
    def of_numbers(self) -> bool:
        return self.weights is None

    def probe_metric(self, metric: str) -> str:
        """The metric by which a probe is scored as a person is by this one."""
        return self.of_probe.get(metric, metric)


def weights_of_label(given: Given, n_labels: int) -> Floats:
    """1 for the label that an answer is the code of."""
    weights = np.zeros((len(given), n_labels))
    weights[np.arange(len(given)), given] = 1.0
    return weights


def weights_as_given(given: Given, _: int) -> Floats:
    """1 for each label of an answer's set; or each label's number."""
    return given.astype(np.float64)


def weights_of_shares(given: Given, _: int) -> Floats:
    """Each label's number as a share of the answer's sum."""
    return divide(given, given.sum(axis=1, keepdims=True))


def label_named(given: Given) -> tuple[Ints, Ints]:
    return np.arange(len(given)), given.astype(np.int64)


def labels_named(given: Given) -> tuple[Ints, Ints]:
    judgment, label = np.nonzero(given)
    return judgment, label


F1_OF_PROBE = {"f1": "f1_macro"}
OF_NUMBERS = PersonMetrics(metrics=("spearman", "pearson", "kendall"))
OF_ONE_LABEL = PersonMetrics(
    metrics=("accuracy", "r_acc", "conf", "f1"),
    beside=("r_acc", "f1"),
    weights=weights_of_label,
    named=label_named,
    has_one_label=True,
    of_probe=F1_OF_PROBE,
)
OF_LABEL_SETS = PersonMetrics(
    metrics=("r_acc", "accuracy", "f1", "conf"),
    beside=("accuracy", "f1"),
    weights=weights_as_given,
    named=labels_named,
    of_probe=F1_OF_PROBE,
)
OF_SHARES = PersonMetrics(
    metrics=(*BY_ROW, "accuracy", "r_acc", "conf", "f1"),
    weights=weights_of_shares,
    of_probe={**F1_OF_PROBE, **{metric: f"{metric}_of_shares" for metric in BY_ROW}},
)
