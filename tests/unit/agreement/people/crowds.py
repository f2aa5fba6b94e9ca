"""Small crowds for the tests of agreement: from tables of published cases, and random ones with gaps and repeats."""

from typing import Any, TypeVar

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st

from agreement.estimation.design import Design, design_of
from agreement.estimation.estimate import Undefined
from agreement.people import alpha, icc
from agreement.people import chance_corrected as kappa
from agreement.people.agreement_report import Level

Found = TypeVar("Found")


def defined(found: Found | Undefined) -> Found:
    """What was found; a random crowd for which it is undefined is passed over."""
    if isinstance(found, Undefined):
        reject()
    return found


def judgments_of(case: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Items, workers and values of a case: rows (raters x items), counts (items x labels) or a table of two raters."""
    if "rows" in case:
        rows = np.array(case["rows"], dtype=float)
        worker, item = np.nonzero(~np.isnan(rows))
        return item, worker, rows[worker, item]
    if "counts" in case:
        counts = np.array(case["counts"])
        item, label = (np.repeat(place, counts[np.nonzero(counts)]) for place in np.nonzero(counts))
        first = np.r_[0, np.cumsum(counts.sum(axis=1))[:-1]]
        return item, np.arange(len(item)) - first[item], label.astype(float)
    table = np.array(case["table"])
    left, right = (np.repeat(place, table[np.nonzero(table)]) for place in np.nonzero(table))
    patients = np.arange(len(left))
    return np.r_[patients, patients], np.repeat([0, 1], len(left)), np.r_[left, right].astype(float)


def kappa_of(design: Design, code: np.ndarray, labels: int) -> float:
    tally = kappa.tally(design, code.astype(np.int64), labels)
    return float("nan") if isinstance(tally, Undefined) else kappa.kappa(tally)


def alpha_of(design: Design, value: np.ndarray, level: Level) -> float:
    data = alpha.pairable(design, value)
    found = data if isinstance(data, Undefined) else alpha.alpha(data, level)
    return float("nan") if isinstance(found, Undefined) else found


def iccs_of(design: Design, value: np.ndarray) -> tuple[float, float]:
    found = icc.icc(design, value)
    if isinstance(found, Undefined):
        return float("nan"), float("nan")
    return found.icc1, float("nan") if isinstance(found.icc1k, Undefined) else found.icc1k


@st.composite
def crowds(draw: st.DrawFn, *, repeats: bool = False, most: int = 30) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Items, workers and small whole values of up to `most` judgments; a worker meets an item once unless `repeats`."""
    cell = st.tuples(st.integers(0, 6), st.integers(0, 4))
    cells = draw(st.lists(cell, min_size=2, max_size=most, unique=not repeats))
    values = draw(st.lists(st.integers(0, 4), min_size=len(cells), max_size=len(cells)))
    item, worker = np.array(cells).T
    return item, worker, np.array(values, dtype=float)


def design(crowd: tuple[np.ndarray, np.ndarray, np.ndarray]) -> Design:
    return design_of(crowd[0], crowd[1])
