"""Deletions for statistics of ranks, which have no closed form: recomputed one by one, or in 20 + 20 + 20 groups."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .design import Codes, Design
from .estimate import Floats
from .intervals import GROUPS, Deletions, groups

ONE_BY_ONE = 4_000_000  # deletions x judgments up to which each item, worker or judgment is left out by itself


@dataclass(frozen=True, slots=True, eq=False)
class RankDeletions:
    """The deletions, and in words which of them stand for groups."""

    deletions: Deletions
    how: str
    workers_grouped: bool


def deletions(design: Design, without: Callable[[Codes, int], Floats], rng: np.random.Generator) -> RankDeletions:
    """The deletions of each item, worker and judgment; where that is too much work, of 20 random groups of them.

    `without` gives the statistic [G] without each group of judgments, from the group of each [J] and their number.
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
        left_out.append(without(group, count))
    how = f"{', '.join(grouped)} left out in {GROUPS} random groups" if grouped else "each left out by itself"
    of_items, of_workers, of_judgments = left_out
    return RankDeletions(Deletions(of_items, of_workers, of_judgments), how, "workers" in grouped)
