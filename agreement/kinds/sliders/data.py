"""Answers of kind `sliders`: float64[J, L]."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...files.numbers import Scale, number_column, numbers
from ...files.problems import Problems
from ...files.table import Column, Table
from ...typed_json import Json
from ..answers import LABEL_COLUMN, Answer, Fields, are_numbers_right, html_number
from ..data import ONE_PER_LABEL, Data, Guess, Labels
from ..label_lists import all_labels, not_among_labels, parsed

if TYPE_CHECKING:
    from ...simulation.simulated_people import Person
    from ...simulation.world import KnownItem, World

PREFIX = "number:"  # of a line's name in the form; its label comes after it


def _parse(
    table: Table, scale: Scale | None, labels: Sequence[str], problems: Problems
) -> tuple[npt.NDArray[np.float64], Labels]:
    file_labels = sorted(name.removeprefix(LABEL_COLUMN) for name in ONE_PER_LABEL.among(table.columns))
    for label in file_labels:
        if not label or "|" in label:
            problems.whole(f"column {LABEL_COLUMN}{label}: a label needs a name without |")
        elif labels and label not in labels:
            problems.whole(f"column {LABEL_COLUMN}{label}: the labels are {', '.join(labels)}")
    for label in labels:
        if label not in file_labels:
            problems.whole(f"the column {LABEL_COLUMN}{label} is missing; kind sliders has one number per label")
    answered = tuple(label for label in labels or file_labels if label in file_labels)
    columns = [LABEL_COLUMN + label for label in answered]
    answers = [numbers(table.columns[name], name, table.rows, problems, scale) for name in columns]
    return np.column_stack(answers) if answers else np.empty((len(table), 0)), answered


def _fits(table: Table) -> bool:
    return bool(ONE_PER_LABEL.among(table.columns))


def _from_database(stored: npt.NDArray[Any], labels: Labels) -> tuple[npt.NDArray[np.float64], Labels]:
    answers = parsed(stored)
    labels = all_labels(labels, (label for answer in answers for label in answer))
    rows = [[answer.get(label, np.nan) for label in labels] for answer in answers]
    return np.array(rows, dtype=np.float64).reshape(len(answers), len(labels)), labels


def _stored(answers: npt.NDArray[np.float64], labels: Labels) -> list[Json]:
    rows = (zip(labels, row, strict=True) for row in answers.tolist())
    return [{label: number for label, number in row if not math.isnan(number)} for row in rows]


def _cells(answers: npt.NDArray[np.float64], labels: Labels) -> dict[str, Column]:
    return {LABEL_COLUMN + label: number_column(answers[:, position]) for position, label in enumerate(labels)}


def _text(cells: Mapping[str, Column]) -> npt.NDArray[np.object_]:
    """[J] as label=number."""
    shown = [[f"{name.removeprefix(LABEL_COLUMN)}={text}" for text in column.text()] for name, column in cells.items()]
    return np.array([" ".join(row) for row in zip(*shown, strict=True)], dtype=object)


def _form_fields(numbers: Mapping[str, float]) -> Fields:
    return {PREFIX + label: [html_number(number)] for label, number in numbers.items()}


DATA = Data(
    columns=ONE_PER_LABEL,
    parse=_parse,
    guess=Guess(order=10, fits=_fits),
    from_database=_from_database,
    stored=_stored,
    cells=_cells,
    text=_text,
    form_fields=_form_fields,
    is_right=are_numbers_right,
    wrong_right_answer=not_among_labels,
)


# What simulated people answer on a slider for each label: furthest where the label fits best.

FURTHEST = 0.95


def simulated_answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:
    ends, right = scale or (0, 100), world.right_labels(item)
    shares = world.shares(item)
    truths = dict(zip(world.labels, shares / shares.max() * FURTHEST, strict=True))
    bounds = item.bounds
    if bounds is None:
        return Answer(numbers={label: person.on_scale(truth, ends) for label, truth in truths.items()})
    # Bounds hold for the labels that a check expects, or for every one; the others stay below those.
    inside = {label: person.on_scale(world.position(item, ends), ends, bounds) for label in right or world.labels}
    return Answer(numbers={label: inside.get(label, ends[0]) for label in world.labels})
