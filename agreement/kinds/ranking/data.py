"""Answers of kind `ranking`: int32[J, L], the place of each label, from 1; every label has one of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...errors import Refused, option
from ...files.cell_texts import split_bars
from ...files.numbers import Scale
from ...files.problems import Problems, quote_cell
from ...files.table import Column, Table
from ...typed_json import Json
from ..answers import Answer, Fields, is_order_right
from ..data import Data, Guess, Labels
from ..label_lists import all_labels, distinct_values, not_among_labels, parsed, refuse_blanks, refuse_rows
from . import KIND

if TYPE_CHECKING:
    from ...simulation.simulated_people import Person
    from ...simulation.world import KnownItem, World

PREFIX = "place:"  # of a place's name in the form; its label comes after it
MOST_LABELS = KIND.most_labels or 0

Places = npt.NDArray[np.int32]


def _parse(
    table: Table,
    scale: Scale | None,  # noqa: ARG001  this kind has none
    labels: Sequence[str],
    problems: Problems,
) -> tuple[Places, Labels]:
    column = table.columns["value"]
    refuse_blanks(column, table, problems)
    orders = [_parts(value) for value in column.values]
    known = tuple(labels) or tuple(sorted({label for order in orders for label in order if label}))
    if not KIND.fewest_labels <= len(known) <= MOST_LABELS and len(table):
        problems.whole(
            f"column value: {len(known):,} different labels are put in order, and a ranking has"
            f" {KIND.fewest_labels} to {MOST_LABELS}; is this {option('kind', 'choices')}?"
        )
        return np.zeros((len(table), 0), dtype=np.int32), ()
    is_whole = [sorted(order) == sorted(known) for order in orders]
    bad = column.rows_where(lambda value: bool(value.strip()) and sorted(_parts(value)) != sorted(known))
    refuse_rows(
        column, table, bad, f"does not have each of the labels {', '.join(map(quote_cell, known))} once", problems
    )
    places = [
        _places(order, known) if is_complete else [0] * len(known)
        for order, is_complete in zip(orders, is_whole, strict=True)
    ]
    return np.array([*places, [0] * len(known)], dtype=np.int32)[column.codes], known


def _parts(value: str) -> list[str]:
    return [part.strip() for part in value.split("|")]


def _places(order: Sequence[str], labels: Sequence[str]) -> list[int]:
    """[L] the place of each label.

    >>> _places(["red", "blue"], ["blue", "red"])
    [2, 1]
    """
    place = {label: position for position, label in enumerate(order, start=1)}
    return [place[label] for label in labels]


def _fits(table: Table) -> bool:
    """The same few labels in every cell, each once, and not always in one order, in which sets would be written."""
    orders = [_parts(value) for value in distinct_values(table)]
    labels = set(orders[0]) if orders else set()
    return (
        len(orders) > 1
        and KIND.fewest_labels <= len(labels) <= MOST_LABELS
        and all(len(order) == len(labels) and set(order) == labels for order in orders)
    )


def _from_database(stored: npt.NDArray[Any], labels: Labels) -> tuple[Places, Labels]:
    answers = parsed(stored)
    labels = all_labels(labels, (label for answer in answers for label in answer))
    if any(len(answer) != len(labels) for answer in answers):
        raise Refused(
            f"Some answers do not put all of the study's labels ({', '.join(labels)}) in order: take away the labels"
            " that were added since, for answers are never changed."
        )
    rows = [_places(answer, labels) for answer in answers]
    return np.array(rows, dtype=np.int32).reshape(len(answers), len(labels)), labels


def _stored(answers: Places, labels: Labels) -> list[Json]:
    return [in_order(row, labels) for row in answers.tolist()]


def _cells(answers: Places, labels: Labels) -> dict[str, Column]:
    orders, which = np.unique(answers, axis=0, return_inverse=True)
    return {"value": Column(which.reshape(-1).astype(np.int32), ["|".join(in_order(row, labels)) for row in orders])}


def in_order(places: Iterable[float], labels: Sequence[str]) -> list[str]:
    """The labels from the first place to the last.

    >>> in_order([2, 1], ["blue", "red"])
    ['red', 'blue']
    """
    return [label for _, label in sorted(zip(places, labels, strict=True))]


def _form_fields(labels: Sequence[str]) -> Fields:
    return {PREFIX + label: [str(place)] for place, label in enumerate(labels, start=1)}


def _wrong_right_answer(labels: Sequence[str], expected: str) -> str | None:
    """All labels in order, or those that come first."""
    wanted = split_bars(expected)
    if len(set(wanted)) < len(wanted) or "" in wanted:
        return f"{quote_cell(expected)} is no order: each label has one place"
    return not_among_labels(labels, expected)


DATA = Data(
    parse=_parse,
    guess=Guess(order=35, fits=_fits),
    from_database=_from_database,
    stored=_stored,
    cells=_cells,
    form_fields=_form_fields,
    is_right=is_order_right,
    wrong_right_answer=_wrong_right_answer,
)


# In which order simulated people put the labels: they choose the first, then the first of those that remain.
#
# Where the order is known they mostly keep to it: each time the next of it has four times the weight of the one after.

WEIGHT = 4.0


def simulated_answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:  # noqa: ARG001
    known = world.right_labels(item) if person.is_looking else []
    order = known.copy() if item.is_check else []
    while remaining := [label for label in world.labels if label not in order]:
        if known and not item.is_check:
            rank = {label: place for place, label in enumerate(label for label in known if label in remaining)}
            weights = [WEIGHT ** -rank.get(label, len(rank)) for label in remaining]
            order.append(person.rng.choices(remaining, weights=weights)[0])
        else:
            order.append(person.label(item.unknown, world.of(remaining)))
    return Answer(labels=order)
