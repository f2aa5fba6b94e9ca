"""What a study's check items will do to random clickers and to careful people, before anybody has answered."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agreement.cleaning.check_items import SLIP, SPREAD, all_of, passes_by_chance, slips_by_bounds

if TYPE_CHECKING:
    from annotation.models import Study


@dataclass(frozen=True, slots=True)
class PlannedChecks:
    """Chances for one assignment, each check drawn from the items of its name, failing one means being excluded."""

    quotas: tuple[tuple[str, int], ...]  # name, how many of it in an assignment
    clicker_passes: float
    careful_fails: float
    without_right_answer: int
    has_bounds: bool

    @property
    def per_assignment(self) -> int:
        return sum(count for _, count in self.quotas)

    @property
    def assumption(self) -> str:
        """What `careful_fails` rests on."""
        slip = f"it is assumed that a careful person makes a mistake in {SLIP:.0%} of checks"
        distance = f" and otherwise stops a slider {SPREAD:g} per cent of the scale from the right end on average"
        return slip + (distance if self.has_bounds else "")


def planned_checks(study: Study) -> PlannedChecks:
    """Three statements. A check without a right answer of its own is passed by everybody."""
    quotas = tuple(study.check_quotas.order_by("check_name").values_list("check_name", "per_assignment"))
    labels = study.labels.count() if study.question_kind.has_labels else 0
    passes, slips = defaultdict(list), defaultdict(list)
    without, has_bounds = 0, False
    rows = study.items.checks().values_list("check_name", "expected", "min", "max")
    for name, expected, low, high in rows:
        if expected is None and low is None and high is None:
            without += 1
            passes[name].append(1.0)
            slips[name].append(0.0)
            continue
        has_bounds |= low is not None or high is not None
        known = labels or not study.question_kind.has_labels  # a draft may have no labels yet
        passes[name].append(passes_by_chance(study.kind, low, high, len(expected or []), labels) if known else 0.0)
        slips[name].append(slips_by_bounds(low, high))
    there = [(name, count) for name, count in quotas if passes[name]]
    return PlannedChecks(
        quotas=quotas,
        clicker_passes=all_of([(sum(passes[name]) / len(passes[name]), count) for name, count in there]),
        careful_fails=1 - all_of([(1 - sum(slips[name]) / len(slips[name]), count) for name, count in there]),
        without_right_answer=without,
        has_bounds=has_bounds,
    )
