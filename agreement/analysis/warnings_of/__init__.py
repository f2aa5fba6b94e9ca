"""What a careful colleague would say before these figures are printed: one file for each kind of warning."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement.analysis.warnings_of.about_labels import labels_alike, one_item, unused_order
from agreement.analysis.warnings_of.about_workers import (
    beside_others,
    identical_accounts,
    mixed_scales,
    reversed_workers,
    unlike_the_others,
)
from agreement.analysis.warnings_of.warning import Warned
from agreement.crowd import Crowd, Sample

__all__ = ["Warned", "warnings_of"]


def warnings_of(crowd: Crowd, kept: Sample) -> list[Warned]:
    """The warnings on the judgments of which gold and the figures are made."""
    found = [*one_item(crowd, kept), *labels_alike(crowd), *unused_order(crowd), *identical_accounts(crowd, kept)]
    if not len(kept.item):
        return found
    answers: Any = kept.answers
    if crowd.kind == "slider":
        beside = beside_others(crowd, kept, answers)
        found += [*reversed_workers(crowd, beside), *unlike_the_others(crowd, beside), *mixed_scales(crowd, beside)]
    elif crowd.kind in ("choice", "verify") and (len(crowd.labels) == 2 or crowd.ordered):
        beside = beside_others(crowd, kept, answers.astype(np.float64))
        found += reversed_workers(crowd, beside)
    return found
