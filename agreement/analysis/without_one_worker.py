"""`influence` of a report: each figure of agreement and of people without the worker who moves it furthest."""

from __future__ import annotations

from ..cleaning.cleaning_run import Cleaning
from ..estimation.estimate import Estimate, Figure, MostInfluential, Undefined
from ..judgments.order_of_answers import in_order_of_answers
from ..people.agreement_report import AgreementReport
from ..report.people_and_models import FigureWithout, Influence, PersonAgainstOthers
from ..typical_filters import Filter
from .run_statistics import (
    RunStatistics,
    agreement_parts,
    bound_of,
    of_pairs,
    person_against_others,
)

LIMITS_UP_TO = 10_000  # judgments; of more, making the figures again would take as long as the rest of the analysis


def without_one_worker(cleaning: Cleaning, measured: RunStatistics, *, seed: int, how: Filter) -> tuple[Influence, ...]:
    """One row per statistic. `warned` where the worker's share of the workers' variance passes the 99 % point.

    `without` is the figure of all other workers, made again from their judgments, with its own interval.
    """
    figures = {
        **_of_agreement(measured.cleaned),
        **_of_person(measured.leave_one_out),
        "upper_bound": measured.upper_bound,
        "pairwise": measured.pairwise,
        "noise_lower": measured.noise_lower,
        "noise_upper": measured.noise_upper,
    }
    moved = {
        name: (figure.most_influential_worker, int(figure.most_influential_worker.worker))
        for name, figure in figures.items()
        if isinstance(figure, Estimate) and figure.most_influential_worker is not None
    }
    again: dict[int, set[str]] = {}
    if len(measured.kept.item) <= LIMITS_UP_TO:
        for name, (_, worker) in moved.items():
            again.setdefault(worker, set()).add(name.partition(".")[0])
    ids = measured.crowd.workers
    made = {
        worker: _made_without(cleaning, str(ids[worker]), names, seed=seed, how=how) for worker, names in again.items()
    }
    return tuple(
        Influence(
            statistic=name,
            worker=str(ids[worker]),
            share_of_variance=one.share,
            warned=one.is_unusual,
            without=_without(made.get(worker, {}).get(name), one),
        )
        for name, (one, worker) in moved.items()
    )


def _made_without(cleaning: Cleaning, worker: str, names: set[str], *, seed: int, how: Filter) -> dict[str, Figure]:
    """The figures of everybody else by their places: of the statistics that are named, and what they are made of.

    Intervals are the jackknife's: no samples are drawn.
    """
    left_out = cleaning.crowd.worker == cleaning.crowd.workers.get_loc(worker)
    crowd, others = in_order_of_answers(cleaning.crowd, cleaning.kept_targets & ~left_out)
    figures: dict[str, Figure] = {}
    if names - {"leave_one_out", "pairwise"}:
        parts = agreement_parts(crowd, others, seed=seed, replicates=0)
        agreement = parts.joined([call() for call in parts.calls])
        figures |= _of_agreement(agreement)
        figures["upper_bound"] = bound_of(crowd, others, agreement.split_half.headline)
    if "pairwise" in names:
        figures["pairwise"] = of_pairs(crowd, others, seed=seed)
    if "leave_one_out" in names:
        figures |= _of_person(person_against_others(crowd, others, seed=seed, how=how))
    return figures


def _of_agreement(report: AgreementReport) -> dict[str, Figure]:
    """Every figure of all answers, by its place."""
    return {".".join(path): statistic.headline for path, statistic in report.statistics().items()}


def _of_person(person: PersonAgainstOthers) -> dict[str, Figure]:
    forms = {"mean": person.mean, "weighted": person.weighted, "pooled": person.pooled}
    return {f"leave_one_out.{form}": figure for form, figure in forms.items()}


def _without(figure: Figure | None, one: MostInfluential) -> FigureWithout | Undefined:
    """The figure of the others; of many judgments, where it wasn't made again, as the deletion gives it."""
    if figure is None:
        return FigureWithout(estimate=one.estimate, low=None, high=None)
    if isinstance(figure, Undefined):
        return figure
    return FigureWithout(estimate=figure.estimate, low=figure.low, high=figure.high, over=figure.over)
