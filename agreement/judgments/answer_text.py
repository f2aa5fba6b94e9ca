"""Answers as the text of a cell: what judgments.csv, evidence and exports show."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..files.table import Column
from ..kinds.data import data_of
from .crowd import Crowd


def answer_columns(crowd: Crowd) -> dict[str, Column]:
    """The answers as the columns that hold them: `value`, or one per label."""
    return data_of(crowd.kind).cells(crowd.answers, crowd.labels)


def answer_texts(crowd: Crowd, which: npt.NDArray[np.intp]) -> list[str]:
    """The answers of some judgments, one text each; sliders as label=number."""
    chosen = np.zeros(crowd.n_judgments, dtype=np.bool_)
    chosen[which] = True
    given = data_of(crowd.kind).text(answer_columns(crowd.take(chosen)))
    place = np.cumsum(chosen) - 1
    return [str(given[at]) for at in place[which]]
