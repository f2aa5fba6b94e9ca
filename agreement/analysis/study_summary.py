"""What the pages about a study that is being collected show: figures of the crowd, of each worker and of each item.

All from one crowd by sums over its judgments. Agreement leaves out who is excluded; everything else counts everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt

from ..arrays import count_by, median_by
from ..cleaning.cleaning_run import Cleaning, clean
from ..cleaning.rule_set import RuleSet
from ..cleaning.rules.disagreement import agreement_with_others
from ..cleaning.rules.straight_lining import longest_runs
from ..durations import ANSWER_SECONDS, DAY, HOUR, AnswerTimes, OverTime
from ..errors import Refused
from ..estimation.estimate import Estimate, Undefined
from ..figures.figure import records
from ..judgments.crowd import Crowd, Mask, sample_of
from ..kinds.answers import Properties
from ..kinds.statistics import statistics_of
from ..people.agreement_without_each_worker import Influence, influence_of, measure_of
from ..people.similar_workers import annotator_matrix
from ..screening.evidence import kinds_of, sentence_of
from ..screening.screen import screen

Column = npt.NDArray[Any]
# So many bars show how judgments came in; each is an hour or a whole number of days.
MOST_BARS = 72


class FigureFacts(TypedDict, total=False):
    """A figure, or why it is `undefined`."""

    undefined: str
    name: str
    estimate: float
    low: float | None
    high: float | None
    method: str
    items: int


class DistributionFacts(TypedDict):
    axis: str
    rows: list[dict[str, object]]


class MatrixFacts(TypedDict):
    """Workers, and of each pair that shares items both workers, how many items, and their agreement."""

    workers: list[int]
    pairs: list[list[Any]]


class SuspectFacts(TypedDict):
    worker: int
    kinds: list[str]
    sentence: str


class Facts(TypedDict):
    """Ready for JSON. Workers are codes of the crowd; where they are stored, the keys of participations."""

    judgments: int
    agreement: FigureFacts
    most_influential: int | None
    checks_note: str
    distribution: DistributionFacts
    over_time: OverTime
    answer_seconds: AnswerTimes
    matrix: MatrixFacts
    suspects: list[SuspectFacts]
    not_screened: str


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """`workers` and `items` are columns over the crowd's workers [W] and items [N]."""

    facts: Facts
    workers: Mapping[str, Column]
    items: Mapping[str, Column]


def summarise(crowd: Crowd, rules: RuleSet, excluded: Mask) -> Summary:
    """`rules` say which answers to checks fail; `excluded` [W] are the workers whose exclusion is in force."""
    declared, targets = statistics_of(crowd.kind), crowd.on_target
    counting = targets & ~excluded[crowd.worker]
    sample = sample_of(crowd, counting)
    influence = influence_of(
        sample.item, sample.worker, sample.answers, measure_of(crowd, sample), n_workers=crowd.n_workers
    )
    checks, note = _checks(crowd, rules)
    everybody = sample_of(crowd, targets)
    distribution = declared.distribution(crowd, targets)
    times = np.asarray(crowd.extras["response_ms"], dtype=np.float64)
    suspects, not_screened = _screened(crowd, excluded)
    facts: Facts = {
        "judgments": int(targets.sum()),
        "agreement": _figure(influence),
        "most_influential": influence.most_influential,
        "checks_note": note,
        "distribution": {"axis": distribution.axis, "rows": list(records(distribution.rows))},
        "over_time": over_time(crowd),
        "answer_seconds": answer_seconds(crowd),
        "matrix": _matrix(crowd, counting),
        "suspects": suspects,
        "not_screened": not_screened,
    }
    workers = {
        "judgments": count_by(crowd.worker[targets], crowd.n_workers),
        "checks": checks[0],
        "checks_failed": checks[1],
        "agreement": agreement_with_others(crowd, targets, others=counting),
        "median_seconds": median_by(crowd.worker[targets], times[targets], crowd.n_workers) / 1000,
        "longest_run": longest_runs(crowd, targets),
        "without": np.where(excluded, np.nan, influence.without),
    }
    items = {
        "judgments": count_by(crowd.item[targets], crowd.n_items),
        "contested": declared.contested(everybody, crowd.n_items, len(crowd.labels)),
        "median_seconds": median_by(crowd.item[targets], times[targets], crowd.n_items) / 1000,
    }
    return Summary(facts, workers, items)


def _figure(influence: Influence) -> FigureFacts:
    figure = influence.figure
    if not isinstance(figure, Estimate):
        return {"undefined": figure.why}
    return {
        "name": influence.name,
        "estimate": figure.estimate,
        "low": figure.low,
        "high": figure.high,
        "method": figure.method.removeprefix(f"{influence.name}; ").capitalize(),
        "items": figure.n,
    }


def _checks(crowd: Crowd, rules: RuleSet) -> tuple[tuple[Column, Column], str]:
    """[W] answers to checks that rules look at, and how many failed; and why there are none, where rules don't fit."""
    only = replace(rules, rules=rules.checks, minimum_checks=0)
    try:
        cleaning: Cleaning = clean(crowd, only)
    except Refused as refused:
        nothing = np.zeros(crowd.n_workers, dtype=np.int64)
        return (nothing, nothing), " ".join(refused.reasons)
    return (cleaning.checks, cleaning.checks_failed), ""


def _screened(crowd: Crowd, excluded: Mask) -> tuple[list[SuspectFacts], str]:
    """Whose answers look careless, by code, in words that name nobody; or why nobody could be screened."""
    took_part = np.bincount(crowd.worker, minlength=crowd.n_workers) > 0
    screened = screen(crowd, crowd.on_target, took_part & ~excluded)
    if isinstance(screened, Undefined) or screened.why_not:
        return [], screened.why if isinstance(screened, Undefined) else screened.why_not
    named = np.flatnonzero(screened.found.named & ~excluded).tolist()
    suspects: list[SuspectFacts] = [
        {"worker": who, "kinds": list(kinds_of(screened, who)), "sentence": sentence_of(screened, who)} for who in named
    ]
    return suspects, ""


def _matrix(crowd: Crowd, which: Mask) -> MatrixFacts:
    """Pairs of workers by code; none for answers on which nothing says how far two agree."""
    declared = statistics_of(crowd.kind)
    if declared.agrees is None or isinstance(crowd.answers, Properties) or not which.any():
        return {"workers": [], "pairs": []}
    sample = sample_of(crowd, which)
    matrix = annotator_matrix(sample.item, sample.worker, sample.answers, declared.agrees_by)
    pairs = zip(matrix.a.tolist(), matrix.b.tolist(), matrix.shared.tolist(), matrix.agreement.tolist(), strict=True)
    return {"workers": matrix.workers.tolist(), "pairs": [list(pair) for pair in pairs]}


def over_time(crowd: Crowd) -> OverTime:
    """All judgments by the hour, or by so many whole days that the bars can be seen; `start` is in minutes of 1970."""
    minutes = _minutes(crowd)
    if not len(minutes):
        return {"start": 0, "step": HOUR, "counts": [], "last_day": 0}
    first, last = int(minutes.min()), int(minutes.max())
    step = HOUR
    if (last - first) // HOUR >= MOST_BARS:
        step = DAY * -(-(last - first + 1) // (DAY * MOST_BARS))
    start = first - first % (HOUR if step == HOUR else DAY)
    counts = count_by((minutes - start) // step, (last - start) // step + 1)
    recent = int((minutes > last - DAY).sum())
    return {"start": start, "step": step, "counts": counts.tolist(), "first": first, "last": last, "last_day": recent}


def _minutes(crowd: Crowd) -> npt.NDArray[np.int64]:
    """[J] when each judgment was given, in minutes since 1970; empty where that isn't known."""
    times = crowd.extras["submitted_at"]
    if not hasattr(times, "cat") or not len(times):
        return np.empty(0, dtype=np.int64)
    texts = [str(text).removesuffix("Z") for text in times.cat.categories]
    return np.array(texts, dtype="datetime64[m]").astype(np.int64)[times.cat.codes.to_numpy()]


def answer_seconds(crowd: Crowd) -> AnswerTimes:
    """How many answers to target items took how long, where the browser said it."""
    seconds = np.asarray(crowd.extras["response_ms"], dtype=np.float64)[crowd.on_target] / 1000
    seconds = seconds[~np.isnan(seconds)]
    counts, _ = np.histogram(seconds, bins=np.array(ANSWER_SECONDS))
    return {"counts": counts.tolist(), "median": float(np.median(seconds)) if len(seconds) else None}
