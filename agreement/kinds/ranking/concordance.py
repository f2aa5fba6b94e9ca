"""How far people put labels in the same order, item by item and as means, and the gold of orders: mean places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd

from ...arrays import Bools, Floats, divide
from ...cleaning.rules.check import Bounds
from ...estimation.design import Design, sums
from ...estimation.estimate import Undefined
from ...estimation.intervals import CORRELATION, SHARE, Deletions
from ...files.cell_texts import split_bars
from ...gold.gold_columns import LABELS, ONE_AT_MOST, GoldColumn, N, Role, of_answers
from ...gold.gold_table import KeptJudgments, with_fields
from ...judgments.crowd import Answers, Crowd, Sample
from ...people.agreement_report import AgreementReport, Kappa, Parts, Statistic, StatisticsInput
from ...people.agreement_without_each_worker import LeftOut
from ...people.label_statistics import busiest, statistic_without_worker
from ...people.person_metrics import AnswerArray, PersonMetrics
from ...people.raw_statistic import RawStatistic, report_statistic
from ...people.reference_gold import ReferenceCells, ReferenceMetric, WorkerAnswers
from ...people.replicate_moments import Block, replicates_of
from ...scoring.label_metrics import kendall_rows
from ...scoring.metrics.of_orders import KENDALL, SPEARMAN
from ...scoring.score_gold import Gold, GoldLines

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
    full_design = asked.design
    several = (full_design.n >= 2)[full_design.item]
    kappa = Kappa(Statistic(NO_LABEL))
    if not several.any():
        none = Statistic(NOTHING_SHARED)
        return asked.report(first="kendall_w", fleiss_kappa=kappa, kendall_w=none, kendall_distance=none)
    design, places = full_design.only(several), places[several]
    distances, disagreement = _mean_statistic(
        design, places, signs_of_pairs, kendall_distance, "mean Kendall distance of two people"
    )
    w, figures = _mean_statistic(design, places, centred_places, kendall_w, "Kendall's W, mean over items")
    if asked.replicates:
        rows = np.column_stack([figures, disagreement, np.ones(design.items)])
        ((drawn_w, drawn_distance),) = replicates_of(
            [Block(rows, lambda total: (total[:, 0] / total[:, 2], total[:, 1] / total[:, 2]))],
            asked.replicates,
            asked.stream("orders"),
        )
        w, distances = replace(w, replicates=drawn_w), replace(distances, replicates=drawn_distance)
    at_random = f"orders at random have a W of {np.mean(1 / design.n):.3f} on average and a distance of 0.5"
    of_all = np.full(full_design.items, np.nan)
    of_all[full_design.n >= 2] = disagreement
    return asked.report(
        of_all,
        first="kendall_w",
        fleiss_kappa=kappa,
        kendall_w=report_statistic(w, (at_random,)),
        kendall_distance=report_statistic(distances),
    )


def _mean_statistic(
    design: Design, places: Places, columns: Columns, figure: FromMean, method: str
) -> tuple[RawStatistic, Floats]:
    theta, deletions, each = mean_over_items(Pairwise.of(design, places, columns), figure)
    beside = statistic_without_worker(design, busiest(design), theta, deletions)
    statistic = RawStatistic(
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
    return statistic, each


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


# The gold of orders: each label's mean place, and models, people and references held against it.

COLUMNS = (
    LABELS[0],
    of_answers(Role.FIGURE, "mean_rank", "mean of the places that people gave the label, 1 being the first", "places"),
    N,
    GoldColumn(
        "kendall_w",
        Role.BESIDE,
        "how far people agree on the item's order (Kendall's W)",
        "number",
        values=ONE_AT_MOST,
    ),
)
PLACES = 12  # means that should be equal differ by rounding beyond this place


def order_gold_table(judged: KeptJudgments) -> pd.DataFrame:
    """A line for each item and label: items in their order, an item's labels from the first mean place to the last.

    Labels whose mean places are equal stand in the order of the study's labels, as do those of an item without answers.
    """
    places = np.asarray(judged.answers, dtype=np.int64)
    L = len(judged.labels)
    n = np.bincount(judged.item, minlength=judged.n_items)
    total = [np.bincount(judged.item, weights=column, minlength=judged.n_items) for column in places.T]
    mean = divide(np.stack(total, axis=1), n[:, None]) if L else np.zeros((judged.n_items, 0))
    row = np.repeat(np.flatnonzero(judged.is_target), L)
    label = np.tile(np.arange(L), int(judged.is_target.sum()))
    order = np.lexsort((label, np.nan_to_num(np.round(mean[row, label], PLACES)), row))
    row, label = row[order], label[order]
    names = np.array(judged.labels, dtype=object)[label]
    lines = pd.DataFrame({"row": row, "label": names, "mean_rank": mean[row, label], "n": n[row]})
    w = by_item(judged.item, places, judged.n_items)
    return with_fields(lines, judged.items, {"kendall_w": w[row]})


def gold_from_orders(lines: GoldLines) -> Gold:
    """The mean places as an order: the lower the place, the larger the number."""
    lines = lines.judged()
    ids, which, fields = lines.by_item()
    code = {label: position for position, label in enumerate(lines.labels)}
    order = np.full((len(ids), len(code)), np.nan)
    order[which, [code[str(label)] for label in lines.texts("label")]] = -lines.table["mean_rank"].to_numpy()
    return Gold(lines.kind, ids, tuple(lines.labels), lines.typical_filter, order=order, fields=fields)


# Checks.


def orders_break(crowd: Crowd, which: npt.NDArray[np.intp], bounds: Bounds) -> Bools:
    """[len(which)] whether an order does not begin with the expected labels; all of them are the whole order."""
    places = np.asarray(crowd.answers)[which]
    code = {label: position for position, label in enumerate(crowd.labels)}
    wanted = [places[:, code[label]] == place for place, label in enumerate(bounds.expected, start=1) if label in code]
    right = np.logical_and.reduce(wanted) if wanted else np.ones(len(places), dtype=np.bool_)
    return ~right if len(wanted) == len(bounds.expected) else np.ones(len(places), dtype=np.bool_)


def order_by_chance(_low: object, _high: object, wanted: int, n_labels: int) -> float:
    """Every order alike: 1 / (L (L - 1) ...) for as many first labels as are wanted.

    >>> order_by_chance(None, None, 3, 3), order_by_chance(None, None, 1, 4)
    (0.16666666666666666, 0.25)
    """
    return float(1 / np.prod(np.arange(n_labels, n_labels - wanted, -1.0)))


# People.


def points(answers: Answers) -> Floats:
    """[J, L] how many labels each label stands before: its sums order the labels as mean places do."""
    places = np.asarray(answers, dtype=np.float64)
    return np.asarray(places.shape[1] - places)


def _weights(places: AnswerArray, _: int) -> Floats:
    return points(places)


OF_ORDERS = PersonMetrics(
    declared=(KENDALL, SPEARMAN),
    beside=(SPEARMAN.person,),
    against_reference=KENDALL,
    weights=_weights,
    by_order=True,
)


# Orders from elsewhere.


def gold_of_orders(cells: ReferenceCells) -> Gold:
    """All labels in order, `|` between them."""
    labels = list(cells.labels)
    wrong = cells.values.rows_where(lambda text: sorted(split_bars(text)) != sorted(labels))
    limit = f"does not have each of the labels {', '.join(labels)} once"
    cells.problems.cells(cells.rows[wrong], cells.name, cells.values.codes[wrong], cells.values.values, limit)
    orders = [split_bars(text) for text in cells.values.text().tolist()]
    place = [[-order.index(label) if label in order else np.nan for label in labels] for order in orders]
    order = np.array(place, dtype=np.float64).reshape(len(orders), len(labels))
    return Gold(cells.kind, cells.ids, tuple(labels), order=order, fields=cells.fields)


def kendall_by_worker(gold: Gold, answered: WorkerAnswers) -> Floats:
    """[W] the mean over a worker's items of the tau between the two orders."""
    if gold.order is None:
        raise TypeError("orders are held against a reference of orders")
    tau = kendall_rows(points(answered.answers), gold.order[answered.reference_items])
    n = np.bincount(answered.worker, minlength=answered.n_workers)
    return divide(np.bincount(answered.worker, weights=tau, minlength=answered.n_workers), n)


ORDERS_AGAINST_ORDERS = ReferenceMetric("Kendall's tau", CORRELATION, gold_of_orders, kendall_by_worker)
