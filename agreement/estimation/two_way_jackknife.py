"""The two-way jackknife of what has no closed-form deletion: each worker left out, and items, or groups of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints, as_they_come
from ..processes import map_tasks
from .estimate import Estimate, MostInfluential
from .intervals import GROUPS, Deletions, Range, TwoWay, effective_workers, groups, two_way

if TYPE_CHECKING:
    import pandas as pd

Figures = Callable[[Bools], Floats]
WORTH_FORKING = 100_000  # judgments; below, starting a process costs more than it saves
WORKERS_ALONE = 500  # below so many, workers are left out one by one: 20 random groups of 138 moved with the seed
WORK = 1_000_000  # deletions x judgments up to which items and judgments are left out one by one
WORK_OF_WORKERS = 100_000_000


@dataclass(frozen=True, slots=True, eq=False)
class DeletedGroups:
    """[G, K] the K figures with each item, worker and judgment left out, or each group of them; `how` tells which."""

    item: Floats
    worker: Floats
    judgment: Floats
    workers_alone: bool
    how: str
    workers: Ints | None = None  # [W] the code of each worker, where they are left out one by one
    fixed_workers: bool = False


def leave_groups_out(
    item: Ints,
    worker: Ints,
    rng: np.random.Generator,
    figures: Figures,
    processes: int | None = None,
    *,
    without_items: Figures | None = None,
    most: int | None = None,
) -> DeletedGroups:
    """Everything again, gold of the others included, for each item, worker and judgment left out.

    Workers are left out one by one below 500, items and judgments while there are few of them, and otherwise in random
    groups, 20 or more; `most` caps all three where a figure takes long. `figures` takes the mask [J] of the judgments
    that stay and gives [K]; `without_items` does the same where whole items are left out, if there is a shorter way for
    those. The number of processes changes no digit.
    """
    J = len(item)
    n_items, n_workers = (int(np.count_nonzero(np.bincount(codes))) for codes in (item, worker))
    fine = max(WORK // max(J, 1), GROUPS) if most is None else most
    alone = n_workers < WORKERS_ALONE and n_workers * J <= WORK_OF_WORKERS
    by_worker = GROUPS if not alone else n_workers if most is None else most
    memberships = (_members(item, rng, fine), _members(worker, rng, by_worker), _groups(J, rng, fine))
    tasks = [(of, left_out) for of in range(3) for left_out in range(int(memberships[of].max(initial=-1)) + 1)]

    by_items = without_items or figures

    def without(task: tuple[int, int]) -> Floats:
        of, left_out = task
        return (by_items if of == 0 else figures)(np.asarray(memberships[of] != left_out))

    done = map_tasks(tasks, without, processes if J >= WORTH_FORKING else 1)
    of_items, of_workers, of_judgments = parts = [
        np.array([found for (of, _), found in zip(tasks, done, strict=True) if of == which]) for which in range(3)
    ]
    sizes = (n_items, n_workers, J)
    said = [
        f"{len(part)} groups of {what}" if len(part) < size else f"each of {size} {what}"
        for part, size, what in zip(parts, sizes, ("items", "workers", "judgments"), strict=True)
    ]
    how = f"left out: {', '.join(said)}"
    alone = len(of_workers) == n_workers
    who = np.flatnonzero(np.bincount(worker)).astype(np.int64) if alone else None
    return DeletedGroups(of_items, of_workers, of_judgments, alone, how, who)


def interval_of(theta: float, deleted: DeletedGroups, at: int, influence: Floats | None, within: Range) -> TwoWay:
    """The two-way interval of figure `at`.

    Where workers are left out in groups, nu_W comes from each worker's own `influence` on the figure: 20 random groups
    of workers always look alike, however few of the workers carry it. Without `influence` it is the groups' G - 1.
    """
    deletions = Deletions(deleted.item[:, at], deleted.worker[:, at], deleted.judgment[:, at])
    nu_w = None
    if not deleted.workers_alone:
        nu_w = (None if influence is None else effective_workers(influence)) or len(deletions.worker) - 1.0
    return two_way(theta, deletions, within=within, nu_w=nu_w, fixed_workers=deleted.fixed_workers)


def grouped_estimate(
    theta: float, deleted: DeletedGroups, at: int, influence: Floats | None, *, n: int, within: Range, what: str
) -> Estimate:
    """Figure `at` with its two-way interval, on a scale that doesn't leave the range `within`."""
    interval = interval_of(theta, deleted, at, influence, within)
    method = f"{what}; {interval.method}"
    if interval.low is not None:
        method = f"{method}; {deleted.how}"
    influential = None if deleted.fixed_workers else most_influential(deleted.worker[:, at], deleted.workers)
    return Estimate(theta, interval.low, interval.high, n, method, interval.over, influential)


def _members(codes: Ints, rng: np.random.Generator, most: int) -> npt.NDArray[np.int64]:
    """[J] the random group that each judgment's item, or worker, falls into; its own where `most` is enough for all.

    Groups are drawn in the order in which the codes come, which is that of the answers and not of ids.
    """
    there = np.flatnonzero(np.bincount(codes))
    if len(there) > most:
        there = as_they_come(codes)
    group = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.int64)
    group[there] = _groups(len(there), rng, most)
    return group[codes]


def _groups(size: int, rng: np.random.Generator, most: int) -> npt.NDArray[np.int64]:
    return np.arange(size, dtype=np.int64) if size <= most else groups(size, rng, most)


# The worker without whom a figure moves furthest, and whether that is more than one of so many would by
# chance.

Part = TypeVar("Part")

POINTS = Path(__file__).with_name("influence_points.json")  # written by `make influence-points`
WORTH_SAYING = 0.1  # of half an interval: what leaving one worker out must move
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


def said_of(one: MostInfluential, theta: float, half_width: float) -> str:
    """A sentence for the report where one worker carries an unusual share of the variance and moves the figure theta.

    "" where leaving the worker out changes nothing that is printed, or less than a tenth of half the interval: of
    thousands of workers one may have a share that is unusual, and move nothing.

    >>> said_of(MostInfluential("w1", 0.1603, 0.02, 0.01), 0.1601, 0.015)
    ''
    """
    moved = abs(one.estimate - theta)
    changes_nothing = f"{one.estimate:.3f}" == f"{theta:.3f}" or moved < WORTH_SAYING * half_width
    if not one.is_unusual or changes_nothing:
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
