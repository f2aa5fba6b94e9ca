"""`item_id,score`: a number an item."""

import numpy as np
import numpy.typing as npt

from ...arrays import Floats
from ...files.numbers import numbers
from ..probe import Probe, Run, StudyItems
from ..probe_format import NumbersReader, ProbeFormat, laid_out, only_run
from ..probe_layout import ProbeRows

SCORE = "score"


def read(rows: ProbeRows, name: str) -> Probe:
    item, run, keys = rows.placed((SCORE,))
    score = numbers(rows.table.columns[SCORE], SCORE, rows.table.rows, rows.problems, None)
    values = np.full((len(keys), len(rows.study.ids)), np.nan)
    fine = item >= 0
    values[run[fine], item[fine]] = score[fine]
    return Probe(name, "numbers", tuple(map(Run, keys, values)))


def quick(values: Floats, rows: npt.NDArray[np.int64], study: StudyItems, name: str) -> Probe:
    return only_run(name, "numbers", laid_out(values[:, 0], rows, study))


FORMAT = ProbeFormat(
    order=1,
    tried=5,
    columns="item_id,score",
    what="one number per item, for sliders",
    told_by=lambda columns: SCORE in columns,
    says="score",
    read=read,
    quick=NumbersReader(lambda _: [SCORE], quick),
)
