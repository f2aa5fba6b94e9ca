"""Items from those on which one label has all to those that have many: each label's share, ordered by entropy."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .figure import Figure
from .label_distribution import entropy_in_bits

MOST_ITEMS = 90


def draw(shares: pd.DataFrame, *, most: int = MOST_ITEMS) -> Figure:
    """`shares` has a row per item, named by its index, and a column per label. Of more items every k-th is drawn."""
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
