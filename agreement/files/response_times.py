"""Response times from somebody else's column, whose unit its name says or somebody tells."""

from __future__ import annotations

import shlex
from dataclasses import replace

from ..errors import option, remedy
from .column_mapping import ColumnMapping
from .column_words import tokens
from .numbers import decimal_of, number_text
from .problems import Problems
from .table import Column, Table

OURS = "response_ms"
NAMES = frozenset({
    "rt", "reactiontime", "responsetime", "answertime", "decisiontime", "duration", "latency", "elapsed", "elapsedtime",
    "timetaken", "timespent", "leadtime", "worktime",
})  # fmt: skip
UNITS = {
    "ms": 1, "msec": 1, "msecs": 1, "millis": 1, "millisecond": 1, "milliseconds": 1,
    "s": 1000, "sec": 1000, "secs": 1000, "second": 1000, "seconds": 1000,
}  # fmt: skip


def time_column(name: str) -> int | None:
    """Milliseconds per unit of a column that is called as response times are, 0 where its name has no unit.

    >>> [time_column(name) for name in ("rt_ms", "Reaction Time (s)", "duration", "rating")]
    [1, 1000, 0, None]
    """
    words = [word for word in tokens(name) if word not in {"in", "the", "of"}]
    unit = UNITS.get(words[-1], 0) if words else 0
    core = "".join(words[:-1] if unit else words)
    return unit if core in NAMES else None


def with_response_times(
    table: Table, mapping: ColumnMapping, problems: Problems, *, is_wide: bool
) -> tuple[Table, tuple[str, ...]]:
    """The table with `response_ms` from the column that is told or whose name says it all; and what should be asked.

    A column of a wide file is about a whole row and none of its answers.
    """
    if mapping.response_time:
        name, _, unit_name = (part.strip() for part in mapping.response_time.rpartition("="))
        if name not in table.columns:
            listed = ", ".join(table.columns)
            problems.whole(f"{option('response-time', name)}: there is no such column; there are {listed}")
            return table, ()
        return _replaced(table, name, UNITS[unit_name], problems), ()
    times = {name: unit for name in table.columns if (unit := time_column(name)) is not None}
    if OURS in table.columns or not times or is_wide:
        return table, ()
    with_unit = [name for name, unit in times.items() if unit and _are_numbers(table.columns[name])]
    if len(with_unit) == 1:
        name = with_unit[0]
        words = f"Response times are in the column {name}, in {'seconds' if times[name] > 1 else 'milliseconds'}."
        return _replaced(table, name, times[name], problems), (words,)
    name = next(iter(times))
    example = remedy(
        command=f"--response-time {shlex.quote(f'{name}=ms')}", python=f'response_time="{name}=ms"', page=f"{name}=ms"
    )
    return table, (f"The column {name} looks like response times, and nothing says in which unit: {example} (or =s).",)


def _are_numbers(column: Column) -> bool:
    texts = [value for value in column.values if value.strip()]
    return bool(texts) and all((number := decimal_of(text)) is not None and number >= 0 for text in texts)


def _replaced(table: Table, name: str, factor: int, problems: Problems) -> Table:
    """In the place of the column; what is no number is refused by row, as it is in a column of ours."""
    column = table.columns[name]
    bad = column.rows_where(lambda text: bool(text.strip()) and decimal_of(text) is None)
    problems.cells(table.rows[bad], name, column.codes[bad], column.values, "is not a number of 0 or more")
    times = column.mapped(lambda text: _milliseconds(text, factor))
    others = {other: each for other, each in table.columns.items() if other not in {name, OURS}}
    return replace(table, columns={**others, OURS: times})


def _milliseconds(text: str, factor: int) -> str:
    number = decimal_of(text)
    return text if number is None else number_text(float(number * factor))
