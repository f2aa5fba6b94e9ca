"""How fast and how large `analyse_file` is, as ratios to pandas' parse in the same run, and how both grow.

python -m tools.benchmarks.analyse_file [largest] > docs/benchmarks/analyse-file.md
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from tools.benchmarks.analyse_stages import Timing
from tools.benchmarks.plain_way import plain_way
from tools.benchmarks.process_memory import run_watched

PER_ITEM = 10
ITEMS_PER_WORKER = 50


def write_crowd(path: Path, judgments: int) -> None:
    """`judgments` slider answers of 0-100: a tenth as many items, a worker for every 500 judgments."""
    rng = np.random.default_rng(20_190_613)
    n_items, n_workers = judgments // PER_ITEM, max(2 * PER_ITEM, judgments // (PER_ITEM * ITEMS_PER_WORKER))
    item = np.repeat(np.arange(n_items), PER_ITEM)
    worker = (
        (rng.integers(0, n_workers, n_items)[:, None] + np.arange(PER_ITEM) * (n_workers // PER_ITEM)) % n_workers
    ).ravel()
    truth, bias, care = rng.uniform(0, 100, n_items), rng.normal(0, 5, n_workers), rng.uniform(8, 25, n_workers)
    value = np.clip(np.rint(truth[item] + bias[worker] + rng.normal(0, 1, judgments) * care[worker]), 0, 100).astype(
        int
    )
    order = rng.permutation(judgments)
    with path.open("w", encoding="utf-8") as stream:
        stream.write("worker_id,item_id,value\n")
        for part in np.array_split(order, max(1, judgments // 500_000)):
            rows = zip(worker[part].tolist(), item[part].tolist(), value[part].tolist(), strict=True)
            stream.writelines(f"w{who},item{what},{answer}\n" for who, what, answer in rows)


ROOT = Path(__file__).parents[2]
PLOT = ROOT / "docs" / "benchmarks" / "analyse-file.svg"
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
OF = ("seconds", "processor_seconds", "peak_mb")
PLAIN = 10_000  # judgments; krippendorff's items x workers matrix and the loops make more impractical
STAGED = 1_000_000
ONE_THREAD = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # as agreement/blas_threads.py has it for every command


@dataclass(frozen=True, slots=True)
class Size:
    judgments: int
    seconds: float
    processor_seconds: float
    peak_mb: float


def main(largest: int) -> None:
    sizes = [size for size in SIZES if size <= largest]
    with tempfile.TemporaryDirectory(prefix="touchstone-benchmark-") as name:
        folder = Path(name)
        staged = min(STAGED, largest)
        write_crowd(folder / "crowd.csv", staged)
        seconds = _stages(folder)
        runs = [_whole(folder, size) for size in sizes]
        write_crowd(folder / "crowd.csv", PLAIN)
        ours, plain = _stages(folder), plain_way(folder / "crowd.csv")
    PLOT.parent.mkdir(parents=True, exist_ok=True)
    PLOT.write_text(growth_svg([(run.judgments, run.seconds, run.peak_mb) for run in runs]), encoding="utf-8")
    whole = next(run for run in runs if run.judgments == staged)
    _print(staged, seconds, whole, runs)
    _print_plain(ours, plain)


def _stages(folder: Path) -> dict[str, Timing]:
    command = [sys.executable, "-m", "tools.benchmarks.analyse_stages", str(folder / "crowd.csv"), str(folder / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=ONE_THREAD)
    return {name: Timing(**took) for name, took in json.loads(done.stdout).items()}


def _whole(folder: Path, judgments: int) -> Size:
    write_crowd(folder / "crowd.csv", judgments)
    manage = [sys.executable, str(ROOT / "manage.py"), "analyse_file", str(folder / "crowd.csv")]
    run = run_watched([*manage, "--out", str(folder / "out"), "--no-report"])
    return Size(judgments, run.seconds, run.processor_seconds, run.peak_mb)


def _print(judgments: int, stages: dict[str, Timing], whole: Size, runs: list[Size]) -> None:
    parse, processors = stages["pandas parse"].clock, stages["pandas parse"].processors
    allowed = {"between": 8.0, "between, with interval": 25.0}
    print(f"# `analyse_file` on {judgments:,} judgments\n")
    print(f"In one run on {len(os.sched_getaffinity(0))} processors: seconds by the clock, as multiples of what pandas")
    print("takes to parse the file; then seconds of processors, which a busy machine changes less.\n")
    print("| what | s | times the parse | at most | processor s | times the parse |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for what, took in stages.items():
        by_clock, by_processors = took.clock / parse, took.processors / processors
        numbers = (
            f"{took.clock:.3f} | {by_clock:.1f} | {allowed.get(what, '')} | {took.processors:.2f} | {by_processors:.1f}"
        )
        print(f"| {what} | {numbers} |")
    limit = 35 * parse + 3
    times = f"{whole.seconds:.3f} | {whole.seconds / parse:.1f} | 35 parses + 3 s = {limit:.1f} s"
    print(f"| the whole command | {times} | | |")
    print(f"\nPeak memory of the command with its processes: {whole.peak_mb:.0f} MB (at most 1,024).\n")
    print("## Growth\n\n| judgments | s | processor s | MB |\n| ---: | ---: | ---: | ---: |")
    for run in runs:
        print(f"| {run.judgments:,} | {run.seconds:.2f} | {run.processor_seconds:.2f} | {run.peak_mb:.0f} |")
    if len(runs) > 1:
        over_all = _said([_exponent(runs[0], runs[-1], of) for of in OF])
        print(f"\nExponent from the first to the last, at most 1.05: {over_all}.")
        steepest = [max(_exponent(*pair, of) for pair in pairwise(runs)) for of in OF]
        print(f"Between neighbours, the steepest: {_said(steepest)}.")
        print("\n![growth](analyse-file.svg)\n")


def _exponent(a: Size, b: Size, of: str) -> float:
    return math.log(getattr(b, of) / getattr(a, of)) / math.log(b.judgments / a.judgments)


def _said(exponents: list[float]) -> str:
    clock, processors, memory = exponents
    return f"{clock:.2f} by the clock, {processors:.2f} in processor seconds, {memory:.2f} in memory"


def _print_plain(ours: dict[str, Timing], plain: dict[str, float]) -> None:
    print(f"## Beside the plain way, on {PLAIN:,} judgments\n")
    print("| what | s |\n| --- | ---: |")
    for what, took in plain.items():
        print(f"| plain: {what} | {took:.2f} |")
    print(f"| plain: together | {sum(plain.values()):.2f} |")
    print(f"| ours: all of it, for other workers too | {ours['between, with interval'].clock:.2f} |")


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else SIZES[-1])


# Time and memory against the number of judgments, on logarithmic axes, as an SVG.

WIDTH, HEIGHT, LEFT, TOP, INNER = 640, 360, 70, 30, 240


def growth_svg(runs: Sequence[tuple[int, float, float]]) -> str:
    """(judgments, seconds, megabytes) of each run as two lines, with the slope of 1 as a dashed guide."""
    panels = [("seconds", [(n, s) for n, s, _ in runs]), ("peak MB", [(n, mb) for n, _, mb in runs])]
    body = "".join(_panel(name, points, at) for at, (name, points) in enumerate(panels))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="12">'
        f"<title>Growth of time and memory with the number of judgments</title>{body}</svg>\n"
    )


def _panel(name: str, points: list[tuple[int, float]], at: int) -> str:
    left = LEFT + at * (WIDTH - LEFT) // 2
    xs, ys = [math.log10(n) for n, _ in points], [math.log10(y) for _, y in points]
    low_x, high_x, low_y = min(xs), max(*xs, min(xs) + 1), math.floor(min(ys))
    high_y = max(math.ceil(max(ys)), low_y + 1)
    width = (WIDTH - LEFT) // 2 - 60

    def place(x: float, y: float) -> str:
        across = left + (x - low_x) / (high_x - low_x) * width
        return f"{across:.1f},{TOP + INNER - (y - low_y) / (high_y - low_y) * INNER:.1f}"

    ticks = "".join(
        f'<text x="{left - 8}" y="{place(low_x, y).split(",")[1]}" text-anchor="end">{10.0**y:g}</text>'
        for y in range(low_y, high_y + 1)
    )
    ticks += "".join(
        f'<text x="{place(x, low_y).split(",")[0]}" y="{TOP + INNER + 18}" text-anchor="middle">{n:,}</text>'
        for x, (n, _) in zip(xs, points, strict=True)
    )
    guide_y = min(ys[-1], high_y)
    rise = min(high_x - low_x, guide_y - low_y)
    guide = f"{place(high_x - rise, guide_y - rise)} {place(high_x, guide_y)}"
    line = " ".join(place(x, y) for x, y in zip(xs, ys, strict=True))
    return (
        f'<text x="{left}" y="{TOP - 10}" font-weight="bold">{name}</text>{ticks}'
        f'<polyline points="{guide}" fill="none" stroke="#999" stroke-dasharray="4 4"/>'
        f'<polyline points="{line}" fill="none" stroke="#0b5394" stroke-width="2"/>'
    )
