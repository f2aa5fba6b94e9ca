"""How often the two-way 95 % interval holds the truth: the simulation behind docs/coverage.md (`make coverage`).

Studies are drawn in three worlds (`coverage_worlds.py`); each statistic (`coverage_statistics.py`) sees the same ones.
"""

import argparse
import itertools
import json
import multiprocessing
import os
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agreement.stats.design import design_of
from agreement.stats.seeds import stream
from agreement.stats.worth import TABLE
from benchmarks.coverage_statistics import STATISTICS, Interval, Statistic
from benchmarks.coverage_table import Coverage, page, worth
from benchmarks.coverage_worlds import WORLDS, World, study

RATERS = (3, 7, 10)
ITEMS = (30, 100, 500)
ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "var" / "coverage"
PAGE = ROOT / "docs" / "coverage.md"


@dataclass(frozen=True, slots=True)
class Cell:
    """One condition of the simulation, in which every statistic sees the same studies."""

    world: World
    raters: int
    items: int
    seed: int
    share: float  # of each statistic's number of studies


def simulate(cell: Cell, statistics: Sequence[Statistic] = STATISTICS) -> list[Coverage]:
    """What each statistic's interval is worth in one cell."""
    rng = stream(cell.seed, f"coverage {cell.world} {cell.raters} {cell.items}")
    studies = {statistic.name: max(1, round(statistic.studies * cell.share)) for statistic in statistics}
    found: dict[str, list[Interval]] = {statistic.name: [] for statistic in statistics}
    for number in range(max(studies.values())):
        given = study(cell.world, cell.raters, cell.items, rng)
        design = design_of(given.item, given.worker)
        for statistic in statistics:
            if number < studies[statistic.name]:
                interval = statistic.made(design, given)
                if interval is not None:
                    found[statistic.name].append(interval)
    return [
        Coverage.of(
            (statistic.name, statistic.key),
            (cell.world, cell.raters, cell.items),
            np.array(found[statistic.name], dtype=np.float64).reshape(-1, 5),
            studies[statistic.name],
            statistic.truth(cell.world, cell.raters) if statistic.truth is not None else None,
        )
        for statistic in statistics
    ]


def main() -> None:
    """Run every cell and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the full number of studies; 0.01 is a quick look")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=OUT, help="folder; a full run also replaces the committed files")
    given = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each process has a core; threads would only wait for one
    start = time.perf_counter()
    cells = [
        Cell(world, raters, items, given.seed, given.share)
        for items, raters, world in itertools.product(sorted(ITEMS, reverse=True), RATERS, WORLDS)
    ]
    results: list[Coverage] = []
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        for number, result in enumerate(pool.imap(simulate, cells), 1):
            results.extend(result)
            print(f"{number} of {len(cells)} cells, {time.perf_counter() - start:.0f} s", flush=True)
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "coverage.md").write_text(page(results, given.seed), encoding="utf-8")
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
