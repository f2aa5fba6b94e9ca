"""Whether a model may replace an annotator: the alternative annotator test of Calderon, Reichart and Dror (2025).

Annotator w is left out. On each of w's items the others' answers are what both are held against:

    S(x, i, w) = mean over the others u of [x = x_iu] (labels), or -sqrt(mean (x - x_iu)^2) (numbers).

The model wins where S(model) >= S(w), w wins where S(w) >= S(model), so that a tie is a win for both; d_iw is w's win
less the model's. Advantage probability of w: the share of items that the model wins. Replacing w is justified where
the mean of d_iw is below epsilon, by a one-sided t test over items, at .05 after Benjamini and Yekutieli (2001) over
annotators. The winning rate is the share of annotators whom the test lets the model replace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt

import numpy as np
import numpy.typing as npt
from scipy import special

from ..arrays import Bools, Floats, Ints, on_grid, sum_by
from ..estimation.estimate import Estimate
from ..estimation.intervals import SHARE
from ..estimation.two_way_jackknife import grouped_estimate, leave_groups_out

LEAST_ITEMS = 30
STILL_ENOUGH = 15  # items of an annotator where something is left out
Q = 0.05
EPSILON = 0.1
POWER = 0.8
PASS = 0.5  # of the annotators
FEWEST = 3  # annotators, without those near chance: of fewer there is no verdict


@dataclass(frozen=True, slots=True, eq=False)
class Annotators:
    """Judgments [J] of one type: label codes, or numbers. `n_labels` is 0 for numbers."""

    item: Ints
    worker: Ints
    answer: Floats
    n_items: int
    n_labels: int = 0

    def without(self, who: npt.NDArray[np.intp]) -> Annotators:
        """The judgments of the others."""
        stays = ~np.isin(self.worker, who)
        return replace(self, item=self.item[stays], worker=self.worker[stays], answer=self.answer[stays])


@dataclass(frozen=True, slots=True)
class OfAnnotator:
    """One annotator, by the caller's code, against one model."""

    worker: int
    items: int
    advantage: float
    loss: float  # the mean of d_iw
    p: float
    is_won: bool
    items_needed: float | None  # for power .8 at the level that half of the annotators need; None: no number would do


@dataclass(frozen=True, slots=True)
class AltTest:
    """`advantage` has the mean over annotators with its two-way interval."""

    winning_rate: float
    advantage: Estimate
    annotators: tuple[OfAnnotator, ...]

    @property
    def items_needed(self) -> float | None:
        """Items per annotator at which at least half would be won, each with power .8; None: no number would do."""
        needed = sorted(np.inf if each.items_needed is None else each.items_needed for each in self.annotators)
        middle = needed[(len(needed) + 1) // 2 - 1]
        return None if np.isinf(middle) else float(middle)


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """What every deletion needs of people and of K models, made once.

    Of labels `models` has [K] arrays [N, L] of shares of 1 over the labels that a model names; of numbers x [J] and m
    [K] arrays [J], the model's number at each judgment, in steps that add up exactly.
    """

    people: Annotators
    covered: Sequence[Bools]  # [K] of [J]
    models: Sequence[Floats]
    x: Floats

    @classmethod
    def of(cls, people: Annotators, outputs: Sequence[Floats]) -> Contest:
        """`outputs` are [N] numbers, or [N, L + k] shares, NaN where a model has no answer."""
        covered = [np.asarray(np.isfinite(each).reshape(len(each), -1).all(axis=1))[people.item] for each in outputs]
        if people.n_labels:
            models = [np.nan_to_num(each[:, : people.n_labels]) for each in outputs]
            return cls(people, covered, models, people.answer)
        together, _ = on_grid(np.concatenate([people.answer, *map(np.nan_to_num, outputs)]))
        x, N = together[: len(people.item)], people.n_items
        starts = [len(people.item) + at * N for at in range(len(outputs))]
        return cls(people, covered, [together[start : start + N][people.item] for start in starts], x)

    def wins(self, keep: Bools | None = None) -> Iterator[tuple[Bools, Bools, Bools]]:
        """By model: [J] whether it wins, whether the annotator does, and whether the judgment counts.

        A judgment counts where another annotator judged its item and the model has an answer. Of numbers the model is
        as close to the others' answers as the annotator where (m - x) (n (m + x) - 2 S) <= 0, S the sum of the n.
        """
        people = self.people
        item = people.item
        weight = np.ones(len(item)) if keep is None else keep.astype(np.float64)
        n = sum_by(item, weight, people.n_items)[item] - weight
        seen = (n > 0) if keep is None else keep & (n > 0)
        if people.n_labels:
            key = item.astype(np.int64) * people.n_labels + self.x.astype(np.int64)
            table = np.bincount(key, weights=weight, minlength=people.n_items * people.n_labels)
            own = table[key] - weight
            for covered, model in zip(self.covered, self.models, strict=True):
                hits = np.sum(table.reshape(-1, people.n_labels) * model, axis=1)
                gap = np.round(hits[item] - weight * model.reshape(-1)[key], 9) - own
                yield gap >= 0, gap <= 0, seen & covered
            return
        twice = 2 * (sum_by(item, weight * self.x, people.n_items)[item] - weight * self.x)
        for covered, m in zip(self.covered, self.models, strict=True):
            gap = (m - self.x) * (n * (m + self.x) - twice)
            yield gap <= 0, gap >= 0, seen & covered


def alternative_annotator_tests(
    people: Annotators,
    outputs: Sequence[Floats],
    *,
    epsilon: float = EPSILON,
    rng: np.random.Generator,
    least_items: int = LEAST_ITEMS,
    processes: int | None = None,
) -> list[AltTest | None]:
    """The test of each model; None where no annotator has `least_items` items that count."""
    W = int(people.worker.max(initial=-1)) + 1
    contest = Contest.of(people, outputs)
    whole = list(contest.wins())
    sizes = [sum_by(people.worker, counts, W) for _, _, counts in whole]
    tested = [np.flatnonzero(n >= least_items) for n in sizes]

    def rates(found: Iterable[tuple[Bools, Bools, Bools]], keep: Bools | None = None) -> Floats:
        """[K] the mean over annotators of the share that the model wins."""
        means = []
        for (wins, _, counts), who in zip(found, tested, strict=True):
            counted = counts if keep is None else counts & keep
            n = sum_by(people.worker, counted, W)[who]
            rate = sum_by(people.worker, counted & wins, W)[who] / np.maximum(n, 1)
            there = n >= min(STILL_ENOUGH, least_items)
            means.append(rate[there].mean() if there.any() else np.nan)
        return np.array(means)

    deleted = leave_groups_out(
        people.item,
        people.worker,
        rng,
        lambda keep: rates(contest.wins(keep)),
        processes,
        without_items=lambda keep: rates(whole, keep),  # the others' answers stay as they are
    )
    made: list[AltTest | None] = []
    for at, (who, n) in enumerate(zip(tested, sizes, strict=True)):
        if not len(who):
            made.append(None)
            continue
        annotators = _annotators(people.worker, whole[at], who, n[who], epsilon)
        theta = float(np.mean([each.advantage for each in annotators]))
        what = f"average advantage probability, mean over {len(who)} annotators"
        rho = grouped_estimate(theta, deleted, at, None, n=len(who), within=SHARE, what=what)
        made.append(AltTest(winning_rate(annotators), rho, tuple(annotators)))
    return made


def people_as_models(
    people: Annotators, who: npt.NDArray[np.intp], *, epsilon: float = EPSILON, least_items: int = LEAST_ITEMS
) -> list[tuple[OfAnnotator, ...]]:
    """The test of each of these annotators in a model's place, their own answers left out of the others'; nothing for
    whom no annotator shares `least_items` items with. An item that a person answered twice has the last answer.
    """
    made = []
    for one in who.tolist():
        own = people.worker == one
        output: Floats = np.full((people.n_items, *([people.n_labels] if people.n_labels else [])), np.nan)
        answer = people.answer[own]
        output[people.item[own]] = np.eye(people.n_labels)[answer.astype(np.int64)] if people.n_labels else answer
        there = ~own & np.isin(people.item, people.item[own])
        others = replace(people, item=people.item[there], worker=people.worker[there], answer=people.answer[there])
        [found] = Contest.of(others, [output]).wins()
        n = sum_by(others.worker, found[2], int(others.worker.max(initial=-1)) + 1)
        tested = np.flatnonzero(n >= least_items)
        made.append(tuple(_annotators(others.worker, found, tested, n[tested], epsilon)) if len(tested) else ())
    return made


def winning_rate(annotators: Sequence[OfAnnotator]) -> float:
    """The share of annotators whom the test lets the model replace."""
    return float(np.mean([each.is_won for each in annotators]))


def _annotators(
    worker: Ints, found: tuple[Bools, Bools, Bools], who: npt.NDArray[np.intp], n: Floats, epsilon: float
) -> list[OfAnnotator]:
    """Each annotator's own test, and Benjamini and Yekutieli's correction over them."""
    model_wins, own_wins, counts = found
    W = int(worker.max()) + 1
    d = np.where(counts, own_wins.astype(np.float64) - model_wins, 0.0)
    mean, square = (sum_by(worker, part, W)[who] / n for part in (d, d * d))
    sd = np.sqrt(np.maximum(square - mean * mean, 0.0) * n / (n - 1))
    p = _p_values(mean, sd, n, epsilon)
    won = benjamini_yekutieli(p, Q)
    advantage = sum_by(worker, counts & model_wins, W)[who] / n
    level = level_for_half(len(who))
    return [
        OfAnnotator(
            worker=int(who[at]),
            items=int(n[at]),
            advantage=float(advantage[at]),
            loss=float(mean[at]),
            p=float(p[at]),
            is_won=bool(won[at]),
            items_needed=items_needed(float(mean[at]), float(sd[at]), epsilon, level),
        )
        for at in range(len(who))
    ]


def _p_values(mean: Floats, sd: Floats, n: Floats, epsilon: float) -> Floats:
    """One-sided p of mean < epsilon; where every d is the same there is no spread, and p is 0 or 1."""
    varies = sd > 1e-12
    t = (mean - epsilon) / np.where(varies, sd, 1.0) * np.sqrt(n)
    return np.where(varies, special.stdtr(n - 1, t), np.where(mean < epsilon, 0.0, 1.0))


def benjamini_yekutieli(p: Floats, q: float) -> Bools:
    """Which hypotheses fall: the k smallest p, k the last with p_(k) <= k q / (m H_m), H_m = sum 1 / j.

    >>> benjamini_yekutieli(np.array([0.001, 0.2, 0.012]), 0.05).tolist()
    [True, False, True]
    """
    m = len(p)
    order = np.argsort(p, kind="stable")
    bounds = np.arange(1, m + 1) / m * q / np.sum(1 / np.arange(1, m + 1))
    passed = np.flatnonzero(p[order] <= bounds)
    falls = np.zeros(m, dtype=np.bool_)
    falls[order[: passed[-1] + 1 if len(passed) else 0]] = True
    return falls


def level_for_half(m: int) -> float:
    """The level at which the test of an annotator is made where half of the m fall, k q / (m H_m) with k = m / 2.

    >>> round(level_for_half(8), 4)
    0.0092
    """
    return ((m + 1) // 2) / m * Q / float(np.sum(1 / np.arange(1, m + 1)))


def items_needed(loss: float, sd: float, epsilon: float, level: float, power: float = POWER) -> float | None:
    """An annotator's items with which the one-sided t test of loss < epsilon has this power; None where none do.

    n = ((z_level + z_power) sd / (epsilon - loss))^2 + z_level^2 / 2, the last term for t in the place of z
    (Guenther 1981).

    >>> round(items_needed(0.0, 0.6, 0.2, 0.05))
    57
    """
    if loss >= epsilon:
        return None
    z_level, z_power = (float(special.ndtri(share)) for share in (1 - level, power))
    return float(max(((z_level + z_power) * sd / (epsilon - loss)) ** 2 + z_level**2 / 2, LEAST_ITEMS))


def named_labels(runs: Sequence[Floats]) -> Floats:
    """[N, L] an equal share on each label that tops the mean over runs; NaN where there is no output."""
    p = np.mean(runs, axis=0)
    known = np.nan_to_num(p)
    top = (known == known.max(axis=1, keepdims=True)) & (known > 0)
    return np.where(np.isnan(p).any(axis=1, keepdims=True), np.nan, top / np.maximum(top.sum(axis=1, keepdims=True), 1))


# How finely the alternative annotator test of a planned study decides
# (`agreement/scoring/alternative_annotator.py`). The model is taken to answer as one more person would. Then
# the mean of d, the annotator's win less the model's, is 0, and its variance is the share of items on which
# the two don't tie: which share that is depends on how many others they are held against, and is counted in
# the judgments that there are.

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
