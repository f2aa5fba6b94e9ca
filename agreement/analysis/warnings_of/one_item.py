"""Agreement on a single item: the formulas give a figure, which the formula alone decides."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from agreement.analysis.sample import Sample
from agreement.analysis.warnings_of.warning import Warned
from agreement.crowd import Crowd


def one_item(crowd: Crowd, sample: Sample) -> Iterator[Warned]:
    if int(np.sum(np.bincount(sample.item, minlength=crowd.n_items) >= 2)) == 1 and crowd.kind not in ("list", "text"):
        yield Warned(
            "one-item",
            "Only one item has two or more judgments: agreement compares how answers differ within items and between"
            " them, and kappa and alpha of one item are 0 or just below it whatever was answered.",
        )
