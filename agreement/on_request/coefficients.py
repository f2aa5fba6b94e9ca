"""Other coefficients of agreement, and a matrix of pairs of workers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..estimation.design import design_of
from ..estimation.estimate import Estimate
from ..kinds.options import has_own_labels
from ..kinds.statistics import statistics_of
from ..people.chance_corrected import NAMES, Weights, chance_corrected
from ..people.cohen import LEAST_SHARED, MOST_WORKERS, Pair, kappas_of_pairs
from ..people.cohen import Weights as KappaWeights
from .further_analysis import OWN_LABELS, AnalysisInput, Cell, FurtherAnalysis, FurtherResult, Table

TITLES = {"percent_agreement": "percent agreement", "brennan_prediger": "Brennan-Prediger", "gwet": "Gwet's AC1 / AC2"}


def _is_numbers(inputs: AnalysisInput) -> bool:
    person = statistics_of(inputs.crowd.kind).person
    return person is not None and person.of_numbers


def _reason_against(inputs: AnalysisInput) -> str:
    if has_own_labels(inputs.crowd.labels):
        return OWN_LABELS
    answers: object = inputs.kept.answers
    is_labels = statistics_of(inputs.crowd.kind).takes == "labels" and np.asarray(answers).ndim == 1
    if not (is_labels and inputs.crowd.labels) and not _is_numbers(inputs):
        return f"it takes one label or one number an answer, and kind {inputs.crowd.kind} has neither"
    if len(np.unique(inputs.kept.worker)) < 2:
        return "there is one worker, and nobody to agree with"
    if not (np.bincount(inputs.kept.item, minlength=1) >= 2).any():
        return "no item has two judgments"
    return ""


def _compute(inputs: AnalysisInput) -> FurtherResult:
    kept, crowd = inputs.kept, inputs.crowd
    design = design_of(kept.item, kept.worker)
    answers: Any = np.asarray(kept.answers)
    says, tables = [], []
    weights: KappaWeights = "quadratic"
    if _is_numbers(inputs):
        says.append("Of numbers the coefficient of a pair is Lin's concordance, kappa with quadratic weights.")
        pairs = kappas_of_pairs(design, answers.astype(np.float64), 0, weights)
    else:
        weights = "quadratic" if crowd.ordered else "plain"
        code = answers.astype(np.int64)
        tables.append(_coefficients(inputs, code))
        says.append(
            "Percent agreement, Brennan and Prediger's coefficient and Gwet's AC1 (AC2 with weights, where labels are"
            " ordered) stand beside kappa, since they don't fall where one label is much commoner than the others;"
            f" they are over the {len(crowd.labels)} labels of the study."
        )
        pairs = kappas_of_pairs(design, code, len(crowd.labels), weights)
    if design.workers > MOST_WORKERS:
        says.append(f"Pairs are of the {MOST_WORKERS} busiest of {design.workers:,} workers.")
    if not pairs:
        says.append(f"No two workers share {LEAST_SHARED} items, so that no pair has a kappa.")
    elif defined := [pair.kappa.estimate for pair in pairs if isinstance(pair.kappa, Estimate)]:
        least, most, median = (np.round(of(defined), 3) + 0.0 for of in (np.min, np.max, np.median))  # no -0.000
        weighted = "" if weights == "plain" else f", {weights} weights,"
        says.append(
            f"Of {_pairs_in_words(len(pairs))} who share {LEAST_SHARED} items or more, kappa"
            f"{weighted} is {least:.3f} to {most:.3f}, median {median:.3f}."
        )
    else:
        says.append(
            f"Of {_pairs_in_words(len(pairs))} who share {LEAST_SHARED} items or more none has a kappa: two who gave"
            " one and the same answer throughout have none."
        )
    return FurtherResult(says, [*tables, _matrix(inputs, pairs), _pairs(inputs, pairs)])


def _pairs_in_words(count: int) -> str:
    return "one pair of workers" if count == 1 else f"{count:,} pairs of workers"


def _coefficients(inputs: AnalysisInput, code: Any) -> Table:
    kept, crowd = inputs.kept, inputs.crowd
    design = design_of(kept.item, kept.worker)
    ways: tuple[Weights, ...] = ("identity", "linear", "quadratic") if crowd.ordered else ("identity",)
    figures = {way: chance_corrected(design, code, len(crowd.labels), way) for way in ways}
    named = {"identity": "same label", "linear": "linear weights", "quadratic": "quadratic weights"}
    rows: list[dict[str, Cell]] = [
        {"coefficient": TITLES[name], **{way: figures[way][name] for way in ways}} for name in NAMES
    ]
    return Table(
        name="coefficients",
        caption="Coefficients of agreement after cleaning, with intervals over items and workers.",
        columns={"coefficient": "Coefficient", **{way: named[way].capitalize() for way in ways}},
        rows=rows,
    )


def _matrix(inputs: AnalysisInput, pairs: list[Pair]) -> Table:
    """The upper half as a matrix; blank where two share too few items."""
    codes = sorted({code for pair in pairs for code in (pair.first, pair.second)})
    ids = {code: str(inputs.crowd.workers[code]) for code in codes}
    known = {(pair.first, pair.second): pair.kappa for pair in pairs}

    def cell(first: int, second: int) -> Cell:
        kappa = known.get((first, second)) or known.get((second, first))
        return kappa.estimate if isinstance(kappa, Estimate) else None

    rows: list[dict[str, Cell]] = [
        {"worker": ids[first], **{ids[second]: cell(first, second) for second in codes}} for first in codes
    ]
    return Table(
        name="kappa-matrix",
        caption="Cohen's kappa of each two workers, without intervals.",
        columns={"worker": "Worker", **{ids[code]: ids[code] for code in codes}},
        rows=rows,
    )


def _pairs(inputs: AnalysisInput, pairs: list[Pair]) -> Table:
    ids = inputs.crowd.workers
    rows: list[dict[str, Cell]] = [
        {"first": str(ids[pair.first]), "second": str(ids[pair.second]), "shared": pair.shared, "kappa": pair.kappa}
        for pair in pairs
    ]
    return Table(
        name="kappa-of-pairs",
        caption="Cohen's kappa of each two workers, with intervals over the items that they share.",
        columns={"first": "Worker", "second": "Other worker", "shared": "Items shared", "kappa": "Kappa"},
        rows=rows,
    )


FURTHER = FurtherAnalysis(
    name="coefficients",
    order=3,
    title="Other coefficients and pairs of workers",
    asks="How far do people agree by AC1, AC2, Brennan-Prediger and percent agreement, and which two agree least?",
    needs="one label or one number an answer, and two workers or more",
    docs="Other coefficients and pairs of workers",
    why_not=_reason_against,
    compute=_compute,
)
