"""Dawid and Skene's model and MACE: labels and workers' accuracies estimated together, beside the majority."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..arrays import Floats, Ints, divide, sum_by
from ..judgments.crowd import Answers
from ..kinds.options import has_own_labels
from .gold_columns import ANNOTATOR_MODELS

# Dawid and Skene's model: labels and each worker's confusions, estimated together by expectation-maximisation.

MOST_ROUNDS = 200
TOLERANCE = 1e-8  # relative change of the log likelihood at which it stops
SMALLEST = 1e-12
MANY_LABELS = 32  # above, only the confusions that there are and the labels that can matter are held
ENOUGH_VOTES = 4  # of each item, whose other labels are then below NEGLIGIBLE: SMALLEST^4
NEGLIGIBLE = 1e-40  # of an item's probability: no sum that is printed has digits so small


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
    fewest = np.bincount(item)[np.unique(item)].min() if len(item) else 0
    if n_labels > MANY_LABELS and fewest >= ENOUGH_VOTES:
        return _of_many_labels(item, worker, label, n_items, n_labels)
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
        p, log_likelihood = normalise_scores(scores, judged)
        if abs(log_likelihood - before) <= TOLERANCE * abs(log_likelihood):
            break
        before = log_likelihood
    diagonal = np.einsum("wll->wl", confusion)
    accuracy = divide(np.sum(met * diagonal, axis=1), met.sum(axis=1))
    method = f"Dawid-Skene by EM from the vote shares, no smoothing; {stop_text(rounds)}"
    p = np.where(judged[:, None], p, np.nan)
    leads = np.bincount(np.argmax(p[judged], axis=1), minlength=n_labels) > 0
    swapped = tuple(pair for pair in swapped_classes(met, confusion) if leads[pair[0]])
    return Consensus(p, accuracy, log_likelihood, rounds, method, swapped)


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


def _of_many_labels(item: Ints, worker: Ints, label: Ints, n_items: int, n_labels: int) -> Consensus:
    """The same EM on sparse matrices: of W x L x L confusions most are 0, and are SMALLEST in every score alike.

    B [R, N] are the votes, a row for each worker and label k that the worker gave; G = B p has sum_i p_il over the
    worker's votes k, and theta_wlk = G / met. An item's scores are n log SMALLEST + log pi_l for every label, and
    log theta - log SMALLEST more where theta isn't 0. Labels that none of its voters can mean have p of SMALLEST^n or
    so, and are left out where that is below 1e-40.
    """
    n_workers = int(worker.max(initial=-1)) + 1
    rows, row = np.unique(worker.astype(np.int64) * n_labels + label, return_inverse=True)
    B = sparse.csr_array((np.ones(len(item)), (row, item)), shape=(len(rows), n_items))
    A = sparse.csr_array((np.ones(len(rows)), (rows // n_labels, np.arange(len(rows)))), shape=(n_workers, len(rows)))
    votes = np.bincount(item, minlength=n_items).astype(np.float64)
    judged, floor = votes > 0, float(np.log(SMALLEST))
    p = sparse.csr_array((np.ones(len(item)), (item, label)), shape=(n_items, n_labels))
    p.sum_duplicates()
    p.data /= np.repeat(votes, np.diff(p.indptr))
    log_likelihood, before, rounds = -np.inf, -np.inf, 0
    G = met = p
    while rounds < MOST_ROUNDS:
        rounds += 1
        G = sparse.csr_array(B @ p)
        met = sparse.csr_array(A @ G)
        met.sort_indices()
        prior = np.asarray(p.sum(axis=0)) / max(int(judged.sum()), 1)
        log_prior = np.log(np.maximum(prior, SMALLEST))
        theta = _confusions_of(G, met, rows // n_labels)
        theta.data = np.log(np.maximum(theta.data, SMALLEST)) - floor
        scores = sparse.csr_array(B.T @ theta)
        p, log_likelihood = _probabilities(scores, votes, log_prior, floor)
        if abs(log_likelihood - before) <= TOLERANCE * abs(log_likelihood):
            break
        before = log_likelihood
    own = np.asarray(G[np.arange(len(rows)), rows % n_labels]).reshape(-1)
    right = np.bincount(rows // n_labels, weights=own, minlength=n_workers)
    accuracy = divide(right, np.asarray(met.sum(axis=1)).reshape(-1))
    method = (
        f"Dawid-Skene by EM from the vote shares, no smoothing, probabilities below 1e-40 left out; {stop_text(rounds)}"
    )
    return Consensus(np.where(judged[:, None], p.toarray(), np.nan), accuracy, log_likelihood, rounds, method)


def _probabilities(
    scores: sparse.csr_array, votes: Floats, log_prior: Floats, floor: float
) -> tuple[sparse.csr_array, float]:
    """[N, L] probabilities of the labels that have a score of their own, and the log likelihood of judged items."""
    of = np.repeat(np.arange(len(votes)), np.diff(scores.indptr))
    value = scores.data + log_prior[scores.indices]
    top = np.full(len(votes), -np.inf)
    np.maximum.at(top, of, value)
    weight = np.exp(value - top[of])
    total = np.bincount(of, weights=weight, minlength=len(votes))
    judged = votes > 0
    log_likelihood = float(np.sum((votes * floor + top + np.log(np.where(judged, total, 1.0)))[judged]))
    p = weight / total[of]
    stays = p >= NEGLIGIBLE
    probabilities = sparse.csr_array((p[stays], (of[stays], scores.indices[stays])), shape=scores.shape)
    return probabilities, log_likelihood


def _confusions_of(G: sparse.csr_array, met: sparse.csr_array, worker: Ints) -> sparse.csr_array:
    """[R, L] theta = G / met, met of each row's worker, in the places of G."""
    of = np.repeat(np.arange(G.shape[0]), np.diff(G.indptr))
    keys = met.shape[1] * np.repeat(np.arange(met.shape[0]), np.diff(met.indptr)) + met.indices
    place = np.searchsorted(keys, met.shape[1] * worker[of] + G.indices)
    return sparse.csr_array((G.data / met.data[place], G.indices, G.indptr), shape=G.shape)


def stop_text(rounds: int) -> str:
    """How EM came to its end, in words."""
    if rounds == MOST_ROUNDS:
        return f"stopped at the limit of {MOST_ROUNDS} rounds"
    return f"stopped after {rounds} rounds, when the log likelihood changed by less than {TOLERANCE:g} of itself"


def normalise_scores(scores: Floats, judged: npt.NDArray[np.bool_]) -> tuple[Floats, float]:
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
    flat_counts = np.stack([sum_by(key, p[votes.item, true], cells) for true in range(votes.n_labels)], axis=1)
    counts = flat_counts.reshape(votes.n_workers, votes.n_labels, votes.n_labels)
    met = counts.sum(axis=1)
    return met, np.nan_to_num(divide(counts, np.broadcast_to(met[:, None, :], counts.shape)))


# MACE: each worker knows a label or guesses in a way of their own, estimated by expectation-maximisation.

START = 0.5  # how often a worker knows, before anything is known of them


def mace(item: Ints, worker: Ints, label: Ints, n_items: int, n_labels: int) -> Consensus:
    """Hovy et al. (2013), the model without priors, by EM from one stated start instead of random ones.

    An item's label is uniform over the L. With probability c_w worker w gives it, else k with probability xi_wk:
    Pr(vote k | truth l) = c_w [k = l] + (1 - c_w) xi_wk. Start: c_w = 1/2, xi_wk the share of w's votes on k, smoothed
    by 0.01 / L as in the authors' release. Stops when the log likelihood changes by less than 1e-8 of itself, or after
    200 rounds. A worker's accuracy is c_w + (1 - c_w) sum_l xi_wl / L.
    """
    votes = Votes.of(item, worker, label, n_items, n_labels)
    judged = votes.judged
    knows = np.full(votes.n_workers, START)
    key = votes.worker.astype(np.int64) * n_labels + votes.label
    cell = votes.item.astype(np.int64) * n_labels + votes.label
    guesses = _shares(np.bincount(key, minlength=votes.n_workers * n_labels).astype(np.float64), votes)
    p, log_likelihood, before, rounds = votes.shares(), -np.inf, -np.inf, 0
    n_w = np.bincount(votes.worker, minlength=votes.n_workers)
    while rounds < MOST_ROUNDS:
        rounds += 1
        c, guess = knows[votes.worker], (1 - knows[votes.worker]) * guesses[votes.worker, votes.label]
        # log (1 - c) xi for every label, and what knowing adds for the label that was voted for
        log_guess, log_right = (np.log(np.maximum(likely, SMALLEST)) for likely in (guess, c + guess))
        guessed = sum_by(votes.item, log_guess, n_items)[:, None]
        scores = guessed + sum_by(cell, log_right - log_guess, n_items * n_labels).reshape(n_items, n_labels)
        scores -= np.log(n_labels)
        p, log_likelihood = normalise_scores(scores, judged)
        known = p[votes.item, votes.label] * divide(c, np.maximum(c + guess, SMALLEST))
        smoothing = 0.01 / n_labels
        knows = divide(sum_by(votes.worker, known, votes.n_workers) + smoothing, n_w + 2 * smoothing)
        guesses = _shares(sum_by(key, 1 - known, votes.n_workers * n_labels), votes)
        if abs(log_likelihood - before) <= TOLERANCE * abs(log_likelihood):
            break
        before = log_likelihood
    accuracy: Floats = np.where(n_w > 0, knows + (1 - knows) / n_labels, np.nan)
    method = f"MACE by EM from c = 1/2 and each worker's own shares; {stop_text(rounds)}"
    return Consensus(np.where(judged[:, None], p, np.nan), accuracy, log_likelihood, rounds, method)


def _shares(counts: Floats, votes: Votes) -> Floats:
    """[W, L] each worker's guesses as shares, smoothed."""
    table = counts.reshape(votes.n_workers, votes.n_labels) + 0.01 / votes.n_labels
    return np.asarray(table / table.sum(axis=1, keepdims=True))


# What stands beside the majority: the two models that weigh workers, for questions with one label an answer.

Models: TypeAlias = Mapping[str, Callable[[Ints, Ints, Ints, int, int], Consensus]]
MODELS: Models = dict(zip(ANNOTATOR_MODELS, (dawid_skene, mace), strict=True))


def consensus_of(
    models: Models, item: Ints, worker: Ints, answers: Answers, n_items: int, labels: Sequence[str]
) -> dict[str, Consensus]:
    """Each of the models by name, of kept judgments of target items; none where there is nothing to choose between, or
    where items have labels of their own, between which nobody can have one bias.

    What workers are called changes no digit: the models see them in an order that their answers decide.
    """
    if not models or len(labels) < 2 or not len(item) or has_own_labels(labels):
        return {}
    codes = np.asarray(answers)
    workers, number = _by_their_answers(item, worker, codes)
    order = np.lexsort((codes, number, item))
    results = {}
    for name, model in models.items():
        consensus = model(item[order], number[order], codes[order], n_items, len(labels))
        accuracy = np.full(int(worker.max()) + 1, np.nan)
        accuracy[workers] = consensus.accuracy
        results[name] = replace(consensus, accuracy=accuracy)
    return results


def _by_their_answers(item: Ints, worker: Ints, code: Ints) -> tuple[Ints, Ints]:
    """The workers in an order that their answers decide, and [J] each judgment's worker as a place in it.

    Each worker is marked by the sum, modulo 2^64, of a number for each of their answers. Workers with equal marks gave
    equal answers and may change places.
    """
    workers, dense = np.unique(worker, return_inverse=True)
    marks = np.zeros(len(workers), dtype=np.uint64)
    np.add.at(marks, dense, _mix_bits(_mix_bits(item.astype(np.uint64)) + code.astype(np.uint64)))
    order = np.argsort(marks, kind="stable")
    place = np.empty(len(workers), dtype=np.int64)
    place[order] = np.arange(len(workers))
    return workers[order], place[dense]


def _mix_bits(marks: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The bits of each number well mixed: the finaliser of SplitMix64 (Steele et al. 2014)."""
    marks = marks + np.uint64(0x9E3779B97F4A7C15)
    marks = (marks ^ (marks >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    marks = (marks ^ (marks >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return marks ^ (marks >> np.uint64(31))
