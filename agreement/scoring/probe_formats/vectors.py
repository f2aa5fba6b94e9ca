"""`term,<context>,...`: one vector per term, made into a similarity of each item's two terms."""

import numpy as np

from ...files.numbers import numbers
from ..probe import Probe
from ..probe_format import ProbeFormat
from ..probe_layout import ProbeRows
from ..vector_probe import SIMILARITY, TRANSFORM, probe_of_vectors
from ..vectors import TermVectors


def vectors_of_table(rows: ProbeRows) -> TermVectors | None:
    """The file's matrix; what is wrong with it goes to the problems."""
    table = rows.table
    terms = table.columns["term"].mapped(str.strip)
    rows.refuse_again(terms.codes.astype(np.int64), "term", "the term")
    contexts = [column for column in table.columns if column != "term"]
    if not contexts:
        rows.problems.whole("there is no column beside term: a vector needs its numbers")
        return None
    given = [numbers(table.columns[column], column, table.rows, rows.problems, None) for column in contexts]
    if rows.options[TRANSFORM] == "column-share":
        for column, values in zip(contexts, given, strict=True):
            cells, below = table.columns[column], np.flatnonzero(values < 0)
            limit = "is below 0: column-share divides by the sum of a column of amounts, such as perplexities"
            rows.problems.cells(table.rows[below], column, cells.codes[below], cells.values, limit)
            if not len(below) and not values.any():
                rows.problems.whole(f"column {column} sums to 0, which column-share can't divide by")
    return TermVectors(tuple(terms.text().tolist()), tuple(contexts), np.stack(given, axis=1))


def read(rows: ProbeRows, name: str) -> Probe:
    found = vectors_of_table(rows)
    return probe_of_vectors(rows, name, [] if found is None else [({}, found)])


FORMAT = ProbeFormat(
    order=6,
    tried=2,
    columns="term,<context>,…",
    example="term,v1,v2,…",
    what="one vector per term, for pairs of terms",
    told_by=lambda columns: "term" in columns and not {"item_id", "logprob"} & columns,
    key="term",
    key_says="term, for vectors",
    read=read,
    options=(TRANSFORM, SIMILARITY),
)
