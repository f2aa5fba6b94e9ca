"""A probe's rows laid out on the study's items, and what is wrong with them, row by row."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from agreement.arrays import Floats
from agreement.scoring.probe import SUM_TOLERANCE, P, Probe, Run, StudyItems, other_labels, other_labels_in_words
from tables.numbers import numbers
from tables.problems import Problems
from tables.table import Column, Table

# The rows of a probe's table laid out on the study's items, and what is wrong with them, row by row.


@dataclass(frozen=True, slots=True, eq=False)
class ProbeRows:
    """A probe's table beside the study that it is for; `problems` gathers every bad row."""

    table: Table
    study: StudyItems
    problems: Problems
    normalise: bool

    def placed(
        self, outputs: tuple[str, ...], within: str = ""
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
        keys = [{column: columns[column].values[columns[column].codes[at]] for column in extra} for at in first]
        key = run * len(ids.values) + ids.codes
        if within:
            key = key * len(columns[within].values) + columns[within].codes
        self.refuse_again(key, within or "item_id", "the item, in the same template, run and setting,")
        return item, run, keys

    def refuse_again(self, key: npt.NDArray[np.int64], column: str, what: str) -> None:
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
        again = np.flatnonzero(first[which] != np.arange(len(key)))
        rows = self.table.rows
        before = rows[first[which[again]]]
        self.problems.each(rows[again], column, lambda i: f"{what} already has this in row {before[i]}")

    def has_no_labels(self) -> bool:
        """Whether labels fit no question of this kind, which is then said."""
        if not self.study.labels:
            self.problems.whole(f"it gives labels, and a study of kind {self.study.kind} has none")
        return not self.study.labels

    def refuse_blank_labels(self, given: Column) -> None:
        blank = np.array([*(not all(part.strip() for part in value.split("|")) for value in given.values), False])
        at = np.flatnonzero(blank[given.codes])
        limit = "is blank; leave out the rows of items without an output"
        self.problems.cells(self.table.rows[at], "label", given.codes[at], given.values, limit)

    def probabilities(self, column: str) -> Floats:
        read = numbers(self.table.columns[column], column, self.table.rows, self.problems, None)
        limit = np.inf if self.normalise else 1 + SUM_TOLERANCE
        bad = np.flatnonzero((read < 0) | (read > limit))
        cells = self.table.columns[column]
        said = "is below 0" if self.normalise else "is not a probability from 0 to 1"
        self.problems.cells(self.table.rows[bad], column, cells.codes[bad], cells.values, said)
        return read

    def scattered(
        self,
        item: npt.NDArray[np.int64],
        run: npt.NDArray[np.int64],
        code: npt.NDArray[np.integer],
        score: Floats,
        n_runs: int,
        width: int,
    ) -> tuple[Floats, npt.NDArray[np.int64]]:
        values = np.full((n_runs, len(self.study.ids), width), np.nan)
        row_of = np.zeros(values.shape[:2], dtype=np.int64)
        fine = (item >= 0) & (code >= 0)
        values[run[fine], item[fine], code[fine]] = score[fine]
        _, first = np.unique(run[fine] * len(self.study.ids) + item[fine], return_index=True)
        row_of[run[fine][first], item[fine][first]] = self.table.rows[fine][first]
        return values, row_of

    def summing_to_one(self, values: Floats, row_of: npt.NDArray[np.int64]) -> Floats:
        sums = values.sum(axis=2)
        if self.normalise:
            self._refuse_sums(sums, row_of, sums <= 0, "and can't be normalised")
            return values / np.where(sums > 0, sums, 1.0)[:, :, None]
        self._refuse_sums(sums, row_of, np.abs(sums - 1) > SUM_TOLERANCE, "not to 1; give --normalise to divide by it")
        return values

    def _refuse_sums(self, sums: Floats, row_of: npt.NDArray[np.int64], bad: npt.NDArray[np.bool_], what: str) -> None:
        run, item = np.nonzero(bad)
        ids = self.study.ids
        self.problems.each(
            row_of[run, item],
            "probability",
            lambda i: f"the probabilities of item {ids[item[i]]} sum to {sums[run[i], item[i]]:.9g}, {what}",
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


# A probe's labels laid out on the study's items: a label an output, or probabilities by rows or by columns.

Ints: TypeAlias = npt.NDArray[np.int64]
Keys: TypeAlias = list[dict[str, str]]


@dataclass(frozen=True, slots=True, eq=False)
class LabelRows(ProbeRows):
    """Labels that the study doesn't have stand behind the study's: they are wrong, and are counted."""

    def labels_by_row(self, name: str) -> Probe:
        """A label an output, or a row a label with its probability. Labels that the study doesn't have are wrong."""
        columns = self.table.columns
        with_p = "probability" in columns
        item, run, keys = self.placed(("label", "probability"), within="label" if with_p else "")
        given = columns["label"].mapped(str.strip)
        if self.has_no_labels():
            return Probe(name, "labels", ())
        self.refuse_blank_labels(given)
        if with_p:
            return self._probabilities_by_row(name, item, run, keys, given)
        return self._sets_by_row(name, item, run, keys, given)

    def _probabilities_by_row(self, name: str, item: Ints, run: Ints, keys: Keys, given: Column) -> Probe:
        labels = self.study.labels
        code_of = {label: at for at, label in enumerate(labels)}
        code = np.array([code_of.get(value, -1) for value in given.values], dtype=np.int64)[given.codes]
        p = self.probabilities("probability")
        is_other = code < 0
        used = given.codes[is_other & (p > 0)]
        outputs = np.bincount(used, minlength=len(given.values))
        total = np.bincount(used, weights=p[is_other & (p > 0)], minlength=len(given.values)).astype(np.float64)
        place = places_within(run[is_other] * len(self.study.ids) + item[is_other])
        code[is_other] = len(labels) + place
        width = len(labels) + int(place.max(initial=-1)) + 1
        values, rows = self.scattered(item, run, code, p, len(keys), width)
        nothing = np.isnan(values).all(axis=2, keepdims=True)
        values = self.summing_to_one(np.where(nothing, np.nan, np.nan_to_num(values)), rows)
        found = other_labels(given.values, outputs, labels, total)
        return _with_other_labels(Probe(name, "labels", tuple(map(Run, keys, values)), other_labels=found))

    def _sets_by_row(self, name: str, item: Ints, run: Ints, keys: Keys, given: Column) -> Probe:
        labels = self.study.labels
        code_of = {label: at for at, label in enumerate(labels)}
        sets = [list(dict.fromkeys(part.strip() for part in value.split("|"))) for value in given.values]
        others = [[part for part in parts if part not in code_of] for parts in sets]
        shares = np.zeros((len(sets), len(labels) + max(map(len, others), default=0)))
        for at, (parts, beyond) in enumerate(zip(sets, others, strict=True)):
            own = [code_of[part] for part in parts if part in code_of]
            shares[at, [*own, *range(len(labels), len(labels) + len(beyond))]] = 1 / len(parts)
        values = np.full((len(keys), len(self.study.ids), shares.shape[1]), np.nan)
        fine = item >= 0
        values[run[fine], item[fine]] = shares[given.codes[fine]]
        runs = [Run(key, row, has_probabilities=False) for key, row in zip(keys, values, strict=True)]
        count: Counter[str] = Counter()
        for parts, times in zip(others, np.bincount(given.codes, minlength=len(sets)).tolist(), strict=True):
            count.update(dict.fromkeys(parts, times))
        found = other_labels(list(count), np.array(list(count.values()), dtype=np.int64), labels)
        return _with_other_labels(Probe(name, "labels", tuple(runs), other_labels=found))

    def labels_by_column(self, name: str) -> Probe:
        """A column a label; those of labels that the study doesn't have stand behind the study's."""
        named = [column for column in self.table.columns if column.startswith(P)]
        item, run, keys = self.placed(tuple(named))
        labels = self.study.labels
        if self.has_no_labels():
            return Probe(name, "labels", ())
        beyond = [column for column in named if column[len(P) :] not in labels]
        missing = [label for label in labels if f"{P}{label}" not in named]
        if missing:
            self.problems.whole(f"there is no column for {', '.join(f'{P}{label}' for label in missing)}")
            return Probe(name, "labels", ())
        rows = np.stack([self.probabilities(column) for column in (*(f"{P}{label}" for label in labels), *beyond)], 1)
        values = np.full((len(keys), len(self.study.ids), rows.shape[1]), np.nan)
        row_of = np.zeros(values.shape[:2], dtype=np.int64)
        fine = item >= 0
        values[run[fine], item[fine]] = rows[fine]
        row_of[run[fine], item[fine]] = self.table.rows[fine]
        on_others = rows[:, len(labels) :]
        names = [column[len(P) :] for column in beyond]
        found = other_labels(names, np.sum(on_others > 0, axis=0), labels, on_others.sum(axis=0))
        runs = tuple(map(Run, keys, self.summing_to_one(values, row_of)))
        return _with_other_labels(Probe(name, "labels", runs, other_labels=found))


def _with_other_labels(probe: Probe) -> Probe:
    said = other_labels_in_words(probe.other_labels)
    return replace(probe, notes=(*probe.notes, said)) if said else probe
