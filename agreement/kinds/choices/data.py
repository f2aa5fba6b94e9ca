"""Answers of kind `choices`: bool[J, L], which of the labels were chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...files.cell_texts import refuse_lookalike_parts
from ...files.numbers import Scale
from ...files.problems import Problems, quote_cell
from ...files.table import Column, Table
from ...typed_json import Json
from ..answers import Answer, Fields, are_labels_right
from ..data import Data, Guess, Labels
from ..label_lists import (
    MOST_GUESSED_LABELS,
    all_labels,
    distinct_values,
    not_among_labels,
    parsed,
    refuse_blanks,
    refuse_rows,
    refuse_too_many,
)

if TYPE_CHECKING:
    from ...simulation.simulated_people import Person
    from ...simulation.world import KnownItem, World

NOTHING_CHOSEN = "|"  # the set of no label: a blank cell would be no answer to our own readers


def _parse(
    table: Table,
    scale: Scale | None,  # noqa: ARG001  this kind has none
    labels: Sequence[str],
    problems: Problems,
) -> tuple[npt.NDArray[np.bool_], Labels]:
    column = table.columns["value"]
    refuse_blanks(column, table, problems)
    sets = [[part.strip() for part in value.split("|")] for value in column.values]
    refuse_lookalike_parts(column, sets, "value", table, problems)
    empty = np.array([*("" in parts and any(parts) for parts in sets), False])[column.codes]
    refuse_rows(column, table, np.flatnonzero(empty), "has nothing on one side of a |", problems)
    known = tuple(labels) or tuple(sorted({part for parts in sets for part in parts if part}))
    code = {label: number for number, label in enumerate(known)}
    if labels:
        unknown = np.array([*(any(part and part not in code for part in parts) for parts in sets), False])[column.codes]
        limit = f"holds other labels than {', '.join(map(quote_cell, known))}"
        refuse_rows(column, table, np.flatnonzero(unknown), limit, problems)
    chosen = np.zeros((len(sets) + 1, len(known)), dtype=np.bool_)
    for row, parts in enumerate(sets):
        chosen[row, [code[part] for part in parts if part in code]] = True
    refuse_too_many(known, problems)
    return chosen[column.codes], known


def _fits(table: Table) -> bool:
    values = distinct_values(table)
    return len(values) <= MOST_GUESSED_LABELS and any("|" in value for value in values)


def _from_database(stored: npt.NDArray[Any], labels: Labels) -> tuple[npt.NDArray[np.bool_], Labels]:
    answers = parsed(stored)
    labels = all_labels(labels, (label for answer in answers for label in answer))
    code = {label: number for number, label in enumerate(labels)}
    chosen = np.zeros((len(answers), len(labels)), dtype=np.bool_)
    for row, answer in enumerate(answers):
        chosen[row, [code[label] for label in answer]] = True
    return chosen, labels


def _stored(answers: npt.NDArray[np.bool_], labels: Labels) -> list[Json]:
    """In the order of the alphabet, as the form stores them."""
    return [
        sorted(label for label, is_chosen in zip(labels, row, strict=True) if is_chosen) for row in answers.tolist()
    ]


def _cells(answers: npt.NDArray[np.bool_], labels: Labels) -> dict[str, Column]:
    first, which = _distinct_sets(answers)
    sets = ["|".join(np.array(labels, dtype=object)[row]) or NOTHING_CHOSEN for row in answers[first]]
    return {"value": Column(which.astype(np.int32), sets)}


def _distinct_sets(answers: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """[S] where each distinct set of labels stands first, and [J] which of them each answer is.

    Sets are compared by a 64-bit mark, which is far faster than row by row; row by row where two sets share one.
    """
    packed = np.packbits(answers, axis=1)
    _, first, which = np.unique(_marks(packed), return_index=True, return_inverse=True)
    if not np.array_equal(packed[first][which], packed):
        _, first, which = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    return first, which.reshape(-1)


def _marks(packed: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """[J] the sum over the bytes of a random number times the byte."""
    of_byte = np.random.default_rng(0).integers(0, 2**64, packed.shape[1], dtype=np.uint64)
    return np.asarray(packed.astype(np.uint64) @ of_byte)


def _form_fields(labels: Sequence[str]) -> Fields:
    return {"labels": labels}


DATA = Data(
    parse=_parse,
    guess=Guess(order=40, fits=_fits),
    from_database=_from_database,
    stored=_stored,
    cells=_cells,
    form_fields=_form_fields,
    is_right=are_labels_right,
    wrong_right_answer=not_among_labels,
)


# Which labels simulated people choose: those that are right, now and then one less or one more; else one or two.

SEEN, ADDED = 0.9, 0.02  # how often a careful person ticks a label that the reference has, and one that it hasn't


def simulated_answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:  # noqa: ARG001
    right = world.right_labels(item)
    if not (person.is_looking and right):
        return Answer(labels=_within_limits([person.label(item, world), person.label(item, world)], world))
    if item.is_check:
        return Answer(labels=_within_limits(right, world))
    ticked = [label for label in world.labels if person.rng.random() < (SEEN if label in right else ADDED)]
    return Answer(labels=_within_limits(ticked or right[:1], world))


def _within_limits(labels: Sequence[str], world: World) -> list[str]:
    """As the form takes them: a label that stands alone by itself, and no more or fewer than an answer has."""
    chosen = list(dict.fromkeys(labels))
    together = [label for label in chosen if label not in world.exclusive]
    if not together:
        return chosen[:1]
    others = (label for label in world.labels if label not in world.exclusive and label not in together)
    lacking = max(world.fewest - len(together), 0)
    return sorted([*together, *list(others)[:lacking]][: world.most])
