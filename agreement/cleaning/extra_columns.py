"""Columns that our own judgments.csv has beside the answers, as numbers: from a file they come as text."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from agreement.crowd import COULD_NOT_SEE, Crowd
from annotation.errors import Refused


def numbers_of(crowd: Crowd, name: str) -> npt.NDArray[np.float64]:
    """[J] a column of `extras`; nan where it is blank or isn't there."""
    if name not in crowd.extras:
        return np.full(crowd.n_judgments, np.nan)
    column = crowd.extras[name]
    if column.dtype.kind in "fi":
        return np.asarray(column, dtype=np.float64)
    import pandas as pd

    texts = column.astype(str).str.strip()
    numbers = np.asarray(pd.to_numeric(texts, errors="coerce"), dtype=np.float64)
    wrong = np.flatnonzero((np.isnan(numbers) | (numbers < 0) | np.isinf(numbers)) & (texts != "").to_numpy())
    if len(wrong):
        raise Refused(
            f"Judgment {wrong[0] + 1:,}, column {name}: '{texts.iloc[wrong[0]]}' is not a number from 0; correct it, or"
            " leave the column out."
        )
    return numbers


def could_not_see(crowd: Crowd) -> npt.NDArray[np.int64]:
    """[W] at how many items a worker said so: as the database counts it, or as its column in a file says."""
    if crowd.unseen is not None:
        return crowd.unseen
    most = np.zeros(crowd.n_workers, dtype=np.int64)
    if COULD_NOT_SEE in crowd.extras:
        np.maximum.at(most, crowd.worker, np.nan_to_num(numbers_of(crowd, COULD_NOT_SEE)).astype(np.int64))
    return most
