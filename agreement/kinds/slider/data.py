"""Answers of kind `slider`: float64[J]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...files.numbers import Scale, decimal_of, has_comma, has_per_cent, number_column, numbers
from ...files.problems import Problems, quote_cell
from ...files.table import Column, Table
from ...typed_json import Json
from ..answers import Answer, Fields, html_number, is_number_right
from ..data import Data, Guess, Labels

if TYPE_CHECKING:
    from ...simulation.simulated_people import Person
    from ...simulation.world import KnownItem, World


def _parse(
    table: Table,
    scale: Scale | None,
    labels: Sequence[str],  # noqa: ARG001  this kind has none
    problems: Problems,
) -> tuple[npt.NDArray[np.float64], Labels]:
    return numbers(table.columns["value"], "value", table.rows, problems, scale), ()


def _fits(table: Table) -> bool:
    """A few odd cells among numbers, decimal commas or percent signs are bad cells, each named, not a reason to call
    it labels.
    """
    values = table.columns["value"].values
    n_numbers = sum(decimal_of(value) is not None or has_comma(value) or has_per_cent(value) for value in values)
    return 2 * n_numbers >= len(values)


def _from_database(stored: npt.NDArray[Any], labels: Labels) -> tuple[npt.NDArray[Any], Labels]:  # noqa: ARG001
    return stored, ()


def _stored(answers: npt.NDArray[np.float64], labels: Labels) -> list[Json]:  # noqa: ARG001
    return list(answers.tolist())


def _cells(answers: npt.NDArray[np.float64], labels: Labels) -> dict[str, Column]:  # noqa: ARG001
    return {"value": number_column(answers)}


def _form_fields(number: float) -> Fields:
    return {"number": [html_number(number)]}


def _wrong_right_answer(labels: Sequence[str], expected: str) -> str:  # noqa: ARG001
    return f"{quote_cell(expected)} is a label; a slider's check has min and max"


DATA = Data(
    parse=_parse,
    guess=Guess(order=20, fits=_fits),
    from_database=_from_database,
    stored=_stored,
    cells=_cells,
    form_fields=_form_fields,
    is_right=is_number_right,
    wrong_right_answer=_wrong_right_answer,
)


# What simulated people answer on a slider.


def simulated_answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:
    ends = scale or (0, 100)
    return Answer(number=person.on_scale(world.position(item, ends), ends, item.bounds))
