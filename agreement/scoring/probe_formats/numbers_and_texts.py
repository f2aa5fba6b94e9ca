"""One number per item, or one text."""

import numpy as np
import numpy.typing as npt

from ...arrays import Floats
from ...files.numbers import numbers
from ..probe import Probe, Run, StudyItems
from ..probe_format import NumbersReader, ProbeFormat, only_run, values_on_items
from ..probe_layout import ProbeRows

# `item_id,score`: a number an item.

SCORE = "score"


def read_scores(rows: ProbeRows, name: str) -> Probe:
    item, run, keys = rows.placed((SCORE,))
    score = numbers(rows.table.columns[SCORE], SCORE, rows.table.rows, rows.problems, None)
    values = np.full((len(keys), len(rows.study.ids)), np.nan)
    fine = item >= 0
    values[run[fine], item[fine]] = score[fine]
    return Probe(name, "numbers", tuple(map(Run, keys, values)))


def quick_scores(values: Floats, rows: npt.NDArray[np.int64], study: StudyItems, name: str) -> Probe:
    return only_run(name, "numbers", values_on_items(values[:, 0], rows, study))


NUMBER_PER_ITEM = ProbeFormat(
    order=1,
    tried=5,
    columns="item_id,score",
    row_meaning="one number per item, for sliders",
    told_by=lambda columns: SCORE in columns,
    says="score",
    read=read_scores,
    quick=NumbersReader(lambda _: [SCORE], quick_scores),
)


# `item_id,text`: a text an item.

TEXT = "text"  # a column of outputs


def read_texts(rows: ProbeRows, name: str) -> Probe:
    item, run, keys = rows.placed((TEXT,))
    texts = [[""] * len(rows.study.ids) for _ in keys]
    for at_run, at_item, text in zip(run.tolist(), item.tolist(), rows.table.columns[TEXT].text(), strict=True):
        if at_item >= 0:
            texts[at_run][at_item] = str(text)
    none = np.zeros(0)
    return Probe(name, "texts", tuple(Run(key, none, tuple(row)) for key, row in zip(keys, texts, strict=True)))


TEXT_PER_ITEM = ProbeFormat(
    order=7,
    tried=3,
    columns="item_id,text",
    row_meaning="one text per item",
    told_by=lambda columns: TEXT in columns,
    says="text",
    read=read_texts,
)

FORMATS = (NUMBER_PER_ITEM, TEXT_PER_ITEM)
