"""A figure in words, and over what the intervals of some figures are, said once for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

Figure = Mapping[str, Any]

NO_INTERVAL = "no interval: "
OVER = {
    "items and workers": "over items and workers: they generalise to new items and new workers",
    "items": "over items, for these workers",
}
_UNITS = re.compile(r"jackknife,? (?:over|on) (?:[\d,]+ )?([a-z]+)")


def said_figure(figure: Figure) -> str:
    """A figure in words; why there is no interval is said where the figure knows a reason.

    >>> said_figure({"estimate": 0.43024, "low": 0.381, "high": 0.48, "n": 30, "method": ""})
    '0.430 (0.381 to 0.480)'
    >>> said_figure({"undefined": "every judgment is the same label"})
    'undefined, because every judgment is the same label'
    >>> said_figure({"estimate": 1.0, "low": None, "high": None, "method": "alpha; no interval: nothing varies"})
    '1.000 (no interval: nothing varies)'
    >>> said_figure({"estimate": 0.753, "low": None, "high": None, "method": "mean; no interval asked for"})
    '0.753'
    """
    if "undefined" in figure:
        return f"undefined, because {figure['undefined']}"
    estimate = f"{figure['estimate']:.3f}"
    if figure["low"] is None or figure["high"] is None:
        _, said, why = figure["method"].partition(NO_INTERVAL)
        return f"{estimate} (no interval: {why})" if said else estimate
    return f"{estimate} ({figure['low']:.3f} to {figure['high']:.3f})"


def over_what(figures: Iterable[Figure]) -> set[str]:
    """What the intervals of these figures are over: "items and workers", "items"; what items share, by its name."""
    found = set()
    for figure in figures:
        if figure.get("low") is None:
            continue
        over = str(figure.get("over", ""))  # a figure that doesn't say is spoken of in no sentence on a group
        units = _UNITS.search(figure["method"]) if over == "items" else None
        found.add(units[1] if units else over)
    return found


def over_in_words(over: set[str], *, held: str = "") -> str:
    """The sentence on these intervals; nothing where there are none, or where each says it by itself.

    >>> over_in_words({"items"}, held="with gold held fixed")
    'The intervals (95 %) are over items, with gold held fixed, for these workers.'
    """
    if len(over) != 1:
        return ""
    [one] = over
    if not one:
        return ""
    if one == "items and workers":
        return f"The intervals (95 %) are {OVER[one]}."
    return f"The intervals (95 %) are over {one}{f', {held},' if held else ','} for these workers."
