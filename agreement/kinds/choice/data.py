"""Answers of kind `choice`: int32[J], codes into the labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...files.numbers import Scale
from ...files.problems import Problems
from ...files.table import Table
from ..answers import Answer, Fields, is_label_right
from ..data import Data, Guess, Labels
from ..label_lists import (
    MOST_GUESSED_LABELS,
    distinct_values,
    label_cells,
    label_values,
    not_among_labels,
    parse_labels,
    stored_labels,
)
from ..options import values_of_options

if TYPE_CHECKING:
    from ...simulation.simulated_people import Person
    from ...simulation.world import KnownItem, World


def _parse(
    table: Table,
    scale: Scale | None,  # noqa: ARG001  this kind has none
    labels: Sequence[str],
    problems: Problems,
) -> tuple[npt.NDArray[np.int32], Labels]:
    return parse_labels(table, labels, problems)


def _fits(table: Table) -> bool:
    return len(distinct_values(table)) <= MOST_GUESSED_LABELS


def form_fields(label: str) -> Fields:
    return {"label": [label]}


DATA = Data(
    parse=_parse,
    guess=Guess(order=50, fits=_fits),
    from_database=stored_labels,
    stored=label_values,
    cells=label_cells,
    form_fields=form_fields,
    is_right=is_label_right,
    wrong_right_answer=not_among_labels,
)


# Which label simulated people choose: of the study's, or of the item's own.


def simulated_answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:  # noqa: ARG001
    own = () if world.labels else values_of_options(item.fields)
    return Answer(label=person.label(item, world.of(own) if own else world))
