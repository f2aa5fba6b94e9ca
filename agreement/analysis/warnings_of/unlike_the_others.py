"""Workers whose answers have next to nothing in common with those of the others, who agree well among themselves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from agreement.analysis.warnings_of.beside_others import BesideOthers
from agreement.analysis.warnings_of.reversed_workers import AT_MOST, TELLING
from agreement.analysis.warnings_of.warning import Warned, named
from agreement.crowd import Crowd

USUAL = 0.5  # the correlation with the others that half of the workers have or exceed
SHARE = 0.5  # of the usual one: who is clearly below it is named
LEAST_WORKERS = 4


def unlike_the_others(crowd: Crowd, beside: BesideOthers) -> Iterator[Warned]:
    """Half of the workers correlate at .5 or more with the mean of the others, and this one clearly below half of that.

    Clearly: by 3.3 standard errors of Fisher's z. Who answers the other way round is spoken of elsewhere.
    """
    usable = beside.enough & np.isfinite(beside.r)
    if int(usable.sum()) < LEAST_WORKERS:
        return
    usual = float(np.median(beside.r[usable]))
    if usual < USUAL:
        return
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.arctanh(np.clip(beside.r, -1 + 1e-12, 1 - 1e-12))
        upper = z + TELLING / np.sqrt(np.maximum(beside.n - 3, 1))
    found = np.flatnonzero(usable & (upper < np.arctanh(SHARE * min(usual, 1 - 1e-12))) & (beside.r > AT_MOST))
    if not len(found):
        return
    worst = found[np.argsort(beside.r[found], kind="stable")]
    each = beside.correlations(crowd, worst)
    yield Warned(
        "unlike-the-others",
        f"Workers whose answers hardly follow those of the others, by their correlation with the others' mean, which is"
        f" {usual:.2f} for a worker in the middle: {named(each)}. They pull down every figure of agreement.",
    )
