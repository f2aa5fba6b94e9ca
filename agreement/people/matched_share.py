"""Matched share: a model on each worker's own items and gold, over that worker, so that both face the same task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints
from ..estimation.estimate import Estimate, Figure, Undefined, stream
from ..estimation.intervals import ANY, SAME, Range
from ..estimation.two_way_jackknife import DeletedGroups, grouped_estimate, interval_of, leave_groups_out
from ..typed_json import INLINE
from ..typical_filters import Filter
from .leave_one_out import LEAST_ITEMS, STILL_ENOUGH
from .leave_one_out_round import people_of
from .person_metrics import AnyPeople, PersonMetrics, Round


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


def matched_shares(
    metrics: PersonMetrics,
    item: Ints,
    worker: Ints,
    answers: npt.NDArray[np.generic],
    n_items: int,
    labels: Sequence[str] = (),
    *,
    probes: Sequence[Floats],
    seed: int,
    metric: str | None = None,
    typical_filter: Filter = "typical",
    least_items: int = LEAST_ITEMS,
    processes: int | None = None,
    fixed_workers: bool = False,
) -> list[MatchedShare]:
    """Each probe's outputs ([N], or [N, L] shares) put in the place of each worker, against the others' gold.

    The level of chance c is the highest mean over workers that any one label gets as the answer to every item. The
    interval is the two-way jackknife of log(model - c) - log(person - c), c too made again in each deletion. Undefined
    where the person's own lower limit reaches c: a share of nothing. An item without output is wrong for accuracies;
    for numbers it is left out on both sides. Probes with outputs for the same items share the people's own rounds.
    """
    covered = [np.isfinite(probe) if metrics.of_numbers else np.ones(n_items, dtype=np.bool_) for probe in probes]
    shares: dict[int, MatchedShare] = {}
    for outputs in dict.fromkeys(mask.tobytes() for mask in covered):
        which = [number for number, mask in enumerate(covered) if mask.tobytes() == outputs]
        has_output = covered[which[0]][item]
        people = people_of(
            metrics,
            item[has_output],
            worker[has_output],
            answers[has_output],
            n_items,
            len(labels),
            metric or metrics.default,
            typical_filter,
        )
        of_these = shares_of(
            people,
            [people.in_their_place(probes[number]) for number in which],
            labels,
            seed=seed,
            least_items=least_items,
            processes=processes,
            fixed_workers=fixed_workers,
        )
        shares |= zip(which, of_these, strict=True)
    return [shares[number] for number in range(len(probes))]


def shares_of(
    people: AnyPeople,
    probes: Sequence[Any],
    labels: Sequence[str] = (),
    *,
    seed: int,
    least_items: int = LEAST_ITEMS,
    processes: int | None = None,
    fixed_workers: bool = False,
) -> list[MatchedShare]:
    """The same of people as they are scored, and of probes as their `beside` takes them."""
    own, *models = people.beside(probes)
    has_enough = (own.n_items >= least_items) & np.isfinite(own.values)
    counts = [has_enough & np.isfinite(model.values) for model in models]
    counted = [number for number, who in enumerate(counts) if who.any()]

    def means(keep: Bools | None = None, *, whole_items: bool = False) -> list[_Means]:
        own, *models = people.beside([probes[number] for number in counted], keep, whole_items=whole_items)
        constants = people.constants(keep)
        each = zip(counted, models, strict=True)
        return [_means(counts[number], own, model, constants) for number, model in each]

    def figures(keep: Bools, *, whole_items: bool = False) -> Floats:
        return np.concatenate([_as_figures(each) for each in means(keep, whole_items=whole_items)])

    shares = [_nobody_counts(least_items)] * len(probes)
    if not counted:
        return shares
    shorter, rng = partial(figures, whole_items=True), stream(seed, "matched_share")
    deleted = leave_groups_out(people.item, people.worker, rng, figures, processes, without_items=shorter)
    deleted = replace(deleted, fixed_workers=fixed_workers)
    for place, (number, theta) in enumerate(zip(counted, means(), strict=True)):
        n = int(counts[number].sum())
        shares[number] = _share_of(theta, deleted, FIGURES * place, n, people.scored_by.within, labels)
    return shares


def _nobody_counts(least_items: int) -> MatchedShare:
    none = Undefined(f"matched share: no worker has {least_items} items on which both they and the model score")
    return MatchedShare(none, none, none, 0)


def _share_of(
    theta: _Means, deleted: DeletedGroups, first: int, n: int, within: Range, labels: Sequence[str]
) -> MatchedShare:
    """One model's share, its figures in the deletions from the `first` on."""
    model, person, c = theta.model, theta.person, theta.chance
    of_model = grouped_estimate(model, deleted, first, None, n=n, within=within, what="model on the workers' own items")
    of_person = grouped_estimate(
        person, deleted, first + 1, None, n=n, within=within, what="typical person, same workers"
    )
    above = "0"
    if len(theta.constants):
        above = f"{c:.4f}, what the best constant answer gets ({labels[int(theta.constants.argmax())]})"
    if why := _reason_against(of_person, c, above):
        return MatchedShare(Undefined(f"matched share: {why}"), of_model, of_person, n, c)
    share = _ratio((model - c) / (person - c), deleted, first + 2, n, f"matched share above chance, {above}")
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


def _ratio(theta: float, deleted: DeletedGroups, at: int, n: int, name: str) -> Estimate:
    """Theta with the interval of log theta, brought back."""
    if theta <= SAME:
        return Estimate(theta, None, None, n, f"{name}; no interval: the model isn't above chance")
    interval = interval_of(float(np.log(theta)), deleted, at, None, ANY)
    if interval.low is None or interval.high is None:
        return Estimate(theta, None, None, n, f"{name}; {interval.method}")
    method = f"{name}; delta method on the logarithms; {interval.method}; {deleted.how}"
    return Estimate(theta, float(np.exp(interval.low)), float(np.exp(interval.high)), n, method, interval.over)


FIGURES = 3  # of each model, in each deletion


@dataclass(frozen=True, slots=True, eq=False)
class _Means:
    """The mean over workers of the model, of themselves, and [L] of each label as a constant answer, if it has any."""

    model: float
    person: float
    constants: Floats

    @property
    def chance(self) -> float:
        return float(self.constants.max(initial=0.0))


def _means(counts: Bools, own: Round, model: Round, constants: Floats | None) -> _Means:
    is_counted = counts & np.isfinite(own.values) & np.isfinite(model.values) & (own.n_items >= STILL_ENOUGH)
    if not is_counted.any():
        return _Means(float("nan"), float("nan"), np.zeros(0))
    of_labels = np.zeros(0) if constants is None else constants[is_counted].mean(axis=0)
    return _Means(float(model.values[is_counted].mean()), float(own.values[is_counted].mean()), of_labels)


def _as_figures(means: _Means) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.log(means.model - means.chance) - np.log(means.person - means.chance)
    return np.array([means.model, means.person, share])
