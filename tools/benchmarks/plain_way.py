"""The plain way to the same figures: pandas, statsmodels, krippendorff and scipy, in loops, as one's own script."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats import inter_rater

REPLICATES = 1_000


def timed(step: Callable[[], Any], times: float = 1.0) -> tuple[float, Any]:
    """Seconds that a step takes, times how often the whole work has it, and what it gives."""
    start = time.perf_counter()
    given = step()
    return (time.perf_counter() - start) * times, given


def plain_way(path: Path) -> dict[str, float]:
    """Seconds of each part. Of 1,000 replicates three are made, of the workers fifty, and the time is scaled up."""
    frame = pd.read_csv(path)
    seconds: dict[str, float] = {}
    seconds["gold"], _ = timed(lambda: frame.groupby("item_id")["value"].agg(["mean", "median", "std", "count"]))
    table = frame.pivot_table(index="worker_id", columns="item_id", values="value")
    reliability = table.to_numpy()
    seconds["alpha"], _ = timed(lambda: krippendorff.alpha(reliability, level_of_measurement="interval"))
    binned = frame.assign(bin=np.minimum(frame["value"] // 20, 4).astype(int))
    counts = pd.crosstab(binned["item_id"], binned["bin"]).to_numpy()
    rng = np.random.default_rng(1)
    few = 3

    def kappas() -> list[float]:
        return [inter_rater.fleiss_kappa(counts[rng.integers(0, len(counts), len(counts))]) for _ in range(few)]

    def alphas() -> list[float]:
        columns = [rng.integers(0, reliability.shape[1], reliability.shape[1]) for _ in range(few)]
        return [krippendorff.alpha(reliability[:, at], level_of_measurement="interval") for at in columns]

    seconds["kappa interval"], _ = timed(kappas, REPLICATES / few)
    seconds["alpha interval"], _ = timed(alphas, REPLICATES / few)
    workers = frame["worker_id"].unique()
    some = workers[:50]
    seconds["leave-one-out"], _ = timed(lambda: [_against_others(frame, who) for who in some], len(workers) / len(some))
    return seconds


def _against_others(frame: pd.DataFrame, worker: str) -> float:
    others = frame[frame["worker_id"] != worker].groupby("item_id")["value"].mean()
    own = frame[frame["worker_id"] == worker].set_index("item_id")["value"]
    return float(stats.spearmanr(own, others.reindex(own.index)).statistic)
