"""A probe's labels laid out on the study's items: a label an output, or probabilities by rows or by columns."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from agreement.scoring.other_labels import other_labels, other_labels_in_words
from agreement.scoring.probe import P, Probe, Run
from agreement.scoring.probe_rows import ProbeRows, places_within
from annotation.files.table import Column

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
