"""One size of crowd: what pandas takes to parse the file, and what each stage of ours takes, in one process."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd

from agreement.analysis.analysis import analyse
from agreement.analysis.gathering import crowd_of
from agreement.analysis.measuring import measure
from agreement.analysis.writing import write
from agreement.cleaning.ruleset import load_rules
from agreement.cleaning.run import clean
from agreement.crowd import Crowd
from agreement.gold.table import gold_of
from annotation.files.judgments import read_judgments

REPLICATES = 1_000


def stages(path: Path, out: Path) -> dict[str, float]:
    """Seconds a stage; `between` lies between parsing and writing, without and with leave-one-out's interval."""
    seconds: dict[str, float] = {}
    parses = [_timed(lambda: pd.read_csv(path))[0] for _ in range(3)]
    seconds["pandas parse"] = min(parses)
    seconds["read"], crowd = _timed(lambda: crowd_of(read_judgments(path)))
    seconds["between"], _ = _timed(lambda: _between(crowd, has_interval=False))
    seconds["between, with interval"], _ = _timed(lambda: _between(crowd, has_interval=True))
    seconds["all but reading"], _ = _timed(
        lambda: write(analyse(crowd, load_rules("spatial-2019"), study_name="benchmark", replicates=REPLICATES), out)
    )
    return seconds


def _between(crowd: Crowd, *, has_interval: bool) -> None:
    cleaning = clean(crowd, load_rules("spatial-2019"))
    measured = measure(cleaning, seed=1, replicates=REPLICATES, has_leave_one_out_interval=has_interval)
    kept = measured.kept
    gold_of(crowd.kind, kept.item, kept.worker, kept.answers, crowd.n_items, crowd.labels, items=crowd.items)


def _timed(step: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    given = step()
    return time.perf_counter() - start, given


if __name__ == "__main__":
    print(json.dumps(stages(Path(sys.argv[1]), Path(sys.argv[2]))))
