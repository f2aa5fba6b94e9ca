"""The alternative annotator test of every model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..kinds.statistics import statistics_of
from ..scoring.alternative_annotator import (
    EPSILON,
    LEAST_ITEMS,
    AltTest,
    Annotators,
    alternative_annotator_tests,
    named_labels,
)
from ..scoring.probe import Probe
from .further_analysis import (
    AltTestReport,
    AnalysisInput,
    Argument,
    Cell,
    FurtherAnalysis,
    FurtherResult,
    LeftOutAnnotator,
    NoAltTest,
    Table,
    number_between,
)

_NO_ANNOTATOR = f"no annotator has {LEAST_ITEMS} items that count"


def _why_not(inputs: AnalysisInput) -> str:
    person = statistics_of(inputs.crowd.kind).person
    if not (_is_labels(inputs) or (person is not None and person.of_numbers)):
        return f"it takes one label or one number an answer, and kind {inputs.crowd.kind} has neither"
    if not _models(inputs):
        return "no model was given that answers the items as people do"
    shared = np.bincount(inputs.kept.item) if len(inputs.kept.item) else np.zeros(1)
    if not (shared >= 2).any():
        return "no item has judgments of two annotators or more"
    return ""


def _is_labels(inputs: AnalysisInput) -> bool:
    statistics = statistics_of(inputs.crowd.kind)
    return statistics.takes == "labels" and np.asarray(inputs.kept.answers).ndim == 1 and bool(inputs.crowd.labels)


def _models(inputs: AnalysisInput) -> list[Probe]:
    takes = statistics_of(inputs.crowd.kind).takes
    return [probe for probe in inputs.named_probes if probe.shape == takes]


def _annotators(inputs: AnalysisInput) -> Annotators:
    kept, crowd = inputs.kept, inputs.crowd
    answers = np.asarray(kept.answers, dtype=np.float64)
    return Annotators(kept.item, kept.worker, answers, crowd.n_items, len(crowd.labels) if _is_labels(inputs) else 0)


def _compute(inputs: AnalysisInput) -> FurtherResult:
    epsilon = float(inputs.argument) if inputs.argument else EPSILON
    people = _annotators(inputs)
    outputs = []
    for probe in _models(inputs):
        runs = [np.asarray(run.values, dtype=np.float64) for run in probe.runs]
        outputs.append(named_labels(runs) if people.n_labels else np.mean(runs, axis=0))
    tests = alternative_annotator_tests(people, outputs, epsilon=epsilon, rng=inputs.stream("alt-test"))
    tested = dict(zip((probe.name for probe in _models(inputs)), tests, strict=True))
    several = [probe.name for probe in _models(inputs) if len(probe.runs) > 1]
    measure = "the share of the others' labels that an answer equals" if people.n_labels else "minus the RMSE"
    method = (
        f"Alternative annotator test (Calderon et al. 2025): each annotator with {LEAST_ITEMS} items or more that"
        f" another annotator judged and the model answered is left out, and both are held against the others by"
        f" {measure}; a tie is a win for both; epsilon {epsilon:g}; one-sided t over items,"
        " Benjamini-Yekutieli at .05 over annotators."
    )
    alone = (
        ["Of two annotators each is held against the other one alone."]
        if len(np.unique(inputs.kept.worker)) == 2
        else []
    )
    averaged = [f"Of models with several runs ({', '.join(several)}) the mean over runs answers."] if several else []
    return FurtherResult(
        [method, *averaged, *alone, *(_said(name, test) for name, test in tested.items())],
        [_models_table(tested, epsilon), _annotators_table(tested, inputs)],
        tuple(_of_model(name, test, epsilon, inputs) for name, test in tested.items()),
    )


def _of_model(name: str, test: AltTest | None, epsilon: float, inputs: AnalysisInput) -> AltTestReport | NoAltTest:
    """A model's part of `alt_test` in report.json."""
    if test is None:
        return NoAltTest(probe=name, epsilon=epsilon, why=_NO_ANNOTATOR)
    annotators = tuple(
        LeftOutAnnotator(
            worker=str(inputs.crowd.workers[one.worker]), p=one.p, rejected=one.is_won, advantage=one.advantage
        )
        for one in test.annotators
    )
    return AltTestReport(
        probe=name,
        epsilon=epsilon,
        winning_rate=test.winning_rate,
        advantage=test.advantage,
        annotators=annotators,
    )


def _said(name: str, test: AltTest | None) -> str:
    if test is None:
        return f"{name}: {_NO_ANNOTATOR}, so that there is no test."
    rate = test.winning_rate
    enough = "passes" if rate >= 0.5 else "doesn't pass"
    needed = test.items_needed
    plan = (
        "no number of items would bring it past half of the annotators"
        if needed is None
        else f"about {np.ceil(needed):,.0f} items per annotator would let it pass with power .8, if it does as here"
    )
    return (
        f"{name} {enough}: winning rate {rate:.3f} of {len(test.annotators)} annotators (.5 or more is a pass),"
        f" average advantage probability {test.advantage.estimate:.3f}; {plan}."
    )


def _models_table(tested: dict[str, AltTest | None], epsilon: float) -> Table:
    rows: list[dict[str, Cell]] = [
        {
            "model": name,
            "annotators": len(test.annotators),
            "winning_rate": test.winning_rate,
            "advantage": test.advantage,
            "items_needed": None if test.items_needed is None else int(np.ceil(test.items_needed)),
        }
        for name, test in tested.items()
        if test is not None
    ]
    return Table(
        name="alt-test",
        caption=f"Alternative annotator test, epsilon {epsilon:g}: the share of annotators whom the model may replace, "
        "the average advantage probability with its interval over items and workers, and the items per annotator with"
        " which it would pass (blank: no number would do).",
        columns={
            "model": "Model",
            "annotators": "Annotators",
            "winning_rate": "Winning rate",
            "advantage": "Advantage probability",
            "items_needed": "Items needed",
        },
        rows=rows,
    )


def _annotators_table(tested: dict[str, AltTest | None], inputs: AnalysisInput) -> Table:
    return Table(
        name="alt-test-annotators",
        caption="Each annotator left out: the share of items on which the model does at least as well, the mean of the"
        " annotator's wins less the model's, and p of its being below epsilon.",
        columns={
            "model": "Model",
            "worker": "Annotator",
            "items": "Items",
            "advantage": "Advantage probability",
            "loss": "Mean difference of wins",
            "p": "p",
            "won": "Replaceable",
        },
        rows=list(_annotator_rows(tested, inputs)),
    )


def _annotator_rows(tested: dict[str, AltTest | None], inputs: AnalysisInput) -> Iterator[dict[str, Cell]]:
    for name, test in tested.items():
        for one in () if test is None else test.annotators:
            yield {
                "model": name,
                "worker": str(inputs.crowd.workers[one.worker]),
                "items": one.items,
                "advantage": one.advantage,
                "loss": one.loss,
                "p": one.p,
                "won": "yes" if one.is_won else "no",
            }


FURTHER = FurtherAnalysis(
    name="alt-test",
    order=1,
    title="May a model stand in for an annotator?",
    asks="Does a model do as well as an annotator, when both are held against the other annotators?",
    needs="labels (choice, verify) or numbers (slider), a model's answers, and annotators with 30 shared items or more",
    docs="Alternative annotator test",
    argument=Argument(
        label="epsilon",
        help="what an annotator may win by and still be replaced, for being dearer than a model; from 0 to 1"
        f" (default: {EPSILON:g})",
        read=number_between(0, 1, "epsilon"),
    ),
    why_not=_why_not,
    compute=_compute,
)
