"""From the judgments of a file to a `Crowd`."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..files.table import Column
from ..kinds.data import data_of
from .crowd import EXTRA_COLUMNS, Crowd
from .judged_items import OF_THE_ITEM
from .judgments_file import Judgments

# Columns that our own judgments.csv adds: made anew by every cleaning, so never taken for a judgment's own.
_MADE_ANEW = ("kept", "reason")


def crowd_of(judgments: Judgments) -> Crowd:
    """The crowd that a file holds; columns of text stay dictionary-encoded, as categoricals."""
    table = judgments.table
    extras: dict[str, object] = {"response_ms": judgments.response_ms}
    for name in EXTRA_COLUMNS[1:]:
        extras[name] = _categorical(table.columns.get(name, _blank_column(len(table))))
    of_the_item = {"item_id", *OF_THE_ITEM} & {"item_id", *judgments.items.frame.columns}
    answers = data_of(judgments.kind).columns.among(table.columns)
    taken = {"worker_id", "value", *answers, *of_the_item, *EXTRA_COLUMNS, *_MADE_ANEW}
    for name, column in table.columns.items():
        if name not in taken:
            extras[name] = _categorical(column)
    return Crowd(
        kind=judgments.kind,
        scale=judgments.scale,
        labels=judgments.labels,
        items=judgments.items.frame,
        workers=pd.Index(list(judgments.worker.values), dtype=object),
        worker=judgments.worker.codes,
        item=judgments.item,
        answers=judgments.answers,
        extras=pd.DataFrame(extras, index=pd.RangeIndex(len(table))),
        repeats=judgments.repeats,
        checks_elsewhere=judgments.checks_elsewhere,
    )


def _blank_column(count: int) -> Column:
    return Column(np.zeros(count, dtype=np.int32), [""])


def _categorical(column: Column) -> pd.Categorical:
    return pd.Categorical.from_codes(column.codes, categories=pd.Index(list(column.values), dtype=object))
