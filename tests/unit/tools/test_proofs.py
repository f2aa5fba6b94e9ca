"""The page of proofs keeps the last run of each."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import proofs
from tests.proofs import Proof, page_with, proof_of, rows_of


def report(name: str, **more: Any) -> SimpleNamespace:
    plain = {"nodeid": f"tests/a.py::{name}", "capstdout": "", "outcome": "passed", "duration": 61.4}
    return SimpleNamespace(**{**plain, **more})


def proof(name: str, date: str = "2026-11-20", **more: Any) -> Proof:
    return proof_of(report(name, **more), date=date, commit="5c26dfcb")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "a.py").touch()
    return tmp_path


def test_a_row_says_what_was_shown_when_and_of_what() -> None:
    worker = SimpleNamespace(gateway=SimpleNamespace(spec=SimpleNamespace(env={"TOUCHSTONE_TEST_SHARE": "postgresql"})))

    row = proof("test_tests_hold_their_level[600-pearson]", capstdout="first\n5.2 % | of 600\n\n", node=worker)

    assert row == (
        *("tests hold their level", "600-pearson", "`tests/a.py`", "postgresql", "passed", "5.2 % / of 600"),
        *("61", "2026-11-20", "5c26dfcb"),
    )


def test_a_proof_that_ran_again_takes_the_place_of_its_row_and_others_keep_theirs(root: Path) -> None:
    before = page_with([proof("test_one"), proof("test_two[x]"), proof("test_two[y]")], "", root)

    after = page_with([proof("test_two[x]", "2026-12-01", outcome="failed")], before, root)

    assert [(row.name, row.case, row.date, row.result) for row in rows_of(after)] == [
        ("one", "", "2026-11-20", "passed"),
        ("two", "x", "2026-12-01", "failed"),
        ("two", "y", "2026-11-20", "passed"),
    ]


def test_a_proof_whose_file_is_gone_has_no_row(root: Path) -> None:
    before = page_with([proof("test_one")], "", root)
    (root / "tests" / "a.py").unlink()

    assert rows_of(page_with([], before, root)) == []


def test_the_page_that_is_kept_is_one_that_this_writes() -> None:
    page = proofs.PAGE.read_text(encoding="utf-8")

    assert rows_of(page)
    assert page_with([], page, proofs.PAGE.parents[1]) == page
    assert {row.result for row in rows_of(page)} == {"passed"}
