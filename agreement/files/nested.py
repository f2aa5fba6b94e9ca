"""Rows with lists or objects in their cells, as Hugging Face's datasets have them: one judgment per element."""

from __future__ import annotations

import ast
import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from .binary_tables import PARQUET, cell_text, parquet_rows
from .column_words import candidates, is_rater
from .json_lines import LineTooLongError, Row, flattened, json_rows, text_lines
from .problems import Problems
from .reading import JSON, delimiter_of, first_bytes, foreign, read_csv
from .table import Column, Table

CSV = frozenset({".csv", ".tsv"})
PEEKED = 200
PLACE = "rater"
LONGEST_LITERAL = 100_000
MOST_ELEMENTS = 1 << 16  # in a row, so that a judgment's number tells its row and its place


def peek(path: Path) -> list[Row]:
    """The first rows of a file whose cells may hold lists or objects; none of any other file."""
    if path.suffix.lower() in CSV and path.is_file():
        return [*islice(_first_rows_of_csv(path), PEEKED)]
    rows = nested_rows(path, Problems(path.name))
    return [] if rows is None else [row for _, row in islice(rows, PEEKED)]


def nested_rows(path: Path, problems: Problems) -> Iterator[tuple[int, Row]] | None:
    """The rows of JSON, JSON Lines and Parquet, and of a CSV whose cells are lists, with their numbers."""
    if path.is_dir():
        return None
    start = first_bytes(path, problems)
    if start is None:
        return None
    if start.startswith(PARQUET):
        return parquet_rows(path, problems)
    if file_type := foreign(start):
        problems.whole(f"the file is {file_type}")
        return None
    if path.suffix.lower() in JSON:
        return json_rows(path, problems)
    table = read_csv(path, problems) if path.suffix.lower() in CSV else None
    return None if table is None else _rows_of_table(table)


def _rows_of_table(table: Table) -> Iterator[tuple[int, Row]]:
    """With what looks like a list or an object as what it is."""
    columns = [column.text() for column in table.columns.values()]
    for number, *cells in zip(table.rows.tolist(), *columns, strict=True):
        yield number, {name: _literal(cell) for name, cell in zip(table.columns, cells, strict=True)}


def _first_rows_of_csv(path: Path) -> Iterator[Row]:
    """As far as they can be read: what is wrong is said when the file is read as a whole."""
    with path.open("rb", buffering=0) as stream:
        try:
            lines = text_lines(stream)
            first = next(lines, "")
            names = next(csv.reader([first], delimiter=delimiter_of(first)), [])
            for cells in csv.reader(lines, delimiter=delimiter_of(first)):
                yield {name.strip(): _literal(cell) for name, cell in zip(names, cells, strict=False)}
        except (csv.Error, LineTooLongError):
            return


def _literal(cell: str) -> object:
    """A cell's list or object, as JSON or Python writes it.

    >>> _literal("['ann0', 'ann1']"), _literal('{"a": 1}'), _literal("[sic]")
    (['ann0', 'ann1'], {'a': 1}, '[sic]')
    """
    text = cell.strip()
    if not (text[:1] + text[-1:] in {"[]", "{}"} and len(text) <= LONGEST_LITERAL):
        return cell
    for parse in (json.loads, ast.literal_eval):
        try:
            value = parse(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        return value if isinstance(value, (list, dict)) else cell
    return cell


def looks_like_lists(column: Column) -> bool:
    """Whether the cells of a column were lists, or are written as lists."""
    if column.has_lists:
        return True
    texts = [value for value in islice(column.values, PEEKED) if value.strip()]
    return bool(texts) and all(isinstance(_literal(text), (list, dict)) for text in texts)


@dataclass(frozen=True, slots=True)
class NestedShape:
    """Which columns hold a judgment per element: `lists` belong together element by element, the objects of `by_worker`
    have an answer per worker. After that `workers` and `values` are the columns that may be worker and answer.
    """

    lists: tuple[str, ...]
    by_worker: str
    workers: tuple[str, ...]
    values: tuple[str, ...]
    items: tuple[str, ...]
    by_place: bool = False  # whose an element is, its place in the list says

    def judgments_of(self, row: Row) -> Iterator[dict[str, str]] | str:
        """A row per element, with the row's other columns; or what is wrong with it."""
        flat = flattened(row, {*self.lists, self.by_worker})
        own = [*self.lists, *filter(None, [self.by_worker])]
        if not flat.keys() & set(own):
            return f"there is no {' and no '.join(own)} in it, as in others; keep rows of different shapes apart"
        shared = {name: cell_text(value) for name, value in flat.items() if name not in {*self.lists, self.by_worker}}
        if self.by_worker:
            answers = flat.get(self.by_worker) or {}
            if not isinstance(answers, dict):
                return f"column {self.by_worker}: it is no object with an answer per worker"
            pairs = ({f"{self.by_worker}.worker": key, self.by_worker: value} for key, value in answers.items())
            return ({**shared, **_element(pair)} for pair in pairs)
        lists = {name: _as_list(flat.get(name)) for name in self.lists}
        if why := _why_not_parallel(lists):
            return why
        elements = zip(*lists.values(), strict=True)
        judgments = ({**shared, **_element(dict(zip(lists, each, strict=True)))} for each in elements)
        if self.by_place:
            return ({**each, PLACE: f"{PLACE}{place}"} for place, each in enumerate(judgments, start=1))
        return judgments


def _why_not_parallel(lists: Mapping[str, list[object]]) -> str:
    lengths = {name: len(each) for name, each in lists.items()}
    if len(set(lengths.values())) > 1:
        return f"the lists differ in length ({', '.join(f'{name}: {length}' for name, length in lengths.items())})"
    return (
        f"a list has more than {MOST_ELEMENTS:,} elements" if max(lengths.values(), default=0) > MOST_ELEMENTS else ""
    )


def _as_list(value: object) -> list[object]:
    return [] if value is None or value == "" else list(value) if isinstance(value, (list, tuple)) else [value]


def _element(values: Mapping[str, object]) -> dict[str, str]:
    return {name: cell_text(value) for name, value in flattened(values).items()}


def shape_of(rows: Sequence[Row]) -> NestedShape | None:
    """How rows hold several judgments each, where they do and it can be told whose these are."""
    if not rows:
        return None
    if by_worker := _object_by_worker(rows):
        scalars = _scalars([flattened(row, {by_worker}) for row in rows], {by_worker})
        sample: Row = next(iter(value for row in rows if (value := row.get(by_worker))), {})
        first = next(iter(sample.values()), None)
        values = tuple(f"{by_worker}.{key}" for key in first) if isinstance(first, dict) else (by_worker,)
        chosen = candidates("value", values) or values
        return NestedShape((), by_worker, (f"{by_worker}.worker",), tuple(chosen), _items(rows, scalars))
    flat = [flattened(row) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    lists = [name for name in names if any(isinstance(row.get(name), list) for row in flat)]
    inner = {name: _fields_within(flat, name) for name in lists}
    for anchor in lists:
        workers = candidates("worker_id", [name for name in inner[anchor] if name != "item_id"])
        if not workers:
            continue
        together = [name for name in lists if _are_parallel(_lengths(flat, name), _lengths(flat, anchor))]
        answers = [field for name in together for field in inner[name] if field not in workers]
        values = tuple(candidates("value", answers)) or tuple(answers if len(answers) == 1 else ())
        if values:
            scalars = _scalars(flat, set(lists))
            return NestedShape(tuple(together), "", tuple(workers[:1]), values, _items(flat, scalars))
    return None


def shape_by_place(rows: Sequence[Row], value: str) -> NestedShape:
    """Where somebody says that the elements of a list are those of the same people in every row."""
    flat = [flattened(row) for row in rows]
    lists = {name for row in flat for name, each in row.items() if isinstance(each, list)}
    return NestedShape((value,), "", (PLACE,), (value,), _items(flat, _scalars(flat, lists)), by_place=True)


def _object_by_worker(rows: Sequence[Row]) -> str:
    """A column of objects whose names are people: called as raters are, or others from row to row."""
    for name in dict.fromkeys(name for row in rows for name in row):
        objects = [value for row in rows if isinstance(value := row.get(name), dict) and value]
        keys = [set(each) for each in objects]
        if not objects or any(isinstance(one, list) for each in objects for one in each.values()):
            continue
        every = set().union(*keys)
        differ = len(every) > max(map(len, keys)) and bool(candidates("value", [name]))
        if all(map(is_rater, every)) or differ:
            return name
    return ""


def _fields_within(rows: Sequence[Row], name: str) -> list[str]:
    """What the elements of a list are called: as the list, or by their own fields and these fields' own."""
    first = next((value[0] for row in rows if isinstance(value := row.get(name), list) and value), None)
    return [*flattened({name: first})]


def _are_parallel(lengths: Sequence[int], others: Sequence[int]) -> bool:
    """Whether the lists are as long as each other in most rows; where they aren't the row is refused."""
    return sum(one == other for one, other in zip(lengths, others, strict=True)) > len(lengths) / 2


def _lengths(rows: Sequence[Row], name: str) -> list[int]:
    return [len(_as_list(row.get(name))) for row in rows]


def _scalars(rows: Sequence[Row], others: set[str]) -> list[str]:
    names = dict.fromkeys(name for row in rows for name in row)
    return [name for name in names if name not in others]


def _items(rows: Sequence[Row], names: Sequence[str]) -> tuple[str, ...]:
    """The columns that may be the item: called so, and another in every row."""
    texts: Callable[[str], list[str]] = lambda name: [cell_text(row.get(name)) for row in rows]  # noqa: E731
    return tuple(
        name for name in candidates("item_id", names) if len({*texts(name)}) == len(rows) and "" not in texts(name)
    )
