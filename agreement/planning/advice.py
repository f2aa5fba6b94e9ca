"""How far a plan's advice is uncertain: what pilots of other workers and items of one population would advise.

Five pilots of twelve workers, 80 items of six judgments, gave 15, 7, 10, 5 and 20 judgments per item for one goal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from .precision import (
    ASSURANCE,
    JUDGMENTS_PER_ITEM,
    MODEL_CORRELATION,
    Components,
    Goal,
    precisions,
    why_no_plan,
    workers_for,
)

OF_MODELS = (
    f"This is by a t test of two models that correlate {MODEL_CORRELATION:g} with the items and err independently. The"
    " report's own test leaves items and workers out in turn, and finds smaller differences between models that err"
    " alike."
)
ADVISED = 0.9  # of the pilots that might have been give advice within the interval
# What keeps a page fast: pilots are put in order at one number of judgments per item by few simulated studies, the same
# for all of them, and the advice of three is computed: a tenth of the work of planning for each. An end of the interval
# is then at most a step of `JUDGMENTS_PER_ITEM` off in the tests; for two models, whom pilots hardly matter to, more.
ORDERED_AT, MOST_ORDERED_AT = 8, 12
TO_ORDER, FEWEST_TO_ORDER = 20_000, 10  # simulated judgments and studies
TO_ADVISE, FEWEST_TO_ADVISE = 60_000, 20


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
    plan = _Plan(goal, target, items, items_per_worker, seed, assurance)
    drawn = [replace(components, item=item, worker=worker, residual=rest) for item, worker, rest in components.drawn]
    possible = [one for one in drawn if not why_no_plan(one, goal, items=items, items_per_worker=items_per_worker)]
    if possible:
        middle = plan.advised(plan.easiest_first(possible, ORDERED_AT)[len(possible) // 2])
        nearby = min(JUDGMENTS_PER_ITEM[min(middle, len(JUDGMENTS_PER_ITEM) - 1)], MOST_ORDERED_AT)
        possible = plan.easiest_first(possible, nearby)
    places = [max(ceil(len(drawn) * share) - 1, 0) for share in ((1 - ADVISED) / 2, (1 + ADVISED) / 2)]
    ends = sorted(plan.advised(possible[at]) if at < len(possible) else len(JUDGMENTS_PER_ITEM) for at in places)
    least, most = (JUDGMENTS_PER_ITEM[end] if end < len(JUDGMENTS_PER_ITEM) else None for end in ends)
    people = [None if k is None else workers_for(items, k, items_per_worker) for k in (least, most)]
    return Advice(least, most, people[0], people[1])


@dataclass(frozen=True, slots=True)
class _Plan:
    goal: Goal
    target: float
    items: int
    items_per_worker: int
    seed: int
    assurance: float

    def easiest_first(self, pilots: Sequence[Components], k: int) -> list[Components]:
        """The pilots in the order of how precise their studies are with k judgments per item."""
        precision = self._precisions(pilots, k, TO_ORDER, FEWEST_TO_ORDER)
        order = np.argsort(precision, kind="stable")
        return [pilots[at] for at in (order[::-1] if self.goal.rises else order).tolist()]

    def advised(self, pilot: Components) -> int:
        """The place of the first number of judgments per item that is precise enough, by halving."""
        low, high = 0, len(JUDGMENTS_PER_ITEM)
        while low < high:
            middle = (low + high) // 2
            [precision] = self._precisions([pilot], JUDGMENTS_PER_ITEM[middle], TO_ADVISE, FEWEST_TO_ADVISE)
            is_enough = precision >= self.target if self.goal.rises else precision <= self.target
            low, high = (low, middle) if is_enough else (middle + 1, high)
        return low

    def _precisions(self, pilots: Sequence[Components], k: int, simulated: int, fewest: int) -> list[float]:
        return precisions(
            pilots,
            self.goal,
            k,
            self.items,
            self.items_per_worker,
            seed=self.seed,
            assurance=self.assurance,
            simulated=simulated,
            fewest=fewest,
        )
