"""`item_id,label`: a label an item, or several with | between."""

from collections import Counter

import numpy as np

from ...files.cell_texts import meant
from ..probe import Probe, Run, other_labels
from ..probe_format import ProbeFormat, unreadable
from ..probe_layout import ProbeRows, with_other_labels


def read(rows: ProbeRows, name: str) -> Probe:
    """An output is shared equally by its labels. Those that the study doesn't have stand behind its own."""
    item, run, keys = rows.placed(("label",))
    given = rows.table.columns["label"].mapped(str.strip)
    if rows.has_no_labels():
        return unreadable(name, "labels")
    rows.refuse_blank_labels(given)
    labels = rows.study.labels
    code_of = {label: at for at, label in enumerate(labels)}
    spelt = rows.study.synonyms
    sets = [
        list(dict.fromkeys(label for part in value.split("|") for label in meant(part.strip(), spelt)))
        for value in given.values
    ]
    others = [[part for part in parts if part not in code_of] for parts in sets]
    shares = np.zeros((len(sets), len(labels) + max(map(len, others), default=0)))
    for at, (parts, beyond) in enumerate(zip(sets, others, strict=True)):
        own = [code_of[part] for part in parts if part in code_of]
        shares[at, [*own, *range(len(labels), len(labels) + len(beyond))]] = 1 / len(parts)
    values = np.full((len(keys), len(rows.study.ids), shares.shape[1]), np.nan)
    fine = item >= 0
    values[run[fine], item[fine]] = shares[given.codes[fine]]
    runs = [Run(key, row, has_probabilities=False) for key, row in zip(keys, values, strict=True)]
    count: Counter[str] = Counter()
    for parts, times in zip(others, np.bincount(given.codes, minlength=len(sets)).tolist(), strict=True):
        count.update(dict.fromkeys(parts, times))
    found = other_labels(list(count), np.array(list(count.values()), dtype=np.int64), labels)
    return with_other_labels(Probe(name, "labels", tuple(runs), other_labels=found))


FORMAT = ProbeFormat(
    order=2,
    tried=7,
    columns="item_id,label",
    what="one label per item, or several separated by |",
    told_by=lambda columns: "label" in columns,
    says="label",
    read=read,
)
