"""The five founding studies, each from its items to its tables, as pages with figures."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agreement.errors import Refused

if TYPE_CHECKING:
    from studies.runs.study import Study

NUMBERS = ("000", "001", "002", "003", "004")


def study_named(name: str) -> Study:
    """By its number, its name, or both."""
    studies = [_study(number) for number in NUMBERS]
    for study in studies:
        if name in {study.number, study.name, study.folder_name}:
            return study
    raise Refused(f"There is no study '{name}': there are {', '.join(study.folder_name for study in studies)}.")


def studies_named(names: Sequence[str]) -> list[Study]:
    """All of them where none is named."""
    return [study_named(name) for name in names or NUMBERS]


def _study(number: str) -> Study:
    study: Study = importlib.import_module(f"studies.runs.study_{number}").STUDY
    return study


def new_folder(out: Path, study: Study) -> Path:
    """Where a study writes: what an earlier run wrote there may be replaced, anything else not."""
    folder = out / study.folder_name
    if folder.exists() and not (folder / "page.md").exists() and any(folder.iterdir()):
        raise Refused(f"--out {out}: {folder.name} is there and holds something else; name another folder.")
    return folder
