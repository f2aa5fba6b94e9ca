"""Answers of kind `text`: object[J]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...files.numbers import Scale
from ...files.problems import Problems
from ...files.table import Column, Table, encode
from ...typed_json import Json
from ..answers import Answer, Fields, is_text_right
from ..data import Data, Labels
from ..label_lists import refuse_blanks
from ..list.data import simulated_properties

if TYPE_CHECKING:
    from ...simulation.simulated_people import Person
    from ...simulation.world import KnownItem, World


def _parse(
    table: Table,
    scale: Scale | None,  # noqa: ARG001  this kind has neither
    labels: Sequence[str],  # noqa: ARG001
    problems: Problems,
) -> tuple[npt.NDArray[np.object_], Labels]:
    column = table.columns["value"]
    refuse_blanks(column, table, problems)
    return column.text(), ()


def _from_database(stored: npt.NDArray[Any], labels: Labels) -> tuple[npt.NDArray[Any], Labels]:  # noqa: ARG001
    return stored, ()


def _stored(answers: npt.NDArray[np.object_], labels: Labels) -> list[Json]:  # noqa: ARG001
    return list(answers.tolist())


def _cells(answers: npt.NDArray[np.object_], labels: Labels) -> dict[str, Column]:  # noqa: ARG001
    return {"value": encode(answers, len(answers))}


def _form_fields(text: str) -> Fields:
    return {"text": [text]}


DATA = Data(
    parse=_parse,
    from_database=_from_database,
    stored=_stored,
    cells=_cells,
    form_fields=_form_fields,
    is_right=is_text_right,
)


# What simulated people write: what the check or the reference says, else a sentence of one property.


def simulated_answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:  # noqa: ARG001
    if person.is_looking and item.right:
        return Answer(text=person.rng.choice(item.right))
    return Answer(text=f"It {simulated_properties(person, item, world)[0]}.")
