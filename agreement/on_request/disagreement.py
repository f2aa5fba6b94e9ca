"""Disagreement as signal: models' distributions against people's, what sampling allows, and agreement item by item."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ..arrays import Floats
from ..estimation.estimate import Estimate, Figure, Undefined
from ..kinds.options import has_own_labels
from ..kinds.statistics import statistics_of
from ..people.people_distributions import (
    LEAST,
    MOST,
    MeanOverDraws,
    People,
    agreement_of_items,
    expected_agreement,
    people_of_counts,
    reachable_scores,
)
from ..scoring.distribution_metrics import BINS, calibration_sums
from ..scoring.groups import Groups
from ..scoring.metric import PooledMetric, ShareMetric
from ..scoring.metrics.of_labels import DISTANCES
from ..scoring.probe import Probe
from ..scoring.score import score_probe
from .further_analysis import MOST_ROWS, OWN_LABELS, AnalysisInput, Cell, FurtherAnalysis, FurtherResult, Table

SIZES = (1, 3, 5, 10, 20, 50)  # judgments per item for which the ceiling is given


def _reason_against(inputs: AnalysisInput) -> str:
    if has_own_labels(inputs.crowd.labels):
        return OWN_LABELS
    if statistics_of(inputs.crowd.kind).takes != "labels" or np.asarray(inputs.kept.answers).ndim != 1:
        return f"it takes one label an answer, and kind {inputs.crowd.kind} has none"
    if len(inputs.crowd.labels) < 2:
        return "there is one label, and nobody can disagree"
    if not (np.bincount(inputs.kept.item, minlength=1) >= 2).any():
        return "no item has two judgments"
    if len(np.unique(np.asarray(inputs.kept.answers))) < 2:
        return "every answer is the same label, and nobody disagreed"
    return ""


def _counts(inputs: AnalysisInput) -> tuple[Floats, npt.NDArray[np.int64]]:
    """[N, L] of items with two judgments or more, and their places among the crowd's items."""
    crowd, kept = inputs.crowd, inputs.kept
    L = len(crowd.labels)
    key = kept.item.astype(np.int64) * L + np.asarray(kept.answers)
    counts = np.bincount(key, minlength=crowd.n_items * L).reshape(-1, L).astype(np.float64)
    places = np.flatnonzero(counts.sum(axis=1) >= 2)
    return counts[places], places


def _compute(inputs: AnalysisInput) -> FurtherResult:
    counts, places = _counts(inputs)
    people = people_of_counts(counts)
    with_shares = [
        probe
        for probe in inputs.named_probes
        if probe.shape == "labels" and all(run.has_probabilities for run in probe.runs)
    ]
    without = [probe.name for probe in inputs.named_probes if probe not in with_shares]
    tables = [
        _scores_table(inputs, people, with_shares),
        _ceiling_table(inputs, people),
        _calibration_table(inputs, with_shares),
        _items_table(inputs, people, places),
    ]
    says = [_scores_sentence(), _sampling_sentence(people), "Agreement item by item has the same model behind it."]
    if without:
        says.append(f"Without probabilities, and so without these scores: {', '.join(without)}.")
    return FurtherResult(says, tables)


def _scores_sentence() -> str:
    return (
        "Models' probabilities were held against the shares of people's answers by Jensen-Shannon divergence, cross"
        " entropy (nats), total variation, the Brier score over people's answers, the correlation of entropies over"
        " items and the calibration error over tenths of probability; intervals are over items, with these people's"
        " shares."
    )


def _sampling_sentence(people: People) -> str:
    return (
        "What sampling allows was simulated: items' distributions of answers are Dirichlet, concentration"
        f" {people.c:.2f} from {_kappa_of(people)}, each given its counts; a model that knew them"
        " exactly, and as many other people as there are judgments, were held against new answers. Workers are taken"
        " as alike."
    )


def _kappa_of(people: People) -> str:
    """What the concentration comes from; it has ends, beyond which nothing would change that can be seen."""
    kappa = f"{1 / (1 + people.c):.3f}"
    if people.c <= LEAST:
        return f"Fleiss' kappa {kappa} or more"
    return f"Fleiss' kappa {kappa}" if people.c < MOST else "Fleiss' kappa 0 or less"


def _scores_table(inputs: AnalysisInput, people: People, probes: list[Probe]) -> Table:
    """Models, then what can be reached with the judgments that there are."""
    rows: list[dict[str, Cell]] = []
    for probe in probes:
        overall = score_probe(probe, inputs.gold, inputs.study, breakdowns=[]).overall()
        figures: dict[str, Figure] = {name: score.figure for name, score in overall.items()}
        rows.append({"who": probe.name, **{metric.name: figures.get(metric.name) for metric in DISTANCES}})
    typical = int(np.median(people.counts.sum(axis=1)))
    best = _reachable_scores(inputs, people, None, None)
    others = _reachable_scores(inputs, people, None, typical)
    rows.append({"who": "a model that knows the distributions", **best})
    rows.append({"who": _others_text(typical), **others})
    return Table(
        name="disagreement",
        caption="Distributions against people's shares, models with intervals over items; below, what could be reached"
        " by a model that knows the distributions behind the answers and by other people (in brackets the range of 95 %"
        " of simulated studies).",
        columns={"who": "Who", **{metric.name: metric.title for metric in DISTANCES}},
        rows=rows,
    )


def _reachable_scores(inputs: AnalysisInput, people: People, n: int | None, others: int | None) -> dict[str, Cell]:
    rng = inputs.stream(f"disagreement {n} {others}")
    scores = reachable_scores(people, n, [_score(metric) for metric in DISTANCES], rng, other_people=others)
    return {metric.name: _figure(one, len(people.counts)) for metric, one in zip(DISTANCES, scores, strict=True)}


def _others_text(n: int) -> str:
    return "1 other person" if n == 1 else f"{n} other people"


def _score(metric: ShareMetric | PooledMetric) -> Callable[[Floats, Floats], float]:
    if isinstance(metric, ShareMetric):
        return lambda p, q: float(np.mean(metric.credit(p, q)))
    return lambda p, q: metric.in_groups(Groups.one(len(p)), p, q)[0].theta


def _figure(one: MeanOverDraws, n: int) -> Figure:
    if np.isnan(one.mean):
        return Undefined("infinite, or never varying")
    return Estimate(one.mean, one.low, one.high, n, "mean and range of 95 % of simulated studies")


def _ceiling_table(inputs: AnalysisInput, people: People) -> Table:
    rows: list[dict[str, Cell]] = []
    for n in SIZES:
        rows.append({"judgments": n, "who": "knows the distributions", **_reachable_scores(inputs, people, n, None)})
        rows.append({"judgments": n, "who": _others_text(n), **_reachable_scores(inputs, people, n, n)})
    return Table(
        name="disagreement-ceiling",
        caption="What n judgments per item allow: a model that knows the distributions behind the answers, and n other"
        " people, against the shares of n.",
        columns={"judgments": "Judgments per item", "who": "Who", **{each.name: each.title for each in DISTANCES}},
        rows=rows,
    )


def _order_text(items: int) -> str:
    return "the least agreed first" if items <= MOST_ROWS else f"the {MOST_ROWS:,} of {items:,} least agreed"


def _calibration_table(inputs: AnalysisInput, probes: list[Probe]) -> Table:
    """The calibration curve: of labels to which a model gives about so much, the share that people gave."""
    rows: list[dict[str, Cell]] = []
    shares = None if inputs.gold.by_label is None else inputs.gold.by_label.shares
    places = inputs.study.rows_of(inputs.gold.ids)
    for probe in probes:
        if shares is None:
            break
        p = np.mean([run.values for run in probe.runs], axis=0)[places]
        total = calibration_sums(p, shares).sum(axis=0)
        for bin_number in range(BINS):
            n, sum_p, sum_q = total[:, bin_number].tolist()
            if n:
                tenth = f"{bin_number / BINS:.1f} to {(bin_number + 1) / BINS:.1f}"
                rows.append(
                    {"model": probe.name, "tenth": tenth, "n": int(n), "mean_p": sum_p / n, "mean_q": sum_q / n}
                )
    return Table(
        name="calibration",
        caption="Calibration: labels of all items by the probability that the model gives them, and the share of people"
        " who chose them.",
        columns={
            "model": "Model",
            "tenth": "Probability",
            "n": "Labels",
            "mean_p": "Mean probability",
            "mean_q": "People's share",
        },
        rows=rows,
    )


def _items_table(inputs: AnalysisInput, people: People, places: npt.NDArray[np.int64]) -> Table:
    """The items on which people agree least first, as many as a table may have."""
    order = np.lexsort((places, expected_agreement(people)))[:MOST_ROWS]
    least = replace(people, counts=people.counts[order])
    posterior = agreement_of_items(least, inputs.stream("disagreement items"))
    ids, labels = inputs.crowd.items["item_id"].to_numpy(), inputs.crowd.labels
    rows: list[dict[str, Cell]] = []
    for index, place in enumerate(places[order].tolist()):
        row = least.counts[index]
        leads = "|".join(label for label, n in zip(labels, row, strict=True) if n == row.max())
        new = Estimate(
            float(posterior.agreement[index]),
            float(posterior.low[index]),
            float(posterior.high[index]),
            int(row.sum()),
            "posterior",
        )
        rows.append(
            {
                "item_id": str(ids[place]),
                "n": int(row.sum()),
                "majority": leads,
                "observed": float(posterior.observed[index]),
                "agreement": new,
                "holds": float(posterior.majority_holds[index]),
            }
        )
    return Table(
        name="agreement-of-items",
        caption=f"Agreement item by item, {_order_text(len(places))}: the share of pairs of judgments that agree, the"
        " chance that two new people would agree (95 % posterior limits), and the chance that the majority's label is"
        " the commonest in the population.",
        columns={
            "item_id": "Item",
            "n": "Judgments",
            "majority": "Majority",
            "observed": "Pairs that agree",
            "agreement": "Two new people agree",
            "holds": "Majority is the commonest",
        },
        rows=rows,
    )


FURTHER = FurtherAnalysis(
    name="disagreement",
    order=2,
    title="Disagreement as signal",
    asks="How close is a model's distribution over labels to people's, and how close could it be?",
    needs="one label an answer; for models' scores, probabilities of labels",
    docs="Disagreement as signal",
    why_not=_reason_against,
    compute=_compute,
)
