"""Crowds of careful people and of people who are careless in a known way, drawn from a seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agreement.arrays import Floats, Ints
from agreement.screening.indices import Judged
from agreement.screening.with_others import Answers


@dataclass(frozen=True, slots=True)
class Design:
    """How many people judge how many of the items each."""

    workers: int = 40
    items: int = 60
    each: int = 40


def judged(item: Ints, value: Floats, labels: int = 0, scale: float | None = 100.0) -> Judged:
    """What is screened, from items and answers [W, each] in the order given."""
    workers, each = item.shape
    answers = Answers(
        worker=np.repeat(np.arange(workers), each),
        item=item.ravel(),
        n_workers=workers,
        n_items=int(item.max()) + 1,
        others=np.ones(workers, dtype=np.bool_),
    )
    code = np.unique(value.ravel(), return_inverse=True)[1]
    log_ms = np.full(value.size, np.nan)
    return Judged(answers, code, answers, value.ravel().astype(np.float64), labels, log_ms, None if labels else scale)


def items_for(design: Design, rng: np.random.Generator) -> Ints:
    """[W, each] which items each person judges, in an order of their own."""
    return np.array([rng.permutation(design.items)[: design.each] for _ in range(design.workers)])


def numbers(design: Design, rng: np.random.Generator, *, world: str = "alike") -> tuple[Ints, Floats]:
    """Careful people's answers from 0 to 100.

    "alike": they err alike. "unlike": each has a share of the scale and noise of their own. "tastes": one in seven
    follows another truth, which has a third of its variance in common with that of the others.
    """
    item = items_for(design, rng)
    truth = rng.uniform(5, 95, design.items)
    W = design.workers
    noise, slope, shift = np.full(W, 14.0), np.ones(W), np.zeros(W)
    seen = truth[item]
    if world != "alike":
        noise = 14 * np.exp(0.5 * rng.normal(size=W))
        slope, shift = rng.uniform(0.3, 1.1, W), rng.normal(0, 12, W)
    if world == "tastes":
        other = 50 + np.sqrt(1 / 3) * (truth - 50) + np.sqrt(2 / 3) * (rng.uniform(5, 95, design.items) - 50)
        seen = np.where((np.arange(W) % 7 == 3)[:, None], other[item], seen)
    answers = 50 + slope[:, None] * (seen - 50) + shift[:, None]
    answers = answers + (noise * slope)[:, None] * rng.normal(size=item.shape)
    return item, np.clip(np.rint(answers), 0, 100)


def careless_numbers(kind: str, answers: Floats, rng: np.random.Generator) -> Floats:
    """The answers of one careful person [each], given carelessly."""
    n = len(answers)
    place, anywhere = np.arange(n), np.rint(rng.uniform(0, 100, n))
    ways: dict[str, Floats] = {
        "random": anywhere,
        "middle": np.full(n, 50.0),
        "constant": np.full(n, 70.0),
        "alternating": np.where(place % 2, 80.0, 20.0) + np.rint(rng.normal(0, 2, n)),
        "pattern": np.array([10.0, 50.0, 90.0])[place % 3],
        "reversed": 100 - answers,
        "half random": np.where(place < n // 2, answers, anywhere),
    }
    return ways[kind]


def labels(design: Design, rng: np.random.Generator, n_labels: int, *, world: str = "alike") -> tuple[Ints, Ints, Ints]:
    """Careful people's labels, and the true ones [items]. "unlike": from hardly better than half right to nearly
    always, and each errs to a label of their own. "rare": 3 % of the items have the last label. "tastes": one in seven
    has another truth on two fifths of the items.
    """
    item = items_for(design, rng)
    prior = np.full(n_labels, 1 / n_labels)
    if world == "rare":
        prior = np.array([*np.full(n_labels - 1, 0.97 / (n_labels - 1)), 0.03])
    truth = rng.choice(n_labels, design.items, p=prior)
    W = design.workers
    right = rng.beta(20, 4, W) if world != "unlike" else rng.beta(6, 2, W)
    habit = rng.dirichlet(np.full(n_labels, 1.0), W) if world == "unlike" else np.tile(prior, (W, 1))
    seen = truth[item]
    if world == "tastes":
        other = np.where(rng.random(design.items) < 0.4, rng.choice(n_labels, design.items), truth)
        seen = np.where((np.arange(W) % 7 == 3)[:, None], other[item], seen)
    errs = rng.random(item.shape) > right[:, None]
    guesses = (rng.random((*item.shape, 1)) > np.cumsum(habit, axis=1)[:, None, :]).sum(axis=2)
    return item, np.where(errs, np.minimum(guesses, n_labels - 1), seen), truth


def careless_labels(kind: str, answers: Ints, truth: Ints, n_labels: int, rng: np.random.Generator) -> Ints:
    """The labels of one careful person [each], given carelessly; `truth` [each] of their items."""
    n = len(answers)
    match kind:
        case "random":
            return rng.integers(0, n_labels, n)
        case "constant":
            return np.full(n, rng.integers(0, n_labels))
        case "pattern":
            return np.arange(n) % n_labels
        case "wrong":
            return (truth + rng.integers(1, n_labels, n)) % n_labels
        case "half random":
            return np.where(np.arange(n) < n // 2, answers, rng.integers(0, n_labels, n))
    raise KeyError(kind)
