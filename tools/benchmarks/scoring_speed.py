"""100 probes of 30,000 items: scores, breakdowns and all paired tests, against pandas reading the same 100 files.

    python -m tools.benchmarks.scoring_speed [--probes 100] [--items 30000] [--plain 2]

Prints the ratio that the project promises to keep below 10, and beside it the plain way: scipy on each probe and a
loop over deletions, timed on a few probes and deletions and scaled up.
"""

import argparse
import os
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from agreement.processes import map_tasks
from agreement.scoring.comparison import compare_all
from agreement.scoring.probe import Probe, StudyItems
from agreement.scoring.probe_file import read_probe
from agreement.scoring.score import ProbeScores, Task
from agreement.scoring.score_gold import Gold

METRICS = ("spearman", "pearson", "kendall", "rmse", "mae", "rmse_calibrated")
PROMISED = 10.0


def _write(folder: Path, probes: int, gold: Gold) -> list[Path]:
    rng = np.random.default_rng(1)
    paths = []
    for at in range(probes):
        assert gold.numbers is not None  # noqa: S101 - made so below
        score = gold.numbers + rng.normal(0, 20 + at / 5, len(gold))
        path = folder / f"model{at:03d}.csv"
        pd.DataFrame({"item_id": gold.ids, "score": score}).to_csv(path, index=False)
        paths.append(path)
    return paths


def _gold(items: int) -> Gold:
    rng = np.random.default_rng(0)
    ids = np.array([f"item{at:06d}" for at in range(items)], dtype=object)
    fields = {
        "scene": np.array([f"scene {at}" for at in rng.integers(0, 10, items)], dtype=object),
        "category": np.array([f"category {at}" for at in rng.integers(0, 40, items)], dtype=object),
    }
    return Gold("slider", ids, numbers=np.rint(rng.uniform(0, 1000, items)) / 10, fields=fields)


def _one(path: Path, task: Task) -> tuple[Probe, ProbeScores]:
    probe = read_probe(path, task.study)
    return probe, task.score(probe)


def ours(paths: list[Path], gold: Gold, study: StudyItems, processes: int) -> int:
    """Read, score, break down, compare every pair on every metric; the number of paired tests."""
    done = map_tasks(paths, partial(_one, task=Task.of(gold, study)), processes)
    probes, scores = [one[0] for one in done], [one[1] for one in done]
    return len(compare_all(probes, scores, gold, study, METRICS))


def plain(path: Path, gold: Gold, deletions: int) -> float:
    """Seconds that scipy and a loop would take for one probe's Spearman jackknife."""
    frame = pd.read_csv(path)
    assert gold.numbers is not None  # noqa: S101
    x, y = frame["score"].to_numpy(), gold.numbers
    start = time.perf_counter()
    for at in range(deletions):
        stats.spearmanr(np.delete(x, at), np.delete(y, at))
    return (time.perf_counter() - start) / deletions * len(x)


def main() -> None:
    """Time both in one run and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--probes", type=int, default=100)
    parser.add_argument("--items", type=int, default=30_000)
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--deletions", type=int, default=20, help="of the plain loop, scaled up")
    asked = parser.parse_args()
    gold = _gold(asked.items)
    study = StudyItems("slider", gold.ids)
    with tempfile.TemporaryDirectory() as folder:
        paths = _write(Path(folder), asked.probes, gold)
        start = time.perf_counter()
        for path in paths:
            pd.read_csv(path)
        reading = time.perf_counter() - start
        start = time.perf_counter()
        tests = ours(paths, gold, study, asked.processes)
        taken = time.perf_counter() - start
        loop = plain(paths[0], gold, asked.deletions) * asked.probes
    print(f"{asked.probes} probes x {asked.items:,} items, {tests:,} paired tests, {asked.processes} processes")
    print(f"pandas reads the files    {reading:9.2f} s")
    print(f"reading, scores, all pairs{taken:9.2f} s   {taken / reading:6.1f} times, promised {PROMISED:.0f}")
    print(f"plain loop, Spearman only {loop:9.0f} s   {loop / reading:6.0f} times (scaled up)")
    if taken / reading > PROMISED:
        sys.exit(1)


if __name__ == "__main__":
    main()
