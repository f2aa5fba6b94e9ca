"""The components of variance of a crowd's own judgments, which a plan starts from."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..estimation.estimate import Undefined
from ..judgments.crowd import Crowd
from ..kinds.registry import KINDS
from .precision import Codes, Components, Floats, components_of


def of_crowd(crowd: Crowd) -> Components | Undefined:
    mine = crowd.on_target
    y = values_of(crowd.answers, len(crowd.labels))
    if y is None:
        return own_words()
    if not mine.any():
        return Undefined("nothing has been judged yet")
    return components_of_kind(crowd.kind, crowd.item[mine], crowd.worker[mine], y[mine])


def components_of_kind(kind: str, item: Codes, worker: Codes, y: Floats) -> Components | Undefined:
    is_one_label = KINDS[kind].column == "label"
    return components_of(item, worker, y, parts_of(kind, y), is_one_label=is_one_label)


def own_words() -> Undefined:
    return Undefined("answers in people's own words have no variance to plan by")


def parts_of(kind: str, y: Floats) -> float:
    """Of one label out of several, two compete: the share of each has half of the variance. Else one of D numbers."""
    return 2.0 if KINDS[kind].column == "label" else float(y.shape[1])


def values_of(answers: Any, labels: int) -> Floats | None:
    """[J, D] answers as numbers: labels as zeros and ones, sets and places of labels as they are."""
    if not isinstance(answers, np.ndarray) or answers.dtype == object:
        return None
    if answers.ndim == 2:
        return np.asarray(answers, dtype=np.float64)
    if np.issubdtype(answers.dtype, np.integer):
        return np.eye(labels, dtype=np.float64)[answers]
    return np.asarray(answers, dtype=np.float64)[:, None]
