"""One size of crowd: what pandas takes to parse the file, and what each stage of ours takes, in one process."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from agreement.analysis.analysis import analyse
from agreement.analysis.output_folder import write
from agreement.analysis.run_statistics import measure
from agreement.cleaning.cleaning_run import clean
from agreement.cleaning.rule_set import load_rules
from agreement.judgments.crowd import Crowd
from agreement.judgments.file_crowd import crowd_of
from agreement.judgments.judgments_file import read_judgments
from agreement.processes import keep_freed_memory
from agreement.scoring.crowd_gold import gold_frame

REPLICATES = 1_000
RUNS = 3


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds by the clock, and of processors: the second is nearly the same on a busy machine."""

    clock: float
    processors: float


def stages(path: Path, out: Path) -> dict[str, Timing]:
    """What each stage takes; `between` lies between parsing and writing, without and with leave-one-out's interval."""
    took: dict[str, Timing] = {}
    took["pandas parse"], _ = _best(lambda: pd.read_csv(path))
    took["read"], crowd = _best(lambda: crowd_of(read_judgments(path)))
    took["between"], _ = _best(lambda: _between(crowd, has_interval=False))
    took["between, with interval"], _ = _best(lambda: _between(crowd, has_interval=True))
    took["all but reading"], _ = _best(
        lambda: write(analyse(crowd, load_rules("spatial-2019"), study_name="benchmark", replicates=REPLICATES), out)
    )
    return took


def _between(crowd: Crowd, *, has_interval: bool) -> None:
    cleaning = clean(crowd, load_rules("spatial-2019"))
    measured = measure(cleaning, seed=1, replicates=REPLICATES, has_leave_one_out_interval=has_interval)
    gold_frame(crowd, measured.kept, "typical")


def _best(step: Any) -> tuple[Timing, Any]:
    """The shortest of some runs, ours as pandas': the first waits for memory that the others find there."""
    runs: list[Timing] = []
    for _ in range(RUNS):
        start, processors = time.perf_counter(), _processors()
        given = step()
        runs.append(Timing(time.perf_counter() - start, _processors() - processors))
    return min(runs, key=lambda run: run.clock), given


def _processors() -> float:
    """This process's and its ended children's seconds."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    keep_freed_memory()  # as the command does
    print(json.dumps({name: asdict(took) for name, took in stages(Path(sys.argv[1]), Path(sys.argv[2])).items()}))
