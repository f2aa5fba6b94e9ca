"""Workers who seem to have answered on another scale than the others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from agreement.analysis.warnings_of.beside_others import BesideOthers
from agreement.analysis.warnings_of.warning import Warned, named
from agreement.crowd import Crowd

TIMES = 10.0  # a spread so many times larger or smaller than that of the others' means on the same items
APART = 0.25  # of the scale, between the means of two ranges that don't meet


def mixed_scales(crowd: Crowd, beside: BesideOthers) -> Iterator[Warned]:
    """A tenth or less of the others' spread, ten times it or more, or a range that theirs doesn't meet."""
    width = float(crowd.scale.high - crowd.scale.low) if crowd.scale is not None else np.inf
    varies = beside.enough & (beside.sd_x > 0) & (beside.sd_y > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = beside.sd_x / beside.sd_y
        apart = (beside.low_x > beside.high_y) | (beside.high_x < beside.low_y)
        far = np.abs(beside.mean_x - beside.mean_y) >= APART * width
        usual = np.median(beside.sd_x[varies]) if varies.any() else np.inf
        wide = (ratio >= TIMES) & (beside.sd_x >= TIMES * usual)  # a mean of many varies less than any one person
        narrow = ratio <= 1 / TIMES
    found = np.flatnonzero(varies & (narrow | wide | (apart & far)))
    if not len(found):
        return
    each = [
        f"{crowd.workers[who]} ({beside.low_x[who]:g} to {beside.high_x[who]:g}, where the others' means go from"
        f" {beside.low_y[who]:.4g} to {beside.high_y[who]:.4g})"
        for who in found.tolist()
    ]
    yield Warned(
        "mixed-scales",
        f"Workers who use another part of the scale than the others on the same items: {named(each, 3)}."
        " If they saw another scale, their numbers must be brought to one scale first.",
    )
