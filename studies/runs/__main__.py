"""Runs the studies one after the other and writes each one's page into var/studies/."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import shutil
import subprocess
import sys
import time
from pathlib import Path

from studies import runs as studies
from studies.runs.site import CommandFailed, Site, running_site
from studies.runs.study import Page, Study
from tests.services import chromium
from tools import place

FOLDER = place.ROOT / "var" / "studies"


def all_studies() -> list[Study]:
    names = sorted(one.name for one in pkgutil.iter_modules(studies.__path__) if one.name.startswith("study_"))
    return [importlib.import_module(f"studies.runs.{name}").STUDY for name in names]


def main() -> int:
    parser = argparse.ArgumentParser(prog="make studies", description=__doc__)
    parser.add_argument("--data", type=Path, help="the folder of public data; without it comparisons are left out")
    parser.add_argument("numbers", nargs="*", help="of 000 to 004; without any: all")
    options = parser.parse_args()
    chosen = [study for study in all_studies() if not options.numbers or study.number in options.numbers]
    if options.data is not None and not options.data.is_dir():
        parser.error(f"--data {options.data}: there is no such folder")
    if chromium.find() is None:
        sys.exit(chromium.WHAT_TO_INSTALL)
    if len(chosen) > 1:
        return max(_in_own_process(study, options.data) for study in chosen)
    data = options.data.resolve() if options.data else None
    for study in chosen:
        _run(study, data)
    return 0


def _in_own_process(study: Study, data: Path | None) -> int:
    """Each study has a database of its own, and Django reads its settings once a process."""
    given = ["--data", str(data)] if data else []
    return subprocess.run([sys.executable, "-m", "studies.runs", *given, study.number], check=False).returncode


def _run(study: Study, data: Path | None) -> None:
    began = time.monotonic()
    folder = FOLDER / study.folder_name
    shutil.rmtree(folder, ignore_errors=True)  # of an earlier run
    folder.mkdir(parents=True)
    page = Page(folder, study.title)
    with running_site(FOLDER / "site") as address:
        try:
            study.run(Site(folder, data, address), page)
        except CommandFailed as failed:
            sys.exit(f"Study {study.number} stopped: {failed}")
    file = page.write()
    print(f"{file.relative_to(place.ROOT)}  ({time.monotonic() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    sys.exit(main())
