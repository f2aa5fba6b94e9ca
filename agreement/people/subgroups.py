"""Agreement within and between subgroups of workers, on one scale.

With D_i(g, h) the mean distance between an answer of group g and one of group h to item i, by two different workers:

    x(g, h) = 1 - D_o / D_e,   D_o = mean over items of D_i(g, h),

D_e the same of answers to any two items, both over the items that have such a pair. The distance of labels is 1 where
they differ, that of numbers the square of their difference. Within a group x is Fleiss' kappa for labels; between two
it is the cross-replication reliability of Wong, Paritosh and Aroyo (2021), items weighing alike. Where two groups are
samples of one population, x(g, h) is what x(g, g) and x(h, h) are; their mean less x(g, h) says how far they differ.
Whether it is more than chance is asked by a permutation test: workers change groups at random, and p is the share of
such crowds (and of the real one) in which the two groups are as far apart, after Holm's correction over pairs. The
two-way interval of the difference is wider than it need be where groups are alike: no worker then moves it alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints, as_they_come, divide
from ..estimation.estimate import Figure, Undefined
from ..estimation.intervals import ANY, RELIABILITY, SHARE, Range
from ..estimation.two_way_jackknife import grouped_estimate, leave_groups_out
from ..scoring.paired_tests import holm

LEAST_PEOPLE = 5  # of a group: fewer might be recognised, and are no sample
MOST_GROUPS = 12
OF_GOLD = {True: "share of items with the same majority", False: "mean difference of gold"}
PERMUTED, FEWEST_TIMES, MOST_TIMES = 20_000_000, 99, 999  # judgments up to which workers change groups more often


@dataclass(frozen=True, eq=False)
class GroupedJudgments:
    """Judgments [J] with the group of each, below `n_groups`. `n_labels` is 0 where answers are numbers."""

    item: Ints
    worker: Ints
    group: Ints
    answer: Floats
    n_items: int
    n_groups: int
    n_labels: int = 0

    @cached_property
    def key(self) -> npt.NDArray[np.int64]:
        """[J] the cell of a table by group, item and label that a judgment counts in."""
        cell = self.group.astype(np.int64) * self.n_items + self.item
        return cell * self.n_labels + self.answer.astype(np.int64) if self.n_labels else cell


@dataclass(frozen=True, slots=True)
class BetweenGroups:
    """Agreement between two groups, how much lower it is than the mean of the two within, and how gold differs."""

    first: int
    second: int
    between: Figure
    lower_by: Figure
    p: float | None  # after Holm's correction
    gold: Figure  # the share of items with the same majority, or the mean difference of means
    items: int  # that both groups judged


@dataclass(frozen=True, slots=True)
class Subgroups:
    """By group, and by pair of groups."""

    within: tuple[Figure, ...]
    pairs: tuple[BetweenGroups, ...]


def subgroups(data: GroupedJudgments, *, rng: np.random.Generator, processes: int | None = None) -> Subgroups:
    """All of it, with two-way intervals."""
    pairs = list(combinations(range(data.n_groups), 2))
    everything = np.ones(len(data.item), dtype=np.bool_)
    G, P = data.n_groups, len(pairs)

    def figures(keep: Bools) -> Floats:
        tables = _moments(data, keep)
        golds = [golds_differ(tables[g], tables[h], data.n_labels) for g, h in pairs]
        return np.concatenate([_figures(data, tables, pairs), golds])

    thetas = figures(everything)
    deleted = leave_groups_out(data.item, data.worker, rng, figures, processes)
    shared = _items_shared(data, pairs)
    p = holm(_permutation_p(data, pairs, thetas[G + P : G + 2 * P], rng))

    def figure(index: int, name: str, within: Range = RELIABILITY) -> Figure:
        if not np.isfinite(thetas[index]):
            return Undefined(f"{name}: no item has such a pair of answers, or all are the same")
        n = shared[index if index < G else G + (index - G) % P]
        return grouped_estimate(float(thetas[index]), deleted, index, None, n=n, within=within, what=name)

    return Subgroups(
        tuple(figure(index, "agreement within a group") for index in range(G)),
        tuple(
            BetweenGroups(
                g,
                h,
                figure(G + index, "agreement between two groups"),
                figure(G + P + index, "mean agreement within less that between", ANY),
                None if np.isnan(p[index]) else float(p[index]),
                figure(G + 2 * P + index, OF_GOLD[bool(data.n_labels)], SHARE if data.n_labels else ANY),
                shared[G + index],
            )
            for index, (g, h) in enumerate(pairs)
        ),
    )


def _permutation_p(
    data: GroupedJudgments, pairs: Sequence[tuple[int, int]], gaps: Floats, rng: np.random.Generator
) -> Floats:
    """[P] the share of crowds, this one among them, in which a gap is as large when workers change groups at random."""
    workers = as_they_come(data.worker)
    place, of_worker = (np.zeros(int(data.worker.max(initial=-1)) + 1, dtype=np.int64) for _ in range(2))
    place[workers], of_worker[data.worker] = np.arange(len(workers)), data.group
    place, of_worker = place[data.worker], of_worker[workers]
    everything = np.ones(len(data.item), dtype=np.bool_)
    times = int(np.clip(PERMUTED // max(len(data.item), 1), FEWEST_TIMES, MOST_TIMES)) if pairs else 0
    as_large = np.ones(len(pairs))
    for _ in range(times):
        moved = replace(data, group=rng.permutation(of_worker)[place])
        moved_gaps = _figures(moved, _moments(moved, everything), pairs)[data.n_groups + len(pairs) :]
        as_large += np.nan_to_num(moved_gaps, nan=np.inf) >= gaps - 1e-12
    return np.where(np.isfinite(gaps), as_large / (times + 1), np.nan)


def _figures(data: GroupedJudgments, tables: Floats, pairs: Sequence[tuple[int, int]]) -> Floats:
    """[G + 2 P] x within each group, x between each two, and the mean of the two within less that between."""
    x = _x_of_labels if data.n_labels else _x_of_numbers
    within = [x(table, None) for table in tables]
    between = [x(tables[g], tables[h]) for g, h in pairs]
    gaps = [(within[g] + within[h]) / 2 - agreement for (g, h), agreement in zip(pairs, between, strict=True)]
    return np.array([*within, *between, *gaps])


def _moments(data: GroupedJudgments, keep: Bools) -> Floats:
    """[G, N, L] counts of labels, or [G, N, 3] how many numbers, their sum and the sum of their squares."""
    weight, cells = keep.astype(np.float64), data.n_groups * data.n_items
    shape = (data.n_groups, data.n_items, -1)
    if data.n_labels:
        counts = np.bincount(data.key, weights=weight, minlength=cells * data.n_labels)
        return np.asarray(counts.reshape(shape), dtype=np.float64)
    x = data.answer
    sums = [np.bincount(data.key, weights=weight * part, minlength=cells) for part in (1.0, x, x * x)]
    return np.asarray(np.stack(sums, axis=1).reshape(shape), dtype=np.float64)


def _inverse_counts(is_counted: Bools, n: Floats) -> Floats:
    """[N] 1 / n_i of the items that count, 0 of the others."""
    return np.where(is_counted, 1 / np.where(is_counted, n, 1.0), 0.0)


def _x_of_labels(a: Floats, b: Floats | None) -> float:
    n_a = a.sum(axis=1)
    if b is None:
        is_counted = n_a >= 2
        each = _inverse_counts(is_counted, n_a)
        same = (np.einsum("il,il->i", a, a) - n_a) * each * _inverse_counts(is_counted, n_a - 1)
        p = q = each @ a
    else:
        n_b = b.sum(axis=1)
        is_counted = (n_a > 0) & (n_b > 0)
        of_a, of_b = _inverse_counts(is_counted, n_a), _inverse_counts(is_counted, n_b)
        same = np.einsum("il,il->i", a, b) * of_a * of_b
        p, q = of_a @ a, of_b @ b
    size = int(is_counted.sum())
    return _agreement(1 - float(same.sum()) / size, 1 - float(p @ q) / size**2) if size else float("nan")


def _x_of_numbers(a: Floats, b: Floats | None) -> float:
    is_counted = a[:, 0] >= 2 if b is None else (a[:, 0] > 0) & (b[:, 0] > 0)
    if not is_counted.any():
        return float("nan")
    n_a, s_a, ss_a = a[is_counted].T
    n_b, s_b, ss_b = (a if b is None else b)[is_counted].T
    squares = ss_a / n_a + ss_b / n_b
    mean_a, mean_b = s_a / n_a, s_b / n_b
    observed = 2 * (ss_a - s_a * mean_a) / (n_a - 1) if b is None else squares - 2 * mean_a * mean_b
    expected = float(squares.mean()) - 2 * float(mean_a.mean()) * float(mean_b.mean())
    return _agreement(float(observed.mean()), expected)


def _agreement(observed: float, expected: float) -> float:
    return 1 - observed / expected if expected > 1e-12 else float("nan")


def _items_shared(data: GroupedJudgments, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """[G + P] the items behind each figure."""
    n = [np.bincount(data.item[data.group == g], minlength=data.n_items) for g in range(data.n_groups)]
    within = [int(np.sum(of >= 2)) for of in n]
    return within + [int(np.sum((n[g] > 0) & (n[h] > 0))) for g, h in pairs]


def golds_differ(first: Floats, second: Floats, n_labels: int) -> float:
    """How often two groups' majorities are the same label, or how far apart their means are; NaN with no item of both.

    `first` and `second` are moments; where labels tie for a majority an item counts by the share of ties in common.
    """
    n = [table.sum(axis=1) if n_labels else table[:, 0] for table in (first, second)]
    is_shared = (n[0] > 0) & (n[1] > 0)
    if not is_shared.any():
        return float("nan")
    if not n_labels:
        means = [divide(table[is_shared, 1], table[is_shared, 0]) for table in (first, second)]
        return float(np.mean(means[0] - means[1]))
    leads = [table[is_shared] == table[is_shared].max(axis=1, keepdims=True) for table in (first, second)]
    both = (leads[0] & leads[1]).sum(axis=1) / np.maximum(leads[0].sum(axis=1), leads[1].sum(axis=1))
    return float(both.mean())
