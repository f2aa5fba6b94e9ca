"""`item_id,p:<label>,...`: probabilities, one column per label."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ...arrays import Floats
from ...files.cell_texts import meant
from ..probe import SUM_TOLERANCE, Probe, Run, StudyItems, other_labels
from ..probe_format import NumbersReader, ProbeFormat, laid_out, only_run, unreadable
from ..probe_layout import NORMALISE, ProbeRows, with_other_labels

P = "p:"  # a column of probabilities is called this and the label


def read(rows: ProbeRows, name: str) -> Probe:
    """Columns of labels that the study doesn't have stand behind the study's."""
    named = [column for column in rows.table.columns if column.startswith(P)]
    item, run, keys = rows.placed(tuple(named))
    labels, spelt = rows.study.labels, rows.study.synonyms
    if rows.has_no_labels():
        return unreadable(name, "labels")
    means = {column: meant(column[len(P) :], spelt) for column in named}
    beyond = [column for column, of in means.items() if not set(of) <= set(labels)]
    there = {label for column, of in means.items() if column not in beyond for label in of}
    missing = [f"{P}{label}" for label in labels if label not in there]
    if missing:
        rows.problems.whole(f"there is no column for {', '.join(missing)}")
        return unreadable(name, "labels")
    read = {column: rows.probabilities(column) for column in named}
    own = [_sum_of({column: of for column, of in means.items() if label in of}, read) for label in labels]
    given = np.stack([*own, *(read[column] for column in beyond)], 1)
    values = np.full((len(keys), len(rows.study.ids), given.shape[1]), np.nan)
    row_of = np.zeros(values.shape[:2], dtype=np.int64)
    fine = item >= 0
    values[run[fine], item[fine]] = given[fine]
    row_of[run[fine], item[fine]] = rows.table.rows[fine]
    on_others = given[:, len(labels) :]
    names = [column[len(P) :] for column in beyond]
    found = other_labels(names, np.sum(on_others > 0, axis=0), labels, on_others.sum(axis=0))
    runs = tuple(map(Run, keys, rows.summing_to_one(values, row_of)))
    return with_other_labels(Probe(name, "labels", runs, other_labels=found))


def _sum_of(columns: Mapping[str, Sequence[str]], read: Mapping[str, Floats]) -> Floats:
    """A label's probability: its own column, and its share of the columns of synonyms."""
    total: Floats = np.sum([read[column] / len(of) for column, of in columns.items()], axis=0)
    return total


def columns_of(study: StudyItems) -> list[str]:
    return [f"{P}{label}" for label in study.labels]


def quick(values: Floats, rows: npt.NDArray[np.int64], study: StudyItems, name: str) -> Probe | None:
    with np.errstate(over="ignore"):  # numbers that are no probabilities may be of any size
        sums = values.sum(axis=1)
    if (values < 0).any() or (np.abs(sums - 1) > SUM_TOLERANCE).any():
        return None
    return only_run(name, "labels", laid_out(values, rows, study))


FORMAT = ProbeFormat(
    order=4,
    tried=8,
    columns="item_id,p:<label>,…",
    example="item_id,p:red,p:blue,…",
    what="one column per label, for every label of the study",
    told_by=lambda columns: any(column.startswith(P) for column in columns),
    says="p:<label>",
    read=read,
    options=(NORMALISE,),
    quick=NumbersReader(columns_of, quick),
)
