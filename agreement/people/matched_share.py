"""Matched share: a model on each worker's own items and gold, over that worker, so that both face the same task."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints
from ..estimation.estimate import Estimate, Figure, Undefined
from ..estimation.intervals import ANY, SAME
from ..estimation.two_way_jackknife import DeletedGroups, grouped_estimate, interval_of, leave_groups_out
from ..typed_json import INLINE
from ..typical_filters import Filter
from .leave_one_out import LEAST_ITEMS, STILL_ENOUGH
from .leave_one_out_round import people_of
from .person_metrics import AnyPeople, PersonMetrics


@dataclass(frozen=True, slots=True)
class MatchedShare:
    """`share` = (mean model_w - c) / (mean r_w - c), with the two means over the `workers` who count.

    `chance` is c, what the best constant answer gets on the same items against the same gold, 0 for correlations.
    """

    share: Figure = field(metadata=INLINE)
    model: Figure
    person: Figure
    workers: int
    chance: float = 0.0


def matched_share(
    metrics: PersonMetrics,
    item: Ints,
    worker: Ints,
    answers: npt.NDArray[np.generic],
    n_items: int,
    labels: Sequence[str] = (),
    *,
    probe: Floats,
    rng: np.random.Generator,
    metric: str | None = None,
    typical_filter: Filter = "typical",
    least_items: int = LEAST_ITEMS,
    processes: int | None = None,
    fixed_workers: bool = False,
) -> MatchedShare:
    """The probe's outputs ([N], or [N, L] shares) put in the place of each worker, against the others' gold.

    The level of chance c is the highest mean over workers that any one label gets as the answer to every item. The
    interval is the two-way jackknife of log(model - c) - log(person - c), c too made again in each deletion. Undefined
    where the person's own lower limit reaches c: a share of nothing. An item without output is wrong for accuracies;
    for numbers it is left out on both sides.
    """
    name = metric or metrics.default
    if metrics.of_numbers:
        covered = np.isfinite(probe)[item]
        item, worker, answers = item[covered], worker[covered], answers[covered]
    people = people_of(metrics, item, worker, answers, n_items, len(labels), name, typical_filter)
    return share_of(
        people,
        probe,
        labels,
        rng=rng,
        least_items=least_items,
        processes=processes,
        fixed_workers=fixed_workers,
    )


def share_of(
    people: AnyPeople,
    probe: Any,
    labels: Sequence[str] = (),
    *,
    rng: np.random.Generator,
    least_items: int = LEAST_ITEMS,
    processes: int | None = None,
    fixed_workers: bool = False,
) -> MatchedShare:
    """The same of people as they are scored, and of a probe as their `round` takes it."""
    counts = _both_count(people, probe, least_items)
    n = int(counts.sum())
    if not n:
        none = Undefined(f"matched share: no worker has {least_items} items on which both they and the model score")
        return MatchedShare(none, none, none, 0)
    model, person, constants = _means(people, probe, counts, None)
    c = float(constants.max(initial=0.0))

    def figures(keep: Bools, *, whole_items: bool = False) -> Floats:
        a, b, of_constants = _means(people, probe, counts, keep, whole_items=whole_items)
        c = of_constants.max(initial=0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.array([a, b, np.log(a - c) - np.log(b - c)])

    shorter = partial(figures, whole_items=True)
    deleted = leave_groups_out(people.item, people.worker, rng, figures, processes, without_items=shorter)
    deleted = replace(deleted, fixed_workers=fixed_workers)
    within = people.scored_by.within
    of_model = grouped_estimate(model, deleted, 0, None, n=n, within=within, what="model on the workers' own items")
    of_person = grouped_estimate(person, deleted, 1, None, n=n, within=within, what="typical person, same workers")
    above = (
        f"{c:.4f}, what the best constant answer gets ({labels[int(constants.argmax())]})" if len(constants) else "0"
    )
    if why := _reason_against(of_person, c, above):
        return MatchedShare(Undefined(f"matched share: {why}"), of_model, of_person, n, c)
    share = _share((model - c) / (person - c), deleted, n, f"matched share above chance, {above}")
    return MatchedShare(share, of_model, of_person, n, c)


def _reason_against(of_person: Estimate, c: float, chance: str) -> str:
    """Why a share of a person who may be at chance isn't given, or ""."""
    own = "a person's own score on the same items"
    if of_person.estimate <= c:
        return f"{own}, {of_person.estimate:.4f}, isn't above chance, {chance}"
    if of_person.low is None:
        return f"{own} has no interval, so that it may be at chance"
    if of_person.low <= c:
        return f"the interval of {own} begins at {of_person.low:.4f}, which isn't above chance, {chance}"
    return ""


def _share(theta: float, deleted: DeletedGroups, n: int, name: str) -> Estimate:
    """Theta with the interval of log theta, brought back."""
    if theta <= SAME:
        return Estimate(theta, None, None, n, f"{name}; no interval: the model isn't above chance")
    interval = interval_of(float(np.log(theta)), deleted, 2, None, ANY)
    if interval.low is None or interval.high is None:
        return Estimate(theta, None, None, n, f"{name}; {interval.method}")
    method = f"{name}; delta method on the logarithms; {interval.method}; {deleted.how}"
    return Estimate(theta, float(np.exp(interval.low)), float(np.exp(interval.high)), n, method, interval.over)


def _both_count(people: AnyPeople, probe: Any, least_items: int) -> Bools:
    own, model = people.beside(probe)
    return (own.n_items >= least_items) & np.isfinite(own.values) & np.isfinite(model.values)


def _means(
    people: AnyPeople, probe: Any, counts: Bools, keep: Bools | None, *, whole_items: bool = False
) -> tuple[float, float, Floats]:
    """The mean over workers of the model, of themselves, and [L] of each label as a constant answer, if it has any."""
    own, model = people.beside(probe, keep, whole_items=whole_items)
    is_counted = counts & np.isfinite(own.values) & np.isfinite(model.values) & (own.n_items >= STILL_ENOUGH)
    if not is_counted.any():
        return float("nan"), float("nan"), np.zeros(0)
    of_labels = people.constants(keep)
    constants = np.zeros(0) if of_labels is None else of_labels[is_counted].mean(axis=0)
    return float(model.values[is_counted].mean()), float(own.values[is_counted].mean()), constants
