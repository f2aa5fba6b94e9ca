"""`item_id,brackets`: one tree in brackets per item, of which the constituents are taken as spans."""

from ..probe import Probe
from ..probe_format import ProbeFormat
from ..probe_layout import ProbeRows
from ..spans import constituents
from .spans import with_spans

BRACKETS = "brackets"


def read(rows: ProbeRows, name: str) -> Probe:
    item, run, keys = rows.placed((BRACKETS,))
    column = rows.table.columns[BRACKETS].mapped(str.strip)
    spans: list[list[str]] = []
    for code, tree in enumerate(column.values):
        try:
            spans.append(constituents(tree)[0])
        except ValueError as error:
            spans.append([])
            said, where = f"the tree {error}", rows.table.rows[column.codes == code]
            rows.problems.each(where, BRACKETS, lambda _, said=said: said)  # type: ignore[misc]
    found: list[list[list[str] | None]] = [[None] * len(rows.study.ids) for _ in keys]
    for at_run, at_item, code in zip(run.tolist(), item.tolist(), column.codes.tolist(), strict=True):
        if at_item >= 0:
            found[at_run][at_item] = spans[code]
    return with_spans(name, keys, found)


FORMAT = ProbeFormat(
    order=11,
    tried=9,
    columns="item_id,brackets",
    what="a tree per item, such as (S (NP (DT the) (NN dog)) (VP (VBZ runs)))",
    told_by=lambda columns: BRACKETS in columns,
    says="brackets",
    read=read,
)
