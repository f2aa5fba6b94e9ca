"""Figures of items: those on which people agree most and least, and what they answered to one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..judgments.crowd import Crowd, Mask
from .figure import CATEGORIES, Figure
from .judgment_distribution import Counted, draw_one
from .of_workers import DOMAIN, EXCLUDED, KEPT

EACH_END = 15
MOST_ITEMS = 2 * EACH_END
UPPER, LOWER = "most agreed on", "least agreed on"


def draw_items_by_agreement(gold: pd.DataFrame, words: Mapping[str, str]) -> Figure | None:
    """From a gold table: means with their intervals where gold is numbers, shares where it is labels. `words` are the
    items' names by their ids.
    """
    named = gold.assign(item=[words.get(str(item_id), str(item_id)) for item_id in gold["item_id"]])
    if "mean" in gold.columns:
        return _numbers(named)
    shares = [name for name in gold.columns if str(name).startswith("p:")]
    return _labels(named, shares) if shares else None


def least_agreed_on(gold: pd.DataFrame, count: int) -> list[tuple[str, str]]:
    """Of a gold table of numbers or labels: the items with the widest spread, and how their answers spread."""
    if "mean" in gold.columns:
        rows = gold.loc[(gold["n"] > 1) & (gold["sd"] > 0)].sort_values(["sd", "item_id"], ascending=[False, True])
        cells = rows.head(count)[["item_id", "mean", "sd", "n"]].to_numpy().tolist()
        return [(str(item), f"mean {mean:.4g}, sd {sd:.3g}, {n:,.0f} judgments") for item, mean, sd, n in cells]
    shares = [name for name in gold.columns if str(name).startswith("p:")]
    if not shares:
        return []
    share = gold[shares].max(axis=1)
    rows = gold.assign(share=share).loc[(gold["n"] > 1) & (gold["entropy"] > 0)]
    rows = rows.sort_values(["entropy", "item_id"], ascending=[False, True])
    cells = rows.head(count)[["item_id", "label", "share", "entropy", "n"]].to_numpy().tolist()
    return [
        (str(item), f"{label.replace('|', ' and ')} {share:.0%}, entropy {entropy:.2f} bits, {n:,.0f} judgments")
        for item, label, share, entropy, n in cells
    ]


def _numbers(gold: pd.DataFrame) -> Figure | None:
    rows = gold.loc[gold["n"] > 1, ["item_id", "item", "mean", "sd", "n", "ci_low", "ci_high"]]
    rows = _ends(rows, "sd")
    if rows.empty:
        return None
    axis = {"type": "quantitative", "title": "Mean answer", "scale": {"zero": False}}
    encoding = _item_axis(rows)
    return _figure(
        rows,
        len(gold),
        "Means of the items with their 95 % intervals, the items with the smallest spread above.",
        [
            {"mark": "rule", "encoding": {**encoding, "x": {"field": "ci_low", **axis}, "x2": {"field": "ci_high"}}},
            {"mark": {"type": "point", "tooltip": True}, "encoding": {**encoding, "x": {"field": "mean", **axis}}},
        ],
    )


def _labels(gold: pd.DataFrame, shares: list[Any]) -> Figure | None:
    rows = gold[["item_id", "item", "label", "entropy", "n"]].assign(share=gold[shares].max(axis=1))
    rows = _ends(rows[rows["n"] > 1], "entropy")
    if rows.empty:
        return None
    axis = {"type": "quantitative", "title": "Share of the label that leads", "scale": {"domain": [0, 1]}}
    bars: dict[str, object] = {
        "mark": {"type": "bar", "tooltip": True},
        "encoding": {**_item_axis(rows), "x": {"field": "share", **axis}},
    }
    return _figure(
        rows, len(gold), "Share of the label that leads, the items whose answers spread least (entropy) above.", [bars]
    )


def _ends(rows: pd.DataFrame, spread: str) -> pd.DataFrame:
    """Both ends, with `alike`: how many items that aren't there agree just as much as the last ones of that end."""
    rows = rows.sort_values([spread, "item_id"], kind="stable")
    if len(rows) <= MOST_ITEMS:
        return rows.assign(part="all")
    upper, between, lower = rows.head(EACH_END), rows.iloc[EACH_END:-EACH_END][spread], rows.tail(EACH_END)
    return pd.concat([upper.assign(part=UPPER), lower.assign(part=LOWER)]).assign(
        alike=[int((between == upper[spread].iloc[-1]).sum())] * EACH_END
        + [int((between == lower[spread].iloc[0]).sum())] * EACH_END
    )


def _equal_agreement_note(rows: pd.DataFrame) -> str:
    """That others agree just as much, where some do: who stands there is then a matter of names."""
    alike = {part: int(of["alike"].iloc[0]) for part, of in rows.groupby("part") if "alike" in of}
    upper, lower = alike.get(UPPER, 0), alike.get(LOWER, 0)
    if not upper and not lower:
        return ""
    return (
        f"; {upper:,} more agree as much as the last of the upper ones, {lower:,} as little as the first of the lower"
    )


def _item_axis(rows: pd.DataFrame) -> dict[str, object]:
    return {"y": {"field": "item", "type": "nominal", "sort": rows["item"].tolist(), "title": None}}


def _figure(rows: pd.DataFrame, items: int, caption: str, layers: list[dict[str, object]]) -> Figure:
    some = f" {items:,} items."
    if rows["part"].eq("all").all() and len(rows) < items:
        some = f" {len(rows):,} of {items:,} items; the others have fewer than two judgments."
    elif len(rows) < items:
        some = f" The {EACH_END} items at either end of {items:,}{_equal_agreement_note(rows)}."
    return Figure(
        name="items",
        title="Agreement on items",
        caption=caption + some,
        description=f"{caption}{some} Numbers in the table.",
        rows=rows,
        specification={"layer": layers, "width": 420},
    )


# What people answered to one item: every number as a point that names its worker, anything else by how often.

NAME, TITLE = "item-answers", "Answers"
ROWS = 12  # points that would lie on each other stand one above the other


def draw_item_answers(
    crowd: Crowd, counts: Mask, excluded: Mask, distribution: Counted, workers: Sequence[str], links: Sequence[str]
) -> Figure:
    """Of one item's judgments that count; `excluded`, `workers` and `links` [J] are of the people who gave them."""
    which = counts & ~excluded
    out = int((counts & excluded).sum())
    caption = f"{int(which.sum()):,} judgments that count."
    caption += f" Of excluded workers there are {out} more." if out else ""
    answers = np.asarray(crowd.answers) if isinstance(crowd.answers, np.ndarray) else None
    if answers is None or answers.ndim > 1 or answers.dtype.kind != "f":
        return draw_one(distribution(crowd, which), name=NAME, title=TITLE, caption=caption)
    order = np.flatnonzero(counts)
    order = order[np.argsort(answers[order], kind="stable")]
    scale = {} if crowd.scale is None else {"domain": [float(crowd.scale.low), float(crowd.scale.high)]}
    rows = pd.DataFrame(
        {
            "worker": [workers[j] for j in order.tolist()],
            "answer": answers[order],
            "status": np.where(excluded[order], EXCLUDED, KEPT),
            "height": np.arange(len(order)) % ROWS,
            "link": [links[j] for j in order.tolist()],
        }
    )
    colour = {"domain": DOMAIN, "range": [CATEGORIES[0], CATEGORIES[4]]}
    status = {"field": "status", "type": "nominal", "title": "Worker", **({} if out else {"legend": None})}
    point = {
        "x": {"field": "answer", "type": "quantitative", "title": "Answer", "scale": scale},
        "y": {"field": "height", "type": "quantitative", "axis": None},
        "detail": {"field": "worker"},
        "color": {**status, "scale": colour},
        "shape": {**status, "scale": {"domain": DOMAIN, "range": ["circle", "cross"]}},
    }
    layers = [{"mark": {"type": "point", "tooltip": True}, "encoding": point}]
    if which.any():
        mean = float(answers[which].mean())
        caption += f" The line is their mean, {mean:.4g}." if not out else f" The line is the others' mean, {mean:.4g}."
        layers.append({"mark": {"type": "rule"}, "encoding": {"x": {"datum": mean, "type": "quantitative"}}})
    return Figure(
        name=NAME,
        title=TITLE,
        caption=caption,
        description=f"Each answer as a point on the scale. {caption} Numbers in the table.",
        rows=rows,
        specification={"layer": layers, "width": 420, "height": 90},
    )
