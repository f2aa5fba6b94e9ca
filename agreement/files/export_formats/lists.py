"""A list or an object per row, one element per judgment: as Hugging Face's datasets and nested JSON have them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...errors import option
from ..column_mapping import ColumnMapping
from ..json_lines import Row, table_of_cells
from ..nested import MOST_ELEMENTS, NestedShape, nested_rows, peek, shape_by_place, shape_of
from ..problems import Problems
from .export_format import Export, ExportFormat, no_answer

ROW = "row"
BY_PLACE = "Raters are told apart by their places in the lists alone, so that figures of single raters may mix people."


def read(path: Path, mapping: ColumnMapping, problems: Problems) -> Export | None:
    rows = nested_rows(path, problems)
    shape = _shape(peek(path), mapping) if rows is not None else None
    if shape is None or rows is None:
        if not len(problems):
            problems.whole(
                "it has no lists or objects that tell whose the judgments are: a list of workers beside the list of"
                " answers, a list of objects with a worker in each, or an object with an answer per worker"
            )
        return None
    return exploded(path.name, rows, shape, mapping, problems)


def _shape(rows: list[Row], mapping: ColumnMapping) -> NestedShape | None:
    if mapping.raters_in_columns and mapping.value:
        return shape_by_place(rows, mapping.value)
    return shape_of(rows)


def exploded(
    name: str, rows: Iterator[tuple[int, Row]], shape: NestedShape, mapping: ColumnMapping, problems: Problems
) -> Export | None:
    """A row per element of the rows' lists or objects."""
    value = mapping.value or (shape.values[0] if len(shape.values) == 1 else "")
    if not value:
        listed = ", ".join(shape.values)
        problems.whole(
            f"it has answers to several questions; say which, such as {option('value', shape.values[0])}, of: {listed}"
        )
        return None
    if mapping.item in {*shape.lists, shape.by_worker} - {""}:
        problems.whole(f"{option('item', mapping.item)}: its cells are lists, and a list is no id")
        return None
    item = mapping.item or next(iter(shape.items), ROW)
    reading = _Exploded(shape, item, problems)
    table = table_of_cells(name, reading.judgments(rows), problems)
    if table is None or not len(table):
        return None
    if value not in table.columns:
        problems.whole(no_answer(value, shape.values))
        return None
    empty = reading.without_judgments
    return Export(
        table=table,
        worker=mapping.worker or shape.workers[0],
        item=item,
        value=value,
        where=lambda number: f"row {number // MOST_ELEMENTS}, judgment {number % MOST_ELEMENTS + 1}",
        notes=(f"{empty:,} {'row' if empty == 1 else 'rows'} without a judgment left out.",) if empty else (),
        skips_missing=True,
        notices=(BY_PLACE,) if shape.by_place else (),
    )


class _Exploded:
    """The judgments of rows one after the other; rows that have none are counted."""

    def __init__(self, shape: NestedShape, item: str, problems: Problems) -> None:
        self.shape, self.item, self.problems = shape, item, problems
        self.without_judgments = 0

    def judgments(self, rows: Iterator[tuple[int, Row]]) -> Iterator[tuple[int, dict[str, str]]]:
        for number, row in rows:
            judgments = self.shape.judgments_of(row)
            if isinstance(judgments, str):
                self.problems.row(number, judgments)
                continue
            own = {ROW: f"row-{number}"} if self.item == ROW else {}
            place = -1
            for place, cells in enumerate(judgments):
                yield number * MOST_ELEMENTS + place, {**cells, **own}
            self.without_judgments += place < 0


FORMAT = ExportFormat(
    name="lists",
    title="a list or an object per row, with one element per judgment, as Hugging Face's datasets have them",
    read=read,
    knows=lambda rows: shape_of(rows) is not None,
)
