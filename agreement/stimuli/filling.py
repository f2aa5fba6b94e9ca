"""The blocks of a stimulus filled with one item's fields; and what keeps a file's items from filling them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import Refused
from ..files.cell_texts import is_blank
from ..files.items_file import Items, columns_found
from ..files.problems import Problems
from ..files.question_fields import Part, fill_in, own_questions, refuse_blank, swap_pair
from ..typed_json import Json
from .blocks import Block, every_block, fields_of

MOST_TURNS, MOST_ROWS, MOST_COLUMNS = 500, 500, 40
OF_A_TURN = ("role", "content")


@dataclass(frozen=True, slots=True)
class Turn:
    """`speaker` numbers the roles in the order in which they come in."""

    role: str
    content: str
    speaker: int = 0


@dataclass(frozen=True, slots=True)
class TableOfItem:
    """Rows of objects have their keys as the header; rows of arrays have none."""

    rows: tuple[tuple[str, ...], ...]
    header: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FilledBlock:
    """A block as one item fills it. `column` is the one of its file; `wrong` says why its cell can't be shown."""

    block: Block
    title: str = ""
    parts: tuple[Part, ...] = ()
    table: TableOfItem | None = None
    turns: tuple[Turn, ...] = ()
    column: str = ""
    alternative: str = ""
    transcript: str = ""
    wrong: str = ""
    blocks: tuple[FilledBlock, ...] = ()

    @property
    def kind(self) -> str:
        return self.block.block

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)

    def words(self) -> Iterator[str]:
        """All that is to be read of it."""
        yield from filter(None, (self.title, self.text))
        for row in (self.table.header, *self.table.rows) if self.table else ():
            yield from row
        for turn in self.turns:
            yield from (turn.role, turn.content)
        for block in self.blocks:
            yield from block.words()


def filled(
    blocks: Sequence[Block], fields: Mapping[str, object], *, is_swapped: bool = False
) -> tuple[FilledBlock, ...]:
    """The blocks with this item's fields in them; a block whose text or column is blank in it is left out.

    >>> [block.text for block in filled([Block("text", text="{premise}")], {"premise": "It rains."})]
    ['It rains.']
    """
    texts, names = swap_pair(fields, is_swapped=is_swapped)
    return tuple(each for block in blocks if (each := _filled(block, texts, names)) is not None)


def _filled(block: Block, texts: Mapping[str, str], names: Mapping[str, str]) -> FilledBlock | None:
    if block.block == "row":
        inner = tuple(each for one in block.blocks if (each := _filled(one, texts, names)) is not None)
        return FilledBlock(block, blocks=inner) if inner else None
    parts, cell = fill_in(block.text, texts), texts.get(block.column, "")
    if not (cell if block.field else "".join(part.text for part in parts)).strip():
        return None
    title = "".join(part.text for part in fill_in(block.title, texts))
    if block.block in {"table", "chat"}:
        return _of_cell(block, title, cell)
    alternative, transcript = (
        texts.get(name.removesuffix("?"), "").strip() for name in (block.alternative, block.transcript)
    )
    column = names.get(block.column, block.column)
    return FilledBlock(block, title, parts, column=column, alternative=alternative, transcript=transcript)


def _of_cell(block: Block, title: str, cell: str) -> FilledBlock:
    try:
        if block.block == "table":
            return FilledBlock(block, title, table=read_table(cell))
        return FilledBlock(block, title, turns=read_chat(cell))
    except Refused as refusal:
        return FilledBlock(block, title, (Part(cell, is_field=True),), wrong=refusal.reasons[0])


# Tables and chats, each one cell of JSON.


def read_table(cell: str) -> TableOfItem:
    """A JSON array of objects, or of arrays.

    >>> read_table('[{"city": "Lund", "km": 12.50}, {"city": "Malmö"}]')
    TableOfItem(rows=(('Lund', '12.50'), ('Malmö', '')), header=('city', 'km'))
    >>> read_table('[["a", 1], ["b"]]')
    Traceback (most recent call last):
    agreement.errors.Refused: row 2 has 1 cell, and row 1 has 2
    """
    rows = _array(cell, "rows", MOST_ROWS)
    if all(isinstance(row, dict) for row in rows):
        header = tuple(dict.fromkeys(str(name) for row in rows if isinstance(row, dict) for name in row))
        cells = [[row.get(name) for name in header] for row in rows if isinstance(row, dict)]
    elif all(isinstance(row, list) for row in rows):
        header, cells = (), [row for row in rows if isinstance(row, list)]
    else:
        raise Refused("is to have objects alone or arrays alone as its rows")
    width = len(cells[0])
    if not 0 < width <= MOST_COLUMNS:
        raise Refused(f"has {width} columns; give 1 to {MOST_COLUMNS}")
    for number, row in enumerate(cells, 1):
        if len(row) != width:
            noun = "cell" if len(row) == 1 else "cells"
            raise Refused(f"row {number} has {len(row)} {noun}, and row 1 has {width}")
    shown = [[_cell(value, number) for value in row] for number, row in enumerate(cells, 1)]
    return TableOfItem(tuple(map(tuple, shown)), header)


def _cell(value: Json, number: int) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case _:
            raise Refused(f"row {number} has an array or an object where a text or a number belongs")


def read_chat(cell: str) -> tuple[Turn, ...]:
    """A JSON array of turns.

    >>> read_chat('[{"role": "user", "content": "Hello"}]')
    (Turn(role='user', content='Hello', speaker=0),)
    >>> read_chat('[{"role": "user", "text": "Hello"}]')
    Traceback (most recent call last):
    agreement.errors.Refused: turn 1 is to have role and content, each a text, and nothing else
    """
    turns: list[Turn] = []
    roles: list[str] = []
    for number, row in enumerate(_array(cell, "turns", MOST_TURNS), 1):
        role, content = (row.get(name) if isinstance(row, dict) else None for name in OF_A_TURN)
        if not isinstance(row, dict) or not isinstance(role, str) or not isinstance(content, str) or len(row) > 2:
            raise Refused(f"turn {number} is to have role and content, each a text, and nothing else")
        if not role.strip():
            raise Refused(f"turn {number} has a blank role")
        if role.strip() not in roles:
            roles.append(role.strip())
        turns.append(Turn(role.strip(), content, roles.index(role.strip())))
    return tuple(turns)


def _array(cell: str, noun: str, most: int) -> list[Json]:
    try:
        # Numbers stay as they were written.
        value: Json = json.loads(cell, parse_float=str, parse_int=str, parse_constant=str)
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:  # no page could be sent with it
        raise Refused("has half of a character: \\ud800 to \\udfff stand in pairs") from error
    except (ValueError, RecursionError) as error:
        where = f" (character {error.pos + 1})" if isinstance(error, json.JSONDecodeError) else ""
        raise Refused(f"is no JSON{where}") from error
    if not isinstance(value, list) or not value:
        raise Refused(f"is no JSON array of {noun}, or an empty one")
    if len(value) > most:
        raise Refused(f"has {len(value)} {noun}; {most} is the most")
    return value


# Items of a file.


def refuse_unfit_items(items: Items, blocks: Sequence[Block], problems: Problems) -> None:
    """Every column that a block shows has to be there and filled, and a table or chat to be one. An item with a
    question of its own, such as "move it all the way to the left", may leave them blank.
    """
    has_own = np.zeros(len(items.table), dtype=np.bool_)
    for _question, asking in own_questions(items):
        has_own |= asking
    for name in fields_of(blocks):
        if name in items.table.columns:
            refuse_blank(items, name, ~has_own, problems, used_by="the stimulus")
        elif not has_own.all():
            problems.whole(f"the column {name} is missing; the stimulus shows it; {columns_found(items.table)}")
    for block in every_block(blocks):
        if block.block in {"table", "chat"} and block.column in items.table.columns:
            _refuse_misshapen(items, block, problems)


def _refuse_misshapen(items: Items, block: Block, problems: Problems) -> None:
    column = items.table.columns[block.column]
    wrong = {cell: why for cell in column.values if (why := why_misshapen(block, cell))}
    positions = column.rows_where(wrong.__contains__)
    codes, values = column.codes[positions], column.values
    problems.each(items.table.rows[positions], block.column, lambda i: f"the {block.block} {wrong[values[codes[i]]]}")


def why_misshapen(block: Block, cell: str) -> str:
    """What keeps a cell from being the table or chat that a block shows; nothing where it is one, or blank."""
    if is_blank(cell) or block.block not in {"table", "chat"}:
        return ""
    try:
        (read_table if block.block == "table" else read_chat)(cell)
    except Refused as refusal:
        return refusal.reasons[0]
    return ""


def lacking_fields(blocks: Sequence[Block], fields: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """The columns that one stored item doesn't fill, each with why, as `refuse_unfit_items` says it of a file's."""
    texts = {name: str(value) for name, value in fields.items()}
    if not texts.get("question", "").strip():
        for name in fields_of(blocks):
            if is_blank(texts.get(name, "")):
                yield name, "it is blank"
    for block in every_block(blocks):
        if why := why_misshapen(block, texts.get(block.column, "")):
            yield block.column, f"the {block.block} {why}"
