"""From everybody who came to what gold is made of: workers and judgments at each step of cleaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from .figure import CATEGORIES, Figure

if TYPE_CHECKING:
    from ..report.report import Report

COLLECTED, KEPT = "collected", "kept"


def _names(rules: Sequence[str]) -> list[str]:
    """What the rules are called, without what they say of themselves where that tells no two of them apart.

    >>> _names(["too fast: below 2 s", "check items: a", "check items: b"])
    ['too fast', 'check items: a', 'check items: b']
    """
    heads = [rule.partition(": ")[0] for rule in rules]
    return [head if heads.count(head) == 1 else rule for head, rule in zip(heads, rules, strict=True)]


def draw_people_and_judgments(report: Report) -> Figure:
    """The report's counts, and what each rule alone would exclude."""
    counts = report.counts
    rules = [rule for rule in report.cleaning.by_rule if rule.failed or rule.judgments]
    names = _names([rule.rule for rule in rules])
    failed = [
        (f"{'failed' if rule.failed else 'dropped by'} {name}", rule.failed, rule.judgments, "out")
        for name, rule in zip(names, rules, strict=True)
    ]
    steps: list[tuple[str, int, int | None, str]] = [(COLLECTED, counts.workers, counts.judgments, "in"), *failed]
    by_hand = report.by_hand.set_aside
    if by_hand:
        steps.append(("excluded by hand", by_hand, None, "out"))
    steps.append((KEPT, counts.workers_kept, counts.judgments_kept, "in"))
    wide = [
        {"step": step, "of": of, "count": count, "direction": direction}
        for step, workers, judgments, direction in steps
        for of, count in (("workers", workers), ("judgments", judgments))
    ]
    rows = pd.DataFrame(wide).dropna(subset=["count"]).astype({"count": int})
    order = [step for step, *_ in steps]
    colour = {"domain": ["in", "out"], "range": [CATEGORIES[0], CATEGORIES[4]]}
    at = {
        "y": {"field": "step", "type": "nominal", "sort": order, "title": None, "axis": {"labelLimit": 320}},
        "x": {"field": "count", "type": "quantitative", "title": None, "axis": {"tickCount": 4}},
    }
    layers = [
        {
            "mark": {"type": "bar", "tooltip": True},
            "encoding": {**at, "color": {"field": "direction", "type": "nominal", "legend": None, "scale": colour}},
        },
        {
            "mark": {"type": "text", "align": "left", "dx": 4},
            "encoding": {**at, "text": {"field": "count", "type": "quantitative", "format": ","}},
        },
    ]
    several = " A worker who fails several rules is counted under each of them." if len(steps) > 3 else ""
    kept = f"{counts.workers_kept:,} of {counts.workers:,} workers and {counts.judgments_kept:,} of"
    return Figure(
        name="people-and-judgments",
        title="From what was collected to what is kept",
        caption=f"{kept} {counts.judgments:,} judgments are kept.{several}",
        description=f"{kept} {counts.judgments:,} judgments are kept; the steps between stand in the table.",
        rows=rows,
        specification={
            "facet": {"column": {"field": "of", "type": "nominal", "title": None, "sort": ["workers", "judgments"]}},
            "spec": {"layer": layers, "width": 200},
            "resolve": {"scale": {"x": "independent"}},
        },
    )
