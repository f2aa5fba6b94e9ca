"""An analysis in a process of its own gives the same bytes, raises the same, and leaves no process behind."""

import os
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from agreement.analysis import own_process
from agreement.analysis.analysis import NothingKept, analyse
from agreement.analysis.own_process import AnalysisEnded, ProcessAhead, analyse_apart
from agreement.cleaning.rule_set import parse_rules
from agreement.errors import Refused
from agreement.files.numbers import Scale
from agreement.judgments.crowd import Crowd

RULES = parse_rules('name = "any"\n')
VARIED = parse_rules('name = "varied"\n[[rule]]\nkind = "straight-lining"\nsd_below = 5\n')


@pytest.fixture(autouse=True)
def _always_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_process, "WORTH_A_PROCESS", 0)


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*words: Any, **options: Any) -> subprocess.Popen[bytes]:
        started.append(popen(*words, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    return started


def a_crowd(*, constant: bool = False) -> Crowd:
    item, worker = np.divmod(np.arange(60, dtype=np.int32), np.int32(5))
    items = pd.DataFrame(
        {
            "item_id": [f"i{i}" for i in range(12)],
            "kind": "target",
            "check": "",
            "expected": "",
            "min": None,
            "max": None,
        }
        | {"reference": ""},
        dtype=object,
    )
    answers = np.full(60, 50.0) if constant else (7.0 * item + 13.0 * worker * (item % 3)) % 100
    extras = pd.DataFrame({"response_ms": np.full(60, np.nan), "submitted_at": "", "assignment_id": ""})
    scale = Scale(Decimal(0), Decimal(100))
    return Crowd(
        "slider", scale, (), items, pd.Index([f"w{w}" for w in range(5)]), worker, item, answers, extras, "refuse"
    )


def test_gives_the_bytes_and_the_stages_of_an_analysis_here(children: list[subprocess.Popen[bytes]]) -> None:
    stages: list[str] = []
    crowd = a_crowd()

    here = analyse(crowd, RULES, study_name="s", seed=3, replicates=50)
    apart = analyse_apart(crowd, RULES, progress=stages.append, study_name="s", seed=3, replicates=50)

    assert apart.gold_csv == here.gold_csv
    assert apart.report == here.report
    assert apart.methods == here.methods
    assert apart.cleaning.crowd is crowd
    assert stages == ["cleaning", "agreement and ceilings", "gold", "scores", "writing"]
    assert [child.returncode for child in children] != [None]


def test_a_process_started_ahead_takes_one_question_and_the_next_gets_another(
    children: list[subprocess.Popen[bytes]],
) -> None:
    done: list[str] = []
    with ProcessAhead(60) as ahead:
        assert len(children) == 1
        first = analyse_apart(
            a_crowd(), RULES, study_name="s", replicates=50, ahead=ahead, meanwhile=lambda: done.append("meanwhile")
        )
        assert (len(children), done) == (1, ["meanwhile"])
        again = analyse_apart(a_crowd(), RULES, study_name="s", replicates=50, ahead=ahead)
    assert len(children) == 2
    assert first.gold_csv == again.gold_csv


def test_a_process_that_nobody_asks_ends_with_the_block_and_few_judgments_start_none(
    children: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with ProcessAhead(60):
        pass
    assert [child.returncode for child in children] == [-signal.SIGKILL]
    monkeypatch.setattr(own_process, "WORTH_A_PROCESS", 61)
    done: list[str] = []
    with ProcessAhead(60) as ahead:
        analyse_apart(
            a_crowd(), RULES, study_name="s", replicates=50, ahead=ahead, meanwhile=lambda: done.append("before")
        )
    assert (len(children), done) == (1, ["before"])


def test_nobody_kept_is_raised_with_its_verdicts() -> None:
    crowd = a_crowd(constant=True)

    with pytest.raises(NothingKept) as nothing:
        analyse_apart(
            crowd, parse_rules('name = "n"\n[[rule]]\nkind = "straight-lining"\nsd_below = 5\n'), study_name="s"
        )

    assert nothing.value.cleaning.crowd is crowd
    assert not nothing.value.cleaning.worker_kept.any()


def test_a_refusal_is_raised_as_it_is() -> None:
    rules = parse_rules('name = "n"\n[[rule]]\nkind = "check"\ncheck = "absent"\nmax = 3\n')

    with pytest.raises(Refused, match="absent"):
        analyse_apart(a_crowd(), rules, study_name="s")


def test_what_progress_raises_ends_the_process(children: list[subprocess.Popen[bytes]]) -> None:
    def cancelled(stage: str) -> None:
        raise KeyError(stage)

    with pytest.raises(KeyError, match="cleaning"):
        analyse_apart(a_crowd(), RULES, progress=cancelled, study_name="s")

    assert children[0].returncode == -signal.SIGKILL


def test_a_process_that_was_killed_is_told_of(children: list[subprocess.Popen[bytes]]) -> None:
    def kill(_stage: str) -> None:
        os.kill(children[0].pid, signal.SIGKILL)
        children[0].wait()

    with pytest.raises(AnalysisEnded, match=r"analysed 60 judgments was ended by signal 9; most likely memory ran out"):
        analyse_apart(a_crowd(), RULES, progress=kill, study_name="s")


def test_it_ends_when_the_process_that_waits_for_it_is_killed() -> None:
    child = "import os, time; from agreement import processes as o; o.LOOKS_FOR_ITS_PARENT_SECONDS = 0.05; "
    child += "o.end_with(os.getppid()); print(os.getpid(), flush=True); time.sleep(60)"
    waiting = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    with subprocess.Popen([sys.executable, "-c", waiting], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()

    until = time.monotonic() + 120
    while runs(pid) and time.monotonic() < until:
        time.sleep(0.05)

    assert not runs(pid)


def runs(pid: int) -> bool:
    """Whether there is such a process; one that ended may wait for whoever inherited it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
