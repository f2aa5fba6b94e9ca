"""Answers of kind `list`: `Properties`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...files.cell_texts import join_bars, split_bars
from ...files.numbers import Scale
from ...files.problems import Problems
from ...files.table import Column, Table, encode
from ...typed_json import Json
from ..answers import Answer, Fields, Properties, are_properties_right
from ..data import Data, Labels
from ..label_lists import parsed

if TYPE_CHECKING:
    from ...simulation.simulated_people import Person
    from ...simulation.world import KnownItem, World


def _parse(
    table: Table,
    scale: Scale | None,  # noqa: ARG001  this kind has neither
    labels: Sequence[str],  # noqa: ARG001
    problems: Problems,  # noqa: ARG001  a blank cell is an answer that names nothing
) -> tuple[Properties, Labels]:
    column = table.columns["value"]
    code: dict[str, int] = {}
    lists = [_distinct(split_bars(value)) for value in column.values]
    codes = [np.array([code.setdefault(part, len(code)) for part in parts], dtype=np.int32) for parts in lists]
    lengths = np.array([*map(len, codes), 0], dtype=np.int64)[column.codes]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    named = [codes[row] for row in column.codes.tolist()]
    return Properties(offsets, np.concatenate(named) if named else np.empty(0, dtype=np.int32), tuple(code)), ()


def _from_database(stored: npt.NDArray[Any], labels: Labels) -> tuple[Properties, Labels]:  # noqa: ARG001
    code: dict[str, int] = {}
    answers = [
        [code.setdefault(named, len(code)) for named in _distinct(map(str.strip, answer))] for answer in parsed(stored)
    ]
    offsets = np.cumsum([0, *map(len, answers)], dtype=np.int64)
    return Properties(offsets, np.array([c for answer in answers for c in answer], dtype=np.int32), tuple(code)), ()


def _distinct(parts: Iterable[str]) -> list[str]:
    return [part for part in dict.fromkeys(parts) if part]


def _stored(answers: Properties, labels: Labels) -> list[Json]:  # noqa: ARG001
    return [answers.of(j) for j in range(len(answers))]


def _cells(answers: Properties, labels: Labels) -> dict[str, Column]:  # noqa: ARG001
    texts = [join_bars(answers.of(j)) for j in range(len(answers))]
    return {"value": encode(texts, len(texts))}


def _form_fields(properties: Sequence[str]) -> Fields:
    return {"properties": ["\n".join(properties)]}


DATA = Data(
    parse=_parse,
    from_database=_from_database,
    stored=_stored,
    cells=_cells,
    form_fields=_form_fields,
    is_right=are_properties_right,
)


# Which properties simulated people name: most of those that are right, and some of their own.

NAMED = 0.7  # how often a careful person names a property that the reference has


def simulated_answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:  # noqa: ARG001
    return Answer(properties=simulated_properties(person, item, world))


def simulated_properties(person: Person, item: KnownItem, world: World) -> list[str]:
    """In alphabetical order."""
    pool, right = world.common_properties, item.right
    if not person.is_looking:
        return [person.one_of(pool)]
    if item.is_check and right:
        return sorted(right)
    first = int(world.similarity(item) * len(pool))
    near = [pool[(first + int(person.rng.expovariate(0.4))) % len(pool)] for _ in range(1 if right else 4)]
    return sorted({*near, *(each for each in right if person.rng.random() < NAMED)})
