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
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tools.benchmarks.analyse_stages import Timing
from tools.benchmarks.growth_plot import growth_svg
from tools.benchmarks.made_crowd import write_crowd
from tools.benchmarks.plain_way import plain_way
from tools.benchmarks.process_memory import run_watched

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
