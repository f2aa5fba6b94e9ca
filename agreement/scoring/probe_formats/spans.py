"""Sets of spans: one span per row, or one tree in brackets per item."""

import numpy as np

from ...arrays import Bools, Ints
from ..probe import Probe, Run
from ..probe_format import ProbeFormat
from ..probe_layout import ProbeRows
from ..spans import constituents

SPAN = "span"


def read_spans(rows: ProbeRows, name: str) -> Probe:
    """A blank span alone says that the model gives the item none."""
    item, run, keys = rows.placed((SPAN,), may_repeat=True)
    column = rows.table.columns[SPAN].mapped(str.strip)
    by_run: list[list[list[str] | None]] = [[None] * len(rows.study.ids) for _ in keys]
    blank = np.array([not value for value in column.values], dtype=np.bool_)[column.codes]
    _refuse_blanks_among_others(rows, item * len(keys) + run, blank & (item >= 0))
    for at_run, at_item, code in zip(run.tolist(), item.tolist(), column.codes.tolist(), strict=True):
        if at_item >= 0:
            spans = by_run[at_run][at_item] or []
            by_run[at_run][at_item] = [*spans, column.values[code]] if column.values[code] else spans
    return with_spans(name, keys, by_run)


def _refuse_blanks_among_others(rows: ProbeRows, place: Ints, blank: Bools) -> None:
    _, which, times = np.unique(place, return_inverse=True, return_counts=True)
    wrong = np.flatnonzero(blank & (times[which] > 1))
    reason = "it is blank, which says that the item has no span, and the item has other rows; leave this one out"
    rows.problems.each(rows.table.rows[wrong], SPAN, lambda _: reason)


def with_spans(name: str, keys: list[dict[str, str]], by_run: list[list[list[str] | None]]) -> Probe:
    none = np.zeros(0)
    runs = (
        Run(key, none, spans=tuple(None if spans is None else tuple(spans) for spans in row))
        for key, row in zip(keys, by_run, strict=True)
    )
    return Probe(name, "spans", tuple(runs))


ROW_PER_SPAN = ProbeFormat(
    order=10,
    tried=-1,  # before labels: a span may come with one in a column of its own
    columns="item_id,span",
    row_meaning="a set of spans per item, one row per span such as NP:0-2",
    told_by=lambda columns: SPAN in columns,
    says="span",
    read=read_spans,
)


# `item_id,brackets`: one tree in brackets per item, of which the constituents are taken as spans.

BRACKETS = "brackets"


def read_brackets(rows: ProbeRows, name: str) -> Probe:
    item, run, keys = rows.placed((BRACKETS,))
    column = rows.table.columns[BRACKETS].mapped(str.strip)
    spans: list[list[str]] = []
    for code, tree in enumerate(column.values):
        try:
            spans.append(constituents(tree)[0])
        except ValueError as error:
            spans.append([])
            reason, where = f"the tree {error}", rows.table.rows[column.codes == code]
            rows.problems.each(where, BRACKETS, lambda _, reason=reason: reason)  # type: ignore[misc]
    by_run: list[list[list[str] | None]] = [[None] * len(rows.study.ids) for _ in keys]
    for at_run, at_item, code in zip(run.tolist(), item.tolist(), column.codes.tolist(), strict=True):
        if at_item >= 0:
            by_run[at_run][at_item] = spans[code]
    return with_spans(name, keys, by_run)


TREE_PER_ITEM = ProbeFormat(
    order=11,
    tried=9,
    columns="item_id,brackets",
    row_meaning="a tree per item, such as (S (NP (DT the) (NN dog)) (VP (VBZ runs)))",
    told_by=lambda columns: BRACKETS in columns,
    says="brackets",
    read=read_brackets,
)

FORMATS = (ROW_PER_SPAN, TREE_PER_ITEM)
