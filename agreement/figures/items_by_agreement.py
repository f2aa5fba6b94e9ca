"""The items on which people agree most and least."""

from __future__ import annotations

from typing import Any

import pandas as pd

from .figure import Figure

EACH_END = 15
MOST_ITEMS = 2 * EACH_END
UPPER, LOWER = "most agreed on", "least agreed on"


def draw_items_by_agreement(gold: pd.DataFrame) -> Figure | None:
    """From a gold table: means with their intervals where gold is numbers, shares where it is labels."""
    if "mean" in gold.columns:
        return _numbers(gold)
    shares = [name for name in gold.columns if str(name).startswith("p:")]
    return _labels(gold, shares) if shares else None


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
    rows = gold.loc[gold["n"] > 1, ["item_id", "mean", "sd", "n", "ci_low", "ci_high"]]
    rows = _ends(rows, "sd")
    if rows.empty:
        return None
    axis = {"type": "quantitative", "title": "Mean answer", "scale": {"zero": False}}
    at = _at(rows)
    return _figure(
        rows,
        len(gold),
        "Means of the items with their 95 % intervals, the items with the smallest spread above.",
        [
            {"mark": "rule", "encoding": {**at, "x": {"field": "ci_low", **axis}, "x2": {"field": "ci_high"}}},
            {"mark": {"type": "point", "tooltip": True}, "encoding": {**at, "x": {"field": "mean", **axis}}},
        ],
    )


def _labels(gold: pd.DataFrame, shares: list[Any]) -> Figure | None:
    rows = gold[["item_id", "label", "entropy", "n"]].assign(share=gold[shares].max(axis=1))
    rows = _ends(rows[rows["n"] > 1], "entropy")
    if rows.empty:
        return None
    axis = {"type": "quantitative", "title": "Share of the label that leads", "scale": {"domain": [0, 1]}}
    bars: dict[str, object] = {
        "mark": {"type": "bar", "tooltip": True},
        "encoding": {**_at(rows), "x": {"field": "share", **axis}},
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


def _as_much(rows: pd.DataFrame) -> str:
    """That others agree just as much, where some do: who stands there is then a matter of names."""
    alike = {part: int(of["alike"].iloc[0]) for part, of in rows.groupby("part") if "alike" in of}
    upper, lower = alike.get(UPPER, 0), alike.get(LOWER, 0)
    if not upper and not lower:
        return ""
    return (
        f"; {upper:,} more agree as much as the last of the upper ones, {lower:,} as little as the first of the lower"
    )


def _at(rows: pd.DataFrame) -> dict[str, object]:
    return {"y": {"field": "item_id", "type": "nominal", "sort": rows["item_id"].tolist(), "title": None}}


def _figure(rows: pd.DataFrame, items: int, caption: str, layers: list[dict[str, object]]) -> Figure:
    some = f" {items:,} items."
    if rows["part"].eq("all").all() and len(rows) < items:
        some = f" {len(rows):,} of {items:,} items; the others have fewer than two judgments."
    elif len(rows) < items:
        some = f" The {EACH_END} items at either end of {items:,}{_as_much(rows)}."
    return Figure(
        name="items",
        title="Agreement on items",
        caption=caption + some,
        description=f"{caption}{some} Numbers in the table.",
        rows=rows,
        specification={"layer": layers, "width": 420},
    )
