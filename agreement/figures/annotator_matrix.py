"""How far every two workers agree on the items that both judged, as a heat map."""

from __future__ import annotations

import pandas as pd

from ..people.similar_workers import LEAST_ITEMS
from .figure import Figure
from .similarity_matrix import MOST_WITH_NUMBERS, heat_map


def draw_annotator_matrix(pairs: pd.DataFrame, *, workers: int, agrees_by: str) -> Figure | None:
    """`pairs` has `worker`, `other`, `agreement` and `shared` (items), each pair once; `workers` were compared."""
    if pairs.empty:
        return None
    mean = pd.concat([pairs, pairs.rename(columns={"worker": "other", "other": "worker"})], ignore_index=True)
    order = mean.groupby("worker")["agreement"].mean().sort_values(ascending=False, kind="stable").index.tolist()
    place = {worker: at for at, worker in enumerate(order)}
    rows = mean.sort_values(["worker", "other"], key=lambda names: names.map(place.__getitem__), ignore_index=True)
    what = "Correlation" if agrees_by == "correlation" else "Share of equal answers"
    domain = [-1, 1] if agrees_by == "correlation" else [0, 1]
    said = (
        f"{what} of {len(pairs):,} pairs of workers who share {LEAST_ITEMS} items or more, of the {workers} who were"
        " compared (those with most judgments); who agrees most with the others comes first."
    )
    return Figure(
        name="annotator-matrix",
        title="Agreement of every two workers",
        caption=said,
        description=f"A heat map. {said} Numbers in the table.",
        rows=rows[["worker", "other", "agreement", "shared"]],
        specification=heat_map(
            order,
            order,
            field=("agreement", what),
            axes=("worker", "other"),
            scale={"domain": domain},
            with_numbers=len(order) <= MOST_WITH_NUMBERS,
        ),
    )
