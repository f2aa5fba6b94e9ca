"""Metrics of one set of spans per item against people's: precision, recall and F1, labelled and without labels."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...arrays import Floats
from ...files.cell_texts import normalised_name
from .. import spans as formulas
from ..jackknifed_metric import JackknifedMetric, Units
from ..metric import Family, Metric, Outputs, Rows
from ..score_gold import NOTHING
from ..spans import EXACT, Spans, span_counts, without_labels

MEANS = (
    "A span is correct if gold has it, and one that gold has twice is to be given twice. Micro figures are of all"
    " items' spans together, macro figures means over items. Without its label a span is what stands behind its last"
    " colon."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanMetric(Metric):
    """A figure of counts: of their sum over items (micro), or of each item's, and the mean of these (macro)."""

    of_counts: Callable[[Floats], Floats]
    mean: Literal["micro", "macro"]
    labelled: bool
    why_left_out: str


NO_SPAN, NO_GOLD, NEITHER = (
    "the model gives no span, so that there is no precision",
    "gold has no span, so that there is no recall",
    "neither the model nor gold has a span",
)
PARTS = (
    ("precision", "precision", formulas.precision, NO_SPAN, False),
    ("recall", "recall", formulas.recall, NO_GOLD, True),
    ("f1", "F1", formulas.f1, NEITHER, True),
)


def _metrics(*, labelled: bool) -> list[SpanMetric]:
    prefix, kind = ("span", "of spans") if labelled else ("unlabelled_span", "of spans without labels")
    metrics = [
        SpanMetric(
            name=f"{prefix}_{part}_{mean}",
            title=f"{mean} {title} {kind}",
            missing_is_wrong=missing_is_wrong,
            counts_missing=True,
            means=MEANS if (labelled, part, mean) == (True, "f1", "micro") else "",
            of_counts=of_counts,
            mean=mean,
            labelled=labelled,
            why_left_out=why,
        )
        for mean in ("micro", "macro")
        for part, title, of_counts, why, missing_is_wrong in PARTS
    ]
    exact = SpanMetric(
        name=f"{prefix}_exact_match",
        title=f"share of items with all and only the {'spans' if labelled else 'spans, without labels,'} of gold",
        missing_is_wrong=True,
        counts_missing=True,
        of_counts=lambda counts: np.asarray(counts[:, EXACT]),
        mean="macro",
        labelled=labelled,
        why_left_out="",
    )
    return [*metrics, exact]


METRICS: tuple[SpanMetric, ...] = (*_metrics(labelled=True), *_metrics(labelled=False))


def measure_outputs(outputs: Outputs, members: Sequence[Rows]) -> list[dict[str, JackknifedMetric]]:
    """Spans from people's lists are compared in gold.csv's spelling; spans of a file as they are written."""
    gold = outputs.gold.spans
    if gold is None:
        raise ValueError(NOTHING)
    of_people = outputs.gold.properties is not None
    spans = [_count_spans(outputs.run.spans[row], of_people) for row in outputs.rows.tolist()]
    counts = {
        True: span_counts(spans, gold),
        False: span_counts(
            [None if one is None else without_labels(one) for one in spans], [without_labels(one) for one in gold]
        ),
    }
    figures = []
    for items in members:
        units = None if outputs.units is None else outputs.units.take(items)
        figures.append({metric.name: _measure_one(metric, counts[metric.labelled][items], units) for metric in METRICS})
    return figures


def _count_spans(spans: Sequence[str] | None, of_people: bool) -> Spans | None:  # noqa: FBT001
    return None if spans is None else Counter(map(normalised_name, spans) if of_people else spans)


def _measure_one(metric: SpanMetric, counts: Floats, units: Units | None) -> JackknifedMetric:
    """The metric with each item left out, or what items share."""
    each = metric.of_counts(counts)
    is_known = np.isfinite(each)
    lost = int(np.sum(~is_known))
    note = f"{lost} of {len(each)} items where {metric.why_left_out}" if lost else ""
    if not is_known.any():
        return JackknifedMetric.undefined(
            f"in every item {metric.why_left_out}", len(each) if units is None else units.size
        )
    of = "items" if units is None else units.what
    left_out = (lambda rows: rows) if units is None else units.sums
    if metric.mean == "micro":
        total = counts.sum(axis=0)
        theta, without = metric.of_counts(total[None])[0], metric.of_counts(total - left_out(counts))
        return JackknifedMetric(float(theta), without, units=of, n=len(counts), note=note)
    if units is None:
        return JackknifedMetric.of_mean(each, "", note)
    earned, is_there = np.where(is_known, each, 0.0), is_known.astype(np.float64)
    sums, sizes = left_out(earned), left_out(is_there)
    n = int(is_there.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        without = (earned.sum() - sums) / (n - sizes)
    return JackknifedMetric(float(earned.sum() / n), without, sizes > 0, n, of, note=note)


FAMILY = Family(shape="spans", metrics=METRICS, against_gold=measure_outputs)
"""Precision, recall and F1 of sets of spans, and the share of items whose sets are equal."""
