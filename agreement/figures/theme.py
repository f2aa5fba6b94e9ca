"""How every figure looks: made for print, readable in grey and with any colour vision."""

from __future__ import annotations

from typing import Any

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
# Okabe and Ito's colours in an order whose lightness differs, so that neighbours part in grey too.
CATEGORIES = ["#0072B2", "#E69F00", "#000000", "#56B4E9", "#D55E00", "#009E73", "#CC79A7", "#F0E442"]
BEFORE = "#b8b8b8"  # what was collected, behind what cleaning kept
INK, QUIET, GRID = "#1c1c1c", "#555555", "#dddddd"
# The colours that replace them on a dark page. Black and white on the cells of a heat map stay.
DARK = {
    INK: "#ececec", QUIET: "#b4b4b4", GRID: "#414141", BEFORE: "#6a6a6a", "#000000": "#f5f5f5",
    "#0072B2": "#4ba3dd", "#56B4E9": "#a9dcff", "#009E73": "#2fc79b", "#D55E00": "#f0803c", "#CC79A7": "#e3a0c6",
}  # fmt: skip

THEME: dict[str, Any] = {
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
