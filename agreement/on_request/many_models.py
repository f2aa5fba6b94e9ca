"""Many models: tiers, equivalence within a margin, and the power of each comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

import numpy as np

from ..kinds.statistics import statistics_of
from ..scoring.comparison import PairOfModels, Tiers, tiers_of
from ..scoring.crowd_gold import gold_maker
from ..scoring.jackknifed_metric import JackknifedMetric
from ..scoring.metrics import METRICS, is_in_words, smaller_is_better, title_of
from ..scoring.other_workers import LeaveOutScores, gap_over_workers, scores_again
from ..scoring.paired_tests import ProbeCovariances
from ..scoring.probe import Probe
from ..scoring.score import ProbeScores, score_probe
from .further_analysis import (
    AnalysisInput,
    Argument,
    Cell,
    FurtherAnalysis,
    FurtherResult,
    Table,
    number_between,
)

AllAgain: TypeAlias = Mapping[str, Mapping[str, LeaveOutScores]]
HOW = (
    "Models are in tiers: the first has those that no other model is better than, by the paired t, two-sided at .05"
    " after Holm's correction over all pairs of a metric."
)


def _over(pairs: Sequence[PairOfModels]) -> str:
    """What the tests generalise to."""
    with_workers = sum(bool(pair.gap.workers) for pair in pairs)
    if with_workers == len(pairs) and pairs:
        return "over items and workers, gold made again without workers"
    return "over items alone, for these workers" if not with_workers else "over items and workers, or over items alone"


def _why_not(inputs: AnalysisInput) -> str:
    models = _probes(inputs)
    return "" if len(models) >= 2 else f"it compares two models or more, and there {_are(len(models))}"


def _are(count: int) -> str:
    return "is one" if count == 1 else "are none"


def _probes(inputs: AnalysisInput) -> list[Probe]:
    takes = statistics_of(inputs.crowd.kind).shapes
    return [probe for probe in inputs.named_probes if probe.shape in takes]


def _measured(scored: list[ProbeScores], metric: str) -> dict[str, JackknifedMetric]:
    """Models that may stand in a ranking by that metric, and that have a figure with its deletions."""
    by_model = {}
    for one in scored:
        score = one.overall().get(metric)
        if score is not None and score.measured is not None and one.ranks(metric):
            measured = score.measured
            if measured.is_defined and len(measured.without) > 1 and np.isfinite(measured.without).all():
                by_model[one.probe] = measured
    return by_model


def _tiers(measured: Mapping[str, JackknifedMetric], metric: str, margin: float | None, again: AllAgain) -> Tiers:
    """Over items and workers where gold was made again without workers."""
    together = ProbeCovariances.of(measured)
    released = {(a, b): together.gap(measured[a], measured[b], a, b) for a, b in combinations(measured, 2)}
    gaps = {
        pair: gap_over_workers(gap, *(again.get(name, {}).get(metric) for name in pair))
        for pair, gap in released.items()
    }
    thetas = {name: one.theta for name, one in measured.items()}
    smaller = smaller_is_better(metric)
    return tiers_of(thetas, gaps, smaller_is_better=smaller, margin=margin, over_items=released)


def _made_again(inputs: AnalysisInput) -> AllAgain:
    """By probe and metric, the scores with gold made again without workers; nothing where that takes too long."""
    maker = gold_maker(inputs.crowd, inputs.kept, inputs.gold)
    rng = inputs.stream("many-models")
    return {} if maker is None else scores_again(_probes(inputs), inputs.study, inputs.kept.worker, maker, rng)


def _compute(inputs: AnalysisInput) -> FurtherResult:
    margin = float(inputs.argument) if inputs.argument else None
    scored = [score_probe(probe, inputs.gold, inputs.study, breakdowns=[]) for probe in _probes(inputs)]
    again = _made_again(inputs)
    metric_names = dict.fromkeys(metric for one in scored for metric in one.overall() if metric in METRICS)
    first = statistics_of(inputs.crowd.kind).first_metric
    metrics = [m for m in sorted(metric_names, key=lambda m: m != first) if METRICS[m].ranks and is_in_words(m)]
    compared: dict[str, tuple[Tiers, dict[str, JackknifedMetric]]] = {}
    for metric in metrics:
        measured = _measured(scored, metric)
        if len(measured) >= 2:
            compared[metric] = _tiers(measured, metric, margin, again), measured
    over = _over([pair for tiers, _ in compared.values() for pair in tiers.pairs])
    says = [f"{HOW} The tests are {over}."]
    if compared:
        head = next(iter(compared))
        says.append(_said(head, compared[head][0], margin))
        if len(compared) > 1:
            more = len(compared) - 1
            says.append(f"The tables have {more} more metric{'s' if more > 1 else ''}.")
        left = [one.probe for one in scored if one.probe not in compared[head][1]]
        if left:
            says.append(f"Not compared, for they miss items or have no test: {', '.join(left)}.")
    else:
        says.append("No metric has two models with a test.")
    return FurtherResult(says, [_tiers_table(compared), _pairs_table(compared, margin)])


def _said(metric: str, tiers: Tiers, margin: float | None) -> str:
    first = tiers.first
    who = f"{first[0]} is better than all others" if len(first) == 1 else f"{', '.join(first)} can't be told apart"
    parts = [f"By {title_of(metric)}, {who}"]
    if margin is not None:
        pairs = [f"{pair.first} and {pair.second}" for pair in tiers.pairs if pair.is_equivalent]
        parts.append(f"equivalent within {margin:g}: {', '.join(pairs) if pairs else 'no pair'}")
        needed = [pair.items_for_margin for pair in tiers.pairs if pair.detectable is not None]
        known = [items for items in needed if items is not None]
        if needed and len(known) < len(needed):
            parts.append(f"to find a difference of {margin:g} in every pair takes more workers, whatever the items")
        elif known:
            parts.append(f"a difference of {margin:g} would need {np.ceil(max(known)):,.0f} items in every pair")
    else:
        least = [pair.detectable for pair in tiers.pairs if pair.detectable is not None]
        if least and max(least) > largest_difference(metric):
            parts.append("in some pair no difference that scores can have is found with power .8")
        elif least:
            parts.append(f"a difference of {max(least):.3f} is found in every pair with power .8")
    return "; ".join(parts) + "."


def largest_difference(metric: str) -> float:
    """How far apart two scores of a metric can be; infinite where it has no ends."""
    within = METRICS[metric].within
    return within.high - within.low


def _detectable(metric: str, pair: PairOfModels) -> float | None:
    """Blank where no two scores are so far apart."""
    return pair.detectable if (pair.detectable or 0.0) <= largest_difference(metric) else None


def _tiers_table(compared: Mapping[str, tuple[Tiers, dict[str, JackknifedMetric]]]) -> Table:
    rows: list[dict[str, Cell]] = [
        {"metric": title_of(metric), "model": name, "tier": tier, "score": measured[name].theta}
        for metric, (tiers, measured) in compared.items()
        for name, tier in tiers.tier.items()
    ]
    return Table(
        name="tiers",
        caption="Tiers of models: nobody in the first is significantly worse than another one (paired t, Holm over all"
        " pairs of a metric).",
        columns={"metric": "Metric", "model": "Model", "score": "Score", "tier": "Tier"},
        rows=rows,
    )


def _pairs_table(compared: Mapping[str, tuple[Tiers, dict[str, JackknifedMetric]]], margin: float | None) -> Table:
    columns = {
        "metric": "Metric",
        "first": "Model",
        "second": "Other model",
        "difference": "Difference",
        "p": "p (Holm)",
        **({} if margin is None else {"p_equivalent": f"p that they differ by {margin:g} (Holm)"}),
        "detectable": "Detectable difference",
        **({} if margin is None else {"items_for_margin": f"Items for {margin:g}"}),
        "items_for_difference": "Items for this difference",
    }
    rows = [_pair(metric, pair) for metric, (tiers, _) in compared.items() for pair in tiers.pairs]
    return Table(
        name="pairs-of-models",
        caption="Every two models: p of the paired t; the difference that is found with power .8 with these items; and"
        " the items that a power of .8 takes with as many workers (blank: no number would do).",
        columns=columns,
        rows=rows,
    )


def _pair(metric: str, pair: PairOfModels) -> dict[str, Cell]:
    return {
        "metric": title_of(metric),
        "first": pair.first,
        "second": pair.second,
        "difference": pair.gap.figure(METRICS[metric].within),
        "p": pair.p,
        "p_equivalent": pair.p_equivalent,
        "detectable": _detectable(metric, pair),
        "items_for_margin": _whole(pair.items_for_margin),
        "items_for_difference": _whole(pair.items_for_difference),
    }


def _whole(items: float | None) -> int | None:
    return None if items is None else int(np.ceil(min(items, 1e12)))


FURTHER = FurtherAnalysis(
    name="many-models",
    order=4,
    title="Many models",
    asks="Which models can't be told from the best, which are equivalent, and how many items would tell them apart?",
    needs="two models or more",
    docs="Many models",
    argument=Argument(
        label="margin",
        help="a difference that would not matter, on the metrics' own scale: adds tests of equivalence and the items"
        " that finding it takes",
        read=number_between(1e-6, 1e6, "margin"),
    ),
    why_not=_why_not,
    compute=_compute,
)
