"""Two golds of the same items beside each other: how far they go together, and where they differ most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ..gold.gold_columns import ITEM_ID, SHARE, labels_in

MOST_SHOWN = 15
MEAN, MAJORITY = "mean", "label"


@dataclass(frozen=True, slots=True)
class GoldCompared:
    """`differences` are the items that differ most: of means their distance, of labels half the sum of the distances
    between their shares. `correlation` is None for labels, `other_majority` for numbers.
    """

    items: int
    largest: float
    average: float
    correlation: float | None
    other_majority: int | None
    differences: list[dict[str, Any]]


def compare_gold(first: pd.DataFrame | None, second: pd.DataFrame | None) -> GoldCompared | str:
    """Or, in words, why there is nothing to compare."""
    if first is None or second is None:
        return "One of them keeps no judgment, so that it has no gold."
    first, second = (table[table["n"] > 0].set_index(ITEM_ID.name) for table in (first, second))
    both = first.index.intersection(second.index)
    if not len(both):
        return "They have no item in common."
    first, second = first.loc[both], second.loc[both]
    if MEAN in first and MEAN in second:
        return _means(first[MEAN].astype(float), second[MEAN].astype(float))
    labels = labels_in(first.columns)
    if labels and labels == labels_in(second.columns) and MAJORITY in first:
        return _shares(first, second, labels)
    return "Gold of this kind of question is no number and no label: compare the two gold.csv files."


def _means(first: pd.Series[float], second: pd.Series[float]) -> GoldCompared:
    apart = (first - second).abs()
    varies = len(first) > 2 and first.std() > 0 and second.std() > 0
    r = float(np.corrcoef(first, second)[0, 1]) if varies else None
    rows = [_row(item, f"{first[item]:.4g}", f"{second[item]:.4g}", apart[item]) for item in _most(apart)]
    return GoldCompared(len(apart), float(apart.max()), float(apart.mean()), r, None, rows)


def _shares(first: pd.DataFrame, second: pd.DataFrame, labels: list[str]) -> GoldCompared:
    names = [SHARE.replace("{label}", label) for label in labels]
    apart = (first[names].astype(float) - second[names].astype(float)).abs().sum(axis=1) / 2
    rows = [_row(item, str(first[MAJORITY][item]), str(second[MAJORITY][item]), apart[item]) for item in _most(apart)]
    others = int((first[MAJORITY] != second[MAJORITY]).sum())
    return GoldCompared(len(apart), float(apart.max()), float(apart.mean()), None, others, rows)


def _most(apart: pd.Series[float]) -> list[Any]:
    """The items that differ at all, the most different first."""
    largest = apart[apart > 0].sort_values(ascending=False, kind="stable")
    return list(largest.index[:MOST_SHOWN])


def _row(item: Any, first: str, second: str, apart: float) -> dict[str, Any]:
    return {"item_id": str(item), "first": first, "second": second, "difference": float(apart)}
