"""What people's answers say of the distribution behind them, and how well any model could do against so few of them.

The n_i answers to item i are draws from a distribution q_i over L labels, and the q_i are draws from a Dirichlet
distribution with mean p (the mean shares) and sum c. Two people then agree by (1 + sum p^2 c) / (1 + c) on average, so
that Fleiss' kappa is 1 / (1 + c) and c = 1 / kappa - 1. Given its counts, q_i is Dirichlet(n_ik + c p_k). Workers are
taken as alike: how one differs from another isn't in it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from ..arrays import Bools, Floats, divide

LEAST, MOST = 0.02, 1e4  # of c
CELLS, FEWEST_DRAWS, MOST_DRAWS = 20_000_000, 40, 400  # random numbers up to which more draws of an item are made
STUDIES = (500_000, 40, 200)  # the same of whole studies
MOST_ITEMS = 4_000  # of a simulated study; of more, a random part, and the range is narrowed to what all have
AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """Counts [N, L] of items with two answers or more, the mean shares p [L], and c."""

    counts: Floats
    p: Floats
    c: float

    @property
    def prior(self) -> Floats:
        """[L] c p, a little above 0 for labels that nobody gave."""
        return np.maximum(self.c * self.p, 1e-6)

    @property
    def draws(self) -> int:
        """How many times an item's distribution is drawn."""
        return int(np.clip(CELLS // max(self.counts.size, 1), FEWEST_DRAWS, MOST_DRAWS))

    def part(self, rng: np.random.Generator) -> Floats:
        """The counts of 4,000 items at most, in an order that ids don't decide."""
        counts = self.counts[np.lexsort(self.counts.T)]
        if len(counts) <= MOST_ITEMS:
            return counts
        return counts[np.sort(rng.choice(len(counts), MOST_ITEMS, replace=False))]


def people_of_counts(counts: Floats) -> People:
    """With c from Fleiss' kappa of the items that have two answers or more."""
    counts = counts[counts.sum(axis=1) >= 2]
    n = counts.sum(axis=1)
    p = (counts / n[:, None]).mean(axis=0)
    P = float(np.mean(np.sum(counts * (counts - 1), axis=1) / (n * (n - 1))))
    P_e = float(np.sum(p * p))
    kappa = (P - P_e) / (1 - P_e) if P_e < 1 else 1.0
    c = MOST if kappa <= 1 / (1 + MOST) else 1 / kappa - 1
    return People(counts, p, float(np.clip(c, LEAST, MOST)))


def _dirichlet(rng: np.random.Generator, alpha: Floats) -> Floats:
    """[..., L] draws, one for each row of alpha."""
    drawn = np.maximum(rng.standard_gamma(alpha), 1e-300)
    return np.asarray(drawn / drawn.sum(axis=-1, keepdims=True))


def _multinomial(rng: np.random.Generator, n: Floats, q: Floats) -> Floats:
    """[N, L] shares of n_i draws from each q_i."""
    return rng.multinomial(n.astype(np.int64), q) / n[:, None]


# What the best conceivable model reaches: one that knows every q_i, held against as many answers as there are.

Score = Callable[[Floats, Floats], float]


@dataclass(frozen=True, slots=True)
class MeanOverDraws:
    """The mean of a score over draws, and the range that 95 % of the draws lie in; NaN where it is infinite."""

    mean: float
    low: float
    high: float


def reachable_scores(
    people: People, n: int | None, scores: Sequence[Score], rng: np.random.Generator, *, other_people: int | None = None
) -> list[MeanOverDraws]:
    """By each score: the true distributions against the shares of n answers per item (None: as many as were given).

    With `other_people` the shares of so many other people stand in the place of the true distributions.
    """
    counts = people.part(rng)
    sizes = counts.sum(axis=1) if n is None else np.full(len(counts), float(n))
    others = None if other_people is None else np.full(len(counts), float(other_people))
    alpha = counts + people.prior
    cells, fewest, most = STUDIES
    results = []
    for _ in range(int(np.clip(cells // max(counts.size, 1), fewest, most))):
        q = _dirichlet(rng, alpha)
        model = q if others is None else _multinomial(rng, others, q)
        shares = _multinomial(rng, sizes, q)
        results.append([score(model, shares) for score in scores])
    table = np.array(results)
    narrower = float(np.sqrt(len(counts) / len(people.counts)))
    return [_mean_over_draws(column, narrower) for column in table.T]


def _mean_over_draws(column: Floats, narrower: float) -> MeanOverDraws:
    if not np.isfinite(column).all():
        return MeanOverDraws(float("nan"), float("nan"), float("nan"))
    mean = float(column.mean())
    low, high = (mean + narrower * (end - mean) for end in np.quantile(column, [0.025, 0.975]).tolist())
    return MeanOverDraws(mean, low, high)


# Item by item: how far two new people would agree on it, and whether its majority is the commonest label.


@dataclass(frozen=True, slots=True, eq=False)
class OfItems:
    """[N] the observed P_i, the posterior mean of sum_k q_ik^2 with 95 % limits, and Pr(majority is the commonest)."""

    observed: Floats
    agreement: Floats
    low: Floats
    high: Floats
    majority_holds: Floats


def expected_agreement(people: People) -> Floats:
    """[N] the posterior mean of sum_k q_ik^2: the chance that two new people agree."""
    alpha = people.counts + people.prior
    a_0 = alpha.sum(axis=1)
    return np.asarray(np.sum(alpha * (alpha + 1), axis=1) / (a_0 * (a_0 + 1)))


def agreement_of_items(people: People, rng: np.random.Generator) -> OfItems:
    """Of each item with two answers or more; where labels tie for the majority, that any of them is the commonest.

    Items with the same counts have the same limits: distinct counts are drawn for, in their own order.
    """
    counts, item = np.unique(people.counts, axis=0, return_inverse=True)
    people = replace(people, counts=counts)
    n = counts.sum(axis=1)
    observed = divide(np.sum(counts * (counts - 1), axis=1), n * (n - 1))
    leads = counts == counts.max(axis=1, keepdims=True)
    parts = [_posterior(people, rows, leads[rows], rng) for rows in _portions(counts, people.draws)]
    figures = (observed, expected_agreement(people), *(np.concatenate(each) for each in zip(*parts, strict=True)))
    return OfItems(*(of_counts[item.reshape(-1)] for of_counts in figures))


def _portions(counts: Floats, draws: int) -> Iterator[slice]:
    step = max(AT_ONCE // (counts.shape[1] * draws), 1)
    yield from (slice(start, start + step) for start in range(0, len(counts), step))


def _posterior(people: People, rows: slice, leads: Bools, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    alpha = people.counts[rows] + people.prior
    q = _dirichlet(rng, np.broadcast_to(alpha, (people.draws, *alpha.shape)))
    squares = np.sum(q * q, axis=-1)
    low, high = np.quantile(squares, [0.025, 0.975], axis=0)
    top = np.take_along_axis(np.broadcast_to(leads, q.shape), np.argmax(q, axis=-1)[..., None], axis=-1)[..., 0]
    return low, high, top.mean(axis=0)


# Whether the label with most judgments is the commonest, without random numbers.

NODES = 24
MOST_COLUMNS = 20  # labels of an item that can matter; the others have few answers if any


def leader_is_commonest(alpha: Floats, leads: Bools) -> Floats:
    """[N] the chance that one of the labels that lead has the largest part of q, Dirichlet with `alpha` [N, L].

    Parts of a Dirichlet are gammas over their sum: of one label it is the mean, over its gamma, of the chance that all
    others' lie below.

    >>> leader_is_commonest(np.array([[4.0, 1.0], [2.0, 2.0]]), np.array([[True, False], [True, True]])).round(4)
    array([0.9376, 1.    ])
    """
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    u, weights = (nodes + 1) / 2, weights / 2
    chances = np.zeros(len(alpha))
    for label in range(alpha.shape[1]):
        rows = np.flatnonzero(leads[:, label])
        if not len(rows):
            continue
        own = alpha[rows]
        x = special.gammaincinv(own[:, label, None], u)
        below = np.ones((len(rows), NODES))
        for other in range(alpha.shape[1]):
            if other != label:
                below *= special.gammainc(own[:, other, None], x)
        chances[rows] += below @ weights
    return np.minimum(chances, 1.0)


def with_most_answers(counts: Floats, prior: Floats) -> tuple[Floats, Floats]:
    """Counts [N, L] and prior [L] of few labels as they are; of many the 20 with most answers in each row, in a prior
    that is alike for all.
    """
    if counts.shape[1] <= MOST_COLUMNS:
        return counts, prior
    return -np.sort(-counts, axis=1)[:, :MOST_COLUMNS], np.full(MOST_COLUMNS, prior.sum() / len(prior))
