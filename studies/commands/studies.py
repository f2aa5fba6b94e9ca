"""`touchstone studies [NAME ...] --out DIR`: the founding studies, each from its items to its tables."""

from __future__ import annotations

import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from agreement import places
from agreement.cli.arguments import Progress, seed
from agreement.errors import Refused
from studies.runs import NUMBERS, new_folder, studies_named
from studies.runs.study import Study

HELP = "Runs the founding studies from their items to their tables, with simulated people and made models."


def add_arguments(parser: ArgumentParser) -> None:
    names = f"of {', '.join(NUMBERS)}, or their names; without any: all"
    parser.add_argument("names", nargs="*", metavar="NAME", help=names)
    out = "the folder to write: a folder for each study, with page.md and its figures"
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help=out)
    parser.add_argument("--seed", type=seed, metavar="N", help="decides every draw (default: each study's own)")
    data = "the folder of public data; without it the comparisons that need them are left out"
    parser.add_argument("--data", type=Path, metavar="DIR", help=data)
    photographs = "also photographs of the forms; in a clone of the project alone, with a Chromium"
    parser.add_argument("--photographs", action="store_true", help=photographs)


def run(options: Namespace, progress: Progress) -> dict[str, object]:
    places.refuse_missing("server")
    if options.data is not None and not options.data.is_dir():
        raise Refused(f"--data {options.data}: there is no such folder.")
    if options.photographs and places.is_installed():
        raise Refused("--photographs: they are taken in a clone of the project alone.")
    chosen = studies_named(options.names)
    for study in chosen:
        new_folder(options.out, study)  # refused before any of them runs
    done = []
    with progress("studies") as report:
        for study in chosen:
            done.append(_run(study, options))
            if report:
                report(len(done), len(chosen))
    return {"out": str(options.out), "studies": done}


def _run(study: Study, options: Namespace) -> dict[str, object]:
    """In a process of its own: each study has a database of its own, and Django reads its settings once a process."""
    command = [sys.executable, "-m", "studies.runs", study.number, "--out", str(options.out)]
    command += [] if options.seed is None else ["--seed", str(options.seed)]
    command += [] if options.data is None else ["--data", str(options.data)]
    command += ["--photographs"] if options.photographs else []
    began = time.monotonic()
    process = subprocess.run(command, env=places.environment(), stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603
    if process.returncode:
        raise Refused(f"Study {study.number} stopped: {process.stderr.strip()}")
    return {
        "study": study.folder_name,
        "page": str(options.out / study.folder_name / "page.md"),
        "seed": study.seed if options.seed is None else options.seed,
        "seconds": round(time.monotonic() - began),
    }


def say(answer: dict[str, Any]) -> str:
    return "\n".join(f"{one['page']}  (seed {one['seed']}, {one['seconds']} s)" for one in answer["studies"])
