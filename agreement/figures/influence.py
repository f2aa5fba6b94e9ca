"""Agreement without each worker, beside the agreement of all: those whose leaving changes it most."""

from __future__ import annotations

import pandas as pd

from .figure import CATEGORIES, QUIET, Figure

MOST_WORKERS = 20


def draw_workers_influence(workers: pd.DataFrame, *, name: str, whole: float) -> Figure | None:
    """`workers` has `worker`, `without` (agreement without them) and perhaps a `link`; `name` is the statistic's.

    None where nobody's leaving changes anything.
    """
    rows = workers.assign(change=workers["without"] - whole).dropna(subset=["change"])
    rows = rows.reindex(rows["change"].abs().sort_values(ascending=False, kind="stable").index)
    drawn = rows.head(MOST_WORKERS)
    if drawn.empty or not drawn["change"].abs().max() > 0:
        return None
    some = f" The {len(drawn)} who change it most, of {len(rows):,}." if len(drawn) < len(rows) else ""
    most = drawn.iloc[0]
    y = {"field": "worker", "type": "nominal", "sort": drawn["worker"].tolist(), "title": "Without"}
    x = {"field": "without", "type": "quantitative", "title": name, "scale": {"zero": False}}
    said = f"{name}: {whole:.3f} with everybody, {most['without']:.3f} without {most['worker']}."
    return Figure(
        name="influence",
        title="Agreement without each worker",
        caption=f"{said}{some} The line is the agreement of everybody. A worker is no worse for being influential: look"
        " at their answers before you exclude anybody.",
        description=f"{said} Numbers in the table.",
        rows=drawn,
        specification={
            "layer": [
                {
                    "mark": {"type": "rule", "strokeDash": [4, 3], "color": QUIET},
                    "encoding": {"x": {"datum": whole, "type": "quantitative"}},
                },
                {
                    "mark": {"type": "rule", "strokeWidth": 2, "color": CATEGORIES[3]},
                    "encoding": {"y": y, "x": x, "x2": {"datum": whole}},
                },
                {"mark": {"type": "point", "size": 60}, "encoding": {"y": y, "x": x}},
            ],
            "width": 420,
        },
    )
