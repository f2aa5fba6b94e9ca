"""Three worlds of which the truth is known: who judges what, by a label and by a number, and what agreement is.

Items and workers are drawn anew for every study, so that the truth is what infinitely many of both would give.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

World = Literal["exchangeable", "crossed", "zipf"]
WORLDS: tuple[World, ...] = ("exchangeable", "crossed", "zipf")

SHARES = np.array([0.5, 0.3, 0.2])  # p_j, of labels in the world
CONCENTRATION = 1.0  # exchangeable: an item's label probabilities are Dirichlet(c p), so that kappa is 1 / (1 + c)
KNOWS = (4.0, 2.0)  # a worker knows an item's label with probability r ~ Beta(4, 2), else guesses
GUESSES = np.array([0.4, 0.3, 0.3])  # the mean of what workers guess; each guesses by Dirichlet(5 q) of its own
GUESS_CONCENTRATION = 5.0
SD_ITEM, SD_WORKER, SD_RESIDUAL = 1.0, 0.5, 0.8
CARE = 0.4  # sd of a worker's log residual sd: some are careful, some are not
JUDGMENTS_A_WORKER = 20  # zipf: the size of the pool, on average

Codes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """One study: J judgments, each by a label and by a number."""

    item: Codes
    worker: Codes
    label: Codes
    number: Floats


def truth(world: World, answers: Literal["labels", "numbers"]) -> float:
    """What infinitely many items and workers would give.

    Labels: (Pr[two different workers agree on an item] - sum p_j^2) / (1 - sum p_j^2). Given an item's label T, workers
    are independent and say j with probability E[r] [T = j] + (1 - E[r]) q_j. Numbers: the share of the items' variance.
    """
    if answers == "numbers":
        if world == "exchangeable":
            return SD_ITEM**2 / (SD_ITEM**2 + SD_RESIDUAL**2)
        residual = SD_RESIDUAL**2 * float(np.exp(2 * CARE**2))  # E[sd_w^2] of a log-normal sd
        return SD_ITEM**2 / (SD_ITEM**2 + SD_WORKER**2 + residual)
    if world == "exchangeable":
        return 1 / (1 + CONCENTRATION)
    r = KNOWS[0] / sum(KNOWS)
    says = r * np.eye(len(SHARES)) + (1 - r) * GUESSES
    agree = float(SHARES @ np.sum(says**2, axis=1))
    by_chance = float(np.sum((SHARES @ says) ** 2))
    return (agree - by_chance) / (1 - by_chance)


def study(world: World, n: int, items: int, rng: np.random.Generator) -> Study:
    """A study of `items` items with `n` judgments each."""
    item = np.repeat(np.arange(items), n)
    workers = n if world != "zipf" else max(3 * n, items * n // JUDGMENTS_A_WORKER)
    worker = np.tile(np.arange(n), items) if world != "zipf" else _zipf(items, n, workers, rng)
    if world == "exchangeable":
        chances = rng.dirichlet(CONCENTRATION * SHARES, items)[item]
        number = rng.normal(0, SD_ITEM, items)[item] + rng.normal(0, SD_RESIDUAL, len(item))
        return Study(item, worker, _draw(chances, rng), number)
    knows = rng.random(len(item)) < rng.beta(*KNOWS, workers)[worker]
    true_label = _draw(np.tile(SHARES, (items, 1)), rng)[item]
    guess = _draw(rng.dirichlet(GUESS_CONCENTRATION * GUESSES, workers)[worker], rng)
    sd = SD_RESIDUAL * np.exp(CARE * rng.normal(size=workers))
    number = (
        rng.normal(0, SD_ITEM, items)[item]
        + rng.normal(0, SD_WORKER, workers)[worker]
        + sd[worker] * rng.normal(size=len(item))
    )
    return Study(item, worker, np.where(knows, true_label, guess), number)


def _zipf(items: int, n: int, workers: int, rng: np.random.Generator) -> Codes:
    """[items * n] for each item n different workers, drawn by activity 1 / rank (the n largest of Gumbel keys)."""
    activity = -np.log(np.arange(1, workers + 1))
    keys = activity + rng.gumbel(size=(items, workers))
    return np.asarray(np.argpartition(-keys, n - 1, axis=1)[:, :n].ravel(), dtype=np.int64)


def _draw(chances: Floats, rng: np.random.Generator) -> Codes:
    """[K] a label from each row of chances [K, L]."""
    beyond = rng.random(len(chances))[:, None] > np.cumsum(chances, axis=1)
    return np.asarray(np.minimum(beyond.sum(axis=1), chances.shape[1] - 1), dtype=np.int64)
