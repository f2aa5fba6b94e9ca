"""What k people's own verdicts on size imply, where the items say how large each shape is among its like."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement.analysis.sample import Sample
from agreement.crowd import Crowd
from agreement.gold.arrays import Bools, Floats
from agreement.scoring.size import fit_threshold
from agreement.stats.results import figure_dict
from agreement.stats.seeds import stream
from annotation.files.numbers import decimal_of

SAYS, AREAS = "says", ("area", "set_max", "set_min")
TRUE, FALSE, BIG, SMALL = "true", "false", "big", "small"
LITERATURE = {"k": 0.29, "sd": 0.066, "source": "Schmidt et al. 2009; Pezzelle and Fernandez 2019"}


def size_threshold(crowd: Crowd, kept: Sample, *, seed: int) -> dict[str, Any] | None:
    """`size_threshold` of report.json: k ~ Normal fitted to verdicts; None where the items have no such columns.

    An item needs `area`, `set_max` and `set_min` (the shape's own and the extremes of what it is compared with) and
    `says`, big or small. Items on what is the biggest or the smallest have a `task` that says so, and no threshold.
    """
    if crowd.kind != "verify" or not {SAYS, *AREAS} <= set(crowd.items.columns):
        return None
    if not {TRUE, FALSE} <= set(crowd.labels):
        return {"undefined": f"verdicts are read from the labels {TRUE} and {FALSE}, and these aren't among the labels"}
    d, says_big = _relative(crowd)
    answers: Any = kept.answers
    is_true, is_false = (answers == crowd.labels.index(label) for label in (TRUE, FALSE))
    usable = np.isfinite(d[kept.item]) & (is_true | is_false)
    item, worker = kept.item[usable], kept.worker[usable]
    if not len(item):
        return {"undefined": f"no judged item has numbers in {', '.join(AREAS)} and big or small in {SAYS}"}
    said_big = is_true[usable] == says_big[item]
    fit = fit_threshold(d[item], said_big, item, worker, stream(seed, "size_threshold"))
    return {
        "k": figure_dict(fit.mu),
        "sd": figure_dict(fit.sigma),
        "lapse": figure_dict(fit.lapse),
        "sharp_right": figure_dict(fit.sharp),
        "verdicts": fit.verdicts,
        "informative": fit.informative,
        "items": len(np.unique(item)),
        "literature": LITERATURE,
    }


def _relative(crowd: Crowd) -> tuple[Floats, Bools]:
    """[N] d = (max - area) / (max - min), the k at which a shape stops being big, and [N] whether its item says big.

    NaN where a cell is no number, the set is all of one size, or the sentence has no threshold.
    """
    area, largest, smallest = (_numbers(crowd, name) for name in AREAS)
    span = largest - smallest
    d = np.where(span > 0, (largest - area) / np.where(span > 0, span, 1.0), np.nan)
    says = crowd.items[SAYS].astype(str).str.strip().str.lower().to_numpy(dtype=object)
    fine = (says == BIG) | (says == SMALL)
    if "task" in crowd.items.columns:
        fine &= ~crowd.items["task"].astype(str).str.startswith("SUP").to_numpy(dtype=np.bool_)
    return np.where(fine, d, np.nan), np.asarray(says == BIG, dtype=np.bool_)


def _numbers(crowd: Crowd, name: str) -> Floats:
    found = (decimal_of(str(text)) for text in crowd.items[name])
    return np.array([np.nan if number is None else float(number) for number in found])
