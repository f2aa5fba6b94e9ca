"""The two-way jackknife with groups of items, workers and judgments left out, for what has no closed-form deletion."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from agreement.gold.arrays import Bools, Floats, Ints
from agreement.scoring.processes import over
from agreement.stats.estimate import Estimate
from agreement.stats.jackknife import FEW_WORKERS, GROUPS, SAME, effective_workers, groups, variance

Figures = Callable[[Bools], Floats]
WORTH_FORKING = 100_000  # judgments; below, starting a process costs more than it saves


@dataclass(frozen=True, slots=True, eq=False)
class DeletedGroups:
    """[20, K] the K figures with each group of items, of workers, of judgments left out."""

    item: Floats
    worker: Floats
    judgment: Floats


def leave_groups_out(
    item: Ints,
    worker: Ints,
    rng: np.random.Generator,
    figures: Figures,
    processes: int | None = None,
    *,
    without_items: Figures | None = None,
) -> DeletedGroups:
    """Everything again, gold of the others included, 20 + 20 + 20 times; fewer where there are fewer to group.

    `figures` takes the mask [J] of the judgments that stay and gives [K]; `without_items` does the same where whole
    items are left out, if there is a shorter way for those. The number of processes changes no digit.
    """
    memberships = (
        _members(item, rng),
        _members(worker, rng),
        groups(len(item), rng, GROUPS).astype(np.int8),
    )
    tasks = [(of, left_out) for of in range(3) for left_out in range(int(memberships[of].max()) + 1)]

    by_items = without_items or figures

    def without(task: tuple[int, int]) -> Floats:
        of, left_out = task
        return (by_items if of == 0 else figures)(np.asarray(memberships[of] != left_out))

    done = over(tasks, without, processes if len(item) >= WORTH_FORKING else 1)
    by_item, by_worker, by_judgment = (
        np.array([found for (of, _), found in zip(tasks, done, strict=True) if of == which]) for which in range(3)
    )
    return DeletedGroups(by_item, by_worker, by_judgment)


def grouped_estimate(
    theta: float, deleted: DeletedGroups, at: int, influence: Floats | None, *, n: int, at_most: float, what: str
) -> Estimate:
    """Figure `at` with theta +- t_df sqrt(V), V = max(V_I + V_W - V_J, V_I, V_W).

    df = min(groups - 1, nu_W), nu_W from each worker's own `influence` on the figure: 20 random groups of workers
    always look like about seven, however many workers stand behind them. Without `influence`, df = groups - 1.
    """
    spread = spread_of(deleted, at, influence)
    if spread.why:
        return Estimate(theta, None, None, n, f"{what}; no two-way interval: {spread.why}")
    half = float(stats.t.ppf(0.975, spread.df)) * spread.se
    return Estimate(theta, theta - half, min(theta + half, at_most), n, f"{what}; {spread.how}")


@dataclass(frozen=True, slots=True)
class Spread:
    """The standard error of a figure and its degrees of freedom; `why` says why there is none."""

    se: float
    df: float
    how: str
    why: str = ""


def spread_of(deleted: DeletedGroups, at: int, influence: Floats | None) -> Spread:
    """sqrt(V) and df of figure `at`."""
    parts = (deleted.item[:, at], deleted.worker[:, at], deleted.judgment[:, at])
    nan = float("nan")
    for name, part in zip(("items", "workers", "judgments"), parts, strict=True):
        lost = int(np.sum(~np.isfinite(part)))
        if lost or len(part) < 2:
            why = f"it is undefined without {lost} of {len(part)} groups" if lost else "there is only one group"
            return Spread(nan, nan, "", f"of {name}, {why}")
    v_i, v_w, v_j = (variance(part) for part in parts)
    v = max(v_i + v_w - v_j, v_i, v_w)
    if np.sqrt(v) < SAME:
        return Spread(0.0, nan, "", "it is the same whatever is left out")
    nu_w = None if influence is None else effective_workers(influence)
    df = min(len(parts[0]) - 1.0, len(parts[1]) - 1.0 if nu_w is None else nu_w)
    few = "; few effective workers, nu_W < 4" if nu_w is not None and nu_w < FEW_WORKERS else ""
    sizes = " + ".join(str(len(part)) for part in parts)
    how = f"two-way jackknife, {sizes} groups of items, workers and judgments left out, t with {df:.1f} df{few}"
    return Spread(float(np.sqrt(v)), df, how)


def _members(codes: Ints, rng: np.random.Generator) -> npt.NDArray[np.int8]:
    """[J] the random group that each judgment's item, or worker, falls into."""
    there = np.flatnonzero(np.bincount(codes))
    group = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.int8)
    group[there] = groups(len(there), rng, GROUPS)
    return group[codes]
