"""MACE: each worker knows a label or guesses in a way of their own, estimated by expectation-maximisation."""

import numpy as np

from agreement.gold.arrays import Floats, Ints, divide, sum_by
from agreement.gold.dawid_skene import MOST_ROUNDS, SMALLEST, TOLERANCE, Consensus, Votes, normalised, stopped

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
        p, log_likelihood = normalised(scores, judged)
        known = p[votes.item, votes.label] * divide(c, np.maximum(c + guess, SMALLEST))
        smoothing = 0.01 / n_labels
        knows = divide(sum_by(votes.worker, known, votes.n_workers) + smoothing, n_w + 2 * smoothing)
        guesses = _shares(sum_by(key, 1 - known, votes.n_workers * n_labels), votes)
        if abs(log_likelihood - before) <= TOLERANCE * abs(log_likelihood):
            break
        before = log_likelihood
    accuracy: Floats = np.where(n_w > 0, knows + (1 - knows) / n_labels, np.nan)
    how = f"MACE by EM from c = 1/2 and each worker's own shares; {stopped(rounds)}"
    return Consensus(np.where(judged[:, None], p, np.nan), accuracy, log_likelihood, rounds, how)


def _shares(counts: Floats, votes: Votes) -> Floats:
    """[W, L] each worker's guesses as shares, smoothed."""
    table = counts.reshape(votes.n_workers, votes.n_labels) + 0.01 / votes.n_labels
    return np.asarray(table / table.sum(axis=1, keepdims=True))
