"""Metrics of labels, of distributions over labels, and of ranked candidates."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ..arrays import Bools, Floats, Ints, divide
from ..gold.label_gold import leading
from .correlation import Correlation, kendall, spearman
from .groups import Groups, ranks_within

# Scores of labels against label sets: R-Acc, accuracy, confidence, and macro F1 with precision and recall.
#
# Where gold is one label per item, F1, precision and recall are of labels, as scikit-learn's over all the study's
# labels; where it is a set, they are of sets, the prediction made one by the filter that made the gold.
#
# Rows are items, columns the study's labels. A prediction is a probability a label; a single label is probability 1
# on it, a set of labels an equal share on each. An item without a prediction (a row of NaN) is wrong; one without
# gold (an empty set) counts nowhere. A prediction may have more columns than gold: labels that the study doesn't
# have, which may be the most probable ones and are never right.


def tops(p: Floats) -> Bools:
    """[J, L] the most probable labels, all of them where they tie; none in a row of NaN or of zeros."""
    known = np.where(np.isnan(p), 0.0, p)
    if not known.shape[1]:
        return np.zeros(known.shape, dtype=np.bool_)
    return np.asarray((known == known.max(axis=1, keepdims=True)) & (known > 0))


def tops_as_shares(scores: Floats) -> Floats:
    """[J, L] an equal share on the highest of each row's scores; NaN scores are candidates without one."""
    known = np.where(np.isnan(scores), -np.inf, scores)
    top = (known == known.max(axis=1, keepdims=True)) & np.isfinite(known)
    return divide(top.astype(np.float64), top.sum(axis=1, keepdims=True))


def r_acc(p: Floats, gold: Bools) -> Floats:
    """[J] the share of the most probable labels that are in the gold set; NaN without gold.

    Zhang et al. (2022): an item is right if its most probable label is in the set; tied tops count by their share.

    >>> r_acc(np.array([[0.7, 0.2, 0.1], [0.4, 0.4, 0.2]]), np.array([[1, 1, 0], [1, 0, 0]], dtype=bool)).tolist()
    [1.0, 0.5]
    """
    top = tops(p)
    share = divide(np.sum(top[:, : gold.shape[1]] & gold, axis=1), top.sum(axis=1), by_zero=0.0)
    return np.where(gold.any(axis=1), share, np.nan)


def named_shares(p: Floats) -> Floats:
    """[J, L] what an answer of each label counts as agreement with the prediction: 1 for the most probable label, an
    equal share where several tie; 0 without a prediction.
    """
    top = tops(p)
    return divide(top.astype(np.float64), top.sum(axis=1, keepdims=True), by_zero=0.0)


def people_who_agree(p: Floats, chosen: Floats) -> Floats:
    """[J] the share of people whose answer is the most probable label; `chosen` [J, L] are people's shares.

    >>> people_who_agree(np.array([[0.7, 0.3], [0.5, 0.5]]), np.array([[0.8, 0.2], [0.9, 0.1]])).tolist()
    [0.8, 0.5]
    """
    return np.asarray(np.sum(named_shares(p)[:, : chosen.shape[1]] * chosen, axis=1))


def of_named_answer(p: Floats) -> tuple[Floats, Floats]:
    """[J, L] what an answer of each label adds to that share, and [J] what any answer does."""
    return named_shares(p), np.zeros(len(p))


def accuracy(p: Floats, gold: Bools) -> Floats:
    """[J] R-Acc over the size of the gold set: where two labels tie for gold, naming one of them is half right."""
    return np.asarray(r_acc(p, gold) / np.maximum(gold.sum(axis=1), 1))


def conf(p: Floats, gold: Bools) -> Floats:
    """[J] the probability that falls on the gold set; 0 without a prediction, NaN without gold."""
    on_gold = np.sum(np.where(gold, np.nan_to_num(p[:, : gold.shape[1]]), 0.0), axis=1)
    return np.where(gold.any(axis=1), on_gold, np.nan)


Weights: TypeAlias = Bools | Floats
PARTS = ("hit", "false", "missed")


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Per group and label [G, L]: predicted and gold, predicted only, gold only."""

    hit: Floats
    false: Floats
    missed: Floats

    @property
    def precision(self) -> Floats:
        """[G, L], 0 where the label was never predicted."""
        return divide(self.hit, self.hit + self.false, by_zero=0.0)

    @property
    def recall(self) -> Floats:
        """[G, L], 0 where the label is never gold."""
        return divide(self.hit, self.hit + self.missed, by_zero=0.0)

    @property
    def f1(self) -> Floats:
        """[G, L] 2 hit / (2 hit + false + missed), 0 where a label has neither support nor predictions."""
        return divide(2 * self.hit, 2 * self.hit + self.false + self.missed, by_zero=0.0)


def table_of_own(groups: Groups, predicted: Weights, gold: Weights, label: Ints, n_labels: int) -> Table:
    """The same where column k of thing j is the study's label `label[j, k]`, and `n_labels` where there is none."""
    key = groups.of[:, None] * (n_labels + 1) + label
    cells = len(groups) * (n_labels + 1)

    def counted(part: Weights) -> Floats:
        sums = np.bincount(key.reshape(-1), weights=part.reshape(-1), minlength=cells)
        return np.asarray(sums.reshape(len(groups), n_labels + 1)[:, :n_labels])

    hit, false, missed = map(counted, _parts(predicted, gold))
    return Table(hit, false, missed)


def table(groups: Groups, predicted: Weights, gold: Weights, which: Ints | None = None) -> Table:
    """Count predicted labels [J, L] against gold labels [J, L] in each group, over the items that have gold.

    Sets of labels, or weights that sum to 1 where an item has one label (`one_label`). With `which` [J] they are of
    distinct cases [K, L], and thing j of the groups is case which[j].
    """
    parts = _parts(predicted[:, : gold.shape[1]], gold)  # macro means are over the study's labels
    hit, false, missed = (
        groups.sum_rows(part) if which is None else sums_of_cases(groups, part, which) for part in parts
    )
    return Table(hit, false, missed)


def _parts(predicted: Weights, gold: Weights) -> tuple[Weights, Weights, Weights]:
    """[J, L] hits, predicted only and gold only."""
    scored = gold.any(axis=1, keepdims=True)
    if predicted.dtype == np.bool_ and gold.dtype == np.bool_:
        alone = np.logical_and(np.greater(predicted, gold), scored)
        return np.logical_and(predicted, gold), alone, np.greater(gold, predicted)
    both = predicted * gold
    return both, (predicted - both) * scored, gold - both


def one_label(sets: Bools) -> Floats:
    """[J, L] the one label of each item as weight 1; where several tie, an equal share on each."""
    return divide(sets.astype(np.float64), sets.sum(axis=1, keepdims=True), by_zero=0.0)


def sums_of_cases(groups: Groups, part: Weights, which: Ints) -> Floats:
    """[G, L] the column sums over each group's things, thing j being case which[j] of [K, L]."""
    columns = [groups.sum(column[which]) for column in part.T.astype(np.float64)]
    return np.stack(columns, axis=1)


# Scores of a distribution over labels against gold proportions, item by item: Kendall, Spearman, divergence, top-1.
#
# p may have more columns than q: labels that the study doesn't have, which nobody chose.

PLACES = 12


def kendall_rows(p: Floats, q: Floats) -> Floats:
    """[J] Kendall's tau-b of each row of p with the same row of q; NaN where either is constant or missing.

    A row of p that lies on other labels than the study's alone is no constant answer, it is a wrong one: 0.
    """
    return _by_row(p, q, kendall)


def spearman_rows(p: Floats, q: Floats) -> Floats:
    """[J] Spearman's rho of each row of p with the same row of q, likewise."""
    return _by_row(p, q, spearman)


def jensen_shannon(p: Floats, q: Floats) -> Floats:
    """[J] the Jensen-Shannon divergence in nats, H((p + q) / 2) - (H(p) + H(q)) / 2, not its square root.

    >>> jensen_shannon(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[0.0, 1.0], [0.5, 0.5]])).round(4).tolist()
    [0.6931, 0.0]
    """
    q = np.concatenate([q, np.zeros((len(q), p.shape[1] - q.shape[1]))], axis=1)
    p, q = (divide(side, side.sum(axis=1, keepdims=True)) for side in (p, q))
    between = _entropy((p + q) / 2) - (_entropy(p) + _entropy(q)) / 2
    return np.asarray(np.maximum(between, 0.0))


def top_1(p: Floats, q: Floats) -> Floats:
    """[J] whether the most probable label is the one with the largest gold share, ties by their share."""
    return r_acc(p, leading(np.nan_to_num(q)))


def _by_row(p: Floats, q: Floats, metric: Correlation) -> Floats:
    """Shares of gold are sums of fractions: what differs beyond `PLACES` only is a tie that rounding has parted."""
    q = np.round(q, PLACES)
    p, beyond = p[:, : q.shape[1]], p[:, q.shape[1] :]
    out = np.full(len(p), np.nan)
    is_known = np.isfinite(p).all(axis=1) & np.isfinite(q).all(axis=1)
    if is_known.any():
        groups = Groups.equal(int(is_known.sum()), p.shape[1])
        rho = metric(groups, p[is_known].reshape(-1), q[is_known].reshape(-1))
        out[is_known] = np.clip(rho, -1.0, 1.0)  # rounding takes some of 1 a hair beyond it
    is_elsewhere = is_known & (np.nan_to_num(beyond) > 0).any(axis=1) & ~p.any(axis=1) & (np.ptp(q, axis=1) > 0)
    return np.where(is_elsewhere, 0.0, out)


def _entropy(p: Floats) -> Floats:
    logs = np.zeros_like(p)
    is_positive: Bools = p > 0
    np.log(p, out=logs, where=is_positive)
    return np.asarray(
        -np.sum(np.where(is_positive, p, 0.0) * logs, axis=1) + np.where(np.isnan(p).any(axis=1), np.nan, 0.0)
    )


# Orders of labels: the correlation with each person's order, which is linear in people's places.


def rho_with_people(p: Floats, order: Floats) -> Floats:
    """[J] the mean over people of Spearman's rho between the scores and a person's order; `order` [J, L] are minus the
    mean places that people gave. NaN where the scores are all equal or missing.

    >>> rho_with_people(np.array([[3.0, 2, 1]]), np.array([[-1.0, -2.5, -2.5]])).round(3)
    array([0.75])
    """
    return np.asarray(np.sum(of_places(p)[0] * -order, axis=1))


def of_places(p: Floats) -> tuple[Floats, Floats]:
    """[J, L] what each place adds to a person's rho, per label, and [J] what any order does."""
    size = p.shape[1]
    ranks = ranks_within(Groups.equal(len(p), size), np.nan_to_num(p).reshape(-1)).reshape(p.shape)
    centred = ranks - (size + 1) / 2
    spread = np.sqrt(np.mean(centred**2, axis=1, keepdims=True) * (size**2 - 1) / 12)
    known = np.isfinite(p).all(axis=1, keepdims=True)
    return np.where(known, -divide(centred, spread * size), np.nan), np.zeros(len(p))


# Average precision of candidates ranked by a score, against the properties that people name often enough.


def average_precision(score: Floats, gold: Bools) -> Floats:
    """[Q] AP = sum_n (R_n - R_(n-1)) P_n of each row of scores [Q, V], as in scikit-learn; NaN without a gold.

    Candidates with equal scores are one threshold; a NaN score is an absent candidate: last, and tied with the others
    that are absent.

    >>> average_precision(np.array([[0.1, 0.4, 0.35, 0.8]]), np.array([[False, False, True, True]])).round(4).tolist()
    [0.8333]
    """
    if not score.shape[1]:
        return np.full(len(score), np.nan)
    known = np.where(np.isnan(score), -np.inf, score)
    order = np.argsort(-known, axis=1, kind="stable")
    ordered = np.take_along_axis(known, order, axis=1)
    hits = np.cumsum(np.take_along_axis(gold, order, axis=1), axis=1).astype(np.float64)
    ends = np.ones(score.shape, dtype=np.bool_)
    ends[:, :-1] = ordered[:, 1:] != ordered[:, :-1]
    reached = np.maximum.accumulate(np.where(ends, hits, 0.0), axis=1)
    before = np.concatenate([np.zeros((len(score), 1)), reached[:, :-1]], axis=1)
    precision = hits / np.arange(1, score.shape[1] + 1)
    return divide(np.sum(np.where(ends, (hits - before) * precision, 0.0), axis=1), gold.sum(axis=1))


def mean_reciprocal_rank(score: Floats, named: Floats) -> Floats:
    """[Q] the mean over mentions of 1 / rank of each row of scores [Q, V]; NaN where nothing is named.

    `named` [Q, V] counts the mentions of each candidate. Candidates with equal scores share the mean over their ranks;
    a NaN score is an absent candidate: last, and tied with the others that are absent. A sum over mentions, it moves
    with everybody who names something.

    >>> mean_reciprocal_rank(np.array([[0.8, 0.4, 0.4]]), np.array([[2.0, 1.0, 0.0]])).round(4).tolist()
    [0.8056]
    """
    known = np.where(np.isnan(score), -np.inf, score)
    order = np.argsort(-known, axis=1, kind="stable")
    ordered = np.take_along_axis(known, order, axis=1)
    size = score.shape[1]
    starts = np.ones(score.shape, dtype=np.bool_)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    place = np.broadcast_to(np.arange(size), score.shape)
    first = np.maximum.accumulate(np.where(starts, place, 0), axis=1)
    following = np.concatenate([np.where(starts, place, size)[:, 1:], np.full((len(score), 1), size)], axis=1)
    after = np.minimum.accumulate(following[:, ::-1], axis=1)[:, ::-1]
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, size + 1))])
    earned = (harmonic[after] - harmonic[first]) / np.maximum(after - first, 1)
    total = np.sum(np.take_along_axis(named, order, axis=1) * earned, axis=1)
    return divide(total, named.sum(axis=1))


def expected_by_chance(gold: Bools) -> Floats:
    """[Q] the expected AP of a random order of V candidates, R of them gold; NaN without a gold.

    (H_V + (R - 1) (V - H_V) / (V - 1)) / V, H_V the V-th harmonic number: the first hit's share, and what the other
    hits before it add (Bestgen 2015).

    >>> expected_by_chance(np.array([[True, False, False], [True, True, True]])).round(4).tolist()
    [0.6111, 1.0]
    """
    size = gold.shape[1]
    harmonic = float(np.sum(1 / np.arange(1, size + 1)))
    right = gold.sum(axis=1)
    more = (right - 1) * (size - harmonic) / max(size - 1, 1)
    return np.where(right > 0, (harmonic + more) / max(size, 1), np.nan)
