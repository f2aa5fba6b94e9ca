"""Worlds of which the truth is known: who judges what, by a label, a number, a step and a count, and what agreement is.

Items and workers are drawn anew for every study, so that the truth is what infinitely many of both would give.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

World = Literal["exchangeable", "crossed", "zipf", "missing", "skewed", "careless", "careless20", "heavy", "dominant"]
CALM: tuple[World, ...] = ("exchangeable", "crossed", "zipf", "missing", "skewed")
HARD: tuple[World, ...] = ("careless", "careless20", "heavy", "dominant")
WORLDS = (*CALM, *HARD)
OF_OTHER_SHARES: World = "skewed"  # of labels
MORE_CARELESS: World = "careless20"

SD_ITEM = 1.0
CONCENTRATION = 1.0  # exchangeable: an item's label probabilities are Dirichlet(c p), so that kappa is 1 / (1 + c)
SD_STEP = 0.7  # of the noise that puts an item on a step
CUTS = np.array([-1.5, -0.5, 0.5, 1.5])  # between the five steps, on the scale of the items
CUT_SPREAD = 0.35  # sd of a worker's log distance between steps
STEP_BIAS = 0.6  # of a worker's bias, how much moves the steps
FARTHEST = 3.0  # a careless worker answers anything from -3 to 3
JUDGMENTS_A_WORKER = 20  # zipf: the size of the pool, on average
MISSING = 0.4
OTHERS_DO = 10  # dominant: items of everybody else
COUNT_OF_ZERO, COUNT_PER_SD, FEWEST = 10, 3, 1  # a count, for alpha of ratios: a whole number of 1 or more

Codes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class People:
    """How workers of a world answer; each is drawn by itself."""

    shares: tuple[float, float, float] = (0.5, 0.3, 0.2)  # of the labels among the items
    knows: tuple[float, float] = (4.0, 2.0)  # knows an item's label with a probability from this beta, else guesses
    guesses: tuple[float, float, float] = (0.4, 0.3, 0.3)  # the mean of what workers guess
    own_guesses: float = 5.0  # each guesses by its own Dirichlet(c guesses)
    sd_worker: float = 0.5
    bias_df: float = np.inf  # of the t that biases are drawn from
    sd_residual: float = 0.8
    care: float = 0.4  # sd of a worker's log residual sd: some are careful, some are not
    careless: float = 0.0  # the share who answer anything at all


ORDINARY = People()
PEOPLE: dict[World, People] = {
    "exchangeable": replace(ORDINARY, sd_worker=0.0, care=0.0),
    "skewed": replace(
        ORDINARY, shares=(0.92, 0.06, 0.02), knows=(8.0, 2.0), guesses=(0.93, 0.05, 0.02), own_guesses=8.0
    ),
    "careless": replace(ORDINARY, careless=0.1),
    "careless20": replace(ORDINARY, careless=0.2),
    "heavy": replace(ORDINARY, knows=(1.2, 0.5), sd_worker=0.35, bias_df=2.5, care=0.8, careless=0.1),
}
SHARES = np.array(ORDINARY.shares)


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """One study: J judgments, each by a label, a number, one of five steps, and a count."""

    item: Codes
    worker: Codes
    label: Codes
    number: Floats
    step: Codes
    careless: int = 0  # workers who answer anything at all

    @property
    def count(self) -> Floats:
        return np.maximum(np.round(COUNT_OF_ZERO + COUNT_PER_SD * self.number), FEWEST)


def truth(world: World, answers: Literal["labels", "numbers"]) -> float:
    """What infinitely many items and workers would give.

    Labels: (Pr[two different workers agree on an item] - sum p_j^2) / (1 - sum p_j^2). Given an item's label T, workers
    are independent and say j with probability c / 3 + (1 - c) (E[r] [T = j] + (1 - E[r]) q_j), c the share of careless
    ones. Numbers: 1 - D_o / D_e, (1 - c)^2 var_item over the variance of all answers.
    """
    has = PEOPLE.get(world, ORDINARY)
    c = has.careless
    if answers == "numbers":
        bias = has.sd_worker**2 * (1.0 if np.isinf(has.bias_df) else has.bias_df / (has.bias_df - 2))
        residual = has.sd_residual**2 * float(np.exp(2 * has.care**2))  # E[sd_w^2] of a log-normal sd
        whole = (1 - c) * (SD_ITEM**2 + bias + residual) + c * FARTHEST**2 / 3
        return (1 - c) ** 2 * SD_ITEM**2 / whole
    if world == "exchangeable":
        return 1 / (1 + CONCENTRATION)
    shares, guesses, r = np.array(has.shares), np.array(has.guesses), has.knows[0] / sum(has.knows)
    says = c / len(shares) + (1 - c) * (r * np.eye(len(shares)) + (1 - r) * guesses)
    agree = float(shares @ np.sum(says**2, axis=1))
    by_chance = float(np.sum((shares @ says) ** 2))
    return (agree - by_chance) / (1 - by_chance)


def study(world: World, n: int, items: int, rng: np.random.Generator) -> Study:
    """A study of `items` items with `n` judgments each, fewer where some are missing."""
    item, worker = _who_judges_what(world, n, items, rng)
    workers, has = int(worker.max()) + 1, PEOPLE.get(world, ORDINARY)
    theta, shares = rng.normal(0, SD_ITEM, items)[item], np.array(has.shares)
    bias = has.sd_worker * (
        rng.normal(size=workers) if np.isinf(has.bias_df) else rng.standard_t(has.bias_df, size=workers)
    )
    sd = has.sd_residual * np.exp(has.care * rng.normal(size=workers))
    number = theta + bias[worker] + sd[worker] * rng.normal(size=len(item))
    if world == "exchangeable":
        label = _draw(rng.dirichlet(CONCENTRATION * shares, items)[item], rng)
        cuts = np.ones(workers)
    else:
        knows = rng.random(len(item)) < rng.beta(*has.knows, workers)[worker]
        guess = _draw(rng.dirichlet(has.own_guesses * np.array(has.guesses), workers)[worker], rng)
        label = np.where(knows, _draw(np.tile(shares, (items, 1)), rng)[item], guess)
        cuts = np.exp(CUT_SPREAD * rng.normal(size=workers))
    seen = theta + STEP_BIAS * bias[worker] + SD_STEP * rng.normal(size=len(item))
    step = np.sum(seen[:, None] > CUTS * cuts[worker][:, None], axis=1)
    careless = 0
    if has.careless:
        is_careless = rng.random(workers) < has.careless
        careless, anything = int(is_careless.sum()), is_careless[worker]
        number = np.where(anything, rng.uniform(-FARTHEST, FARTHEST, len(item)), number)
        label = np.where(anything, rng.integers(0, len(shares), len(item)), label)
        step = np.where(anything, rng.integers(0, len(CUTS) + 1, len(item)), step)
    return Study(item, worker, label, number, step, careless)


def _who_judges_what(world: World, n: int, items: int, rng: np.random.Generator) -> tuple[Codes, Codes]:
    item = np.repeat(np.arange(items), n)
    if world == "zipf":
        return item, _zipf(items, n, max(3 * n, items * n // JUDGMENTS_A_WORKER), rng)
    if world == "dominant":
        return item, _one_does_all(items, n, rng)
    worker = np.tile(np.arange(n), items)
    if world == "missing":
        there = rng.random(len(item)) >= MISSING
        return item[there], worker[there]
    return item, worker


def _zipf(items: int, n: int, workers: int, rng: np.random.Generator) -> Codes:
    """[items * n] for each item n different workers, drawn by activity 1 / rank (the n largest of Gumbel keys)."""
    activity = -np.log(np.arange(1, workers + 1))
    keys = activity + rng.gumbel(size=(items, workers))
    return np.asarray(np.argpartition(-keys, n - 1, axis=1)[:, :n].ravel(), dtype=np.int64)


def _one_does_all(items: int, n: int, rng: np.random.Generator) -> Codes:
    """[items * n] worker 0 on every item, and n - 1 of the others, who judge ten items each."""
    each = -(-items // OTHERS_DO)
    worker = np.zeros((items, n), dtype=np.int64)
    for place in range(1, n):
        worker[:, place] = 1 + (place - 1) * each + rng.permutation(items) // OTHERS_DO
    return worker.ravel()


def _draw(chances: Floats, rng: np.random.Generator) -> Codes:
    """[K] a label from each row of chances [K, L]."""
    beyond = rng.random(len(chances))[:, None] > np.cumsum(chances, axis=1)
    return np.asarray(np.minimum(beyond.sum(axis=1), chances.shape[1] - 1), dtype=np.int64)
