"""A model's probabilities held against people's shares of labels: how far apart two distributions are.

p [J, L + k] are the model's, the last k on labels that the study doesn't have; q [J, L] people's shares.
"""

import numpy as np
import numpy.typing as npt

from ..arrays import Floats, divide
from .correlation import pearson, pearson_without
from .groups import Groups
from .jackknifed_metric import JackknifedMetric, Units

BINS = 10
CONSTANT = "the entropies of the model or of people never vary, or there are fewer than two items"
NO_SHARES = "no item has both probabilities and shares"


def _both_distributions(p: Floats, q: Floats) -> tuple[Floats, Floats]:
    """[J, L + k] both as distributions over the same labels; NaN where a side is missing."""
    q = np.concatenate([q, np.zeros((len(q), p.shape[1] - q.shape[1]))], axis=1)
    p, q = (divide(side, side.sum(axis=1, keepdims=True)) for side in (p, q))
    return p, q


def cross_entropy(p: Floats, q: Floats) -> Floats:
    """[J] - sum_l q_l log p_l in nats; infinite where the model gives 0 to a label that somebody chose.

    >>> cross_entropy(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([[1.0, 0.0], [0.5, 0.5]])).round(4).tolist()
    [0.6931, inf]
    """
    p, q = _both_distributions(p, q)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(q > 0, -q * np.log(p), np.where(np.isnan(p), np.nan, 0.0))
    return np.asarray(terms.sum(axis=1))


def total_variation(p: Floats, q: Floats) -> Floats:
    """[J] half the sum of |p_l - q_l|: the largest difference in probability over all sets of labels.

    >>> total_variation(np.array([[0.7, 0.2, 0.1]]), np.array([[0.5, 0.5, 0.0]])).round(4).tolist()
    [0.3]
    """
    p, q = _both_distributions(p, q)
    return np.asarray(np.abs(p - q).sum(axis=1) / 2)


def brier(p: Floats, q: Floats) -> Floats:
    """[J] the Brier score (1950) over people's answers, sum_l p_l^2 - 2 sum_l p_l q_l + 1, from 0 to 2.

    >>> brier(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[0.75, 0.25], [0.75, 0.25]])).tolist()
    [0.5, 0.5]
    """
    p, q = _both_distributions(p, q)
    return np.asarray(np.sum(p * p - 2 * p * q, axis=1) + 1)


def cross_entropy_of_answer(p: Floats) -> tuple[Floats, Floats]:
    """[J, L + k] what an answer of each label earns by `cross_entropy`, and [J] what any answer does."""
    p = divide(p, p.sum(axis=1, keepdims=True))
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(p)), np.zeros(len(p))


def brier_of_answer(p: Floats) -> tuple[Floats, Floats]:
    """The same by `brier`."""
    p = divide(p, p.sum(axis=1, keepdims=True))
    return -2 * p, np.asarray(np.sum(p * p, axis=1) + 1)


def entropy(p: Floats) -> Floats:
    """[J] - sum_l p_l log p_l in nats; NaN in a row with NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(p == 0, 0.0, -p * np.log(p)).sum(axis=1))


def _entropies(p: Floats, q: Floats) -> tuple[Floats, Floats]:
    p, q = _both_distributions(p, q)
    return np.round(entropy(p), 12), np.round(entropy(q), 12)


def entropy_correlation(groups: Groups, p: Floats, q: Floats) -> list[JackknifedMetric]:
    """Pearson's r over items of the entropy of p with that of q, in each group, with each item left out."""
    x, y = _entropies(p, q)
    figures = []
    for start, end in zip(groups.starts[:-1], groups.starts[1:], strict=True):
        is_known = np.isfinite(x[start:end]) & np.isfinite(y[start:end])
        one = Groups.one(int(is_known.sum()))
        a, b = x[start:end][is_known], y[start:end][is_known]
        if not len(a):
            figures.append(JackknifedMetric.undefined(CONSTANT, int(end - start)))
            continue
        theta = float(pearson(one, a, b)[0])
        without = np.full(end - start, theta)
        without[is_known] = pearson_without(one, a, b)
        figures.append(
            JackknifedMetric(theta, without, is_known, int(is_known.sum()), why=CONSTANT, is_correlation=True)
        )
    return figures


def entropy_correlation_by_units(p: Floats, q: Floats, units: Units) -> JackknifedMetric:
    """The same over all items, leaving out each unit with all its items."""
    x, y = _entropies(p, q)
    is_known = np.isfinite(x) & np.isfinite(y)
    if not is_known.any():
        return JackknifedMetric.undefined(CONSTANT, units.size)

    def correlation_of(groups: Groups, items: npt.NDArray[np.int64]) -> Floats:
        kept = is_known[items]
        sizes = groups.sum(kept.astype(np.float64)).astype(np.int64)
        return pearson(Groups(np.concatenate([[0], np.cumsum(sizes)])), x[items][kept], y[items][kept])

    theta = float(pearson(Groups.one(int(is_known.sum())), x[is_known], y[is_known])[0])
    without = units.without(correlation_of)
    counts = units.sums(is_known.astype(np.float64)) > 0
    return JackknifedMetric(theta, without, counts, int(is_known.sum()), units.what, why=CONSTANT, is_correlation=True)


def calibration_sums(p: Floats, q: Floats) -> Floats:
    """[J, 3, bins] of each item and tenth of probability: how many of its labels, the sums of their p and of their q.

    An item without probabilities or shares has zeros.
    """
    p, q = _both_distributions(p, q)
    is_known = np.isfinite(p).all(axis=1) & np.isfinite(q).all(axis=1)
    bins = np.minimum((np.nan_to_num(p) * BINS + 1e-9).astype(np.int64), BINS - 1)
    key = (np.arange(len(p))[is_known, None] * BINS + bins[is_known]).reshape(-1)
    parts = (None, p[is_known].reshape(-1), q[is_known].reshape(-1))
    sums = [np.bincount(key, weights=part, minlength=len(p) * BINS).reshape(-1, BINS) for part in parts]
    return np.stack(sums, axis=1).astype(np.float64)


def _error(sums: Floats) -> Floats:
    """[...] sum_b |sum p - sum q| / sum_b n from sums [..., 3, bins]."""
    gaps = np.abs(sums[..., 1, :] - sums[..., 2, :]).sum(axis=-1)
    return divide(gaps, sums[..., 0, :].sum(axis=-1))


def calibration_error(groups: Groups, p: Floats, q: Floats) -> list[JackknifedMetric]:
    """Expected calibration error in each group: labels of all items by tenth of probability, the mean of
    |mean p - mean q| over tenths, weighted by how many labels fall into them.
    """
    each = calibration_sums(p, q)
    figures = []
    for start, end in zip(groups.starts[:-1], groups.starts[1:], strict=True):
        part = each[start:end]
        is_known = part[:, 0].sum(axis=1) > 0
        if not is_known.any():
            figures.append(JackknifedMetric.undefined(NO_SHARES, int(end - start)))
            continue
        total = part.sum(axis=0)
        without = _error(total - part)
        figures.append(JackknifedMetric(float(_error(total)), without, is_known, int(is_known.sum())))
    return figures


def calibration_error_by_units(p: Floats, q: Floats, units: Units) -> JackknifedMetric:
    """The same over all items, leaving out each unit with all its items."""
    each = calibration_sums(p, q)
    is_known = each[:, 0].sum(axis=1) > 0
    if not is_known.any():
        return JackknifedMetric.undefined(NO_SHARES, units.size)
    total = each.sum(axis=0)
    counts = units.sums(is_known.astype(np.float64)) > 0
    return JackknifedMetric(
        float(_error(total)), _error(total - units.sums(each)), counts, int(is_known.sum()), units.what
    )
