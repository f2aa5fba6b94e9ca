"""Workers whom an earlier run excluded: whom this one would include again, and who stays excluded.

A verdict of "not applicable" says nothing in a worker's favour: only who passed a rule, and failed none, can come back.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from agreement.cleaning.cleaning_run import Cleaning
from agreement.cleaning.decided_by_hand import Decision
from agreement.cleaning.verdicts import PASSED
from agreement.crowd import Mask


def included_again(cleaning: Cleaning, earlier: Mapping[str, str]) -> dict[str, str]:
    """Of the workers in `earlier` (worker to reason), those whom this cleaning keeps."""
    return {name: why for code, name, why in _there(cleaning, earlier) if cleaning.worker_kept[code]}


def still_excluded(cleaning: Cleaning, earlier: Mapping[str, str]) -> dict[str, Decision]:
    """Of the workers in `earlier`, those whom no rule of this cleaning applies to: they stay excluded."""
    passed = _passed(cleaning)
    return {
        name: Decision(kept=False, why=why, by_earlier_run=True)
        for code, name, why in _there(cleaning, earlier)
        if cleaning.worker_kept[code] and not passed[code] and name not in cleaning.by_hand
    }


def _there(cleaning: Cleaning, earlier: Mapping[str, str]) -> list[tuple[int, str, str]]:
    codes = cleaning.crowd.workers.get_indexer(pd.Index(list(earlier), dtype=object)).tolist()
    return [(code, name, why) for code, (name, why) in zip(codes, earlier.items(), strict=True) if code >= 0]


def _passed(cleaning: Cleaning) -> Mask:
    """[W] who passed a rule."""
    passed = np.zeros(cleaning.crowd.n_workers, dtype=np.bool_)
    for verdicts in cleaning.verdicts:
        passed |= verdicts.outcome == PASSED
    return passed
