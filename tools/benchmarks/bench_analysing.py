"""The analysis of a study beside `analyse_file` on the same judgments: seconds, processor seconds and memory.

The first analysis of a study, and a second, before which the command asks whom it would include again. They take turns,
each on a fresh copy of the same database, and the least of the rounds counts.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import django

from tools.benchmarks.bench_saving import environment
from tools.benchmarks.process_memory import Run, run_watched

SLUG, RULES = "big", "spatial-2019"
MANAGE = [sys.executable, "manage.py"]
PARTS = ("", "-wal", "-shm")  # of a database of SQLite's


def make(database: Path, judgments: int) -> int:
    from django.core.management import call_command
    from django.db import connection

    from tools.benchmarks.big_study import make_study

    call_command("migrate", verbosity=0, interactive=False)
    rows = make_study(SLUG, judgments)
    call_command("export", SLUG, "judgments", "--out", str(database.with_name("judgments.csv")), verbosity=0)
    connection.close()
    return rows


def copied(base: Path, database: Path) -> None:
    for part in PARTS:
        Path(f"{database}{part}").unlink(missing_ok=True)
        if Path(f"{base}{part}").exists():
            shutil.copyfile(f"{base}{part}", f"{database}{part}")


def measure(database: Path, rounds: int) -> dict[str, Run]:
    folder = database.parent
    bases = {name: folder / f"{name}.sqlite3" for name in ("never", "once")}
    analyse = [*MANAGE, "analyse", SLUG, "--rules", RULES]
    copied(database, bases["never"])
    run_watched(analyse)
    copied(database, bases["once"])
    of_file = [*MANAGE, "analyse_file", str(folder / "judgments.csv"), "--rules", RULES, "--out", str(folder / "out")]

    def on(base: str, *more: str) -> Run:
        copied(bases[base], database)
        return run_watched([*analyse, *more])

    turns: dict[str, Callable[[], Run]] = {
        "analyse_file --no-report": lambda: run_watched([*of_file, "--no-report"]),
        "analyse_file": lambda: run_watched(of_file),
        "analyse": lambda: on("never"),
        "analyse again": lambda: on("once", "--include-again"),
    }
    found: dict[str, list[Run]] = {name: [] for name in turns}
    for _ in range(rounds):
        for name, turn in turns.items():
            found[name].append(turn())
    return {
        name: Run(
            min(one.seconds for one in own), min(one.processor_seconds for one in own), max(one.peak_mb for one in own)
        )
        for name, own in found.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judgments", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ts-ba-") as name:
        database = Path(name) / "bench.sqlite3"
        os.environ |= {**environment(f"sqlite:///{database}", Path(name)), "DJANGO_SETTINGS_MODULE": "config.settings"}
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        django.setup()
        rows = make(database, options.judgments)
        found = measure(database, options.rounds)
    beside = found["analyse_file --no-report"]
    print(f"{rows:,} judgments            seconds  times the first   processor seconds  times the first   peak MB")
    for what, run in found.items():
        clock, processors = run.seconds / beside.seconds, run.processor_seconds / beside.processor_seconds
        numbers = (
            f"{run.seconds:7.1f} {clock:16.2f} {run.processor_seconds:19.1f} {processors:16.2f} {run.peak_mb:9.0f}"
        )
        print(f"{what:26} {numbers}")


if __name__ == "__main__":
    main()
