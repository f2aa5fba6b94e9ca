"""A probe's rows laid out on the study's items, and what is wrong with them, row by row."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..arrays import Floats
from ..errors import option
from ..files.cell_texts import labels_of_spelling
from ..files.numbers import numbers
from ..files.problems import Problems
from ..files.table import Column, Table, encode
from ..kinds.options import numbered
from .probe import SUM_TOLERANCE, Probe, StudyItems, other_labels_in_words
from .probe_format import Option, ProbeOptions

# Of the formats with probabilities.
NORMALISE: Option[bool] = Option(
    name="normalise",
    default=False,
    help="make a probe's probabilities sum to 1",
    label="Make each item's probabilities sum to 1",
)


@dataclass(frozen=True, slots=True, eq=False)
class ProbeRows:
    """A probe's table beside the study that it is for; `problems` gathers every bad row."""

    table: Table
    study: StudyItems
    problems: Problems
    options: ProbeOptions

    def placed(
        self, outputs: tuple[str, ...], within: str = "", *, may_repeat: bool = False
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], list[dict[str, str]]]:
        """[R] the item and [R] the run of each row, and the runs' keys; unknown and doubled items go to problems."""
        columns, rows = self.table.columns, self.table.rows
        ids = columns["item_id"]
        item = self.study.rows_of(np.array([*ids.values], dtype=object))[ids.codes]
        unknown = np.flatnonzero(item < 0)
        self.problems.cells(rows[unknown], "item_id", ids.codes[unknown], ids.values, "is not an item of the study")
        extra = [column for column in columns if column not in ("item_id", *outputs)]
        run = np.zeros(len(rows), dtype=np.int64)
        for column in extra:
            run = run * (len(columns[column].values) + 1) + columns[column].codes
            run = np.unique(run, return_inverse=True)[1].astype(np.int64)
        _, first = np.unique(run, return_index=True)
        keys = [{column: columns[column].values[columns[column].codes[row]] for column in extra} for row in first]
        if may_repeat:
            return item, run, keys
        key = run * len(ids.values) + ids.codes
        if within:
            key = key * len(columns[within].values) + columns[within].codes
        self.refuse_again(key, within or "item_id", "the item, in the same template, run and setting,")
        return item, run, keys

    def refuse_again(self, key: npt.NDArray[np.int64], column: str, subject: str) -> None:
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
        again = np.flatnonzero(first[which] != np.arange(len(key)))
        rows = self.table.rows
        before = rows[first[which[again]]]
        self.problems.each(rows[again], column, lambda i: f"{subject} already has this in row {before[i]}")

    def labels_in(self, column: str, item: npt.NDArray[np.int64]) -> Column:
        """A column of labels; where items have labels of their own they are named by their numbers. `item` [R]."""
        texts, options = self.table.columns[column].mapped(str.strip), self.study.options
        if options is None:
            return texts
        own = [options[row] if row >= 0 else () for row in item.tolist()]
        return encode(numbered(texts.text().tolist(), own), len(texts))

    def has_no_labels(self) -> bool:
        """Whether labels fit no question of this kind, which is then said."""
        if not self.study.labels:
            self.problems.whole(f"it gives labels, and a study of kind {self.study.kind} has none")
        return not self.study.labels

    def refuse_blank_labels(self, column: Column) -> None:
        blank = np.array([*(not all(part.strip() for part in value.split("|")) for value in column.values), False])
        bad = np.flatnonzero(blank[column.codes])
        limit = "is blank; leave out the rows of items without an output"
        self.problems.cells(self.table.rows[bad], "label", column.codes[bad], column.values, limit)

    def probabilities(self, column: str) -> Floats:
        read = numbers(self.table.columns[column], column, self.table.rows, self.problems, None)
        limit = np.inf if self.options[NORMALISE] else 1 + SUM_TOLERANCE
        bad = np.flatnonzero((read < 0) | (read > limit))
        cells = self.table.columns[column]
        reason = "is below 0" if self.options[NORMALISE] else "is not a probability from 0 to 1"
        self.problems.cells(self.table.rows[bad], column, cells.codes[bad], cells.values, reason)
        return read

    def labels_named(self, column: Column) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int64], Floats]:
        """[E] the row, the study's label (-1: none of them) and the share of each label that a row names.

        A row names one, unless it is a synonym of several, which share what it gives.
        """
        code_of = {label: number for number, label in enumerate(self.study.labels)}
        named = [labels_of_spelling(value, self.study.synonyms) for value in column.values]
        sizes = np.array([*map(len, named), 0])[column.codes]
        entry_rows = np.repeat(np.arange(len(column)), sizes)
        codes = [code_of.get(label, -1) for of in named for label in of]
        starts = np.cumsum([0, *map(len, named)])[column.codes]
        within = np.arange(len(entry_rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return entry_rows, np.array(codes, dtype=np.int64)[starts[entry_rows] + within], 1.0 / sizes[entry_rows]

    def scattered(
        self,
        item: npt.NDArray[np.int64],
        run: npt.NDArray[np.int64],
        code: npt.NDArray[np.integer],
        score: Floats,
        n_runs: int,
        width: int,
        *,
        rows: npt.NDArray[np.int64] | None = None,
    ) -> tuple[Floats, npt.NDArray[np.int64]]:
        """[runs, N, width] the scores in their places, and [runs, N] the row of the file that an item is first in."""
        rows = self.table.rows if rows is None else rows
        values = np.full((n_runs, len(self.study.ids), width), np.nan)
        row_of = np.zeros(values.shape[:2], dtype=np.int64)
        fine = (item >= 0) & (code >= 0)
        values[run[fine], item[fine], code[fine]] = score[fine]
        _, first = np.unique(run[fine] * len(self.study.ids) + item[fine], return_index=True)
        row_of[run[fine][first], item[fine][first]] = rows[fine][first]
        return values, row_of

    def summing_to_one(self, values: Floats, row_of: npt.NDArray[np.int64]) -> Floats:
        with np.errstate(over="ignore"):  # numbers that are no probabilities may be of any size
            sums = values.sum(axis=2)
        if self.options[NORMALISE]:
            self._refuse_sums(sums, row_of, (sums <= 0) | np.isinf(sums), "and can't be normalised")
            return values / np.where(sums > 0, sums, 1.0)[:, :, None]
        self._refuse_sums(
            sums, row_of, np.abs(sums - 1) > SUM_TOLERANCE, f"not to 1; give {option('normalise')} to divide by it"
        )
        return values

    def _refuse_sums(
        self, sums: Floats, row_of: npt.NDArray[np.int64], bad: npt.NDArray[np.bool_], reason: str
    ) -> None:
        run, item = np.nonzero(bad)
        ids = self.study.ids
        self.problems.each(
            row_of[run, item],
            "probability",
            lambda i: f"the probabilities of item {ids[item[i]]} sum to {sums[run[i], item[i]]:.9g}, {reason}",
        )


def places_within(key: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """[R] how many earlier rows have the same key.

    >>> places_within(np.array([7, 3, 7, 7])).tolist()
    [0, 0, 1, 2]
    """
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    first = np.searchsorted(ordered, ordered)
    place = np.empty(len(key), dtype=np.int64)
    place[order] = np.arange(len(key)) - first
    return place


def with_other_labels(probe: Probe) -> Probe:
    """Says in a note which labels that the study doesn't have were given: they are wrong, and are counted."""
    note = other_labels_in_words(probe.other_labels)
    return replace(probe, notes=(*probe.notes, note)) if note else probe
