"""Gold from everyone else: what the other workers said about a judgment's item."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints, divide, sum_by
from ..gold.label_gold import filtered_sets, leading
from ..scoring.groups import Groups
from ..typical_filters import Filter

# Label answers as distinct cases: a million judgments of three labels by ten people are a few thousand of them.
#
# A case is an answer beside what the others gave its item. Each is scored once, and its score handed to every
# judgment.

MOST_CASES = 1 << 22  # found by a table; by a sort if there may be more
MOST_DIGITS = 1 << 52  # whole numbers up to here are added exactly
MOST_KEYS = 1 << 62


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """Label judgments in worker order: K cases, an answer as shares [K, L] beside the others' weights [K, L].

    Judgment j is case `which[j]`, or case j where `which` is None. Where the L columns are an item's own labels and not
    the study's, `label` [K, L] is the study's label of each, `n_labels` where an item has fewer than L. `case_item` [K]
    is each case's item, where cases are of one.
    """

    groups: Groups
    item: Ints
    person: Floats
    others: Floats
    which: Ints | None = None
    label: Ints | None = None
    n_labels: int = 0
    case_item: Ints | None = None

    @property
    def item_of_case(self) -> Ints:
        return self.item if self.case_item is None else self.case_item

    def at(self, by_case: Floats) -> Floats:
        """[J] a figure of each case, or a row [J, L], at its judgments."""
        return by_case if self.which is None else by_case[self.which]


@dataclass(frozen=True, slots=True, eq=False)
class EncodedAnswers:
    """Answers as whole numbers: the weights of the labels are the digits. `rows` [S, L] are the distinct answers.

    `digits` [J] is the number, `own` [J] which of `rows` it is; `base` is above any sum of an item's weights.
    """

    digits: Floats
    own: Ints
    rows: Floats
    base: int

    @classmethod
    def of(cls, item: Ints, weights: Floats) -> "EncodedAnswers | None":
        """None where weights aren't whole, or where there may be more cases than fit a table."""
        if not len(weights) or not np.array_equal(weights, np.rint(weights)):
            return None
        n_labels = weights.shape[1]
        sums = np.stack([np.bincount(item, weights=weights[:, label]) for label in range(n_labels)])
        base = int(sums.max()) + 1
        if base**n_labels > MOST_DIGITS:
            return None
        digits = np.zeros(len(weights))
        for label in range(n_labels):
            digits += weights[:, label] * float(base**label)
        distinct, own = np.unique(digits, return_inverse=True)
        if len(distinct) * base**n_labels > MOST_KEYS:
            return None
        return cls(digits, own.astype(np.int64), _rows(distinct.astype(np.int64), base, n_labels), base)

    def take(self, keep: Bools) -> "EncodedAnswers":
        """Some of the judgments."""
        return EncodedAnswers(self.digits[keep], self.own[keep], self.rows, self.base)

    def shares(self, worker: Ints, item: Ints, n_workers: int, n_items: int) -> Shares:
        """Each judgment's case, for judgments sorted by worker; items that no other judged drop out."""
        worker, item, _, others, own = self._beside_others(worker, item, n_items)
        size, n_labels = self.rows.shape
        cases, which = _distinct(others * size + own, self.base**n_labels * size)
        person = self.rows[cases % size]
        rows = _rows(cases // size, self.base, n_labels)
        groups = Groups.of_sorted(worker, n_workers)
        return Shares(groups, item, person / person.sum(axis=1, keepdims=True), rows, which)

    def places(self, worker: Ints, item: Ints, n_workers: int, n_items: int) -> Shares:
        """The same for whoever is put in people's places: a case is an item and what the person had answered there,
        and who stands there now is still to be said.
        """
        worker, item, of_item, _, own = self._beside_others(worker, item, n_items)
        size, n_labels = self.rows.shape
        cases, which = _distinct(item.astype(np.int64) * size + own, n_items * size)
        digits = self.rows @ float(self.base) ** np.arange(n_labels)
        rows = _rows((of_item[cases // size] - digits[cases % size]).astype(np.int64), self.base, n_labels)
        groups = Groups.of_sorted(worker, n_workers)
        return Shares(groups, item, np.zeros_like(rows), rows, which, case_item=cases // size)

    def _beside_others(
        self, worker: Ints, item: Ints, n_items: int
    ) -> tuple[Ints, Ints, Floats, npt.NDArray[np.int64], Ints]:
        """The judgments with another's beside them: worker, item, each item's number [N], the others', and one's own.

        The others' weights are the item's number less one's own, digit by digit, since no digit ever borrows.
        """
        of_item: Floats = np.bincount(item, weights=self.digits, minlength=n_items).astype(np.float64, copy=False)
        others = (of_item[item] - self.digits).astype(np.int64)
        seen = others > 0
        if seen.all():
            return worker, item, of_item, others, self.own
        return worker[seen], item[seen], of_item, others[seen], self.own[seen]


def _distinct(key: npt.NDArray[np.int64], limit: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The distinct keys in order, and where each key is among them."""
    if limit > MOST_CASES:
        keys, which = np.unique(key, return_inverse=True)
        return keys, which.astype(np.int64, copy=False)
    keys = np.flatnonzero(np.bincount(key, minlength=1))
    place = np.zeros(limit, dtype=np.int64)
    place[keys] = np.arange(len(keys))
    return keys, place[key]


def _rows(numbers: npt.NDArray[np.int64], base: int, n_labels: int) -> Floats:
    """[S, L] the digits of each number, the first label's lowest."""
    return np.stack([numbers // base**place % base for place in range(n_labels)], axis=1).astype(np.float64)


# The others' shares, majority and typical labels (docs/statistics.md, section 3).

PLACES = 12  # shares that should be equal differ by rounding beyond this place


def others_shares(worker: Ints, item: Ints, weights: Floats, n_workers: int, n_items: int, *, repeats: bool) -> Shares:
    """The others' weights, T_i - t_iw, for judgments sorted by worker; items that no other judged drop out."""
    own = own_sums(worker, item, weights, n_items)[0] if repeats else weights
    total = np.stack([sum_by(item, weights[:, label], n_items) for label in range(weights.shape[1])], axis=1)
    others = total[item] - own
    if not np.array_equal(weights, np.rint(weights)):
        others = np.round(others, PLACES)
    seen = others.any(axis=1)
    if not seen.all():
        worker, item, weights, others = worker[seen], item[seen], weights[seen], others[seen]
    person = weights / weights.sum(axis=1, keepdims=True)
    return Shares(Groups.of_sorted(worker, n_workers), item, person, others)


def own_sums(worker: Ints, item: Ints, weights: Floats, n_items: int) -> tuple[Floats, npt.NDArray[np.int64]]:
    """[J, L] and [J]: what this worker gave to this item in all, and in how many judgments."""
    key = worker.astype(np.int64) * n_items + item
    _, which, counts = np.unique(key, return_inverse=True, return_counts=True)
    sums = [np.bincount(which, weights=weights[:, label])[which] for label in range(weights.shape[1])]
    return np.stack(sums, axis=1), counts[which]


def any_repeats(worker: Ints, item: Ints, n_items: int) -> bool:
    """Whether a worker judged an item twice."""
    key = np.sort(worker.astype(np.int64) * n_items + item)
    return bool((key[1:] == key[:-1]).any())


def majority_of(others: Floats) -> Bools:
    """[J, L] the labels that most of the others gave, all of them where they tie."""
    return leading(divide(others, others.sum(axis=1, keepdims=True)))


def typical_of(others: Floats, typical_filter: Filter) -> Bools:
    """[J, L] the others' typical labels; rows that occur often are filtered once."""
    rows, which = _distinct_judgments(others)
    return filtered_sets(rows, typical_filter) if which is None else filtered_sets(rows, typical_filter)[which]


def _distinct_judgments(rows: Floats) -> tuple[Floats, npt.NDArray[np.int64] | None]:
    """The distinct rows and where each row is among them, if they are whole numbers that fit one key."""
    integers = rows.astype(np.int64)
    base = int(integers.max(initial=0)) + 1
    if base ** rows.shape[1] >= 2**62 or not np.array_equal(integers, rows):
        return rows, None
    key = integers @ (base ** np.arange(rows.shape[1], dtype=np.int64))
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    return rows[first], which
