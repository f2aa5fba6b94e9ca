"""Who nearly failed a rule: kept by it, and not by the same rule with its bounds a little further in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agreement.cleaning.cleaning_run import Cleaning, judged_by
from agreement.cleaning.rule import Rule
from agreement.cleaning.verdicts import Evidence


@dataclass(frozen=True, slots=True)
class NearMiss:
    """`evidence` is held to the stricter bound."""

    worker: str
    rule: Rule
    evidence: tuple[Evidence, ...]


def near_misses(cleaning: Cleaning) -> list[NearMiss]:
    """By rule, then in the order of the workers."""
    judged, found = judged_by(cleaning.crowd, cleaning.rules), []
    for verdict in cleaning.verdicts:
        almost = verdict.rule.almost(judged)
        for worker in np.flatnonzero(almost.failed & ~verdict.failed & cleaning.worker_kept).tolist():
            name, evidence = str(cleaning.crowd.workers[worker]), almost.evidence.get(worker, ())
            found.append(NearMiss(name, verdict.rule, evidence))
    return found
