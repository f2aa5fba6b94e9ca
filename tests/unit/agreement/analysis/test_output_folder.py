from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

import pytest

from agreement.analysis.output_folder import json_bytes, refuse_foreign, remove_leftovers
from agreement.errors import Refused


def test_a_new_or_empty_folder_and_an_earlier_analysis_are_taken(tmp_path: Path) -> None:
    refuse_foreign(tmp_path / "new")
    (tmp_path / "empty").mkdir()
    refuse_foreign(tmp_path / "empty")
    (tmp_path / "ours").mkdir()
    for name in ("report.json", "gold.csv"):
        (tmp_path / "ours" / name).touch()
    refuse_foreign(tmp_path / "ours")


@pytest.mark.parametrize("names", [["gold.csv"], ["report.json", "notes.txt"], ["thesis.tex"]])
def test_a_folder_with_anything_else_is_refused(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / name).touch()

    with pytest.raises(Refused, match="holds other things than an analysis"):
        refuse_foreign(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").touch()

    with pytest.raises(Refused, match="not a folder"):
        refuse_foreign(tmp_path / "out")


def test_a_place_where_nothing_can_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(Refused, match="nothing can be written in"):
        refuse_foreign(tmp_path / "file" / "out")


def test_leftovers_of_dead_runs_go_and_those_of_live_ones_stay(tmp_path: Path) -> None:
    dead, live, young, old = (tmp_path / f".out.touchstone-partial-{name}" for name in ("dead", "live", "young", "old"))
    for folder in (dead, live, young, old):
        folder.mkdir()
    (dead / ".lock").touch()
    (dead / "gold.csv").touch()
    long_ago = time.time() - 3600
    os.utime(old, (long_ago, long_ago))
    with (live / ".lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        remove_leftovers(tmp_path / "out")

    assert sorted(path.name for path in tmp_path.iterdir()) == [live.name, young.name]


def test_an_analysis_that_stepped_aside_comes_back_if_its_successor_never_came(tmp_path: Path) -> None:
    aside = tmp_path / ".out.touchstone-partial-x-old"
    aside.mkdir()
    (aside / "report.json").touch()

    remove_leftovers(tmp_path / "out")

    assert (tmp_path / "out" / "report.json").exists()
    assert not aside.exists()


def test_a_number_that_is_none_is_a_defect_not_a_value() -> None:
    with pytest.raises(ValueError, match="Out of range float"):
        json_bytes({"estimate": float("nan")})
