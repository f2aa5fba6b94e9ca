"""How far people put labels in the same order: Kendall's W and the Kendall distance, item by item and as means.

An order of k labels is written as a vector z of whole numbers: twice the places less their mean, or 1 or -1 for each
pair of labels by which of the two is first. All orders have the same c = z z, and z_a z_b / c of two orders is their
Spearman correlation, or their Kendall tau. With S_i the sum of the n_i vectors of item i, the mean over its pairs of
orders is

    q_i = (S_i S_i - c n_i) / (c n_i (n_i - 1)),

from which W_i = (1 + (n_i - 1) rho_i) / n_i (Kendall and Babington Smith 1939) and the distance (1 - tau_i) / 2, the
share of pairs of labels that two people put the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ...arrays import divide
from ...estimation.design import Design, sums
from ...estimation.estimate import Floats, Undefined
from ...estimation.intervals import SHARE, Deletions
from ...judgments.crowd import Answers, Sample
from ...people.agreement_report import AgreementReport, Kappa, Parts, Statistic, StatisticsInput
from ...people.agreement_without_each_worker import LeftOut
from ...people.label_statistics import busiest, without
from ...people.raw_statistic import RawStatistic, present
from ...people.replicate_moments import Block, replicates_of

Places = npt.NDArray[np.integer]
Columns = Callable[[Places], Iterator[Floats]]  # of [J, L] places the [J] columns of z, one at a time
FromMean = Callable[[Floats, Floats], Floats]  # what an item's q and n make

NO_LABEL = Undefined("an answer is an order of all labels and not one of them: Kendall's W says how far orders agree")
NOTHING_SHARED = Undefined("no item was put in order by two people")


def centred_places(places: Places) -> Iterator[Floats]:
    for column in places.T:
        yield 2.0 * column - (places.shape[1] + 1)


def signs_of_pairs(places: Places) -> Iterator[Floats]:
    for one, other in combinations(places.T, 2):
        yield np.sign(other - one).astype(np.float64)


def kendall_w(rho: Floats, n: Floats) -> Floats:
    """W from the mean Spearman correlation of an item's n orders; 1 / n is its mean for orders at random."""
    return np.asarray((1 + (n - 1) * rho) / n)


def kendall_distance(tau: Floats, n: Floats) -> Floats:  # noqa: ARG001  both are asked alike
    """The normalised distance from the mean tau: 0 for the same order, 1 for the reverse, 1/2 at random."""
    return np.asarray((1 - tau) / 2)


@dataclass(frozen=True, slots=True, eq=False)
class Pairwise:
    """The parts of q_i [N], and [C] of what each cell (a worker on an item) has in it."""

    design: Design
    c: float
    squares: Floats  # [N] S_i S_i
    across: Floats  # [C] S_i s_c, s_c the sum of the cell's vectors
    own: Floats  # [C] s_c s_c
    of_judgment: Floats  # [J] S_i z_j

    @classmethod
    def of(cls, design: Design, places: Places, columns: Columns) -> Pairwise:
        squares, across, own = np.zeros(design.items), np.zeros(len(design.cell_item)), np.zeros(len(design.cell_item))
        of_judgment, c = np.zeros(design.judgments), 0.0
        for z in columns(places):
            c += float(z[0] * z[0])
            s, s_c = design.by_item(z), design.by_cell(z)
            squares += s * s
            across += s[design.cell_item] * s_c
            own += s_c * s_c
            of_judgment += s[design.item] * z
        return cls(design, c, squares, across, own, of_judgment)

    def mean(self) -> Floats:
        """[N] q_i; nan where an item has one order."""
        return _mean_of_pairs(self.squares, self.design.n, self.c)

    def mean_without_cells(self) -> Floats:
        """[C] the q of the cell's item without that cell."""
        of = self.design.cell_item
        left = self.squares[of] - 2 * self.across + self.own
        return _mean_of_pairs(left, self.design.n[of] - self.design.cell_size, self.c)

    def mean_without_judgments(self) -> Floats:
        """[J] the q of the judgment's item without that judgment."""
        of = self.design.item
        return _mean_of_pairs(self.squares[of] - 2 * self.of_judgment + self.c, self.design.n[of] - 1, self.c)


def _mean_of_pairs(squares: Floats, n: Floats, c: float) -> Floats:
    return divide(squares - c * n, c * np.where(n >= 2, n * (n - 1), 0.0))


def mean_over_items(parts: Pairwise, figure: FromMean) -> tuple[float, Deletions, Floats]:
    """The mean of an item's figure, the same with each item, worker and judgment left out, and the figures [N].

    n_i stays what it is when a judgment leaves its item, for W depends on it: what moves is the mean over pairs. An
    item that is left with one order counts no more.
    """
    design = parts.design
    each = figure(parts.mean(), design.n)
    total, N = float(each.sum()), design.items
    without_item = divide(total - each, np.full(N, N - 1.0))
    cell_moves, cell_loses = _moves(
        each, figure(parts.mean_without_cells(), design.n[design.cell_item]), design.cell_item
    )
    without_worker = divide(total + design.by_worker(cell_moves), N - design.by_worker(cell_loses))
    moves, loses = _moves(each, figure(parts.mean_without_judgments(), design.n[design.item]), design.item)
    return total / N, Deletions(without_item, without_worker, divide(total + moves, N - loses)), each


def _moves(each: Floats, figure: Floats, of: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """By how much the sum over items moves, and 1 where the item counts no more."""
    lost = np.isnan(figure)
    return np.where(lost, 0.0, figure) - each[of], lost.astype(np.float64)


def by_item(item: npt.NDArray[np.integer], places: Places, n_items: int) -> Floats:
    """[N] Kendall's W of each item's orders, 12 S / (n^2 (k^3 - k)), nan below two of them; item [J] codes.

    >>> by_item(np.zeros(3, dtype=int), np.array([[1, 2, 3], [1, 2, 3], [3, 2, 1]]), 1).round(4).tolist()
    [0.1111]
    """
    k, n, S = places.shape[1], sums(item.astype(np.int64), None, n_items), np.zeros(n_items)
    for z in centred_places(places):
        S += sums(item.astype(np.int64), z, n_items) ** 2 / 4
    return divide(12 * S, np.where(n >= 2, n * n, 0.0) * (k**3 - k))


def order_report(asked: StatisticsInput, places: Places) -> Parts:
    """Kendall's W first, and the mean distance of two people's orders."""
    return Parts.of_one(lambda: _report(asked, np.asarray(places)))


def _report(asked: StatisticsInput, places: Places) -> AgreementReport:
    whole = asked.design
    several = (whole.n >= 2)[whole.item]
    kappa = Kappa(Statistic(NO_LABEL))
    if not several.any():
        none = Statistic(NOTHING_SHARED)
        return asked.report(first="kendall_w", fleiss_kappa=kappa, kendall_w=none, kendall_distance=none)
    design, places = whole.only(several), places[several]
    distances, disagreement = _made(
        design, places, signs_of_pairs, kendall_distance, "mean Kendall distance of two people"
    )
    w, figures = _made(design, places, centred_places, kendall_w, "Kendall's W, mean over items")
    if asked.replicates:
        rows = np.column_stack([figures, disagreement, np.ones(design.items)])
        ((drawn_w, drawn_distance),) = replicates_of(
            [Block(rows, lambda total: (total[:, 0] / total[:, 2], total[:, 1] / total[:, 2]))],
            asked.replicates,
            asked.stream("orders"),
        )
        w, distances = replace(w, replicates=drawn_w), replace(distances, replicates=drawn_distance)
    at_random = f"orders at random have a W of {np.mean(1 / design.n):.3f} on average and a distance of 0.5"
    of_all = np.full(whole.items, np.nan)
    of_all[whole.n >= 2] = disagreement
    return asked.report(
        of_all,
        first="kendall_w",
        fleiss_kappa=kappa,
        kendall_w=present(w, (at_random,)),
        kendall_distance=present(distances),
    )


def _made(
    design: Design, places: Places, columns: Columns, figure: FromMean, method: str
) -> tuple[RawStatistic, Floats]:
    theta, deletions, each = mean_over_items(Pairwise.of(design, places, columns), figure)
    beside = without(design, busiest(design), theta, deletions)
    made = RawStatistic(
        theta,
        deletions,
        design.items,
        method,
        beside,
        SHARE,
        judgments=design.judgments,
        fixed_workers=design.fixed_workers,
        workers=design.worker_codes,
    )
    return made, each


# Kendall's W without each worker, and how far each item's orders are from the same.


def w_left_out(design: Design, answers: Answers) -> LeftOut | Undefined:
    """Kendall's W, the mean over items, with each item, worker and judgment left out."""
    several = (design.n >= 2)[design.item]
    if not several.any():
        return NOTHING_SHARED
    part, places = design.only(several), np.asarray(answers)[several]
    theta, deletions, _ = mean_over_items(Pairwise.of(part, places, centred_places), kendall_w)
    return LeftOut("Kendall's W", theta, deletions, deletions.worker, part, SHARE)


def one_less_w(sample: Sample, n_items: int, _n_labels: int) -> Floats:
    """[N] 1 - W: 0 where all orders are the same."""
    return 1 - by_item(sample.item, np.asarray(sample.answers), n_items)
