"""One worker twice on one item: refused by name, or made one answer, or each kept, as the person says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, assert_never, get_args

import numpy as np
import numpy.typing as npt

from ..errors import option
from ..files.problems import Problems, quote_cell
from ..files.table import Column, Table
from ..kinds.answers import Answers, Properties

# What to do with a worker's second answer to an item.
Repeats = Literal["refuse", "first", "last", "mean", "keep"]
REPEATS: tuple[Repeats, ...] = get_args(Repeats)
_ADVICE = (
    option("repeats", "first, last, mean or keep", python='repeats="first", "last", "mean" or "keep"')
    + " says what to do"
)


@dataclass(frozen=True, slots=True)
class RepeatCounts:
    """How many answers were a worker's second or later to an item, and what told which came first: time or row."""

    answers: int = 0
    told_by: Literal["time", "row"] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The rows grouped by worker and item: `order` sorts them into groups, `starts` marks each group's first."""

    order: npt.NDArray[np.intp]
    starts: npt.NDArray[np.bool_]
    by_time: bool = False

    @property
    def n_repeats(self) -> int:
        """How many rows follow another of the same worker on the same item."""
        return int(len(self.starts) - self.starts.sum())

    @property
    def repeated(self) -> RepeatCounts:
        return RepeatCounts(self.n_repeats, "time" if self.by_time else "row") if self.n_repeats else RepeatCounts()


def pairs_of(worker: Column, item: npt.NDArray[np.int64], n_items: int, table: Table) -> Pairs:
    """The rows by worker and item, within a pair by time where every repeat has one, else in file order."""
    pair = worker.codes.astype(np.int64) * max(n_items, 1) + item
    in_order = np.sort(pair)
    starts = np.concatenate([[True], in_order[1:] != in_order[:-1]])[: len(pair)]
    if starts.all():  # without repeats every row is a group of its own, and any order will do
        return Pairs(np.arange(len(pair)), starts)
    pairs = Pairs(np.argsort(pair, kind="stable"), starts)
    times = _times(pairs, table)
    return pairs if times is None else Pairs(np.lexsort((times, pair)), starts, by_time=True)


def _times(pairs: Pairs, table: Table) -> npt.NDArray[np.float64] | None:
    """[R] seconds of `submitted_at`, where every row of a repeated pair has an ISO 8601 time with or without a zone."""
    column = table.columns.get("submitted_at")
    if column is None:
        return None
    group = np.cumsum(pairs.starts) - 1
    repeated = pairs.order[np.bincount(group)[group] > 1]
    seconds = np.zeros(len(table))
    try:
        times = [datetime.fromisoformat(column.values[code]) for code in column.codes[repeated].tolist()]
        if len({time.tzinfo is None for time in times}) > 1:
            return None
        first = min(times)
        seconds[repeated] = [(time - first).total_seconds() for time in times]
    except ValueError:
        return None
    return seconds


def refuse_repeats(pairs: Pairs, worker: Column, item: Column, table: Table, problems: Problems) -> None:
    """Name every row that judges an item which its worker has judged in another row."""
    if not pairs.n_repeats:
        return
    first = pairs.order[np.flatnonzero(pairs.starts)][np.cumsum(pairs.starts) - 1]
    again = pairs.order[~pairs.starts]
    earlier = first[~pairs.starts]

    def sentence(i: int) -> str:
        who, item_id = worker.values[worker.codes[again[i]]], item.values[item.codes[again[i]]]
        place = problems.places.where(int(table.rows[earlier[i]]))
        return f"{quote_cell(who)} judges {quote_cell(item_id)} in {place} too; {_ADVICE}"

    problems.each(table.rows[again], "worker_id", sentence)


def kept_rows(pairs: Pairs, repeats: Repeats) -> npt.NDArray[np.intp]:
    """The rows that stay, in file order: one a pair, or every row under `keep`."""
    if repeats == "keep" or not pairs.n_repeats:
        return np.arange(len(pairs.order))
    match repeats:
        case "last":
            which = np.concatenate([pairs.starts[1:], [True]])
        case "first" | "mean" | "refuse":  # a mean is in each of its rows, and what is refused goes no further
            which = pairs.starts
        case _:
            assert_never(repeats)
    return np.sort(pairs.order[which])


def average_repeats(answers: Answers, pairs: Pairs) -> Answers:
    """The answers with each pair's mean in the place of all of its answers."""
    if isinstance(answers, Properties) or not np.issubdtype(answers.dtype, np.floating):
        raise TypeError("only numbers have a mean; the reader refuses --repeats mean for other kinds")
    group = np.empty(len(pairs.order), dtype=np.intp)
    group[pairs.order] = np.cumsum(pairs.starts) - 1
    counts = np.bincount(group)
    columns = answers.reshape(len(answers), -1).T
    means = [(np.bincount(group, weights=column) / counts)[group] for column in columns]
    return np.column_stack(means).reshape(answers.shape)
