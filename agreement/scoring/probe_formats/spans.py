"""`item_id,span`: one set of spans per item, one span per row; a span that is there twice has two rows."""

import numpy as np

from ...arrays import Bools, Ints
from ..probe import Probe, Run
from ..probe_format import ProbeFormat
from ..probe_layout import ProbeRows

SPAN = "span"


def read(rows: ProbeRows, name: str) -> Probe:
    """A blank span alone says that the model gives the item none."""
    item, run, keys = rows.placed((SPAN,), may_repeat=True)
    column = rows.table.columns[SPAN].mapped(str.strip)
    found: list[list[list[str] | None]] = [[None] * len(rows.study.ids) for _ in keys]
    blank = np.array([not value for value in column.values], dtype=np.bool_)[column.codes]
    _refuse_blanks_among_others(rows, item * len(keys) + run, blank & (item >= 0))
    for at_run, at_item, code in zip(run.tolist(), item.tolist(), column.codes.tolist(), strict=True):
        if at_item >= 0:
            spans = found[at_run][at_item] or []
            found[at_run][at_item] = [*spans, column.values[code]] if column.values[code] else spans
    return with_spans(name, keys, found)


def _refuse_blanks_among_others(rows: ProbeRows, place: Ints, blank: Bools) -> None:
    _, which, times = np.unique(place, return_inverse=True, return_counts=True)
    wrong = np.flatnonzero(blank & (times[which] > 1))
    said = "it is blank, which says that the item has no span, and the item has other rows; leave this one out"
    rows.problems.each(rows.table.rows[wrong], SPAN, lambda _: said)


def with_spans(name: str, keys: list[dict[str, str]], found: list[list[list[str] | None]]) -> Probe:
    none = np.zeros(0)
    runs = (
        Run(key, none, spans=tuple(None if spans is None else tuple(spans) for spans in row))
        for key, row in zip(keys, found, strict=True)
    )
    return Probe(name, "spans", tuple(runs))


FORMAT = ProbeFormat(
    order=10,
    tried=-1,  # before labels: a span may come with one in a column of its own
    columns="item_id,span",
    what="a set of spans per item, one row per span such as NP:0-2",
    told_by=lambda columns: SPAN in columns,
    says="span",
    read=read,
)
