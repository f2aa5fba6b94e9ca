"""Scores of models with gold made again without some of its workers: what they would be with other workers."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Bools, Floats, Ints, as_they_come, divide, sum_by
from ..estimation.estimate import Estimate, Figure
from ..estimation.intervals import (
    ANY,
    CORRELATION,
    FIXED,
    SAME,
    Range,
    combined_df,
    effective_workers,
    groups,
    t_quantile,
    tails_in_method,
    variance,
)
from ..estimation.two_way_jackknife import WORTH_FORKING, most_influential
from ..gold.label_gold import label_gold
from ..processes import map_tasks
from .jackknifed_metric import JackknifedMetric, fisher_z
from .metric import Outputs
from .metrics import figures_alone
from .paired_tests import Gap, slope_of_z
from .probe import Probe, StudyItems, covered_by
from .score_gold import Gold, LabelGold

# Gold of some of the judgments, in the shape that scores need.

GoldOf = Callable[[Bools], Gold]


def gold_of_numbers(released: Gold, item: Ints, value: Floats) -> GoldOf:
    """Means of the numbers that stay; `item` [J] is the gold's own row of each judgment, -1 where it has none."""

    def made(keep: Bools) -> Gold:
        kept = keep & (item >= 0)
        n = np.bincount(item[kept], minlength=len(released)).astype(np.float64)
        return _with_gold(replace(released, numbers=divide(sum_by(item[kept], value[kept], len(released)), n)), n > 0)

    return made


def gold_of_weights(released: Gold, item: Ints, weights: Floats) -> GoldOf:
    """Shares, typical sets and majorities of the labels' weights [J, L] that stay."""
    has_one_label = released.by_label is not None and released.by_label.has_one_label
    sizes = None if released.by_label is None else released.by_label.sizes

    def made(keep: Bools) -> Gold:
        kept = keep & (item >= 0) & (weights.sum(axis=1) > 0)
        n = np.bincount(item[kept], minlength=len(released))
        columns = [sum_by(item[kept], column, len(released)) for column in weights[kept].T]
        gold = label_gold(n, np.stack(columns, axis=1), released.typical_filter)
        by_label = LabelGold(gold.p, gold.typical, gold.majority, has_one_label, sizes=sizes)
        return _with_gold(replace(released, by_label=by_label), n > 0)

    return made


def _with_gold(gold: Gold, there: Bools) -> Gold:
    """The items that still have gold."""
    if there.all():
        return gold
    at = np.flatnonzero(there)
    return replace(
        gold,
        ids=gold.ids[at],
        numbers=None if gold.numbers is None else gold.numbers[at],
        by_label=None if gold.by_label is None else gold.by_label.take(at),
        fields={name: values[at] for name, values in gold.fields.items()},
    )


# Every probe's scores against gold without each worker, or group of them, and without groups of judgments.

WORKERS_ALONE = 60  # up to so many, workers are left out one by one
WORK = 4_000_000  # workers x judgments, likewise
GROUPS, JUDGMENT_GROUPS = 30, 15
MANY = 200_000  # judgments, from which fewer groups are left out
GROUPS_OF_MANY, JUDGMENT_GROUPS_OF_MANY = 20, 10


@dataclass(frozen=True, slots=True, eq=False)
class LeaveOutScores:
    """One score with gold made again: [G] without each worker, or group of them, and [H] without groups of judgments.

    `workers` [G] are their codes where they are left out one by one. `is_mean` says that the score is a mean over
    people's answers (`answers_of_people.py`).
    """

    worker: Floats
    judgment: Floats
    workers: Ints | None
    is_mean: bool = False


def scores_again(
    probes: Sequence[Probe],
    study: StudyItems,
    worker: Ints,
    made: GoldOf,
    rng: np.random.Generator,
    *,
    processes: int | None = None,
) -> dict[str, dict[str, LeaveOutScores]]:
    """By probe and metric, over all items. A probe that is scored in several settings has none; nor has one without
    outputs that gold is held against. `worker` [J].
    """
    scored = [probe for probe in probes if has_one_score(probe)]
    who, J = np.flatnonzero(np.bincount(worker)), len(worker)
    if not scored or len(who) < 2:
        return {}
    alone = len(who) <= WORKERS_ALONE and len(who) * J <= WORK
    group = np.zeros(int(worker.max()) + 1, dtype=np.int64)
    come = who if alone else as_they_come(worker)
    of_workers, of_judgments = (GROUPS, JUDGMENT_GROUPS) if J < MANY else (GROUPS_OF_MANY, JUDGMENT_GROUPS_OF_MANY)
    group[come] = np.arange(len(who)) if alone else groups(len(who), rng, of_workers)
    memberships = (group[worker], groups(J, rng, of_judgments))
    tasks = [(of, left) for of, members in enumerate(memberships) for left in range(int(members.max()) + 1)]

    def without(task: tuple[int, int]) -> Mapping[tuple[str, str], float]:
        of, left = task
        gold = made(np.asarray(memberships[of] != left))
        return dict(_overall(scored, gold, study))

    done = map_tasks(tasks, without, processes if J >= WORTH_FORKING else 1)
    names = [name for name in done[0] if all(name in one for one in done)]
    found: dict[str, dict[str, LeaveOutScores]] = {}
    for probe, metric in names:
        of_worker, of_judgment = (
            np.array([one[probe, metric] for (of, _), one in zip(tasks, done, strict=True) if of == which])
            for which in (0, 1)
        )
        found.setdefault(probe, {})[metric] = LeaveOutScores(of_worker, of_judgment, who if alone else None)
    return found


def has_one_score(probe: Probe) -> bool:
    """Whether it is scored over all items, and not in several settings or without gold."""
    return bool(probe.runs) and list(probe.settings) == [()]


def _overall(probes: Sequence[Probe], gold: Gold, study: StudyItems) -> Iterator[tuple[tuple[str, str], float]]:
    """Each probe's metrics over all items that have gold."""
    rows = study.rows_of(gold.ids)
    for probe in probes:
        covered = covered_by(probe.runs)[rows]
        runs = [figures_alone(Outputs(probe, run, gold, rows, covered, None)) for run in probe.runs]
        for metric in runs[0]:
            yield (probe.name, metric), float(np.mean([run[metric] for run in runs]))


# Scores and differences of models over items and workers: V = V_I + V_W - V_J, gold made again for the last
# two. An interval over items alone holds gold fixed: it says nothing of what other workers would have given.
# Where groups of workers value different things, tests over items alone reject equal models in 11 to 62 % of
# studies at 5 % (docs/scoring.md).

FEWEST_FOR_TESTS = 5  # of fewer workers all may value the same by chance, and no test of these can see it


def figure_over_workers(
    measured: JackknifedMetric, again: LeaveOutScores | None, released: Figure, within: Range = ANY
) -> Figure:
    """The score with its interval over items and workers; as `released`, over items alone, where there is none.

    Of a correlation everything is taken of Fisher's z, where all deletions have one.
    """
    if again is None or not isinstance(released, Estimate) or len(again.worker) <= FIXED or measured.df < 1:
        return released
    z = measured.on_z
    on_z = None if z is None else _on_z(again)
    scaled, gold = (measured, again) if z is None or on_z is None else (z, on_z)
    parts = scaled.variance, variance(gold.worker), variance(gold.judgment)
    is_lost = not np.isfinite([*gold.worker, *gold.judgment, *parts]).all()
    if is_lost:
        return released
    v, df = _combined(parts, scaled.df, gold.worker)
    if math.sqrt(v) < SAME:
        return released
    below, above = (t_quantile(1 - tail, df) * math.sqrt(v) for tail in within.tails)
    if scaled is measured:
        limits, scale = within.limits(measured.theta, below, above), within.scale
    else:
        limits, scale = (math.tanh(scaled.theta - below), math.tanh(scaled.theta + above)), CORRELATION.scale
    if limits is None:
        return released
    limits, cut = measured.cut(limits)
    scale += cut
    what = released.method.partition("; jackknife over")[0].partition("; no interval")[0]
    over, sides = f"{measured.size} {measured.units} and {_who(again)}", tails_in_method(within.tails)
    how = f"{what}; two-way jackknife over {over}{scale}, t with {df:.1f} df{sides}"
    influential = most_influential(again.worker, again.workers)
    return Estimate(released.estimate, *limits, released.n, how, "items and workers", influential)


def gap_over_workers(gap: Gap, first: LeaveOutScores | None, second: LeaveOutScores | None) -> Gap:
    """The difference with the variance that other workers add; as it is where there are fewer than five, or no test.

    Its p takes the workers' part of the variance in part about 0, as if the hypothesis were true: a handful of workers
    who happen to value the same have a small variance about their mean. Means over people's answers need none of that.
    """
    if first is None or second is None or gap.why or not gap.se > SAME or gap.u < 2:
        return gap
    workers = len(first.worker)
    if workers < FEWEST_FOR_TESTS:
        return gap
    slope = 1.0
    if gap.z is not None:
        of_z = [_on_z(one) for one in (first, second)]
        if of_z[0] is None or of_z[1] is None:
            return gap
        first, second = of_z[0], of_z[1]
        slope = slope_of_z(*np.tanh(gap.z).tolist())
    by_worker = slope * (first.worker - second.worker)
    parts = gap.se**2, variance(by_worker), variance(slope * (first.judgment - second.judgment))
    if not np.isfinite([*by_worker, *parts]).all():
        return gap
    v, df = _combined(parts, gap.df, by_worker)
    own = max(parts[1] - parts[2], 0.0)
    pull = 0.0 if first.is_mean else PULL * own / (own + parts[0]) / (workers - 1)
    return replace(gap, se=math.sqrt(v), df=df, pull=pull, workers=_who(first))


PULL = 0.6  # how much of the workers' part is taken about 0: with none tests reject up to 10 %, with all 4 %


def _combined(parts: tuple[float, float, float], df_i: float, by_worker: Floats) -> tuple[float, float]:
    """V and its df."""
    v_i, v_w, v_j = parts
    v = max(v_i + v_w - v_j, v_i, v_w)
    nu = effective_workers(by_worker) or len(by_worker) - 1.0
    return v, combined_df(v, parts, df_i, nu)


def _on_z(again: LeaveOutScores) -> LeaveOutScores | None:
    """Fisher's z of the scores with gold made again; None where one of them is 1, -1 or undefined."""
    worker, judgment = fisher_z(again.worker), fisher_z(again.judgment)
    if not (np.isfinite(worker).all() and np.isfinite(judgment).all()):
        return None
    return LeaveOutScores(worker, judgment, again.workers, again.is_mean)


def _who(again: LeaveOutScores) -> str:
    who = f"{len(again.worker)} {'groups of workers' if again.workers is None else 'workers'}"
    return who if again.is_mean else f"{who}, gold made again"
