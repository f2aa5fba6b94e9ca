"""The cant-see rule: a worker who answered too many items by "I can't see the picture"."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from agreement.cleaning.claimed_times import numbers_of
from agreement.cleaning.rules import CantSee
from agreement.cleaning.verdicts import Evidence, Verdicts, by_figure
from agreement.crowd import COULD_NOT_SEE, Crowd, Mask


def judge_cant_see(crowd: Crowd, rule: CantSee, *, counted: Mask) -> Verdicts:
    """Verdicts from how many items were not seen, beside the judgments in `counted`; none of who answered nothing."""
    unseen = could_not_see(crowd)
    items = unseen + np.bincount(crowd.worker[counted], minlength=crowd.n_workers)
    share = np.divide(unseen, items, out=np.full(crowd.n_workers, np.nan), where=items > 0)
    most = float(rule.share_above)
    bound = f"at most a share of {most:g}"
    verdicts = by_figure(rule, [(share, share > most, "share of pictures not seen", bound)])
    evidence: dict[int, tuple[Evidence, ...]] = {
        worker: (Evidence("", f"could not see the picture of {unseen[worker]} of {items[worker]} items", bound),)
        for worker in verdicts.evidence
    }
    return replace(verdicts, evidence=evidence)


def could_not_see(crowd: Crowd) -> npt.NDArray[np.int64]:
    """[W] at how many items a worker said so: as the database counts it, or as its column in a file says."""
    if crowd.unseen is not None:
        return crowd.unseen
    most = np.zeros(crowd.n_workers, dtype=np.int64)
    if COULD_NOT_SEE in crowd.extras:
        np.maximum.at(most, crowd.worker, np.nan_to_num(numbers_of(crowd, COULD_NOT_SEE)).astype(np.int64))
    return most
