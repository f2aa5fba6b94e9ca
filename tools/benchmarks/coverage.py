"""How often the two-way 95 % interval holds the truth: the simulation behind docs/coverage.md (`make coverage`).

Studies are drawn in nine worlds (`coverage_worlds.py`); each statistic (`coverage_statistics.py`) sees the same ones.
"""

import argparse
import json
import multiprocessing
import os
import shutil
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from agreement.estimation.design import design_of
from agreement.estimation.estimate import stream
from agreement.estimation.simulated_coverage import TABLE
from tools.benchmarks.coverage_statistics import STATISTICS, Interval
from tools.benchmarks.coverage_table import FEWEST, Coverage, page, worth
from tools.benchmarks.coverage_worlds import MORE_CARELESS, WORLDS, World, study

RATERS = (3, 5, 8, 12)
ITEMS = (60,)
ITEMS_OF_LONG = (40,)  # of the statistics that take long
STUDIES = 2_000  # of a condition
ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "var" / "coverage"
PAGE = ROOT / "docs" / "coverage.md"


@dataclass(frozen=True, slots=True)
class Task:
    """One condition of the simulation, for the statistics that are given as many studies; all see the same ones."""

    world: World
    raters: int
    items: int
    seed: int
    studies: int
    statistics: tuple[str, ...]


def simulate(task: Task) -> list[Coverage]:
    """The coverage of each statistic's interval in one condition."""
    rng = stream(task.seed, f"coverage {task.world} {task.raters} {task.items}")
    statistics = [statistic for statistic in STATISTICS if statistic.name in task.statistics]
    found: dict[str, list[Interval]] = {statistic.name: [] for statistic in statistics}
    for _ in range(task.studies):
        given = study(task.world, task.raters, task.items, rng)
        design = design_of(given.item, given.worker)
        for statistic in statistics:
            interval = statistic.made(design, given)
            if interval is not None:
                found[statistic.name].append(interval)
    return [
        Coverage.of(
            (statistic.name, statistic.key),
            (task.world, task.raters, task.items),
            np.array(found[statistic.name], dtype=np.float64).reshape(-1, 4),
            task.studies,
            statistic.truth(task.world, task.raters) if statistic.truth is not None else None,
        )
        for statistic in statistics
    ]


def tasks_of(seed: int, share: float) -> list[Task]:
    """Every condition, of three raters last, and without what takes long."""
    studies = max(1, round(STUDIES * share))
    of_items = {items: tuple(one.name for one in STATISTICS if not one.takes_long) for items in ITEMS}
    of_items |= {items: tuple(one.name for one in STATISTICS if one.takes_long) for items in ITEMS_OF_LONG}
    conditions = [(items, raters) for items in (*ITEMS, *ITEMS_OF_LONG) for raters in RATERS]
    conditions = [one for one in conditions if one[1] > FEWEST] + [(ITEMS[0], FEWEST)]
    return [
        Task(world, raters, items, seed, studies, of_items[items])
        for items, raters in conditions
        for world in WORLDS
        if items in ITEMS or world != MORE_CARELESS
    ]


def run(tasks: list[Task], results: Path, processes: int) -> list[Coverage]:
    """Do what `results`, a line a condition, doesn't hold yet: a run that was stopped goes on where it was."""
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    done = {line["task"]: line["coverage"] for line in map(json.loads, lines)}
    waiting = [task for task in tasks if repr(task) not in done]
    start = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(processes) as pool, results.open("a", encoding="utf-8") as stream_:
        for task, cells in zip(waiting, pool.imap(simulate, waiting), strict=True):
            done[repr(task)] = [asdict(cell) for cell in cells]
            stream_.write(json.dumps({"task": repr(task), "coverage": done[repr(task)]}) + "\n")
            stream_.flush()
            print(f"{len(done)} of {len(tasks)} conditions, {time.perf_counter() - start:.0f} s", flush=True)
    return [Coverage(**cell) for task in tasks for cell in done[repr(task)]]


def main() -> None:
    """Run every condition and write the page and the table that reports look into."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the full number of studies; 0.01 is a quick look")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=OUT, help="folder; a full run also replaces the committed files")
    given = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each process has a core; threads would only wait for one
    given.out.mkdir(parents=True, exist_ok=True)
    results = run(tasks_of(given.seed, given.share), given.out / "results.jsonl", given.processes)
    text = page(results, given.seed)
    print(text)
    (given.out / "coverage.md").write_text(text, encoding="utf-8")
    (given.out / "worth.json").write_text(_lines(worth(results)), encoding="utf-8")
    if given.out == OUT and given.share >= 1:
        shutil.copy(given.out / "coverage.md", PAGE)
        shutil.copy(given.out / "worth.json", TABLE)
    print(f"{given.out.name}/coverage.md and worth.json written")


def _lines(table: dict[str, list[list[float]]]) -> str:
    """JSON with a line a cell, so that a change is read easily."""
    parts = [
        f"  {json.dumps(key)}: [\n" + ",\n".join(f"    {json.dumps(cell)}" for cell in cells) + "\n  ]"
        for key, cells in table.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    main()
