"""Many models: tiers, equivalence within a margin, and the power of each comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..kinds.statistics import statistics_of
from ..scoring.comparison import PairOfModels, Tiers, compare_all, tiers_of
from ..scoring.crowd_gold import scores_without_workers
from ..scoring.metrics import METRICS, is_in_words, smaller_is_better, title_of
from ..scoring.paired_tests import Difference
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

HOW = (
    "Models are in tiers: the first has those that no other model is better than, by the paired t, two-sided at .05"
    " after Holm's correction over all pairs of a metric."
)


def _scope_of_tests(pairs: Sequence[PairOfModels]) -> str:
    """What the tests generalise to."""
    with_workers = sum(bool(pair.gap.workers) for pair in pairs)
    if with_workers == len(pairs) and pairs:
        return "over items and workers"
    return "over items alone, for these workers" if not with_workers else "over items and workers, or over items alone"


def _reason_against(inputs: AnalysisInput) -> str:
    models = _probes(inputs)
    return "" if len(models) >= 2 else f"it compares two models or more, and there {_count_text(len(models))}"


def _count_text(count: int) -> str:
    return "is one" if count == 1 else "are none"


def _probes(inputs: AnalysisInput) -> list[Probe]:
    takes = statistics_of(inputs.crowd.kind).shapes
    return [probe for probe in inputs.named_probes if probe.shape in takes]


def _ranked(scored: list[ProbeScores], metric: str) -> dict[str, float]:
    """Scores of the models that may stand in a ranking by that metric, and that have a figure with its deletions."""
    thetas = {}
    for one in scored:
        score = one.overall().get(metric)
        if score is not None and score.measured is not None and one.ranks(metric):
            measured = score.measured
            if measured.is_defined and len(measured.without) > 1 and np.isfinite(measured.without).all():
                thetas[one.probe] = measured.theta
    return thetas


def _tiers(
    thetas: Mapping[str, float],
    metric: str,
    margin: float | None,
    compared: Sequence[Difference],
    released: Sequence[Difference],
) -> Tiers:
    """Of the pairs as the report's own comparisons have them, Holm's correction over all of a metric's pairs too."""
    own, over_items = (
        {
            (pair.first, pair.second): pair
            for pair in pairs
            if pair.metric == metric and {pair.first, pair.second} <= thetas.keys()
        }
        for pairs in (compared, released)
    )
    return tiers_of(
        thetas,
        {names: pair.gap for names, pair in own.items()},
        smaller_is_better=smaller_is_better(metric),
        margin=margin,
        over_items={names: pair.gap for names, pair in over_items.items()},
        p_holm={names: pair.p_all for names, pair in own.items()},
    )


def _metrics(scored: Sequence[ProbeScores], inputs: AnalysisInput) -> list[str]:
    """The kind's first metric, then all that rank and are printed; of workers who are a sample those that hold for
    others alone.
    """
    scored_metrics = dict.fromkeys(metric for one in scored for metric in one.overall() if metric in METRICS)
    first = statistics_of(inputs.crowd.kind).first_metric
    return [
        metric
        for metric in sorted(scored_metrics, key=lambda name: name != first)
        if METRICS[metric].ranks
        and is_in_words(metric)
        and (inputs.crowd.fixed_workers or METRICS[metric].holds_for_other_workers)
    ]


def _compute(inputs: AnalysisInput) -> FurtherResult:
    margin = float(inputs.argument) if inputs.argument else None
    scored = [score_probe(probe, inputs.gold, inputs.study, breakdowns=[]) for probe in _probes(inputs)]
    again = scores_without_workers(inputs.crowd, inputs.kept, inputs.gold, _probes(inputs), inputs.study, inputs.seed)
    metrics = _metrics(scored, inputs)
    released = compare_all(_probes(inputs), scored, inputs.gold, inputs.study, metrics)
    compared = compare_all(_probes(inputs), scored, inputs.gold, inputs.study, metrics, again) if again else released
    by_metric: dict[str, tuple[Tiers, dict[str, float]]] = {}
    for metric in metrics:
        thetas = _ranked(scored, metric)
        if len(thetas) >= 2:
            by_metric[metric] = _tiers(thetas, metric, margin, compared, released), thetas
    over = _scope_of_tests([pair for tiers, _ in by_metric.values() for pair in tiers.pairs])
    says = [f"{HOW} The tests are {over}."]
    if by_metric:
        head = next(iter(by_metric))
        says.append(_tiers_sentence(head, by_metric[head][0], margin))
        if len(by_metric) > 1:
            more = len(by_metric) - 1
            says.append(f"The tables have {more} more metric{'s' if more > 1 else ''}.")
        left = [one.probe for one in scored if one.probe not in by_metric[head][1]]
        if left:
            says.append(f"Not compared, for they miss items or have no test: {', '.join(left)}.")
    else:
        says.append("No metric has two models with a test.")
    return FurtherResult(says, [_tiers_table(by_metric), _pairs_table(by_metric, margin)])


def _tiers_sentence(metric: str, tiers: Tiers, margin: float | None) -> str:
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
    most = min(largest_difference(metric), pair.gap.most)
    return pair.detectable if (pair.detectable or 0.0) <= most else None


def _tiers_table(compared: Mapping[str, tuple[Tiers, dict[str, float]]]) -> Table:
    rows: list[dict[str, Cell]] = [
        {"metric": title_of(metric), "model": name, "tier": tier, "score": thetas[name]}
        for metric, (tiers, thetas) in compared.items()
        for name, tier in tiers.tier.items()
    ]
    return Table(
        name="tiers",
        caption="Tiers of models: nobody in the first is significantly worse than another one (paired t, Holm over all"
        " pairs of a metric).",
        columns={"metric": "Metric", "model": "Model", "score": "Score", "tier": "Tier"},
        rows=rows,
    )


def _pairs_table(compared: Mapping[str, tuple[Tiers, dict[str, float]]], margin: float | None) -> Table:
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
        caption="Every two models: p of the paired t after Holm's correction over all pairs of a metric (intervals of"
        " differences aren't corrected); the difference that is found with power .8 with these items; and"
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
        "items_for_margin": _whole_number(pair.items_for_margin),
        "items_for_difference": _whole_number(pair.items_for_difference),
    }


def _whole_number(items: float | None) -> int | None:
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
    why_not=_reason_against,
    compute=_compute,
)
