"""Dawid and Skene's model: labels and each worker's confusions, estimated together by expectation-maximisation."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.gold.arrays import Floats, Ints, divide, sum_by

MOST_ROUNDS = 200
TOLERANCE = 1e-8  # relative change of the log likelihood at which it stops
SMALLEST = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Consensus:
    """`p` [N, L] the probability of each label and `accuracy` [W] estimated; NaN without judgments.

    `method` states initialisation, stopping and how many rounds it took.
    """

    p: Floats
    accuracy: Floats
    log_likelihood: float
    rounds: int
    method: str
    swapped: tuple[tuple[int, int], ...] = ()  # a class that leads somewhere, and the label that it mostly got instead


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Judgments sorted by item, so that a sum over items is one pass; `item`, `worker`, `label` [J] codes."""

    item: Ints
    worker: Ints
    label: Ints
    n_items: int
    n_workers: int
    n_labels: int

    @classmethod
    def of(cls, item: Ints, worker: Ints, label: Ints, n_items: int, n_labels: int) -> "Votes":
        """Sorted once, for all rounds."""
        order = np.argsort(item, kind="stable")
        return cls(item[order], worker[order], label[order], n_items, int(worker.max(initial=-1)) + 1, n_labels)

    @property
    def judged(self) -> npt.NDArray[np.bool_]:
        """[N] whether an item has a judgment."""
        return np.bincount(self.item, minlength=self.n_items) > 0

    def shares(self) -> Floats:
        """[N, L] the share of an item's votes that each label got: where both models start."""
        key = self.item.astype(np.int64) * self.n_labels + self.label
        votes = np.bincount(key, minlength=self.n_items * self.n_labels).reshape(self.n_items, self.n_labels)
        return np.nan_to_num(divide(votes, votes.sum(axis=1, keepdims=True)))

    def by_item(self, rows: Floats) -> Floats:
        """[N, L] the sum of rows [J, L] over each item's votes."""
        out = np.zeros((self.n_items, rows.shape[1]))
        if len(rows):
            starts = np.flatnonzero(np.concatenate([[True], self.item[1:] != self.item[:-1]]))
            out[self.item[starts]] = np.add.reduceat(rows, starts, axis=0)
        return out


def dawid_skene(item: Ints, worker: Ints, label: Ints, n_items: int, n_labels: int) -> Consensus:
    """Dawid and Skene (1979), by EM from the vote shares; confusions without smoothing.

    M: pi_l = mean_i p_il, theta_wlk = sum of p_il over w's votes k, over the sum over all k. E: p_il proportional to
    pi_l prod theta_wlk. A worker's accuracy is sum_l theta_wll weighted by how often w met true label l.
    Stops when the log likelihood changes by less than 1e-8 of itself, or after 200 rounds.
    """
    votes = Votes.of(item, worker, label, n_items, n_labels)
    p, judged = votes.shares(), votes.judged
    met, confusion = _confusions(votes, p)
    log_likelihood, before, rounds = -np.inf, -np.inf, 0
    while rounds < MOST_ROUNDS:
        rounds += 1
        met, confusion = _confusions(votes, p)
        prior = p[judged].mean(axis=0) if judged.any() else np.zeros(n_labels)
        log_theta = np.log(np.maximum(confusion, SMALLEST))
        scores = votes.by_item(log_theta[votes.worker, votes.label]) + np.log(np.maximum(prior, SMALLEST))
        p, log_likelihood = normalised(scores, judged)
        if abs(log_likelihood - before) <= TOLERANCE * abs(log_likelihood):
            break
        before = log_likelihood
    diagonal = np.einsum("wll->wl", confusion)
    accuracy = divide(np.sum(met * diagonal, axis=1), met.sum(axis=1))
    how = f"Dawid-Skene by EM from the vote shares, no smoothing; {stopped(rounds)}"
    p = np.where(judged[:, None], p, np.nan)
    leads = np.bincount(np.argmax(p[judged], axis=1), minlength=n_labels) > 0
    swapped = tuple(pair for pair in swapped_classes(met, confusion) if leads[pair[0]])
    return Consensus(p, accuracy, log_likelihood, rounds, how, swapped)


def swapped_classes(met: Floats, confusion: Floats) -> tuple[tuple[int, int], ...]:
    """Each class l whose mean confusion is largest for another vote k: (l, k). Workers count by how often they met l.

    >>> swapped_classes(np.array([[4.0, 2.0]]), np.array([[[0.75, 0.5], [0.25, 0.5]]]))
    ()
    >>> swapped_classes(np.array([[4.0, 2.0]]), np.array([[[0.75, 0.9], [0.25, 0.1]]]))
    ((1, 0),)
    """
    votes = np.einsum("wl,wkl->kl", met, confusion)  # of all who met truth l, the share of votes k
    commonest = np.argmax(votes, axis=0)
    is_swapped = votes.max(axis=0) > np.diagonal(votes) * (1 + 1e-9)
    return tuple((int(truth), int(commonest[truth])) for truth in np.flatnonzero(is_swapped))


def stopped(rounds: int) -> str:
    """How EM came to its end, in words."""
    if rounds == MOST_ROUNDS:
        return f"stopped at the limit of {MOST_ROUNDS} rounds"
    return f"stopped after {rounds} rounds, when the log likelihood changed by less than {TOLERANCE:g} of itself"


def normalised(scores: Floats, judged: npt.NDArray[np.bool_]) -> tuple[Floats, float]:
    """[N, L] probabilities from log scores, and the log likelihood: the sum over judged items of log sum exp."""
    top = scores.max(axis=1, keepdims=True)
    weights = np.exp(scores - top)
    total = weights.sum(axis=1, keepdims=True)
    p = np.where(judged[:, None], weights / total, 0.0)
    return p, float(np.sum((top + np.log(total))[judged]))


def _confusions(votes: Votes, p: Floats) -> tuple[Floats, Floats]:
    """[W, L] how much of each true label a worker met, and [W, k, l] the share of vote k among those of truth l."""
    key = votes.worker.astype(np.int64) * votes.n_labels + votes.label
    cells = votes.n_workers * votes.n_labels
    given = np.stack([sum_by(key, p[votes.item, true], cells) for true in range(votes.n_labels)], axis=1)
    counts = given.reshape(votes.n_workers, votes.n_labels, votes.n_labels)
    met = counts.sum(axis=1)
    return met, np.nan_to_num(divide(counts, np.broadcast_to(met[:, None, :], counts.shape)))
