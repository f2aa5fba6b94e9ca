"""`item_id,text`: a text an item."""

import numpy as np

from ..probe import Probe, Run
from ..probe_format import ProbeFormat
from ..probe_layout import ProbeRows

TEXT = "text"  # a column of outputs


def read(rows: ProbeRows, name: str) -> Probe:
    item, run, keys = rows.placed((TEXT,))
    texts = [[""] * len(rows.study.ids) for _ in keys]
    for at_run, at_item, text in zip(run.tolist(), item.tolist(), rows.table.columns[TEXT].text(), strict=True):
        if at_item >= 0:
            texts[at_run][at_item] = str(text)
    none = np.zeros(0)
    return Probe(name, "texts", tuple(Run(key, none, tuple(row)) for key, row in zip(keys, texts, strict=True)))


FORMAT = ProbeFormat(
    order=7,
    tried=3,
    columns="item_id,text",
    what="one text per item",
    told_by=lambda columns: TEXT in columns,
    says="text",
    read=read,
)
