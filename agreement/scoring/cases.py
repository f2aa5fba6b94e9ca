"""Label answers as distinct cases: a million judgments of three labels by ten people are a few thousand of them.

A case is an answer beside what the others gave its item. Each is scored once, and its score handed to every judgment.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.gold.arrays import Bools, Floats, Ints
from agreement.scoring.groups import Groups

MOST_CASES = 1 << 22  # found by a table; by a sort if there may be more
MOST_DIGITS = 1 << 52  # whole numbers up to here are added exactly
MOST_KEYS = 1 << 62


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """Label judgments in worker order: K cases, an answer as shares [K, L] beside the others' weights [K, L].

    Judgment j is case `which[j]`, or case j where `which` is None. Where the L columns are an item's own labels and not
    the study's, `label` [K, L] is the study's label of each, `n_labels` where an item has fewer than L.
    """

    groups: Groups
    item: Ints
    person: Floats
    others: Floats
    which: Ints | None = None
    label: Ints | None = None
    n_labels: int = 0

    def at(self, by_case: Floats) -> Floats:
        """[J] a figure of each case, or a row [J, L], at its judgments."""
        return by_case if self.which is None else by_case[self.which]


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """Answers as whole numbers: the weights of the labels are the digits. `rows` [S, L] are the distinct answers.

    `digits` [J] is the number, `own` [J] which of `rows` it is; `base` is above any sum of an item's weights.
    """

    digits: Floats
    own: Ints
    rows: Floats
    base: int

    @classmethod
    def of(cls, item: Ints, weights: Floats) -> "Written | None":
        """None where weights aren't whole, or where there may be more cases than fit a table."""
        if not len(weights) or not np.array_equal(weights, np.rint(weights)):
            return None
        n_labels = weights.shape[1]
        sums = np.stack([np.bincount(item, weights=weights[:, at]) for at in range(n_labels)])
        base = int(sums.max()) + 1
        if base**n_labels > MOST_DIGITS:
            return None
        digits = np.zeros(len(weights))
        for at in range(n_labels):
            digits += weights[:, at] * float(base**at)
        distinct, own = np.unique(digits, return_inverse=True)
        if len(distinct) * base**n_labels > MOST_KEYS:
            return None
        return cls(digits, own.astype(np.int64), _rows(distinct.astype(np.int64), base, n_labels), base)

    def take(self, keep: Bools) -> "Written":
        """Some of the judgments."""
        return Written(self.digits[keep], self.own[keep], self.rows, self.base)

    def shares(self, worker: Ints, item: Ints, n_workers: int, n_items: int) -> Shares:
        """Each judgment's case, for judgments sorted by worker; items that no other judged drop out.

        The others' weights are the item's number less one's own, digit by digit, since no digit ever borrows.
        """
        others = (np.bincount(item, weights=self.digits, minlength=n_items)[item] - self.digits).astype(np.int64)
        own = self.own
        seen = others > 0
        if not seen.all():
            worker, item, others, own = worker[seen], item[seen], others[seen], own[seen]
        size = len(self.rows)
        key = others * size + own
        there, which = _distinct(key, self.base ** self.rows.shape[1] * size)
        person = self.rows[there % size]
        groups = Groups.of_sorted(worker, n_workers)
        rows = _rows(there // size, self.base, self.rows.shape[1])
        return Shares(groups, item, person / person.sum(axis=1, keepdims=True), rows, which)


def _distinct(key: npt.NDArray[np.int64], limit: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The distinct keys in order, and where each key is among them."""
    if limit > MOST_CASES:
        there, which = np.unique(key, return_inverse=True)
        return there, which.astype(np.int64, copy=False)
    there = np.flatnonzero(np.bincount(key, minlength=1))
    place = np.zeros(limit, dtype=np.int64)
    place[there] = np.arange(len(there))
    return there, place[key]


def _rows(numbers: npt.NDArray[np.int64], base: int, n_labels: int) -> Floats:
    """[S, L] the digits of each number, the first label's lowest."""
    return np.stack([numbers // base**at % base for at in range(n_labels)], axis=1).astype(np.float64)
