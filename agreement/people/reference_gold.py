"""Labels or numbers from elsewhere: as gold, and each worker's answers scored against them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from ..arrays import Floats, Ints, divide
from ..errors import option
from ..estimation.intervals import CORRELATION, SHARE, Range
from ..files.cell_texts import split_bars
from ..files.numbers import numbers
from ..files.problems import Problems
from ..files.table import Column
from ..gold.label_gold import THRESHOLDS
from ..judgments.crowd import Answers, Properties
from ..kinds.kind import QuestionKind
from ..kinds.options import OPTIONS, has_own_labels, values_of_options
from ..scoring.correlation import spearman
from ..scoring.groups import Groups
from ..scoring.label_metrics import r_acc
from ..scoring.score_gold import Gold, LabelGold, Texts, label_sets
from ..typical_filters import Filter
from .leave_one_out_own_words import Lists
from .person_metrics import Weights, weights_as_given, weights_of_label


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceCells:
    """A column of references, `rows` the row of each in its file, beside the items that they are of.

    `labels` are the study's; `fields` what the items share; what is wrong with a cell goes to `problems`.
    """

    kind: QuestionKind
    values: Column
    name: str
    rows: npt.NDArray[np.int64]
    ids: Texts
    fields: dict[str, Texts]
    labels: Sequence[str]
    problems: Problems


@dataclass(frozen=True, slots=True, eq=False)
class WorkerAnswers:
    """Judgments sorted by worker: their answers, and [J] which item of the reference each is of."""

    worker: Ints
    answers: Answers
    reference_items: Ints
    n_workers: int
    n_labels: int


@dataclass(frozen=True, slots=True)
class ReferenceMetric:
    """How references are read, and by which metric workers are scored against them."""

    name: str
    within: Range
    read: Callable[[ReferenceCells], Gold] | None  # None: a reference is a table of norms
    by_worker: Callable[[Gold, WorkerAnswers], Floats]  # [W] the metric of each worker, nan where it is undefined


def gold_of_numbers(cells: ReferenceCells) -> Gold:
    values = numbers(cells.values, cells.name, cells.rows, cells.problems, None)
    return Gold(cells.kind, cells.ids, numbers=values, fields=cells.fields)


def gold_of_labels(cells: ReferenceCells) -> Gold:
    """Of items that have labels of their own their numbers, which `cells.values` have then already."""
    unknown = cells.values.rows_where(lambda text: any(part not in cells.labels for part in split_bars(text)))
    limit = f"is not made of the labels {', '.join(cells.labels)}; {option('labels')} names them all"
    cells.problems.cells(cells.rows[unknown], cells.name, cells.values.codes[unknown], cells.values.values, limit)
    return gold_from_reference(cells.kind, cells.ids.tolist(), cells.values.text().tolist(), cells.labels, cells.fields)


def gold_from_reference(
    kind: QuestionKind,
    ids: Sequence[str],
    references: Sequence[str],
    labels: Sequence[str],
    fields: dict[str, Texts] | None = None,
    *,
    typical_filter: Filter = "typical",
) -> Gold:
    """Labels from elsewhere, `|` between several, as gold; accuracy counts the items that have one.

    `typical_filter` names the filter that makes a prediction a set for F1: the one that made the reference, if that is
    known.
    """
    sets = label_sets(np.array(references, dtype=object), labels)
    single = sets & (sets.sum(axis=1, keepdims=True) == 1)
    sizes = None
    if has_own_labels(labels) and fields is not None and OPTIONS in fields:
        sizes = np.array([len(values_of_options({OPTIONS: cell})) for cell in fields[OPTIONS]], dtype=np.float64)
    by_label = LabelGold(None, sets, single, bool((sets.sum(axis=1) <= 1).all()), sizes=sizes)
    return Gold(
        kind, np.array(ids, dtype=object), tuple(labels), typical_filter, by_label=by_label, fields=fields or {}
    )


def spearman_by_worker(gold: Gold, answered: WorkerAnswers) -> Floats:
    if gold.numbers is None:
        raise TypeError("numbers are held against a reference of numbers")
    groups = Groups.of_sorted(answered.worker, answered.n_workers)
    return spearman(groups, np.asarray(answered.answers), gold.numbers[answered.reference_items])


def r_acc_by_worker(weights: Weights, gold: Gold, answered: WorkerAnswers) -> Floats:
    if gold.by_label is None:
        raise TypeError("labels are held against a reference of labels")
    credit = r_acc(
        weights(np.asarray(answered.answers), answered.n_labels), gold.by_label.sets[answered.reference_items]
    )
    n = np.bincount(answered.worker, minlength=answered.n_workers)
    return divide(np.bincount(answered.worker, weights=credit, minlength=answered.n_workers), n)


def precision_by_worker(gold: Gold, answered: WorkerAnswers) -> Floats:
    """The mean over a worker's items of the average precision of what they list, against what two people named."""
    if gold.properties is None or not isinstance(answered.answers, Properties):
        raise TypeError("lists are held against a reference of properties")
    lists = Lists.of(answered.answers)
    names = {*lists.names, *(name for named in gold.properties for name in named)}
    right = [{name for name, count in named.items() if count >= min(THRESHOLDS)} for named in gold.properties]
    entries = zip(answered.reference_items[lists.judgment].tolist(), lists.name.tolist(), strict=True)
    is_gold = np.array([lists.names[name] in right[item] for item, name in entries], dtype=np.bool_)
    n_gold = np.array([len(each) for each in right], dtype=np.int64)[answered.reference_items]
    credit = lists.average_precision(is_gold, n_gold, len(names))
    is_defined = np.isfinite(credit)
    total = np.bincount(answered.worker[is_defined], weights=credit[is_defined], minlength=answered.n_workers)
    return divide(total, np.bincount(answered.worker[is_defined], minlength=answered.n_workers).astype(np.float64))


NUMBER_AGAINST_NUMBERS = ReferenceMetric("Spearman", CORRELATION, gold_of_numbers, spearman_by_worker)
LABEL_AGAINST_SETS = ReferenceMetric("R-Acc", SHARE, gold_of_labels, partial(r_acc_by_worker, weights_of_label))
SETS_AGAINST_SETS = ReferenceMetric("R-Acc", SHARE, gold_of_labels, partial(r_acc_by_worker, weights_as_given))
LISTS_AGAINST_NORMS = ReferenceMetric("average precision at 2", SHARE, None, precision_by_worker)
