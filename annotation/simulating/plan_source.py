"""Where a plan's variance components come from: this study's judgments, or people who are simulated on its form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from agreement.estimation.estimate import Undefined
from agreement.kinds.answers import Answer
from agreement.kinds.registry import KINDS
from agreement.planning.further_data import components_of_kind, of_crowd, own_words
from agreement.planning.precision import Components
from annotation.releases.from_database.reading_judgments import crowd_of
from annotation.releases.models import Exclusion
from annotation.simulating.by_actions import crowd_of as vices_of
from annotation.simulating.by_actions import known, people, scale_of, world_of

if TYPE_CHECKING:
    from annotation.models import Study

PEOPLE, MOST_ITEMS = 16, 60  # of a simulated pilot: every person judges every item
SEED = 1


def pilot(study: Study) -> Components | Undefined:
    """From what has been judged so far, pilots included."""
    return of_crowd(crowd_of(study))


def excluded_and_judged(study: Study) -> tuple[int, int]:
    """How many of those who have judged something are excluded, and how many have."""
    judged = study.participations.filter(assigned_items__judgments__isnull=False).distinct()
    return judged.filter(exclusions__in=Exclusion.objects.in_force()).count(), judged.count()


def simulated(study: Study) -> Components | Undefined:
    """From careful people who answer this study's own items on its own scale or labels."""
    if KINDS[study.kind].in_own_words:
        return own_words()
    items = [known(item) for item in study.items.targets().select_related("repeats").order_by("position")[:MOST_ITEMS]]
    if len(items) < 2:
        return Undefined("the study has no two items yet")
    world, scale = world_of(study, SEED), scale_of(study)
    crowd = list(people(vices_of(workers=PEOPLE), seed=SEED))
    given = [[person.answer(study.kind, item, world, scale) for item in items] for person in crowd]
    y = np.array([_vector(study.kind, answer, world.labels) for row in given for answer in row], dtype=np.float64)
    item, worker = np.tile(np.arange(len(items)), len(crowd)), np.repeat(np.arange(len(crowd)), len(items))
    return components_of_kind(study.kind, item, worker, y)


def _vector(kind: str, answer: Answer, labels: Sequence[str]) -> list[float]:
    """One simulated answer as the same numbers."""
    if answer.number is not None:
        return [float(answer.number)]
    if answer.numbers is not None:
        return [float(answer.numbers.get(label, 0)) for label in labels]
    if answer.label is not None:
        return [float(answer.label == label) for label in labels]
    chosen = answer.labels or []
    if KINDS[kind].most_labels is not None:  # an order: the place of each label
        return [float(chosen.index(label) + 1) for label in labels]
    return [float(label in chosen) for label in labels]
