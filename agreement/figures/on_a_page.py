"""A figure as a page draws it: its specification without a ground of its own, and its rows as a table with links."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .figure import DARK, LINK, Figure, records

MOST_TABLE_ROWS = 500
NOT_WIDENED = ("hconcat", "vconcat", "concat", "facet", "repeat", "spec")


@dataclass(frozen=True, slots=True)
class TableRow:
    link: str
    cells: list[tuple[str, bool]]  # the text, and whether it is a number


@dataclass(frozen=True, slots=True)
class Table:
    columns: list[tuple[str, bool]]
    rows: list[TableRow]
    n_rows: int


def page_specification(figure: Figure) -> dict[str, Any]:
    """What the page's script draws. Rows keep their links, which a click on a mark follows."""
    whole = figure.whole_specification(links=True)
    marks: dict[str, Any] = {**whole["config"].get("mark", {}), "tooltip": {"content": "encoding"}}
    if LINK in figure.rows:
        marks["cursor"] = "pointer"
    whole["config"] = {**whole["config"], "background": "transparent", "aria": False, "mark": marks}
    if _is_widened(whole):
        whole |= {"width": "container", "autosize": {"type": "fit-x", "contains": "padding"}}
    return {"specification": whole, "dark": DARK, "names": _names(figure)}


def _is_widened(specification: Mapping[str, Any]) -> bool:
    """Whether the drawing may be as wide as its place: no maps of cells, and nothing made of several drawings."""
    if any(key in specification for key in NOT_WIDENED) or not isinstance(specification.get("width"), int):
        return False
    first = next(iter(specification.get("layer", [specification])))
    across = first.get("encoding", specification.get("encoding", {})).get("x", {})
    return across.get("type") in {"quantitative", "temporal"}


def _names(figure: Figure) -> list[str]:
    """The columns of texts: what is drawn at a point is named by them."""
    rows = figure.rows
    return [str(name) for name in rows.columns if name != LINK and not _is_number(rows[name])]


def _is_number(column: Any) -> bool:
    return bool(column.map(lambda value: value is None or isinstance(value, (int, float))).all()) or (
        column.dtype.kind in "iufb"
    )


def table_of(figure: Figure) -> Table:
    """The first rows, with numbers as people read them; a row's link is on its first cell."""
    columns = [str(name) for name in figure.rows.columns if name != LINK]
    numbers = {name: _is_number(figure.rows[name]) for name in columns}
    rows = [
        TableRow(link=_path(record.get(LINK)), cells=[(_text(record[name]), numbers[name]) for name in columns])
        for record in records(figure.rows.head(MOST_TABLE_ROWS))
    ]
    return Table([(name.replace("_", " "), numbers[name]) for name in columns], rows, len(figure.rows))


def _path(link: object) -> str:
    """Only ways within this site."""
    return link if isinstance(link, str) and link.startswith("/") and not link.startswith("//") else ""


def _text(value: object) -> str:
    """A number with at most four digits that count.

    >>> [_text(value) for value in (None, 0.123456, 12, 1234567, 1234.567, True, "w1")]
    ['–', '0.1235', '12', '1,234,567', '1,235', 'yes', 'w1']
    """
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:,.0f}" if math.fabs(value) >= 1000 else f"{value:.4g}"
        case _:
            return str(value)
