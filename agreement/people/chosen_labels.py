"""Kappa and nominal alpha of a label that is chosen or not, with each item, worker and judgment left out.

All that either asks of an item is n, its judgments, and c, those that chose the label:

    P = (c^2 + (n - c)^2 - n) / (n (n - 1)),  q = c / n,  o = 2 c (n - c) / (n - 1).

What a judgment changes by leaving follows from (n, c, x), x = 1 where it chose the label. So the figures are made once
for each kind (n, c) of items and (n, c, x) of judgments, and sums over workers look at items that anybody chose alone:
hundreds of labels of which an item gets a few cost little. They are those of `chance_corrected.py` and `alpha.py`, for
designs without repeats.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from ..estimation.design import AnyCodes, Codes, Design, sums
from ..estimation.estimate import Floats, Undefined
from ..estimation.intervals import Deletions
from .alpha import EVERY_JUDGMENT_THE_SAME, NOTHING_LEFT
from .chance_corrected import Tally, from_totals, why_no_kappa


@dataclass(frozen=True, slots=True, eq=False)
class LabelChoices:
    """One label's column of chosen or not over a design, by kinds of items."""

    design: Design
    code: AnyCodes  # [J] x, 1 where the label was chosen
    c_i: Floats  # [N]
    kind: Codes  # [N] which of the K kinds each item is of
    n: Floats  # [K]
    c: Floats  # [K]
    items: Floats  # [K] how many items are of the kind
    near: Codes  # the judgments of items that anybody chose the label for

    @property
    def o_i(self) -> Floats:
        """[N] the ordered pairs of unlike judgments of an item over n_i - 1; 0 where n_i = 1."""
        return _o(self.design.n, self.c_i)

    def deletions(self, item: Floats, worker: Floats, judgment: Floats) -> Deletions:
        """From figures by kind of item [K], by worker [W] and by kind of judgment [K, 2]."""
        times = np.stack([self.items * (self.n - self.c), self.items * self.c], axis=1)
        return Deletions(item[self.kind], worker, judgment.ravel(), times.ravel(), partial(_judgment_kinds, self))

    def by_worker(self, change: Floats) -> Floats:
        """[W] the sum of a change [K, 2], which is 0 for items that nobody chose the label for."""
        design, near = self.design, self.near
        each = change.ravel()[2 * self.kind[design.item[near]] + self.code[near]]
        return sums(design.worker[near], each, design.workers)

    def judgments_on(self, n: int) -> Floats:
        """[W] how many judgments of each worker are of items with n judgments."""
        has_n = self.design.n == n
        if not has_n.any():
            return np.zeros(self.design.workers)
        return sums(self.design.worker[has_n[self.design.item]], None, self.design.workers)


def chosen(design: Design, code: AnyCodes) -> LabelChoices:
    """The kinds of items of a column [J] of zeros and ones."""
    yes = np.flatnonzero(code)
    c_i = sums(design.item[yes], None, design.items)
    sizes, size = np.unique(design.n, return_inverse=True)
    first = np.cumsum(sizes + 1) - (sizes + 1)
    kind = (first[size] + c_i).astype(np.int64)
    n = np.repeat(sizes, (sizes + 1).astype(np.int64))
    c = np.arange(float(len(n))) - np.repeat(first, (sizes + 1).astype(np.int64))
    return LabelChoices(design, code, c_i, kind, n, c, sums(kind, None, len(n)), _of_items(design, np.flatnonzero(c_i)))


def tally(x: LabelChoices) -> Tally | Undefined:
    """The counts as `kappa.tally` gives them, or why kappa is undefined."""
    design = x.design
    if why := why_no_kappa(design, x.code):
        return Undefined(why)
    n, c = design.n, x.c_i
    sizes, size = np.unique(n, return_inverse=True)
    yes = float((sums(size, c, len(sizes)) / sizes).sum())
    not_chosen = float((sums(size, n - c, len(sizes)) / sizes).sum())
    P_i = np.where(n >= 2, _P(n, c), 0.0)
    return Tally(design, x.code, 2, np.zeros(0), P_i, c**2 + (n - c) ** 2, np.array([not_chosen, yes]))


def kappa_deletions(x: LabelChoices, t: Tally) -> Deletions:
    """Kappa with each item, worker and judgment left out: P and q of an item once a judgment has left it."""
    design, n, c = x.design, x.n, x.c
    A, pairs, items, (Q_0, Q_1) = float(t.P_i.sum()), float(np.sum(design.n >= 2)), float(design.items), t.Q
    P, q, is_pair = np.where(n >= 2, _P(n, c), 0.0), c / n, (n >= 2).astype(np.float64)
    by_item = from_totals(A - P, pairs - is_pair, (Q_0 - 1 + q) ** 2 + (Q_1 - q) ** 2, np.full(len(n), items - 1))
    n, c, is_pair = n[:, None], c[:, None], is_pair[:, None]
    left, c_left = n - 1, c - np.array([0.0, 1.0])
    alone = (left == 0) & np.ones(2, dtype=np.bool_)
    moved_P = np.where(left >= 2, _P(left, c_left), 0.0) - P[:, None]
    moved_q = np.where(alone, 0.0, c_left / np.maximum(left, 1)) - q[:, None]
    by_judgment = from_totals(
        A + moved_P,
        pairs - is_pair + (left >= 2),
        (Q_0 - moved_q - alone) ** 2 + (Q_1 + moved_q) ** 2,
        items - alone,
    )
    in_pairs, lost = x.judgments_on(2), x.judgments_on(1)
    A_w = A - in_pairs + x.by_worker(moved_P + (n == 2))  # an item of two that nobody chose loses P = 1
    Q_w = x.by_worker(moved_q)
    by_worker = from_totals(A_w, pairs - in_pairs, (Q_0 - Q_w - lost) ** 2 + (Q_1 + Q_w) ** 2, items - lost)
    return x.deletions(by_item, by_worker, by_judgment)


def alpha(x: LabelChoices) -> float | Undefined:
    """Nominal alpha, 1 - (M - 1) sum o / (2 C (M - C)), of items with two judgments or more and C choices."""
    M, C = float(x.design.judgments), float(x.c_i.sum())
    if C in (0.0, M):
        return Undefined(EVERY_JUDGMENT_THE_SAME)
    return float(1 - (M - 1) * x.o_i.sum() / (2 * C * (M - C)))


def alpha_deletions(x: LabelChoices) -> Deletions:
    """Alpha with each left out; an item left with one judgment is pairable no more, and that judgment leaves too."""
    n, c = x.n[:, None], x.c[:, None]
    M, C, D_o = float(x.design.judgments), float(x.c_i.sum()), float(x.o_i.sum())
    D_e = 2 * C * (M - C)

    def alpha_without(o: Floats, chosen: Floats, judgments: Floats) -> Floats:
        M_left, C_left = M - judgments, C - chosen
        expected = 2 * C_left * (M_left - C_left)
        defined = (expected > NOTHING_LEFT * D_e) & (M_left > 1)
        observed = (M_left - 1) * (D_o - o)
        return np.asarray(1 - np.divide(observed, expected, out=np.full(expected.shape, np.nan), where=defined))

    o, gone = _o(n, c), np.array([0.0, 1.0])
    stays = n >= 3
    o_gone = np.where(stays, o - _o(n - 1, c - gone), o)
    c_gone, n_gone = np.where(stays, gone, c), np.where(stays, 1.0, 2.0) * np.ones(2)
    n_w = x.design.judgments_of_worker + x.judgments_on(2)
    by_worker = alpha_without(x.by_worker(o_gone), x.by_worker(c_gone), n_w)
    return x.deletions(alpha_without(o[:, 0], x.c, x.n), by_worker, alpha_without(o_gone, c_gone, n_gone))


def _P(n: Floats, c: Floats) -> Floats:
    return np.asarray((c**2 + (n - c) ** 2 - n) / np.maximum(n * (n - 1), 1))


def _o(n: Floats, c: Floats) -> Floats:
    return np.asarray(2 * c * (n - c) / np.maximum(n - 1, 1))


def _judgment_kinds(x: LabelChoices) -> Codes:
    """[J] the kind of each judgment."""
    return np.asarray((2 * x.kind)[x.design.item] + x.code)


def _of_items(design: Design, items: Codes) -> Codes:
    """The judgments of some items."""
    if design.start is None:
        some = np.zeros(design.items, dtype=np.bool_)
        some[items] = True
        return np.flatnonzero(some[design.item])
    size = design.n[items].astype(np.int64)
    first: Codes = design.start[items] - (np.cumsum(size) - size)
    return np.asarray(np.arange(size.sum()) + np.repeat(first, size), dtype=np.int64)
