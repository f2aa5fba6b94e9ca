"""How sure a model of annotators is of each worker's accuracy, and how often the worker agrees with its labels.

The standard error is a jackknife over random groups of items, the model fitted anew without each (its labels are
estimated too, which the binomial error of a worker's answers would leave out): with G groups,
(G - 1) / G sum (a_(g) - mean)^2, and t with G - 1 df on the logit. Limits are never narrower than those of a share of
the worker's answers.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from ..arrays import Floats, Ints, as_they_come, divide, sum_by
from ..estimation.intervals import SAME, SHARE, groups, t_quantile
from ..processes import map_tasks
from .annotator_models import Consensus

GROUPS, FEWER = 20, 10
WORK = 5_000_000  # judgments times rounds up to which there are 20 groups
WORTH_FORKING = 100_000
Model = Callable[[Ints, Ints, Ints, int, int], Consensus]


@dataclass(frozen=True, slots=True, eq=False)
class WorkerAccuracies:
    """[W] each; NaN where there is none. `agrees` is the share of a worker's answers that the model's label equals,
    an item whose labels tie counting by its share.
    """

    accuracy: Floats
    se: Floats
    low: Floats
    high: Floats
    agrees: Floats
    consensus: Consensus
    n_groups: int


def worker_accuracies(
    model: Model,
    item: Ints,
    worker: Ints,
    label: Ints,
    n_items: int,
    n_labels: int,
    *,
    rng: np.random.Generator,
    processes: int | None = None,
) -> WorkerAccuracies:
    """Of label codes [J] below `n_labels`."""
    W = int(worker.max(initial=-1)) + 1
    whole = model(item, worker, label, n_items, n_labels)
    judged = as_they_come(item)
    n_groups = min(GROUPS if len(item) * whole.rounds <= WORK else FEWER, len(judged))
    of_item = np.zeros(n_items, dtype=np.int64)
    of_item[judged] = groups(len(judged), rng, n_groups)
    group = of_item[item]

    def without(left_out: int) -> Floats:
        keep = group != left_out
        found = np.full(W, np.nan)
        accuracy = model(item[keep], worker[keep], label[keep], n_items, n_labels).accuracy
        found[: len(accuracy)] = accuracy
        return found

    left = np.array(map_tasks(range(n_groups), without, processes if len(item) >= WORTH_FORKING else 1))
    accuracy = np.full(W, np.nan)
    accuracy[: len(whole.accuracy)] = whole.accuracy
    se = _standard_errors(left, worker, group, W)
    n = np.bincount(worker, minlength=W)
    low, high = _limits(accuracy, se, n_groups)
    low, high = _no_surer_than_its_answers(accuracy, n, low, high)
    tops = whole.p == np.nanmax(np.where(np.isnan(whole.p), -1, whole.p), axis=1, keepdims=True)
    hits = tops[item, label] / np.maximum(tops[item].sum(axis=1), 1)
    agrees = divide(sum_by(worker, hits, W), n)
    return WorkerAccuracies(accuracy, se, low, high, agrees, whole, n_groups)


def _standard_errors(left: Floats, worker: Ints, group: Ints, W: int) -> Floats:
    """[W] from [G, W]; NaN for a worker whose items lie in one group, for whom a deletion has no figure.

    Where a worker has items in fewer groups than there are, the others' deletions tell of the model alone.
    """
    G = len(left)
    if G < 2:
        return np.full(W, np.nan)
    in_groups = np.zeros((W, G), dtype=np.bool_)
    in_groups[worker, group] = True
    variance = (G - 1) / G * np.sum((left - left.mean(axis=0)) ** 2, axis=0)
    return np.where(in_groups.sum(axis=1) >= 2, np.sqrt(variance), np.nan)


def _limits(accuracy: Floats, se: Floats, G: int) -> tuple[Floats, Floats]:
    low, high = np.full(len(accuracy), np.nan), np.full(len(accuracy), np.nan)
    for at in np.flatnonzero(np.isfinite(accuracy) & np.isfinite(se) & (np.nan_to_num(se) > SAME)).tolist():
        limits = SHARE.limits(float(accuracy[at]), t_quantile(0.975, G - 1) * float(se[at]))
        if limits is not None:
            low[at], high[at] = limits
    return low, high


def _no_surer_than_its_answers(accuracy: Floats, n: Ints, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Limits [W] that are at least as wide as those of a share of the worker's n answers with every label known.

    Those are the posterior's with Jeffreys' prior, Beta(n a + 1/2, n (1 - a) + 1/2): a model may stay on one solution
    in every deletion, above all at the ends of its accuracies, and the jackknife then sees no spread.
    """
    a, b = n * accuracy + 0.5, n * (1 - accuracy) + 0.5
    lower, upper = (special.betaincinv(a, b, tail) for tail in (0.025, 0.975))
    lower, upper = np.minimum(lower, accuracy), np.maximum(upper, accuracy)
    return np.fmin(low, np.where(np.isfinite(low), lower, np.nan)), np.fmax(
        high, np.where(np.isfinite(high), upper, np.nan)
    )
