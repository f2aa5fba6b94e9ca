"""`item_id,p:<label>,...`: probabilities, one column per label."""

import numpy as np
import numpy.typing as npt

from agreement.arrays import Floats
from agreement.scoring.probe import SUM_TOLERANCE, Probe, Run, StudyItems, other_labels
from agreement.scoring.probe_format import ProbeFormat, Quick, laid_out, only_run, unreadable
from agreement.scoring.probe_layout import NORMALISE, ProbeRows, with_other_labels

P = "p:"  # a column of probabilities is called this and the label


def read(rows: ProbeRows, name: str) -> Probe:
    """Columns of labels that the study doesn't have stand behind the study's."""
    named = [column for column in rows.table.columns if column.startswith(P)]
    item, run, keys = rows.placed(tuple(named))
    labels = rows.study.labels
    if rows.has_no_labels():
        return unreadable(name, "labels")
    beyond = [column for column in named if column[len(P) :] not in labels]
    missing = [column for column in columns_of(rows.study) if column not in named]
    if missing:
        rows.problems.whole(f"there is no column for {', '.join(missing)}")
        return unreadable(name, "labels")
    given = np.stack([rows.probabilities(column) for column in (*columns_of(rows.study), *beyond)], 1)
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


def columns_of(study: StudyItems) -> list[str]:
    return [f"{P}{label}" for label in study.labels]


def quick(values: Floats, rows: npt.NDArray[np.int64], study: StudyItems, name: str) -> Probe | None:
    if (values < 0).any() or (np.abs(values.sum(axis=1) - 1) > SUM_TOLERANCE).any():
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
    quick=Quick(columns_of, quick),
)
