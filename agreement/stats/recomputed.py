"""Deletions for statistics of ranks, which have no closed form: recomputed one by one, or in 20 + 20 + 20 groups."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.stats.design import Codes, Design
from agreement.stats.estimate import Floats
from agreement.stats.jackknife import GROUPS, Deletions, groups

Kept = npt.NDArray[np.bool_]
ONE_BY_ONE = 4_000_000  # deletions x judgments up to which each item, worker or judgment is left out by itself


@dataclass(frozen=True, slots=True, eq=False)
class Recomputed:
    """The deletions, and in words which of them stand for groups."""

    deletions: Deletions
    how: str
    workers_grouped: bool


def deletions(design: Design, statistic: Callable[[Kept], float], rng: np.random.Generator) -> Recomputed:
    """The statistic of the judgments kept [J], NaN where undefined, without each item, worker and judgment.

    Where that is too much work, without each of 20 random groups of them, equal in number.
    """
    left_out: list[Floats] = []
    grouped: list[str] = []
    which: list[tuple[str, Codes, int]] = [
        ("items", design.item, design.items),
        ("workers", design.worker, design.workers),
        ("judgments", np.arange(design.judgments, dtype=np.int64), design.judgments),
    ]
    for name, member, size in which:
        group, count = member, size
        if size > GROUPS and size * design.judgments > ONE_BY_ONE:
            group, count = groups(size, rng)[member], GROUPS
            grouped.append(name)
        left_out.append(np.array([statistic(group != out) for out in range(count)]))
    how = f"{', '.join(grouped)} left out in {GROUPS} random groups" if grouped else "each left out by itself"
    return Recomputed(Deletions(*left_out), how, "workers" in grouped)
