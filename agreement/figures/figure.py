"""What a figure is: a Vega-Lite specification and its rows, with its words; and how every figure looks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

# A part of a Vega-Lite specification, whose shape the drawing library checks.
Vega: TypeAlias = dict[str, Any]

# How every figure looks: made for print, readable in grey and with any colour vision.

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
# Okabe and Ito's colours, the pages' own blue in the place of theirs, in an order whose lightness differs, so that
# neighbours part in grey too.
CATEGORIES = ["#1d5c86", "#E69F00", "#000000", "#56B4E9", "#D55E00", "#009E73", "#CC79A7", "#F0E442"]
BEFORE = "#b8b8b8"  # what was collected, behind what cleaning kept
INK, QUIET, GRID = "#20242a", "#5a616b", "#d8d5cc"
# The colours that replace them on a dark page. Black and white on the cells of a heat map stay.
DARK = {
    INK: "#e9e6df", QUIET: "#a8aeb6", GRID: "#353a42", BEFORE: "#6a6a6a", "#000000": "#f5f5f5",
    "#1d5c86": "#8fc0e2", "#56B4E9": "#3f8fc4", "#009E73": "#2fc79b", "#D55E00": "#f0803c", "#CC79A7": "#e3a0c6",
}  # fmt: skip

THEME: Vega = {
    "font": FONT,
    "background": "white",
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK, "titleColor": INK, "labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal",
        "gridColor": GRID, "domainColor": QUIET, "tickColor": QUIET, "labelLimit": 220, "labelFlush": False,
    },
    "legend": {"labelColor": INK, "titleColor": INK, "labelFontSize": 11, "titleFontSize": 11, "labelLimit": 220},
    "header": {"labelColor": INK, "titleColor": INK, "labelFontSize": 11, "titleFontSize": 11},
    "range": {"category": CATEGORIES, "ramp": {"scheme": "viridis"}, "heatmap": {"scheme": "viridis"}},
    "bar": {"color": CATEGORIES[0]},
    "line": {"color": CATEGORIES[0], "strokeWidth": 2},
    "point": {"color": CATEGORIES[0], "filled": True, "size": 45},
    "rule": {"color": INK},
    "text": {"color": INK, "fontSize": 11},
}  # fmt: skip


def dark_rules(place: str) -> str:
    """The style of drawings within `place` on a dark page: what a drawing has in its own file, it has for paper.

    >>> dark_rules(".drawing").splitlines()[1]
    '.drawing [fill="#20242a" i] { fill: #e9e6df; }'
    """
    rules = [f'{place} svg > rect[fill="white"] {{ fill: none; }}']
    for light, dark in DARK.items():
        rules += [f'{place} [{part}="{light}" i] {{ {part}: {dark}; }}' for part in ("fill", "stroke")]
    return "\n".join(rules)


# What a figure is.

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
ROWS = "rows"
LINK = "link"  # a column of paths that the page's table leads to; never drawn, and in no file
# Labels are measured in the theme's font; where a reader's machine has a wider one in its place, they need room.
ROOM = {"left": 24, "top": 5, "right": 12, "bottom": 5}
# Whoever hears a figure hears its description and its table; naming every mark would treble the size of a heat map.
MOST_NAMED_MARKS = 200


@dataclass(frozen=True, eq=False)
class Figure:
    """`name` is the file's; `caption` says method and n; `description` is what a screen reader says in its place.

    The title isn't drawn: pages and papers print it beside the figure.

    `specification` is Vega-Lite without "data", which is `rows`, also the figure's table and its CSV file. On a
    page the rows of the table lead to where their column `link` says.
    """

    name: str
    title: str
    caption: str
    description: str
    rows: pd.DataFrame
    specification: Vega

    def whole_specification(self, *, links: bool = False) -> Vega:
        """With its data, the theme and its words: what any tool that knows Vega-Lite can draw."""
        config = {**THEME, **self.specification.get("config", {})}
        if len(self.rows) > MOST_NAMED_MARKS:
            config["aria"] = False
        return {
            "$schema": SCHEMA,
            "usermeta": {"title": self.title, "caption": self.caption},
            "description": self.description,
            "padding": ROOM,
            "data": {"name": ROWS, "values": list(records(self.rows if links else self.data()))},
            **{key: part for key, part in self.specification.items() if key != "config"},
            "config": config,
        }

    def data(self) -> pd.DataFrame:
        """The rows without the links of this site."""
        return self.rows.drop(columns=LINK, errors="ignore")

    def texts(self) -> set[str]:
        """All that is written in the figure, for the question whether a font has its letters."""
        texts, rows = {self.title}, self.data()
        for column in rows.columns:
            texts.add(str(column))
            texts.update(value for value in rows[column].unique() if isinstance(value, str))
        return texts


def records(rows: pd.DataFrame) -> Iterable[dict[str, object]]:
    """The rows as JSON has them: what is missing, infinite or not a number is null.

    >>> list(records(pd.DataFrame({"worker": ["w1", "w2"], "n": [3, 4], "alpha": [0.5, float("nan")]})))
    [{'worker': 'w1', 'n': 3, 'alpha': 0.5}, {'worker': 'w2', 'n': 4, 'alpha': None}]
    """
    names = [str(name) for name in rows.columns]
    for values in rows.itertuples(index=False, name=None):
        yield dict(zip(names, map(_json_value, values), strict=True))


def _json_value(value: object) -> object:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return None if value is pd.NA or value is pd.NaT else value


# A figure as a page draws it: its specification without a ground of its own, and its rows as a table with
# links.

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


def page_specification(figure: Figure) -> Vega:
    """What the page's script draws. Rows keep their links, which a click on a mark follows."""
    specification = figure.whole_specification(links=True)
    marks = {**specification["config"].get("mark", {}), "tooltip": {"content": "encoding"}}
    if LINK in figure.rows:
        marks["cursor"] = "pointer"
    specification["config"] = {**specification["config"], "background": "transparent", "aria": False, "mark": marks}
    if _is_widened(specification):
        specification |= {"width": "container", "autosize": {"type": "fit-x", "contains": "padding"}}
    return {"specification": specification, "dark": DARK, "names": _names(figure)}


def _is_widened(specification: Vega) -> bool:
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


def _is_number(column: pd.Series) -> bool:
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
