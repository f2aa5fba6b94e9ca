"""How far each worker agrees with the others about the same items, over all answers and before and after each of them.

Of numbers that is Pearson's r with the mean of the others; of labels kappa_w = (o_w - e_w) / (1 - e_w), where o_w is
the share of the others who agree, averaged over items, and e_w what the worker's own shares of labels and the others'
give without looking. Both are held against chance by what they would be if the worker had given the same answers to
these items in another order: of all orders, r has variance 1 / (n - 1), and the sum of agreements the variance below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Bools, Floats, Ints, count_by, divide, order_by, rows_by, sum_by

FEWEST_OTHERS = 2  # on an item: the answer of one other person is no gold
FEWEST_IN_PART = 8  # answers before a change, and after it
EARLIEST = 0.25  # of a worker's answers, after which a change is looked for
ALMOST_ONE = 1 - 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Judgments in the order in which each worker gave them: `worker` [J] ascending, `item` [J].

    `others` [W] marks the workers who may stand for the others. `own` [J] numbers the pairs of worker and item where a
    worker judged an item several times: none of a worker's answers is ever held against another of their own.
    An answer of `parts` parts, a number or a yes or no for each label, is as many judgments, each of a part of the
    item: they stand label by label in turn, and chance orders them anew within each label.
    """

    worker: Ints
    item: Ints
    n_workers: int
    n_items: int
    others: Bools
    own: Ints | None = None
    parts: int = 1

    @property
    def stratum(self) -> Ints:
        """[J] a code for each worker and part."""
        return self.worker * self.parts + (np.arange(len(self.worker)) % self.parts if self.parts > 1 else 0)

    def sum_by_stratum(self, which: Bools, value: Floats) -> Floats:
        """[W x parts] the sum of `value` [which]."""
        return sum_by(self.stratum[which], value, self.n_workers * self.parts)

    def by_worker(self, of_strata: Floats) -> Floats:
        """[W] what is summed by stratum, summed by worker."""
        return np.asarray(of_strata.reshape(self.n_workers, self.parts).sum(axis=1))

    def of_workers(self, which: Bools) -> Answers:
        """The judgments of some workers, held against each other alone."""
        rows = which[self.worker]
        own = None if self.own is None else self.own[rows]
        return replace(self, worker=self.worker[rows], item=self.item[rows], others=which, own=own)

    def sum_of_others(self, value: Floats) -> Floats:
        """[J] the sum of `value` over the others' judgments of the same item."""
        value = np.where(self.others[self.worker], value, 0.0)
        mine = value if self.own is None else sum_by(self.own, value, int(self.own.max(initial=-1)) + 1)[self.own]
        return sum_by(self.item, value, self.n_items)[self.item] - mine


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """[W] where a worker's agreement changes most: after how many answers, how clearly, the agreement before and after,
    and of the lower of the two how far above chance it is. nan where a worker gave too few answers.
    """

    after: Ints
    z: Floats
    before: Floats
    behind: Floats
    low_above_chance: Floats

    @property
    def low(self) -> Floats:
        """[W] agreement in the worse part."""
        return np.minimum(self.before, self.behind)


@dataclass(frozen=True, slots=True, eq=False)
class WithOthers:
    """[W] agreement with the others over the `n` answers that can be held against others, and in standard deviations
    above chance; nan where undefined. `informative` is how many answers could have been more than chance, and `plain`
    the share of the others who gave the same label.
    """

    n: Ints
    agreement: Floats
    above_chance: Floats
    informative: Floats
    plain: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ComparedAnswers:
    """`compared` [J] marks the answers that can be held against others.

    Of these `find_groups` says which items the others answered alike, in how many groups, and `profile` is what is
    averaged over a group to see whether somebody's own halves agree. Groups and change are computed where asked for.
    """

    with_others: WithOthers
    compared: Bools
    profile: tuple[Floats, ...]
    find_groups: Callable[[], tuple[Ints, int]]
    find_change: Callable[[], Change]


def numbers_with_others(answers: Answers, value: Floats, fewest_others: int = FEWEST_OTHERS) -> ComparedAnswers:
    """Of one number an answer."""
    n_others = answers.sum_of_others(np.ones(len(value)))
    compared = n_others >= fewest_others
    x = value - value.mean() if len(value) else value  # of large numbers with small differences no digit is lost
    y = divide(answers.sum_of_others(x), np.maximum(n_others, 1))[compared]
    worker, stratum, x, W = answers.worker[compared], answers.stratum[compared], x[compared], answers.n_workers
    n = count_by(worker, W)
    dx, dy = (_centred(stratum, each, W * answers.parts) for each in (x, y))
    tiny = 1e-24 * float(np.ptp(value) if len(value) else 0.0) ** 2 * np.maximum(n, 1)
    r = _r(sum_by(worker, dx * dx, W), sum_by(worker, dy * dy, W), sum_by(worker, dx * dy, W), tiny)
    with_others = WithOthers(
        n=n,
        agreement=r,
        above_chance=r * np.sqrt(np.maximum(n - answers.parts, 0)),
        informative=n.astype(np.float64),
        plain=np.full(W, np.nan),
    )
    return ComparedAnswers(
        with_others,
        compared=compared,
        profile=(_centred(worker, x, W),),
        find_groups=lambda: _alike(worker, y, n),
        find_change=lambda: _change_of_numbers(worker, dx, dy, n, tiny),
    )


def _centred(worker: Ints, x: Floats, n_workers: int) -> Floats:
    return x - divide(sum_by(worker, x, n_workers), count_by(worker, n_workers))[worker]


def _r(xx: Floats, yy: Floats, xy: Floats, tiny: Floats) -> Floats:
    return np.where((xx > tiny) & (yy > tiny), divide(xy, np.sqrt(np.maximum(xx, 0) * np.maximum(yy, 0))), np.nan)


def _fisher(r: Floats) -> Floats:
    return np.arctanh(np.clip(r, -ALMOST_ONE, ALMOST_ONE))


def _alike(worker: Ints, y: Floats, n: Ints) -> tuple[Ints, int]:
    """[compared] a group of four or more of a worker's items, next to each other in the mean of the others; ten groups
    at most.
    """
    most = 10
    rank = np.empty(len(y), dtype=np.int64)
    if rows := rows_by(worker, y, len(n)):
        table, place = rows
        order = np.argsort(table, axis=1, kind="stable")
        ranks = np.empty_like(order)
        np.put_along_axis(ranks, order, np.arange(order.shape[1])[None, :], axis=1)
        rank[:] = ranks[worker, place]
    else:
        by_y = np.argsort(y, kind="stable")
        order = by_y[order_by(worker[by_y])]
        rank[order] = np.arange(len(y)) - np.repeat(np.cumsum(n) - n, n)
    return rank * np.repeat(np.clip(n // 4, 1, most), n) // np.repeat(n, n), most


def _change_of_numbers(worker: Ints, dx: Floats, dy: Floats, n: Ints, tiny: Floats) -> Change:
    """The r before and after each answer, from sums so far; the change is the largest difference of Fisher's z."""
    before, after = zip(*(_parts(sums, n) for sums in (dx, dy, dx * dx, dy * dy, dx * dy)), strict=True)
    k, rest = _so_far(worker, n)
    r = [
        _r(xx - divide(x * x, m), yy - divide(y * y, m), xy - divide(x * y, m), tiny[worker])
        for (x, y, xx, yy, xy), m in ((before, k), (after, rest))
    ]
    with np.errstate(invalid="ignore"):
        error = np.sqrt(1 / np.maximum(k - 3, 1) + 1 / np.maximum(rest - 3, 1))
        z = (_fisher(r[0]) - _fisher(r[1])) / error
        above_chance = np.where(r[0] < r[1], r[0] * np.sqrt(k - 1), r[1] * np.sqrt(np.maximum(rest - 1, 0)))
    return _largest(worker, n, z, r[0], r[1], above_chance)


def _so_far(worker: Ints, n: Ints) -> tuple[Floats, Floats]:
    """[compared] how many answers a worker gave up to this one, it included, and how many after it."""
    k = np.arange(1, len(worker) + 1) - np.repeat(np.cumsum(n) - n, n)
    return k.astype(np.float64), (np.repeat(n, n) - k).astype(np.float64)


def _parts(values: Floats, n: Ints) -> tuple[Floats, Floats]:
    """[compared] the sum of a worker's values up to this one, it included, and of those after it."""
    total = np.concatenate([[0.0], np.cumsum(values)])
    last = np.cumsum(n)
    return total[1:] - np.repeat(total[last - n], n), np.repeat(total[last], n) - total[1:]


def _largest(worker: Ints, n: Ints, z: Floats, before: Floats, behind: Floats, above_chance: Floats) -> Change:
    """The answer after which |z| is largest, of those with enough on both sides."""
    k, rest = _so_far(worker, n)
    least = np.maximum(FEWEST_IN_PART, np.ceil(EARLIEST * n))[worker]
    possible = np.flatnonzero((k >= least) & (rest >= least) & np.isfinite(z))
    clearly, who = np.abs(z[possible]), worker[possible]
    after, largest = np.zeros(len(n), dtype=np.int64), np.full((4, len(n)), np.nan)
    if len(possible):
        starts = np.flatnonzero(np.concatenate([[True], who[1:] != who[:-1]]))
        most = np.repeat(np.maximum.reduceat(clearly, starts), np.diff([*starts, len(who)]))
        place = possible[clearly == most][::-1]  # of equal ones the first is written last
        after[worker[place]] = k[place]
        largest[:, worker[place]] = np.abs(z[place]), before[place], behind[place], above_chance[place]
    return Change(after, *largest)


# Labels.


def labels_with_others(
    answers: Answers, code: Ints, n_labels: int, fewest_others: int = FEWEST_OTHERS
) -> ComparedAnswers:
    """Of one label an answer, by codes below `n_labels`."""
    n_others = answers.sum_of_others(np.ones(len(code)))
    compared = n_others >= fewest_others
    worker, stratum, own = answers.worker[compared], answers.stratum[compared], code[compared]
    n = count_by(worker, answers.n_workers)
    n_s = count_by(stratum, answers.n_workers * answers.parts)
    given = [own == label for label in range(n_labels)]
    mine = [divide(answers.sum_by_stratum(compared, each.astype(np.float64)), n_s) for each in given]  # [L][W x parts]

    def shares() -> Iterator[Floats]:
        """Of each label in turn the share of the others who gave it: all at once are 8 bytes x J x L."""
        for label in range(n_labels):
            yield answers.sum_of_others((code == label).astype(np.float64))[compared] / n_others[compared]

    agree, by_chance, most, majority = (np.zeros(len(own)) for _ in range(4))
    rates = []
    for label, share in enumerate(shares()):
        agree[given[label]] = share[given[label]]
        by_chance += mine[label][stratum] * share
        rates.append(divide(answers.sum_by_stratum(compared, share), n_s))
        majority[share > most] = label
        most = np.maximum(most, share)
    e_s = np.sum([own_share * rate for own_share, rate in zip(mine, rates, strict=True)], axis=0)
    squares = np.zeros(len(n_s))
    for label, share in enumerate(shares()):
        away = share - by_chance - (rates[label] - e_s)[stratum]
        squares += n_s * np.nan_to_num(mine[label]) * answers.sum_by_stratum(compared, away * away)
    # Of the sum of agreements, over all orders of the worker's answers.
    sd = np.sqrt(answers.by_worker(divide(squares, np.maximum(n_s - 1, 1))))
    o, e = divide(sum_by(worker, agree, len(n)), n), divide(sum_by(worker, by_chance, len(n)), n)
    varies = sd > 1e-9 * np.maximum(n, 1)
    kappa = np.where(e < ALMOST_ONE, divide(o - e, 1 - e), np.nan)
    with_others = WithOthers(
        n=n,
        agreement=kappa,
        above_chance=np.where(varies, divide(n * (o - e), sd), np.nan),
        informative=np.where(varies, n * (1 - e), 0.0),
        plain=o,
    )
    return ComparedAnswers(
        with_others,
        compared=compared,
        profile=tuple(each - own_share[stratum] for each, own_share in zip(given, mine, strict=True)),
        find_groups=lambda: (majority.astype(np.int64), n_labels),
        find_change=lambda: _change_of_labels(worker, agree - by_chance, 1 - e, sd, n),
    )


def _change_of_labels(worker: Ints, excess: Floats, most: Floats, sd: Floats, n: Ints) -> Change:
    """Kappa before and after each answer: `excess` is agreement beyond chance, `most` what it can be, `sd` that of its
    sum over all answers by chance.
    """
    k, rest = _so_far(worker, n)
    before, behind = _parts(excess, n)
    each = _centred(worker, excess, len(n))
    variance = divide(sum_by(worker, each * each, len(n)), np.maximum(n - 1, 1))[worker]
    with np.errstate(invalid="ignore", divide="ignore"):
        z = (divide(before, k) - divide(behind, rest)) / np.sqrt(variance * (1 / k + divide(np.ones(len(k)), rest)))
        low, m = np.where(divide(before, k) < divide(behind, rest), (before, k), (behind, rest))
        above_chance = low / (sd[worker] * np.sqrt(m / n[worker]))
        z[~np.isfinite(z)] = np.nan
    kappa_before, kappa_behind = divide(before, k * most[worker]), divide(behind, rest * most[worker])
    return _largest(worker, n, z, kappa_before, kappa_behind, above_chance)
