"""How finely the alternative annotator test of a planned study decides (`agreement/scoring/alternative_annotator.py`).

The model is taken to answer as one more person would. Then the mean of d, the annotator's win less the model's, is 0,
and its variance is the share of items on which the two don't tie: which share that is depends on how many others they
are held against, and is counted in the judgments that there are.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
from scipy import special

from ..arrays import Floats, Ints
from ..scoring.alternative_annotator import LEAST_ITEMS, POWER, level_for_half

MOST_ITEMS, DRAWS = 2_000, 40  # of items, and of people drawn from each
MOST_OTHERS = 20


def shares_of_ties(item: Ints, answer: Floats, *, is_label: bool, seed: int = 1) -> tuple[float, ...]:
    """How often two people of an item do equally well against 1, 2, 3, ... others of it, as far as there are so many.

    Well is how many of the others said the same label, or how small the root mean square distance to them is.

    >>> item = np.repeat(np.arange(50), 3)
    >>> shares_of_ties(item, np.tile([0.0, 0.0, 1.0], 50), is_label=True)[0].__round__(1)
    0.3
    """
    rng = np.random.default_rng(seed)
    _, code, n = np.unique(item, return_inverse=True, return_counts=True)
    enough = np.flatnonzero(n >= 3)  # two and one other
    if not len(enough):
        return ()
    chosen = rng.choice(enough, size=min(len(enough), MOST_ITEMS), replace=False)
    here = np.isin(code, chosen)
    code, answer = np.unique(code[here], return_inverse=True)[1], answer[here]
    n = np.bincount(code)
    start = np.cumsum(n) - n
    most = min(int(n.max()), MOST_OTHERS + 2)
    ties, seen = np.zeros(most - 2), np.zeros(most - 2)
    for _ in range(DRAWS):
        order = np.lexsort((rng.random(len(code)), code))
        place = np.arange(len(code)) - start[code[order]]
        table = np.full((len(n), most), np.nan)
        kept = place < most
        table[code[order][kept], place[kept]] = answer[order][kept]
        tied, there = _tied(table, is_label=is_label)
        ties, seen = ties + tied.sum(axis=0), seen + there.sum(axis=0)
    return tuple((ties / seen).tolist())


def _tied(table: Floats, *, is_label: bool) -> tuple[Floats, Floats]:
    """[N, R] whether the first two of a row [N, 2 + R] tie against the first r others, and whether there are r."""
    first, second, others = table[:, :1], table[:, 1:2], table[:, 2:]
    there = np.isfinite(others)
    if is_label:
        gap = np.cumsum((others == first).astype(np.float64) - (others == second), axis=1)
        return np.where(there, gap == 0, 0.0), there.astype(np.float64)
    r = np.arange(1, others.shape[1] + 1)
    gap = (first - second) * (r * (first + second) - 2 * np.cumsum(np.nan_to_num(others), axis=1))
    size = np.nanmax(np.abs(table)) or 1.0
    return np.where(there, np.abs(gap) <= 1e-9 * r * size**2, 0.0), there.astype(np.float64)


def least_epsilon(ties: tuple[float, ...], judgments_per_item: int, annotators: int, items: int) -> float:
    """The least epsilon at which the test lets the model replace half of the annotators, each with power .8.

    epsilon = (z_level + z_.8) sqrt(1 - tie) / sqrt(n - z_level^2 / 2) of n items per annotator, which is
    `items_needed` turned round; infinite below 30 items, of which there is no test.

    >>> round(least_epsilon((0.4, 0.5), 3, 8, 200), 3)
    0.161
    """
    if items < LEAST_ITEMS:
        return inf
    share = ties[min(judgments_per_item - 1, len(ties)) - 1]
    z_level, z_power = (float(special.ndtri(part)) for part in (1 - level_for_half(annotators), POWER))
    return (z_level + z_power) * sqrt(1 - share) / sqrt(max(items - z_level**2 / 2, 1.0))


def items_for(ties: tuple[float, ...], judgments_per_item: int, annotators: int, epsilon: float) -> int:
    """The items per annotator with which that epsilon is reached."""
    one = least_epsilon(ties, judgments_per_item, annotators, LEAST_ITEMS)
    z_level = float(special.ndtri(1 - level_for_half(annotators)))
    needed = (one / epsilon) ** 2 * max(LEAST_ITEMS - z_level**2 / 2, 1.0) + z_level**2 / 2
    return max(int(np.ceil(needed)), LEAST_ITEMS)
