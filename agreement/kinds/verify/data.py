"""Answers of kind `verify`: int32[J], codes into the labels, which are false and true where a file doesn't say more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...files.numbers import Scale
from ...files.problems import Problems
from ...files.table import Table
from ..answers import Answer
from ..choice import data as choice
from ..data import Guess, Labels
from ..label_lists import distinct_values, parse_labels

if TYPE_CHECKING:
    from ...simulation.simulated_people import Person
    from ...simulation.world import KnownItem, World

BIG = "big"
K_MEAN, K_SD = 0.29, 0.066  # Schmidt et al. (2009) found .29 for "tall"
TRUE_FALSE = FALSE, TRUE = ("false", "true")


def _parse(
    table: Table,
    scale: Scale | None,  # noqa: ARG001  this kind has none
    labels: Sequence[str],
    problems: Problems,
) -> tuple[npt.NDArray[np.int32], Labels]:
    """Two labels of any name are taken for the two; of more, all but false and true are named as wrong."""
    if not labels and len(distinct_values(table)) > len(TRUE_FALSE):
        labels = TRUE_FALSE
    return parse_labels(table, labels, problems)


def _fits(table: Table) -> bool:
    return distinct_values(table) <= set(TRUE_FALSE)


DATA = replace(choice.DATA, parse=_parse, guess=Guess(order=30, fits=_fits))


# Simulated people choose true or false as they choose any other label; on sizes each by a threshold of their own.


def simulated_answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:
    is_true = None if item.is_check or not person.is_looking else _true_by_size(person, item)
    if is_true is None or not {TRUE, FALSE} <= set(world.labels):
        return choice.simulated_answer(person, item, world, scale)
    return Answer(label=TRUE if is_true else FALSE)


def _true_by_size(person: Person, item: KnownItem) -> bool | None:
    """Big is what is above max - k (max - min), each person having a k of their own.

    By the columns that make_scenes writes; None where they are missing, and of the biggest and the smallest, for
    which there is no threshold.
    """
    area, most, least = (item.number(name) for name in ("area", "set_max", "set_min"))
    says = item.fields.get("says", "")
    if area is None or most is None or least is None or not says or str(item.fields.get("task", "")).startswith("SUP"):
        return None
    k = K_MEAN + K_SD * person.trait("threshold of size")
    is_big = area > int(most - k * (most - least))
    return is_big if says == BIG else not is_big
