"""`item_id,label,probability`: probabilities, one row per label."""

import numpy as np

from agreement.scoring.probe import Probe, Run, other_labels
from agreement.scoring.probe_format import ProbeFormat, unreadable
from agreement.scoring.probe_layout import NORMALISE, ProbeRows, places_within, with_other_labels


def read(rows: ProbeRows, name: str) -> Probe:
    """Labels that the study doesn't have are wrong and stand behind its own."""
    item, run, keys = rows.placed(("label", "probability"), within="label")
    given = rows.table.columns["label"].mapped(str.strip)
    if rows.has_no_labels():
        return unreadable(name, "labels")
    rows.refuse_blank_labels(given)
    labels = rows.study.labels
    code_of = {label: at for at, label in enumerate(labels)}
    code = np.array([code_of.get(value, -1) for value in given.values], dtype=np.int64)[given.codes]
    p = rows.probabilities("probability")
    is_other = code < 0
    used = given.codes[is_other & (p > 0)]
    outputs = np.bincount(used, minlength=len(given.values))
    total = np.bincount(used, weights=p[is_other & (p > 0)], minlength=len(given.values)).astype(np.float64)
    place = places_within(run[is_other] * len(rows.study.ids) + item[is_other])
    code[is_other] = len(labels) + place
    width = len(labels) + int(place.max(initial=-1)) + 1
    values, row_of = rows.scattered(item, run, code, p, len(keys), width)
    nothing = np.isnan(values).all(axis=2, keepdims=True)
    values = rows.summing_to_one(np.where(nothing, np.nan, np.nan_to_num(values)), row_of)
    found = other_labels(given.values, outputs, labels, total)
    return with_other_labels(Probe(name, "labels", tuple(map(Run, keys, values)), other_labels=found))


FORMAT = ProbeFormat(
    order=3,
    tried=6,
    columns="item_id,label,probability",
    what="one row per label",
    told_by=lambda columns: {"label", "probability"} <= columns,
    says="label and probability",
    read=read,
    options=(NORMALISE,),
)
