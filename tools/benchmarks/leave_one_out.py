"""Leave-one-out on a million judgments, point and two-way interval, against pandas parsing the same judgments.

    python -m tools.benchmarks.leave_one_out [--items 100000] [--workers 2000] [--each 10]

Prints the ratios (the interval together with all else of a report may take 25 times the parse) and beside them the
plain way, scipy worker by worker, timed on a few workers and scaled up to all and to 61 rounds.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from agreement.people.leave_one_out import leave_one_out
from agreement.people.person_metrics import OF_NUMBERS

ROUNDS = 61  # the figure itself and 20 + 20 + 20 groups left out


def crowd(items: int, workers: int, each: int) -> pd.DataFrame:
    """A slider crowd, 0 to 100, whole numbers, rows in random order."""
    rng = np.random.default_rng(0)
    item = np.repeat(np.arange(items), each)
    worker = (
        rng.integers(0, workers, items)[:, None] + np.cumsum(rng.integers(1, workers // each, (items, each)), axis=1)
    ) % workers
    value = np.clip(np.rint(rng.uniform(10, 90, items)[item] + rng.normal(0, 20, len(item))), 0, 100)
    frame = pd.DataFrame({"worker": worker.reshape(-1), "item": item, "value": value.astype(int)})
    return frame.sample(frac=1, random_state=1, ignore_index=True)


def plain(frame: pd.DataFrame, workers: int) -> float:
    """Seconds for one round, worker by worker with pandas and scipy, scaled up from a few workers."""
    n_workers = frame["worker"].nunique()
    start = time.perf_counter()
    totals = frame.groupby("item")["value"].agg(["sum", "count"])
    for worker in range(workers):
        mine = frame[frame["worker"] == worker]
        others = totals.loc[mine["item"]]
        gold = (others["sum"].to_numpy() - mine["value"].to_numpy()) / (others["count"].to_numpy() - 1)
        stats.spearmanr(mine["value"], gold)
    return (time.perf_counter() - start) / workers * n_workers


def main() -> None:
    """Time all in one run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=2_000)
    parser.add_argument("--each", type=int, default=10)
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)))
    asked = parser.parse_args()
    frame = crowd(asked.items, asked.workers, asked.each)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judgments.csv"
        named = {
            "worker_id": "w" + frame["worker"].astype(str).str.zfill(5),
            "item_id": "item" + frame["item"].astype(str).str.zfill(6),
        }
        pd.DataFrame({**named, "value": frame["value"]}).to_csv(path, index=False)
        start = time.perf_counter()
        pd.read_csv(path)
        parse = time.perf_counter() - start
    item, worker = frame["item"].to_numpy(dtype=np.int32), frame["worker"].to_numpy(dtype=np.int32)
    value = frame["value"].to_numpy(dtype=np.float64)
    taken = {}
    for what, rng in (("point", None), ("interval", np.random.default_rng(1))):
        start = time.perf_counter()
        done = leave_one_out(OF_NUMBERS, item, worker, value, asked.items, rng=rng, processes=asked.processes)
        taken[what] = time.perf_counter() - start
    loop = plain(frame, 20)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(frame):,} judgments of {asked.workers:,} workers, {asked.processes} processes, peak {peak:.0f} MB")
    print(f"pandas parses     {parse:8.2f} s")
    print(f"point             {taken['point']:8.2f} s   {taken['point'] / parse:6.1f} times")
    print(f"two-way interval  {taken['interval']:8.2f} s   {taken['interval'] / parse:6.1f} times")
    print(f"plain loop, point {loop:8.1f} s, interval {loop * ROUNDS:8.0f} s (scaled up)")
    print(done.mean)


if __name__ == "__main__":
    main()
