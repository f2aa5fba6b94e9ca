"""`item_id,label,probability`: probabilities, one row per label."""

import numpy as np

from ..probe import Probe, Run, other_labels
from ..probe_format import ProbeFormat, unreadable
from ..probe_layout import NORMALISE, ProbeRows, places_within, with_other_labels


def read(rows: ProbeRows, name: str) -> Probe:
    """Labels that the study doesn't have are wrong and stand behind its own."""
    item, run, keys = rows.placed(("label", "probability"), within="label")
    given = rows.table.columns["label"].mapped(str.strip)
    if rows.has_no_labels():
        return unreadable(name, "labels")
    rows.refuse_blank_labels(given)
    labels = rows.study.labels
    at, code, share = rows.labels_named(given)
    p, item, run, spelt, row = rows.probabilities("probability")[at] * share, item[at], run[at], given.codes[at], at
    is_other = code < 0
    used = spelt[is_other & (p > 0)]
    outputs = np.bincount(used, minlength=len(given.values))
    total = np.bincount(used, weights=p[is_other & (p > 0)], minlength=len(given.values)).astype(np.float64)
    place = places_within(run[is_other] * len(rows.study.ids) + item[is_other])
    code[is_other] = len(labels) + place
    width = len(labels) + int(place.max(initial=-1)) + 1
    if rows.study.synonyms:  # spellings of one label add up
        key = (run * (len(rows.study.ids) + 1) + item + 1) * width + code
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
        p = np.bincount(which, weights=p).astype(np.float64)
        item, run, code, row = item[first], run[first], code[first], at[first]
    values, row_of = rows.scattered(item, run, code, p, len(keys), width, rows=rows.table.rows[row])
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
