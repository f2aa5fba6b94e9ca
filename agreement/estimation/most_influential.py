"""The worker without whom a figure moves furthest, and whether that is more than one of so many would by chance."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np
import numpy.typing as npt

from .estimate import Floats, MostInfluential

if TYPE_CHECKING:
    import pandas as pd

Part = TypeVar("Part")

POINTS = Path(__file__).with_name("influence_points.json")  # written by `make influence-points`
SAME = 1e-12  # figures closer than this differ by rounding only


def most_influential(theta_w: Floats, workers: npt.NDArray[np.integer] | None) -> MostInfluential | None:
    """Who moves the figure furthest, from the figure without each worker [W] and the workers' codes [W].

    With d_w = theta_(w) - mean, a worker's share of the workers' variance is d_w^2 / sum d_v^2. None where workers
    weren't left out one by one, where there are two, or where none of them moves the figure.

    >>> most_influential(np.array([0.5, 0.52, 0.8, 0.49, 0.5]), np.arange(5)).worker
    2
    """
    if workers is None or len(workers) != len(theta_w) or len(theta_w) < 3 or not np.isfinite(theta_w).all():
        return None
    d = theta_w - theta_w.mean()
    if np.abs(d).max() < SAME:
        return None
    at = int(np.argmax(np.abs(d)))
    share = float(d[at] ** 2 / np.sum(d * d))
    return MostInfluential(int(workers[at]), float(theta_w[at]), share, limit(len(theta_w)))


def limit(workers: int) -> float:
    """The share that the first of so many exchangeable workers passes in 1 % of cases.

    Between the numbers of workers that were simulated the share times W is linear in log W.

    >>> round(limit(8), 2)
    0.74
    """
    numbers, points = _points()
    return float(np.interp(np.log(workers), np.log(numbers), points * numbers)) / workers


def said_of(one: MostInfluential) -> str:
    """A sentence for the report where one worker carries an unusual share of the variance, else ""."""
    if not one.is_unusual:
        return ""
    return (
        f"one worker makes up {one.share:.0%} of the workers' variance of this figure, where exchangeable workers pass "
        f"{one.limit:.0%} in 1 % of studies; without that worker it is {one.estimate:.3f}"
    )


@cache
def _points() -> tuple[Floats, Floats]:
    """Numbers of workers, and the 99 % point of the largest share for each."""
    read = json.loads(POINTS.read_text(encoding="utf-8"))
    return np.array([float(number) for number in read]), np.array([float(point) for point in read.values()])


def with_worker_ids(part: Part, workers: Sequence[str] | pd.Index[str]) -> Part:
    """The same part of a report, with ids in the place of the codes of the most influential workers.

    >>> with_worker_ids({"mean": MostInfluential(1, 0.5, 0.2, 0.4)}, ["anna", "ben"])["mean"].worker
    'ben'
    """
    return cast("Part", _named(part, workers))


def _named(part: object, workers: Sequence[str] | pd.Index[str]) -> object:
    if isinstance(part, MostInfluential):
        return replace(part, worker=str(workers[part.worker])) if isinstance(part.worker, int) else part
    if is_dataclass(part) and not isinstance(part, type):
        changed = {each.name: _named(getattr(part, each.name), workers) for each in fields(part)}
        return replace(part, **changed)
    if isinstance(part, dict):
        return {key: _named(one, workers) for key, one in part.items()}
    return tuple(_named(one, workers) for one in part) if isinstance(part, tuple) else part
