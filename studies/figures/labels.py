"""How often items have each label, overall and by groups of items; and the items ordered by how mixed they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from agreement.figures.figure import Figure
from agreement.files.cell_texts import split_bars

ALL = "all items"
CARDINALITY = "labels per item"
MOST_ITEMS = 90


def draw_distribution(
    references: Sequence[str], labels: Sequence[str], by: Sequence[str] | None = None, *, column: str = ""
) -> Figure:
    """How often each label occurs.

    `references` have an item's labels, with `|` between; `by` its group in `column`. Without, all items are one.

    An item of two labels counts under both, so that shares sum to more than 1.
    """
    sets = [set(split_bars(cell)) for cell in references]
    groups = [ALL] * len(sets) if by is None else list(by)
    names = sorted(set(groups))
    rows = _label_shares(sets, labels, groups, names)
    axis = {"field": "label", "type": "nominal", "sort": list(labels), "title": None}
    n = f"{len(sets):,} items; an item with several labels counts under each."
    if by is None:
        share = {"field": "share", "type": "quantitative", "title": "Share of the items", "scale": {"domainMin": 0}}
        specification = {"mark": {"type": "bar", "tooltip": True}, "encoding": {"y": axis, "x": share}, "width": 420}
        return Figure(
            name="label-distribution",
            title="How often each label occurs",
            caption=f"Share of the items that have each label, of {n}",
            description=f"Share of the items that have each of {len(labels)} labels; numbers in the table.",
            rows=rows,
            specification=specification,
        )
    return Figure(
        name=f"label-distribution-by-{column.replace('_', '-').replace(' ', '-')}",
        title=f"How often each label occurs, by {column.replace('_', ' ')}",
        caption=f"Share of a group's items that have each label, by {column.replace('_', ' ')}, of {n}",
        description=f"Share of items with each of {len(labels)} labels in {len(names)} groups; numbers in the table.",
        rows=rows,
        specification={
            "mark": {"type": "rect", "tooltip": True},
            "encoding": {
                "x": axis,
                "y": {"field": "group", "type": "nominal", "sort": names, "title": None},
                "color": {
                    "field": "share", "type": "quantitative", "title": "Share of the items",
                    "scale": {"scheme": "viridis", "domain": [0, 1]},
                },
            },
            "width": {"step": 36},
            "height": {"step": 22},
        },
    )  # fmt: skip


def _label_shares(
    sets: Sequence[set[str]], labels: Sequence[str], groups: Sequence[str], names: Sequence[str]
) -> pd.DataFrame:
    """A row for each group and label: the share of the group's items that have it, how many, and of how many."""
    counted = pd.DataFrame(
        [(group, label, label in of) for group, of in zip(groups, sets, strict=True) for label in labels],
        columns=["group", "label", "has"],
    )
    rows = counted.groupby(["group", "label"], sort=False)["has"].agg(["mean", "sum", "count"]).reset_index()
    rows.columns = pd.Index(["group", "label", "share", "items", "n"])
    order = _places([*names, *labels])
    return rows.sort_values(["group", "label"], key=lambda each: each.map(order), kind="stable", ignore_index=True)


def by_cardinality(references: Sequence[str]) -> list[str]:
    """The group of each item in a figure by how many labels it has.

    >>> by_cardinality(["red", "red|blue"])
    ['1', '2']
    """
    return [str(len(split_bars(cell))) for cell in references]


def _places(names: Sequence[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(names)}


def entropy_in_bits(shares: pd.DataFrame) -> pd.Series:
    """Of each row of shares: 0 where one label has all.

    >>> entropy_in_bits(pd.DataFrame({"red": [1.0, 0.5], "blue": [0.0, 0.5]})).tolist()
    [0.0, 1.0]
    """
    p = shares.to_numpy(dtype=np.float64)
    bits = np.where(p > 0, p * np.log2(np.where(p > 0, p, 1.0)), 0.0)
    return pd.Series(np.abs(bits.sum(axis=1)), index=shares.index)


def draw_by_entropy(shares: pd.DataFrame, *, most: int = MOST_ITEMS) -> Figure:
    """Each label's share of an item, from items on which one label has all to those that have many.

    `shares` has a row per item, named by its index, and a column per label. Of more items every k-th is drawn.
    """
    entropy = entropy_in_bits(shares)
    order = entropy.sort_values(kind="stable").index
    drawn = order[np.unique(np.linspace(0, len(order) - 1, min(most, len(order))).round().astype(int))]
    chosen = shares.loc[drawn]
    rows = chosen.rename_axis("item").reset_index().melt(id_vars="item", var_name="label", value_name="share")
    rows["entropy"] = rows["item"].map(entropy)
    some = f"{len(shares):,} items"
    if len(chosen) < len(shares):
        some = f"{len(chosen)} of {some}, evenly by rank"
    return Figure(
        name="labels-by-entropy",
        title="Labels of the items, ordered by entropy",
        caption=f"Share of each label in an item's distribution; {some}, from the least entropy (above) to the most.",
        description=f"Shares of {shares.shape[1]} labels in {some}, ordered by entropy; numbers in the table.",
        rows=rows,
        specification={
            "mark": {"type": "rect", "tooltip": True},
            "encoding": {
                "x": {"field": "label", "type": "nominal", "sort": list(shares.columns), "title": None},
                "y": {"field": "item", "type": "nominal", "sort": list(drawn), "title": None},
                "color": {
                    "field": "share",
                    "type": "quantitative",
                    "title": "Share",
                    "scale": {"scheme": "viridis", "domain": [0, 1]},
                },
            },
            "width": {"step": 36},
            "height": {"step": 13},
            "config": {"axisY": {"labelFontSize": 9}},
        },
    )


def draw(rows: pd.DataFrame, texts: int) -> Figure:
    """`rows` has `metric`, `references` and `score`; `texts` is how many texts each score is of."""
    most = int(rows["references"].max())
    references = {"field": "references", "type": "ordinal", "title": "References", "axis": {"labelAngle": 0}}
    score = {"field": "score", "type": "quantitative", "title": "Score"}
    by_references = {"x": references, "y": score}
    return Figure(
        name="scores-by-references",
        title="Scores grow with the number of references",
        caption=f"People's texts against 1 to {most} texts of others on the same item; {texts:,} texts at each number.",
        description=f"A line for each of {rows['metric'].nunique()} metrics, which rises from 1 to {most} references.",
        rows=rows,
        specification={
            "facet": {"field": "metric", "type": "nominal", "title": None},
            "columns": 3,
            "spec": {
                "width": 170,
                "height": 170,
                "layer": [
                    {"mark": "line", "encoding": by_references},
                    {"mark": {"type": "point", "tooltip": True}, "encoding": by_references},
                ],
            },
        },
    )
