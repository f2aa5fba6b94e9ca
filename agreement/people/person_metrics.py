"""What a person's answers are scored by, by the type of the answers, and a score of each person."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints, divide
from ..scoring.metric import LabelMetric, Metric, ShareMetric
from ..scoring.metrics import of_labels, of_numbers, of_rankings, of_texts


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """[W] m_w and r_w of every worker (NaN where undefined), and the figure over all pairs at once."""

    n_items: npt.NDArray[np.int64]
    values: Floats
    pooled: float


class AnyPeople(Protocol):
    """Judgments sorted by worker, with what scores them: `People`, `ListedPeople` or `TextPeople`."""

    @property
    def worker(self) -> Ints: ...
    @property
    def item(self) -> Ints: ...
    @property
    def metric(self) -> str: ...
    @property
    def reference(self) -> Floats | Bools | None: ...
    @property
    def scored_by(self) -> Metric: ...
    @property
    def has_judged(self) -> Bools: ...
    @property
    def never_vary(self) -> Bools: ...
    @property
    def n_others(self) -> float: ...
    @property
    def pools(self) -> bool: ...
    @property
    def why_undefined(self) -> str: ...

    def round(self, keep: Bools | None = None, *, whole_items: bool = False) -> Round: ...
    def beside(self, probes: Sequence[Any], keep: Bools | None = None, *, whole_items: bool = False) -> list[Round]: ...
    def constants(self, keep: Bools | None = None) -> Floats | None: ...


# What a person's answers are scored by, by the type of the answers, and how they are written for it.

AnswerArray: TypeAlias = npt.NDArray[Any]
# What answers [J] say: [J, L] the weight that each gives each label; or (judgment, label) of each label that one names.
Weights: TypeAlias = Callable[[AnswerArray, int], Floats]
Named: TypeAlias = Callable[[AnswerArray], tuple[Ints, Ints]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonMetrics:
    """What a person's answers of one type are scored by, and how they are written for it.

    Without `weights` answers are numbers, lists (`of_lists`) or texts (`of_texts`). `named` says that each names whole
    labels, so that where there are many an item's own can be held alone. `beside` are the metrics that are reported
    beside the first.
    """

    declared: tuple[Metric, ...]  # the default first
    beside: tuple[str, ...] = ()
    against_reference: Metric  # the default against labels or numbers from elsewhere
    weights: Weights | None = None
    named: Named | None = None
    has_one_label: bool = False
    of_lists: bool = False  # answers are lists of properties
    of_texts: bool = False  # answers are texts, and so are a probe's
    has_probabilities: bool = False  # an answer says how much of each label there is
    by_order: bool = False  # a probe's scores stand in a person's place, and not the shares made of them

    @property
    def metrics(self) -> tuple[str, ...]:
        """What they are called of a person."""
        return tuple(metric.person for metric in self.declared)

    @property
    def default(self) -> str:
        return self.metrics[0]

    @property
    def of_numbers(self) -> bool:
        return self.weights is None and not self.of_lists and not self.of_texts

    def needs_same_labels(self, metric: str) -> bool:
        """Whether this metric compares labels over items, which labels of items' own are not."""
        declared = next((one for one in self.declared if one.person == metric), None)
        return isinstance(declared, LabelMetric) and declared.needs_same_labels

    def probe_metric(self, metric: str) -> str:
        """The metric by which a probe is scored as a person is by this one."""
        return next((declared.name for declared in self.declared if declared.person == metric), metric)


def weights_of_label(answers: AnswerArray, n_labels: int) -> Floats:
    """1 for the label that an answer is the code of."""
    weights = np.zeros((len(answers), n_labels))
    weights[np.arange(len(answers)), answers] = 1.0
    return weights


def weights_as_given(answers: AnswerArray, _: int) -> Floats:
    """1 for each label of an answer's set; or each label's number."""
    return answers.astype(np.float64)


def weights_of_shares(answers: AnswerArray, _: int) -> Floats:
    """Each label's number as a share of the answer's sum."""
    return divide(answers, answers.sum(axis=1, keepdims=True))


def label_named(answers: AnswerArray) -> tuple[Ints, Ints]:
    return np.arange(len(answers)), answers.astype(np.int64)


def labels_named(answers: AnswerArray) -> tuple[Ints, Ints]:
    judgment, label = np.nonzero(answers)
    return judgment, label


def _put_first(first: Metric, others: Iterable[Metric]) -> tuple[Metric, ...]:
    return (first, *(metric for metric in others if metric is not first))


_OF_SETS = [metric for metric in of_labels.OF_PEOPLE.values() if not isinstance(metric, ShareMetric)]
_OF_SHARES = [metric for metric in of_labels.OF_PEOPLE.values() if isinstance(metric, ShareMetric)]
_R_ACC, _ACCURACY, _F1 = of_labels.R_ACC, of_labels.ACCURACY, of_labels.F1

OF_NUMBERS = PersonMetrics(
    declared=_put_first(of_numbers.SPEARMAN, of_numbers.OF_PEOPLE.values()), against_reference=of_numbers.SPEARMAN
)
OF_ONE_LABEL = PersonMetrics(
    declared=_put_first(_ACCURACY, [of_labels.PEOPLE, *_OF_SETS]),
    beside=(of_labels.PEOPLE.person, _R_ACC.person, _F1.person),
    against_reference=_R_ACC,
    weights=weights_of_label,
    named=label_named,
    has_one_label=True,
)
OF_LABEL_SETS = PersonMetrics(
    declared=_put_first(_R_ACC, _OF_SETS),
    beside=(_ACCURACY.person, _F1.person),
    against_reference=_R_ACC,
    weights=weights_as_given,
    named=labels_named,
)
OF_SHARES = PersonMetrics(
    declared=_put_first(of_labels.KENDALL, [*_OF_SHARES, *_OF_SETS]),
    against_reference=_R_ACC,
    weights=weights_of_shares,
    has_probabilities=True,
)
_AT_2, *_AT_MORE = of_rankings.AVERAGE_PRECISION.values()
OF_LISTS = PersonMetrics(
    declared=(_AT_2, *_AT_MORE, of_rankings.NAMED),
    beside=tuple(metric.person for metric in (*_AT_MORE, of_rankings.NAMED)),
    against_reference=_AT_2,
    of_lists=True,
)
OF_TEXTS = PersonMetrics(
    declared=of_texts.OF_PEOPLE,
    beside=tuple(metric.person for metric in of_texts.OF_PEOPLE[1:]),
    against_reference=of_texts.OF_PEOPLE[0],
    of_texts=True,
)
