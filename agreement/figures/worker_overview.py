"""Every worker as a point: how far they agree with the others and how fast they were, and who was excluded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ..cleaning.rules.disagreement import agreement_with_others
from ..cleaning.rules.too_fast import median_by_worker
from .figure import CATEGORIES, Figure

if TYPE_CHECKING:
    from ..cleaning.cleaning_run import Cleaning

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
    has_times = bool(drawn["seconds"].notna().all())
    across: dict[str, object] = (
        {"field": "seconds", "type": "quantitative", "title": "Median seconds per judgment", "scale": {"type": "log"}}
        if has_times and bool((drawn["seconds"] > 0).all())
        else {"field": "judgments", "type": "quantitative", "title": "Judgments"}
    )
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
                "y": {"field": "agreement", "type": "quantitative", "title": named},
                "color": {"field": "status", "type": "nominal", "title": "Worker", **legend,
                          "scale": {"domain": DOMAIN, "range": [CATEGORIES[0], CATEGORIES[4]]}},
                "shape": {"field": "status", "type": "nominal", "title": "Worker", **legend,
                          "scale": {"domain": DOMAIN, "range": ["circle", "cross"]}},
            },
            "width": 420,
        },
    )  # fmt: skip
