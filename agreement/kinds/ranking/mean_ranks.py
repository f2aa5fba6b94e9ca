"""The gold of orders: each label's mean place, and models, people and references held against it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from ...arrays import Bools, Floats, divide
from ...cleaning.rules.check import Bounds
from ...estimation.intervals import CORRELATION
from ...files.cell_texts import split_bars
from ...gold.gold_columns import LABELS, ONE_AT_MOST, GoldColumn, N, Role, of_answers
from ...gold.gold_table import KeptJudgments, with_fields
from ...judgments.crowd import Answers, Crowd
from ...people.person_metrics import AnswerArray, PersonMetrics
from ...people.reference_gold import ReferenceCells, ReferenceMetric, WorkerAnswers
from ...scoring.label_metrics import kendall_rows
from ...scoring.metrics.of_orders import KENDALL, SPEARMAN
from ...scoring.score_gold import Gold, GoldLines
from .concordance import by_item

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
    code = {label: at for at, label in enumerate(lines.labels)}
    order = np.full((len(ids), len(code)), np.nan)
    order[which, [code[str(label)] for label in lines.texts("label")]] = -lines.table["mean_rank"].to_numpy()
    return Gold(lines.kind, ids, tuple(lines.labels), lines.how, order=order, fields=fields)


# Checks.


def orders_break(crowd: Crowd, which: npt.NDArray[np.intp], bounds: Bounds) -> Bools:
    """[len(which)] whether an order does not begin with the expected labels; all of them are the whole order."""
    places = np.asarray(crowd.answers)[which]
    code = {label: at for at, label in enumerate(crowd.labels)}
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


def _weights(given: AnswerArray, _: int) -> Floats:
    return points(given)


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
    tau = kendall_rows(points(answered.answers), gold.order[answered.at])
    n = np.bincount(answered.worker, minlength=answered.n_workers)
    return divide(np.bincount(answered.worker, weights=tau, minlength=answered.n_workers), n)


ORDERS_AGAINST_ORDERS = ReferenceMetric("Kendall's tau", CORRELATION, gold_of_orders, kendall_by_worker)
