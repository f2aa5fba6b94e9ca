"""A study while it is planned and collected: its precision, judgments over time, and how long people take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from ..durations import ANSWER_SECONDS, DAY, HOUR, AnswerTimes, OverTime
from .figure import CATEGORIES, Figure

MINUTES_BINS = 20


def judgments_over_time(facts: OverTime) -> Figure | None:
    """From the summary's counts, each of so many minutes from `start` on."""
    counts, step, start = facts["counts"], facts["step"], facts["start"]
    if not counts:
        return None
    edges = start + step * np.arange(len(counts) + 1)
    # Without the Z a browser takes them for its own time.
    moments = [f"{moment}Z" for moment in edges.astype("datetime64[m]")]
    rows = pd.DataFrame({"from": moments[:-1], "to": moments[1:], "judgments": counts, "in_all": np.cumsum(counts)})
    days = step // DAY
    clock = "%-d %b" if days else "%H:%M" if step * len(counts) <= DAY else "%-d %b %H:%M"
    each = "an hour" if step == HOUR else "a day" if days == 1 else f"{days} days"
    total = int(np.sum(counts))
    return Figure(
        name="judgments-over-time",
        title="Judgments over time",
        caption=f"{total:,} judgments, checks among them; each bar is {each}, times are in UTC.",
        description=f"{total:,} judgments over time; each bar is {each}. Numbers in the table.",
        rows=rows,
        specification={
            "mark": {"type": "rect", "tooltip": True, "color": CATEGORIES[0], "stroke": "white", "strokeWidth": 0.5},
            "encoding": {
                "x": {"field": "from", "type": "temporal", "title": None, "scale": {"type": "utc"},
                      "axis": {"labelOverlap": True, "tickCount": 6, "format": clock}},
                "x2": {"field": "to"},
                "y": {"field": "judgments", "type": "quantitative", "title": "Judgments",
                      "scale": {"zero": True}, "axis": {"tickMinStep": 1}},
                "y2": {"datum": 0},
            },
            "width": 420,
        },
    )  # fmt: skip


def answer_times(facts: AnswerTimes) -> Figure | None:
    """From the summary's counts of answers in bins that double."""
    counts = np.array(facts["counts"])
    if not counts.sum():
        return None
    used = np.flatnonzero(counts)
    rows = pd.DataFrame(
        [
            (_bin(ANSWER_SECONDS[index], ANSWER_SECONDS[index + 1]), int(counts[index]))
            for index in range(used[0], used[-1] + 1)
        ],
        columns=["seconds", "answers"],
    )
    caption = f"{int(counts.sum()):,} answers to items; the median took {facts['median']:.3g} seconds."
    return _counts(
        "answer-times", "Time per answer", caption, rows, axis="seconds", title="Seconds per answer", value="answers"
    )


def _bin(low: float, high: float) -> str:
    if low == 0:
        return f"under {high:g}"
    return f"over {low:g}" if np.isinf(high) else f"{low:g}–{high:g}"


def person_times(minutes: Sequence[float], expected: int) -> Figure | None:
    """How long those who finished took, from consent to the end."""
    if not len(minutes):
        return None
    top = float(np.quantile(minutes, 0.98)) if len(minutes) > 20 else max(minutes)
    edges = np.unique(np.linspace(0, max(top, 1.0), min(MINUTES_BINS, 5 + len(minutes) // 4) + 1))
    counts, _ = np.histogram(np.minimum(minutes, edges[-1]), bins=edges)
    rows = pd.DataFrame({"low": edges[:-1].round(2), "high": edges[1:].round(2), "people": counts})
    slow = "" if max(minutes) <= edges[-1] else " Who took longer is in the last bar."
    caption = f"{len(minutes):,} people who finished; the line is the time that was expected.{slow}"
    low = {"field": "low", "type": "quantitative", "bin": {"binned": True}, "title": "Minutes per person"}
    count = {"field": "people", "type": "quantitative", "title": "People", "axis": {"tickMinStep": 1}}
    line = {"type": "rule", "color": CATEGORIES[4], "strokeWidth": 2}
    return Figure(
        name="person-times",
        title="Time per person",
        caption=caption,
        description=f"{caption} Numbers in the table.",
        rows=rows,
        specification={
            "layer": [
                {"mark": {"type": "bar", "tooltip": True}, "encoding": {"x": low, "x2": {"field": "high"}, "y": count}},
                {"mark": line, "encoding": {"x": {"datum": expected, "type": "quantitative"}}},
            ],
            "width": 420,
        },
    )


def funnel(steps: Sequence[tuple[str, int]]) -> Figure:
    """How many people got how far, in order."""
    rows = pd.DataFrame(steps, columns=["step", "people"])
    steps_in_words = ", ".join(f"{count:,} {step}" for step, count in steps)
    return _counts("funnel", "How far people get", f"{steps_in_words}.", rows, axis="step", title=None, value="people")


def pages_left(by_page: Mapping[int, int]) -> Figure | None:
    """At which page those who didn't finish gave their last answer."""
    if not by_page:
        return None
    rows = pd.DataFrame(
        [("before the first answer" if page == 0 else f"after page {page}", by_page[page]) for page in sorted(by_page)],
        columns=["page", "people"],
    )
    caption = f"{sum(by_page.values()):,} people who began, and are not at work and did not finish."
    return _counts("pages-left", "Where people leave", caption, rows, axis="page", title=None, value="people")


def _counts(
    name: str, title_of_figure: str, caption: str, rows: pd.DataFrame, *, axis: str, title: str | None, value: str
) -> Figure:
    named = {"field": axis, "type": "nominal", "sort": rows[axis].tolist(), "title": title}
    count = {"field": value, "type": "quantitative", "title": value.capitalize(), "axis": {"tickMinStep": 1}}
    return Figure(
        name=name,
        title=title_of_figure,
        caption=caption,
        description=f"{title_of_figure}: {caption} Numbers in the table.",
        rows=rows,
        specification={"mark": {"type": "bar", "tooltip": True}, "encoding": {"y": named, "x": count}, "width": 420},
    )


# How precise a study will be, by its judgments per item, beside the precision that is wanted.

PRECISION = "precision"
QUIET = {"aria": False}  # a curve's marks have no names of their own: the table has every point


def draw_plan_curve(rows: pd.DataFrame, *, target: float, measure: str, caption: str, rises: bool = False) -> Figure:
    """`rows` has judgments_per_item, precision, workers and, where there is pay, cost; `measure` is what is on the
    y axis.
    """
    with_more = "rises" if rises else "falls"
    x = {"field": "judgments_per_item", "type": "quantitative", "title": "Judgments per item"}
    y = {"field": PRECISION, "type": "quantitative", "title": measure, "scale": {"zero": True}}
    return Figure(
        name="plan",
        title="Precision by judgments per item",
        caption=caption,
        description=f"{measure} {with_more} with the judgments per item; the line marks {target:g}; numbers in the"
        " table.",
        rows=rows,
        specification={
            "layer": [
                {
                    "mark": {"type": "line", "point": QUIET, "tooltip": True, "color": CATEGORIES[0], **QUIET},
                    "encoding": {"x": x, "y": y},
                },
                {
                    "mark": {"type": "rule", "strokeDash": [6, 4], "color": CATEGORIES[4], **QUIET},
                    "encoding": {"y": {"datum": target}},
                },
            ],
            "width": 480,
            "height": 260,
        },
    )
