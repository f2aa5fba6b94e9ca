"""Figures of workers: who agrees with the others, who passes the checks, and how many are left after cleaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ..cleaning.rules.check import Check, judged_answers
from ..cleaning.rules.disagreement import agreement_with_others
from ..cleaning.rules.too_fast import median_by_worker
from .figure import CATEGORIES, INK, Figure

if TYPE_CHECKING:
    from ..cleaning.cleaning_run import Cleaning
    from ..report.report import Report

KEPT, EXCLUDED = "kept", "excluded"
DOMAIN = [KEPT, EXCLUDED]
MOST_POINTS = 2_000


def draw_worker_overview(cleaning: Cleaning, agrees_by: str) -> Figure | None:
    """None where no figure of a worker with the others is defined. Of very many workers a part is drawn, and said."""
    crowd = cleaning.crowd
    with_others = agreement_with_others(crowd, crowd.on_target, others=cleaning.kept_targets)
    seconds = median_by_worker(crowd, crowd.on_target) / 1000
    rows = pd.DataFrame(
        {
            "worker": list(map(str, crowd.workers)),
            "agreement": with_others,
            "seconds": seconds,
            "judgments": np.bincount(crowd.worker[crowd.on_target], minlength=crowd.n_workers),
            "status": np.where(cleaning.worker_kept, KEPT, EXCLUDED),
        }
    )[cleaning.took_part]
    return draw_worker_rows(rows, agrees_by)


def draw_worker_rows(rows: pd.DataFrame, agrees_by: str) -> Figure | None:
    """From a row per worker: `worker`, `agreement`, `seconds`, `judgments`, `status` and perhaps a `link`."""
    rows = rows[rows["agreement"].notna()]
    if rows.empty:
        return None
    drawn, left_out = rows, ""
    if len(rows) > MOST_POINTS:
        drawn = rows.iloc[np.linspace(0, len(rows) - 1, MOST_POINTS).astype(int)]
        left_out = f" {len(drawn):,} of them are drawn, evenly spaced in the table of workers."
    drawn, across = _across(drawn)
    named = "Correlation with the others" if agrees_by == "correlation" else "Share of agreement with the others"
    excluded = int((rows["status"] == EXCLUDED).sum())
    how_many = f"{excluded:,} of them" if excluded else "none of them"
    legend = {} if excluded else {"legend": None}
    return Figure(
        name="workers",
        title="Workers",
        caption=f"{named}, of {len(rows):,} workers, {how_many} excluded.{left_out}",
        description=f"{named} of {len(rows):,} workers, {how_many} excluded. Numbers in the table.",
        rows=drawn,
        specification={
            "mark": {"type": "point", "filled": False, "tooltip": True},
            "encoding": {
                "x": across,
                "y": {"field": "agreement", "type": "quantitative", "title": named, "scale": {"zero": False}},
                "color": {"field": "status", "type": "nominal", "title": "Worker", **legend,
                          "scale": {"domain": DOMAIN, "range": [CATEGORIES[0], CATEGORIES[4]]}},
                "shape": {"field": "status", "type": "nominal", "title": "Worker", **legend,
                          "scale": {"domain": DOMAIN, "range": ["circle", "cross"]}},
            },
            "width": 420,
        },
    )  # fmt: skip


def _across(drawn: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, object]]:
    """What tells workers apart: their time, else how much they judged, else who agrees more than whom."""
    seconds, judgments = drawn["seconds"], drawn["judgments"]
    if bool(seconds.notna().all() and (seconds > 0).all()):
        scale: dict[str, object] = {"type": "log", "nice": False, "padding": 12}
        return drawn, {
            "field": "seconds",
            "type": "quantitative",
            "title": "Median seconds per judgment",
            "scale": scale,
            "axis": {"tickCount": 6, "format": "~g"},
        }
    if judgments.min() < judgments.max():
        return drawn, {
            "field": "judgments",
            "type": "quantitative",
            "title": "Judgments",
            "scale": {"zero": False},
            "axis": {"tickMinStep": 1, "format": ",d"},
        }
    place = drawn["agreement"].rank(method="first").astype(int)
    title = f"Workers in the order of their agreement, {int(judgments.iloc[0]):,} judgments each"
    return drawn.assign(place=place), {
        "field": "place",
        "type": "quantitative",
        "title": title,
        "scale": {"domain": [1, max(len(drawn), 2)]},
        "axis": {"tickMinStep": 1, "format": ",d"},
    }


# The answers to check items, with the bounds that they were held to: who failed narrowly, who by far.

WITHIN, BEYOND = "within its bounds", "breaks them"
COLOURS = {"domain": [WITHIN, BEYOND], "range": [CATEGORIES[0], CATEGORIES[4]]}
SHAPES = {"domain": [WITHIN, BEYOND], "range": ["circle", "cross"]}


def draw_check_answers(cleaning: Cleaning) -> Figure | None:
    """None where no rule looked at a check, or nobody answered one."""
    crowd = cleaning.crowd
    parts = [judged_answers(rule, crowd) for rule in cleaning.rules.rules if isinstance(rule, Check)]
    rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    if rows.empty:
        return None
    rows["result"] = np.where(rows.pop("broken"), BEYOND, WITHIN)
    scale = crowd.scale if pd.api.types.is_float_dtype(rows["answer"]) else None
    by = ["check", "bound", "low", "high", "answer", "result"] if scale else ["check", "bound", "result"]
    counted = rows.groupby(by, sort=True, dropna=False).size().rename("answers").reset_index()
    row = {"field": "check", "type": "nominal", "title": None}
    colour = {"field": "result", "type": "nominal", "title": "The answer", "scale": COLOURS}
    count = {"field": "answers", "type": "quantitative", "title": "Answers"}
    if scale is None:
        mark = {"type": "bar", "tooltip": True}
        layers = [{"mark": mark, "encoding": {"x": count, "y": row, "color": colour}}]
    else:
        ends = {"domain": [float(scale.low), float(scale.high)], "nice": False}
        answer = {"field": "answer", "type": "quantitative", "scale": ends, "title": "Answer (lines: the bounds)"}
        points = {
            "x": answer,
            "y": row,
            "size": {**count, "scale": {"rangeMin": 20, "rangeMax": 400}},
            "color": colour,
            "shape": {"field": "result", "type": "nominal", "title": "The answer", "scale": SHAPES},
        }
        lines = [
            {
                "mark": {"type": "tick", "color": INK, "thickness": 2},
                "encoding": {"x": {**answer, "field": side}, "y": row},
            }
            for side in ("low", "high")
        ]
        mark = {"type": "point", "filled": False, "strokeWidth": 1.5, "tooltip": True}
        layers = [{"mark": mark, "encoding": points}, *lines]
    total, broken = int(counted["answers"].sum()), int(counted.loc[counted["result"] == BEYOND, "answers"].sum())
    bounds = "; ".join(
        f"{check}: {bound}" for check, bound in dict(zip(rows["check"], rows["bound"], strict=True)).items()
    )
    return Figure(
        name="check-answers",
        title="Answers to check items",
        caption=f"{total:,} answers to check items, {broken:,} of which break their bounds ({bounds}).",
        description=f"{total:,} answers to check items by check; {broken:,} break their bounds.",
        rows=counted,
        specification={"layer": layers, "width": 420, "height": {"step": 40}},
    )


# From everybody who came to what gold is made of: workers and judgments at each step of cleaning.

COLLECTED = "collected"


def _names(rules: Sequence[str]) -> list[str]:
    """What the rules are called, without what they say of themselves where that tells no two of them apart.

    >>> _names(["too fast: below 2 s", "check items: a", "check items: b"])
    ['too fast', 'check items: a', 'check items: b']
    """
    heads = [rule.partition(": ")[0] for rule in rules]
    return [head if heads.count(head) == 1 else rule for head, rule in zip(heads, rules, strict=True)]


def draw_people_and_judgments(report: Report) -> Figure:
    """The report's counts, and what each rule alone would exclude."""
    counts, steps = report.counts, _steps(report)
    wide = [
        {"step": step, "of": of, "count": count, "direction": direction}
        for step, workers, judgments, direction in steps
        for of, count in (("workers", workers), ("judgments", judgments))
    ]
    rows = pd.DataFrame(wide).dropna(subset=["count"]).astype({"count": int})
    order = [step for step, *_ in steps]
    colour = {"domain": ["in", "out"], "range": [CATEGORIES[0], CATEGORIES[4]]}
    encoding = {
        "y": {"field": "step", "type": "nominal", "sort": order, "title": None, "axis": {"labelLimit": 320}},
        "x": {"field": "count", "type": "quantitative", "title": None, "axis": {"tickCount": 4}},
    }
    layers = [
        {
            "mark": {"type": "bar", "tooltip": True},
            "encoding": {
                **encoding,
                "color": {"field": "direction", "type": "nominal", "legend": None, "scale": colour},
            },
        },
        {
            "mark": {"type": "text", "align": "left", "dx": 4},
            "encoding": {**encoding, "text": {"field": "count", "type": "quantitative", "format": ","}},
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


def _steps(report: Report) -> list[tuple[str, int, int | None, str]]:
    """Each step's name, its workers and judgments, and whether they are in or out."""
    counts, by_hand = report.counts, report.by_hand.set_aside
    rules = [rule for rule in report.cleaning.by_rule if rule.failed or rule.judgments]
    names = _names([rule.rule for rule in rules])
    failed = [
        (f"{'failed' if rule.failed else 'dropped by'} {name}", rule.failed, rule.judgments, "out")
        for name, rule in zip(names, rules, strict=True)
    ]
    return [
        (COLLECTED, counts.workers, counts.judgments, "in"),
        *failed,
        *([("excluded by hand", by_hand, None, "out")] if by_hand else []),
        (KEPT, counts.workers_kept, counts.judgments_kept, "in"),
    ]
