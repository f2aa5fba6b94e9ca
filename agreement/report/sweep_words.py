"""A threshold sweep as rows and as sentences: does any conclusion hang on the thresholds?"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from ..arrays import Bools
from ..cleaning.rule import plain
from ..cleaning.sweep import Sweep
from ..typed_json import JsonObject

# Cells that keep fewer of the workers say little of the thresholds: they are drawn, and no sentence counts them.
LEAST_KEPT = 0.5


def rows_of(sweep: Sweep) -> list[JsonObject]:
    """A row per cell, undefined figures None."""
    best, (first, second) = sweep.best(), sweep.axes
    return [
        {
            "first": str(plain(a)),
            "second": str(plain(b)),
            "agreement": _number(sweep.alpha[i, j]),
            "workers": int(sweep.workers[i, j]),
            "judgments": int(sweep.judgments[i, j]),
            "gold": _number(sweep.gold[i, j]),
            "best": best[i][j],
            "now": _is_now(first.now, a) and _is_now(second.now, b),
        }
        for i, a in enumerate(first.values)
        for j, b in enumerate(second.values)
    ]


def _is_now(now: tuple[object, ...], value: object) -> bool:
    return not now or value in now


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def sentences(sweep: Sweep) -> list[str]:
    """What stays the same over the grid, and what hangs on the thresholds."""
    counts = sweep.workers >= LEAST_KEPT * max(int(sweep.workers.max()), 1)
    of = f"{int(counts.sum())} of {counts.size} cells that keep at least half of the workers"
    said = []
    alpha = sweep.alpha[counts & ~np.isnan(sweep.alpha)]
    if len(alpha):
        said.append(f"Agreement ({sweep.statistic}) goes from {alpha.min():.3f} to {alpha.max():.3f} over the {of}.")
    else:
        said.append("Agreement is undefined in all of these cells; the figure shows how many workers are kept.")
    gold = sweep.gold[counts & ~np.isnan(sweep.gold)]
    if len(gold):
        said.append(
            f"The gold of each of them goes with that of the present rules: {sweep.of_gold} {gold.min():.3f} or more."
        )
    if sweep.models:
        said.append(_of_models(sweep, counts))
    return said


def _of_models(sweep: Sweep, counts: Bools) -> str:
    best = Counter(name for name in np.array(sweep.best(), dtype=object)[counts].tolist() if name)
    if not best:
        return "No model has a score that a grid could show."
    [(name, n), *others] = best.most_common()
    if not others:
        return (
            f"{name} has the highest score ({sweep.of_models}) in all of them: which model is best doesn't hang on the"
            " thresholds."
        )
    rest = ", ".join(f"{other} in {many}" for other, many in others)
    return (
        f"Which model is best hangs on the thresholds: {name} has the highest score ({sweep.of_models}) in {n} of them,"
        f" {rest}."
    )
