"""Names of several columns in one cell of a header: another separator, quotes around whole rows, or none between."""

from __future__ import annotations

import re
from collections.abc import Sequence

# What our own files call their columns; a cell that holds several of them is no column's name.
KNOWN = frozenset({
    "worker_id", "item_id", "value", "response_ms", "submitted_at", "assignment_id", "kind", "check", "expected", "min",
    "max", "reference", "question", "left", "right", "score", "label", "probability", "candidate", "text",
    "sentence_id", "token", "logprob", "synonym", "probe", "group", "kept", "reason", "property", "relation", "feature",
})  # fmt: skip
IDS = frozenset({"worker_id", "item_id"})
MOST_NAMED = 10
MARKS = (";", "\t", "|", ",")
ADVICE = (
    "one and the same separator, commas, semicolons or tabs, belongs between all cells, with no quotes around whole"
    " rows; a name that holds a comma stands in quotes"
)
_GLUED = re.compile("(?:" + "|".join(sorted(KNOWN, key=len, reverse=True)) + ")+")


def joined_names(name: str) -> list[str]:
    r"""The names that one cell of a header holds, where some of them are columns of ours; none of a plain name.

    >>> [joined_names(name) for name in ("worker_id;item_id;value", "worker_id item_id", "item_idvalue")]
    [['worker_id', 'item_id', 'value'], ['worker_id', 'item_id'], ['item_id', 'value']]
    >>> [joined_names(name) for name in ("item_id", "left;right side", "text label", "Over, above", "v:item_id;x")]
    [[], [], [], [], []]
    """
    if name in KNOWN:
        return []
    for mark in MARKS:
        parts = [part.strip() for part in name.split(mark)]
        if len(parts) > 1 and (IDS & set(parts) or (mark in ";\t" and set(parts) <= KNOWN)):
            return parts
    words = name.split()
    if len(words) > 1 and IDS & set(words) and set(words) <= KNOWN:
        return words
    return _glued(name)


def looks_joined(name: str) -> int:
    """How many names a cell seems to hold that has semicolons or tabs in it; 0 where it has none."""
    return next((len(parts) for mark in ";\t" if len(parts := name.split(mark)) > 1 and all(parts)), 0)


def other_width(header: Sequence[str], width: int) -> str:
    """What is wrong with a file of whose rows not one has as many cells as the header, but all the same number.

    >>> other_width(["worker_id", "item_id", "value"], 4).partition(";")[0]
    'the header names 3 columns (worker_id, item_id, value), and every row has 4 cells'
    """
    names = ", ".join(header[:MOST_NAMED]) + (", …" if len(header) > MOST_NAMED else "")
    columns = "1 column" if len(header) == 1 else f"{len(header)} columns"
    said = f"the header names {columns} ({names}), and every row has {width} cell{'' if width == 1 else 's'}"
    if width == 1:
        return f"{said}; {ADVICE}"
    if width == len(header) + 1:
        return (
            f"{said}; two names may have become one, or the rows begin with a number that has no name or end with a"
            " separator: give each column its name, or delete the one without (R's write.csv: row.names = FALSE)"
        )
    return f"{said}; give each column its name, with the same separator as between the cells"


def _glued(name: str) -> list[str]:
    """Names without anything between, of which one is an id."""
    if not any(one in name for one in IDS) or not _GLUED.fullmatch(name):
        return []
    return re.findall("|".join(sorted(KNOWN, key=len, reverse=True)), name)
