"""The variances of items, workers and residual, and how many judgments an item needs."""

from __future__ import annotations

import numpy as np

from ..estimation.design import design_of
from ..estimation.estimate import Undefined
from ..kinds.statistics import statistics_of
from ..people.variance_components import MOST_JUDGMENTS, VarianceComponents, variance_components
from .further_analysis import (
    AnalysisInput,
    Argument,
    FurtherAnalysis,
    FurtherResult,
    Table,
    number_between,
)

TARGET = 0.8  # reliability of an item's mean
JUDGMENTS = (1, 2, 3, 5, 7, 10, 15, 20)


def _components(inputs: AnalysisInput) -> VarianceComponents | Undefined:
    answers = inputs.kept.answers
    return variance_components(design_of(inputs.kept.item, inputs.kept.worker), np.asarray(answers, dtype=np.float64))


def _reason_against(inputs: AnalysisInput) -> str:
    person = statistics_of(inputs.crowd.kind).person
    if person is None or not person.of_numbers:
        return f"it takes one number an answer, and kind {inputs.crowd.kind} has none"
    components = _components(inputs)
    return components.why if isinstance(components, Undefined) else ""


def _compute(inputs: AnalysisInput) -> FurtherResult:
    components = _components(inputs)
    assert isinstance(components, VarianceComponents)  # noqa: S101 - else `_reason_against` says why
    target = float(inputs.argument) if inputs.argument else TARGET
    total = components.item + components.worker + components.residual
    shares = [f"{part / total:.1%}" for part in (components.item, components.worker, components.residual)]
    first = f"By {components.method} the variance of one judgment is {total:.4g}: "
    says = [
        f"{first}{shares[0]} between items, {shares[1]} between workers, {shares[2]} residual.",
        _needed_sentence(components, target, same_workers=False),
        _needed_sentence(components, target, same_workers=True),
    ]
    if components.item == 0:
        says.append("The items do not differ beyond noise.")
    return FurtherResult(says, [_table_of(components, total), _study(components)])


def _needed_sentence(components: VarianceComponents, target: float, *, same_workers: bool) -> str:
    who = "the same workers for all items" if same_workers else "other workers for each item"
    n = components.judgments_needed(target, same_workers=same_workers)
    if n is None:
        return (
            f"With {who}, {MOST_JUDGMENTS} judgments per item would not bring the mean to a reliability of {target:g}."
        )
    many = "1 judgment" if n == 1 else f"{n} judgments"
    return f"With {who}, {many} per item would bring the mean to a reliability of {target:g}."


def _table_of(components: VarianceComponents, total: float) -> Table:
    parts = {"items": components.item, "workers": components.worker, "residual": components.residual}
    return Table(
        name="variance-components",
        caption=f"Variance components of one judgment, by {components.method}; the mean is {components.mean:.4g}.",
        columns={"component": "Component", "variance": "Variance", "share": "Share"},
        rows=[{"component": name, "variance": part, "share": part / total} for name, part in parts.items()],
    )


def _study(components: VarianceComponents) -> Table:
    return Table(
        name="decision-study",
        caption="Reliability of an item's mean by the number of judgments (generalisability coefficients).",
        columns={
            "judgments": "Judgments per item",
            "other": "Other workers for each item",
            "same": "The same workers for all items",
        },
        rows=[
            {
                "judgments": n,
                "other": components.generalisability(n),
                "same": components.generalisability(n, same_workers=True),
            }
            for n in JUDGMENTS
        ],
    )


FURTHER = FurtherAnalysis(
    name="variance-components",
    order=10,
    title="Variance components and judgments per item",
    asks="How much do items, workers and noise vary, and how many judgments does an item need?",
    needs="one number an answer, two items and two workers or more",
    docs="Variance components and judgments per item",
    argument=Argument(
        label="a reliability",
        help="the reliability that an item's mean should have, 0.8 if left out",
        read=number_between(0.01, 0.999, "reliability"),
    ),
    why_not=_reason_against,
    compute=_compute,
)
