"""Workers who answer the other way round: their answers fall where those of the others rise."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from agreement.analysis.warnings_of.beside_others import BesideOthers
from agreement.analysis.warnings_of.warning import Warned, named
from agreement.crowd import Crowd

AT_MOST = -0.5
TELLING = 3.3  # standard errors of Fisher's z below 0: one worker in 2,000 by chance alone


def reversed_workers(crowd: Crowd, beside: BesideOthers) -> Iterator[Warned]:
    """A correlation with the others' mean of -.5 or less over ten or more items, and clearly below 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.arctanh(np.clip(beside.r, -1 + 1e-12, 1)) * np.sqrt(np.maximum(beside.n - 3, 0))
        found = np.flatnonzero(beside.enough & (beside.r <= AT_MOST) & (z <= -TELLING))
    if not len(found):
        return
    if crowd.n_workers == 2 and len(found) == 2:
        first, second = map(str, crowd.workers)
        yield Warned(
            "reversed-worker",
            f"Workers {first} and {second} answer in opposite directions (correlation {beside.r[found[0]]:.2f} over"
            f" {int(beside.n[found[0]])} items): one of them may have read the scale backwards.",
        )
        return
    worst = found[np.argsort(beside.r[found], kind="stable")]
    each = beside.correlations(crowd, worst)
    yield Warned(
        "reversed-worker",
        f"Workers who answer the other way round, by their correlation with the mean of the others: {named(each)}."
        " They may have read the scale backwards, and pull down every figure of agreement.",
    )
