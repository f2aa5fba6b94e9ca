"""Decisions by hand: over the rules' verdicts, written and read back, every bad row named."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from agreement.cleaning.cleaning_run import clean
from agreement.cleaning.decided_by_hand import Decision, by_hand_table, read_by_hand
from agreement.cleaning.rule_set import load_rules
from agreement.errors import Refused
from agreement.files.numbers import PER_CENT
from agreement.files.writing import csv_chunks
from agreement.judgments.crowd import Crowd


def a_crowd() -> Crowd:
    """Ann and ben pass the unrelated check, eve fails it; each judged one item."""
    items = {
        "item_id": ["i", "u"], "kind": ["target", "check"], "check": ["", "unrelated"], "expected": ["", ""],
        "min": [None, None], "max": [None, None], "reference": ["", ""],
    }  # fmt: skip
    return Crowd(
        kind="slider",
        scale=PER_CENT,
        labels=(),
        items=pd.DataFrame(items, dtype=object),
        workers=pd.Index(["ann", "ben", "eve"], dtype=object),
        worker=np.array([0, 1, 2, 0, 1, 2], dtype=np.int32),
        item=np.array([0, 0, 0, 1, 1, 1], dtype=np.int32),
        answers=np.array([50.0, 60.0, 70.0, 0.0, 0.0, 90.0]),
        extras=pd.DataFrame({"response_ms": np.full(6, 1000.0)}),
        repeats="refuse",
    )


def test_hand_stands_over_the_rules_and_leaves_the_verdicts() -> None:
    by_hand = {"ben": Decision(kept=False, why="asked to be left out"), "eve": Decision(kept=True, why="misread once")}
    cleaning = clean(a_crowd(), load_rules("spatial-2019"), by_hand)
    assert cleaning.worker_kept.tolist() == [True, False, True]
    assert cleaning.worker_reasons == ["", "excluded by hand: asked to be left out", ""]
    assert cleaning.verdicts[0].failed.tolist() == [False, False, True]


def test_decision_on_somebody_who_is_not_there_changes_nothing() -> None:
    cleaning = clean(a_crowd(), load_rules("spatial-2019"), {"zoe": Decision(kept=False, why="?")})
    assert cleaning.worker_kept.tolist() == [True, True, False]


def test_decisions_come_back_from_their_file(tmp_path: Path) -> None:
    by_hand = {
        "eve": Decision(kept=True, why='=misread, "once"'),
        "ben": Decision(kept=False, why="asked"),
        "zoe": Decision(kept=False, why="failed check", by_earlier_run=True),
    }
    path = tmp_path / "by_hand.csv"
    path.write_bytes(b"".join(csv_chunks(by_hand_table(by_hand))))
    assert read_by_hand(path) == by_hand


def test_every_bad_row_is_named(tmp_path: Path) -> None:
    path = tmp_path / "by_hand.csv"
    path.write_text("worker_id,kept,reason\neve,maybe,misread\nben,0,\n")
    with pytest.raises(Refused) as refused:
        read_by_hand(path)
    assert list(refused.value.reasons) == [
        "by_hand.csv, row 2, column kept: 'maybe' is not 1 (kept) or 0 (excluded).",
        "by_hand.csv, row 3, column reason: '' is blank; each decision needs one.",
    ]


def test_two_decisions_on_one_worker_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "by_hand.csv"
    path.write_text("worker_id,kept,reason\neve,0,spam\nben,0,asked\neve,1,misread\n")
    with pytest.raises(Refused) as refused:
        read_by_hand(path)
    (reason,) = refused.value.reasons
    assert reason == (
        "by_hand.csv, row 4, column worker_id: 'eve' is in an earlier row too; give one decision per worker."
    )
