"""How many careful workers the checks exclude, at an assumed chance of a slip, and how many careless ones they miss."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from ..estimation.estimate import Undefined
from ..files.cell_texts import split_bars
from ..judgments.crowd import Crowd
from ..kinds.registry import KINDS
from ..kinds.statistics import statistics_of
from .cleaning_run import Cleaning
from .rules.check import Check, answered, looked_at

Counts = npt.NDArray[np.int64]
Chances = npt.NDArray[np.float64]
POSITIONS = 101  # a slider of 0-100 stops at whole numbers


@dataclass(frozen=True, slots=True)
class CheckCost:
    """Shares of the workers who answered a check. `slip` and `correlation` are assumptions, not estimates."""

    slip: float
    correlation: float
    honest_lost: float
    uniform_clickers_kept: float


def chance_of_more(k: Sequence[Counts], p: Sequence[float], tolerated: int, correlation: float = 0.0) -> Chances:
    """[W] Pr[sum_c Binomial(k_c, p_c) > T]: the chance that a worker slips on more checks than are tolerated.

    `k` holds a [W] array a type of check. With `correlation` > 0 a worker's slips of one type go together:
    beta-binomial with that correlation between any two of them.

    >>> chance_of_more([np.array([2])], [0.05], 0).round(4).tolist()
    [0.0975]
    """
    most = tolerated + 1
    at_most = np.zeros((len(k[0]), most))
    at_most[:, 0] = 1.0
    for k_c, p_c in zip(k, p, strict=True):
        slips = np.stack([_pmf(s, k_c, p_c, correlation) for s in range(most)], axis=1)
        folded = np.zeros_like(at_most)
        for total in range(most):
            folded[:, total] = sum(at_most[:, total - s] * slips[:, s] for s in range(total + 1))
        at_most = folded
    return np.asarray(np.clip(1.0 - at_most.sum(axis=1), 0.0, 1.0))


def _pmf(slips: int, k: Counts, p: float, correlation: float) -> Chances:
    from scipy import stats  # which takes half a second to import, and most crowds have no checks

    if correlation > 0 and 0 < p < 1:
        spread = (1 - correlation) / correlation
        return np.asarray(stats.betabinom.pmf(slips, k, p * spread, (1 - p) * spread))
    return np.asarray(stats.binom.pmf(slips, k, p))


def check_cost(cleaning: Cleaning, *, slip: float, correlation: float = 0.0) -> CheckCost | None:
    """What the rule set's checks do to careful workers and to uniform clickers, over the workers' actual checks.

    Each rule tolerates its own failures, so a worker stays who passes them all; with none tolerated that is
    Pr[sum Binomial(k_c, p_c) > 0]. None where nobody answered a check.
    """
    crowd, checked = cleaning.crowd, (cleaning.checks > 0) & (cleaning.checks >= cleaning.rules.minimum_checks)
    if not checked.any() or not cleaning.rules.checks:
        return None
    honest_stay, clicker_stays = np.ones(int(checked.sum())), np.ones(int(checked.sum()))
    for rule in cleaning.rules.checks:
        k = np.bincount(crowd.worker[answered(crowd, rule)], minlength=crowd.n_workers)[checked]
        honest_stay *= 1 - chance_of_more([k], [slip], rule.tolerated, correlation)
        clicker_stays *= 1 - chance_of_more([k], [1 - uniform_pass(crowd, rule)], rule.tolerated)
    return CheckCost(slip, correlation, float(1 - honest_stay.mean()), float(clicker_stays.mean()))


def clicker_passes(crowd: Crowd, rule: Check) -> float | Undefined:
    """`uniform_pass` for the report; undefined in words where the rule's bounds are numbers and the answers labels."""
    if not KINDS[crowd.kind].has_scale and not (rule.uses_own_bounds or rule.expected):
        return Undefined(f"the rule has numeric bounds, and answers of kind {crowd.kind} are no numbers")
    return uniform_pass(crowd, rule)


def uniform_pass(crowd: Crowd, rule: Check) -> float:
    """The chance that someone who clicks anywhere passes one check: on 0-100, 61/101 at most 60, 11/101 at least 90.

    For a rule that leaves bounds to the items, the mean over its items. Of a `choices` question the clicker picks any
    set that isn't empty; properties and texts are never hit by chance.
    """
    if not rule.uses_own_bounds:
        return _passes(crowd, rule.min, rule.max, rule.expected or "")
    own = crowd.items[looked_at(crowd, rule)]
    chances = [_passes(crowd, row["min"], row["max"], str(row["expected"])) for _, row in own.iterrows()]
    return float(np.mean(chances)) if chances else 1.0


def _passes(crowd: Crowd, low: Decimal | None, high: Decimal | None, expected: str) -> float:
    wanted = len([part for part in split_bars(expected) if part])
    return statistics_of(crowd.kind).chance_to_pass(low, high, wanted, len(crowd.labels))


# Before anybody has answered: what the check items of a study would do to a random clicker and to a careful person.

SLIP = 0.01  # assumed: a careful person answers one check in a hundred by mistake
SPREAD = 3.0  # assumed: and stops a slider this far from the end that is right, on average, in per cent of the scale


def slips_by_bounds(low: float | None, high: float | None, *, slip: float = SLIP, spread: float = SPREAD) -> float:
    """The chance that a careful person breaks a check's bounds: s + (1 - s) e^(-t / m).

    s is the chance of a mistake, m the mean distance between answer and right answer, exponentially distributed, and t
    the room that the bounds leave: from the end of the scale that they hold to the other bound, or half of what is
    between two inner bounds (then to both sides). Labels leave no room and have no distance: s alone.

    >>> [round(slips_by_bounds(*bounds), 3) for bounds in ((None, 60), (90, None), (40, 60), (None, None))]
    [0.01, 0.045, 0.045, 0.01]
    """
    least, most = low if low is not None else 0.0, high if high is not None else 100.0
    if least <= 0 and most >= 100:
        return slip
    room = most if least <= 0 else 100 - least if most >= 100 else (most - least) / 2
    return slip + (1 - slip) * math.exp(-room / spread)


def passes_by_chance(kind: str, low: float | None, high: float | None, wanted: int, n_labels: int) -> float:
    """The chance that one click anywhere passes one check item."""
    bounds = [None if bound is None else Decimal(str(bound)) for bound in (low, high)]
    return statistics_of(kind).chance_to_pass(bounds[0], bounds[1], wanted, n_labels)


def all_of(chances: Sequence[tuple[float, int]]) -> float:
    """The chance that independent events all happen: the product of p_c^(k_c) over the checks' types.

    >>> round(all_of([(0.6, 2), (0.1, 2)]), 4)
    0.0036
    """
    return math.prod(chance**count for chance, count in chances)


# The chance of one click anywhere, by the type of the answers: bounds in per cent, and how many of the labels will do.


def number_by_chance(low: Decimal | None, high: Decimal | None, *_: int) -> float:
    """Every position of a slider alike."""
    least, most = low if low is not None else Decimal(0), high if high is not None else Decimal(100)
    return sum(least <= position <= most for position in range(POSITIONS)) / POSITIONS


def numbers_by_chance(low: Decimal | None, high: Decimal | None, wanted: int, n_labels: int) -> float:
    """Every position of each label's slider alike; with labels wanted, one of them has to be the furthest."""
    within = number_by_chance(low, high)
    return float(within**n_labels if not wanted else within**wanted * wanted / n_labels)


def label_by_chance(_low: Decimal | None, _high: Decimal | None, wanted: int, n_labels: int) -> float:
    return wanted / n_labels


def set_by_chance(_low: Decimal | None, _high: Decimal | None, _wanted: int, n_labels: int) -> float:
    """Every set that isn't empty alike."""
    return float(1 / (2**n_labels - 1))


def words_by_chance(*_: Decimal | int | None) -> float:
    """Properties and texts are never hit."""
    return 0.0
