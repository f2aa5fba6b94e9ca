"""How far a plan's advice is uncertain: what pilots of other workers and items of one population would advise.

Five pilots of twelve workers, 80 items of six judgments, gave 15, 7, 10, 5 and 20 judgments per item for one goal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .precision import (
    ASSURANCE,
    JUDGMENTS_PER_ITEM,
    Components,
    Goal,
    first_within,
    points_of,
    why_no_plan,
    workers_for,
)

ADVISED = 0.9  # of the pilots that might have been give advice within the interval
SHARE_OF_DRAWN = 0.1  # of the usual number of studies are simulated for each pilot that might have been


@dataclass(frozen=True, slots=True)
class Advice:
    """The fewest and the most judgments per item that pilots like this one would advise, with as many people; None:
    more than any that are planned.
    """

    least: int | None
    most: int | None
    fewest_people: int | None
    most_people: int | None


def advice_between(
    components: Components,
    goal: Goal,
    target: float,
    *,
    items: int,
    items_per_worker: int,
    seed: int = 1,
    assurance: float = ASSURANCE,
) -> Advice | None:
    """The advice that nine in ten pilots of this one's workers and items would give; None where none could be drawn."""
    if not components.drawn or goal == Goal.ALT_TEST:
        return None
    advised = []
    for item, worker, residual in components.drawn:
        one = replace(components, item=item, worker=worker, residual=residual)
        if why_no_plan(one, goal, items=items, items_per_worker=items_per_worker):
            advised.append(len(JUDGMENTS_PER_ITEM))
            continue
        low, high = 0, len(JUDGMENTS_PER_ITEM)  # the first that is precise enough, by halving
        while low < high:
            middle = (low + high) // 2
            k = JUDGMENTS_PER_ITEM[middle]
            points = points_of(
                one, goal, (k,), items, items_per_worker, seed=seed, assurance=assurance, share=SHARE_OF_DRAWN
            )
            low, high = (low, middle) if first_within(points, target, None, goal) else (middle + 1, high)
        advised.append(low)
    ends = np.quantile(advised, [(1 - ADVISED) / 2, (1 + ADVISED) / 2], method="inverted_cdf").astype(int).tolist()
    least, most = (JUDGMENTS_PER_ITEM[end] if end < len(JUDGMENTS_PER_ITEM) else None for end in ends)
    people = [None if k is None else workers_for(items, k, items_per_worker) for k in (least, most)]
    return Advice(least, most, people[0], people[1])
