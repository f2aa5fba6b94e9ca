"""The alternative annotator test of every model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..kinds.statistics import statistics_of
from ..scoring.alternative_annotator import (
    EPSILON,
    FEWEST,
    LEAST_ITEMS,
    PASS,
    AltTest,
    Annotators,
    alternative_annotator_tests,
    named_labels,
    people_as_models,
    winning_rate,
)
from ..scoring.near_chance import near_chance
from ..scoring.probe import Probe
from .further_analysis import (
    AltTestReport,
    AnalysisInput,
    Argument,
    Cell,
    FurtherAnalysis,
    FurtherResult,
    LeftOutAnnotator,
    NearChance,
    NoAltTest,
    Table,
    number_between,
)

MOST_PEOPLE = 50  # in a model's place
MOST_NAMED = 20
_NO_ANNOTATOR = f"no annotator has {LEAST_ITEMS} items that count"


def _reason_against(inputs: AnalysisInput) -> str:
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


@dataclass(frozen=True, slots=True, eq=False)
class _Tested:
    """A model's test against all annotators, and without those near chance (`all_` where nobody is)."""

    name: str
    all_: AltTest | None
    without: AltTest | None

    @property
    def verdict(self) -> AltTest | None:
        """What says whether it passes; None where too few annotators remain."""
        enough = self.without is not None and (self.without is self.all_ or len(self.without.annotators) >= FEWEST)
        return self.without if enough else None


def _compute(inputs: AnalysisInput) -> FurtherResult:
    epsilon = float(inputs.argument) if inputs.argument else EPSILON
    people = _annotators(inputs)
    clickers = near_chance(people)
    tested = _tests(inputs, people, clickers, epsilon)
    several = [probe.name for probe in _models(inputs) if len(probe.runs) > 1]
    averaged = [f"Of models with several runs ({', '.join(several)}) the mean over runs answers."] if several else []
    alone = (
        ["Of two annotators each is held against the other one alone."]
        if len(np.unique(inputs.kept.worker)) == 2
        else []
    )
    stand_ins = _people_rows(inputs, people.without(clickers), epsilon)
    return FurtherResult(
        [
            _method_sentence(people, epsilon),
            *averaged,
            *alone,
            *_clickers_sentences(inputs, clickers),
            *(_test_sentence(one, len(clickers)) for one in tested),
            *_people_sentences(stand_ins),
        ],
        [_models_table(tested, stand_ins, epsilon), _annotators_table(tested, inputs)],
        tuple(_model_report(one, epsilon, inputs, clickers) for one in tested),
    )


def _tests(inputs: AnalysisInput, people: Annotators, clickers: npt.NDArray[np.intp], epsilon: float) -> list[_Tested]:
    outputs = []
    for probe in _models(inputs):
        runs = [np.asarray(run.values, dtype=np.float64) for run in probe.runs]
        outputs.append(named_labels(runs) if people.n_labels else np.mean(runs, axis=0))
    tests = alternative_annotator_tests(people, outputs, epsilon=epsilon, rng=inputs.stream("alt-test"))
    without = tests
    if len(clickers):
        others = people.without(clickers)
        without = alternative_annotator_tests(others, outputs, epsilon=epsilon, rng=inputs.stream("alt-test others"))
    names = [probe.name for probe in _models(inputs)]
    return [_Tested(*one) for one in zip(names, tests, without, strict=True)]


def _method_sentence(people: Annotators, epsilon: float) -> str:
    measure = "the share of the others' labels that an answer equals" if people.n_labels else "minus the RMSE"
    return (
        f"Alternative annotator test (Calderon et al. 2025): each annotator with {LEAST_ITEMS} items or more that"
        f" another annotator judged and the model answered is left out, and both are held against the others by"
        f" {measure}; a tie is a win for both; epsilon {epsilon:g}; one-sided t over items,"
        " Benjamini-Yekutieli at .05 over annotators."
    )


def _clickers_sentences(inputs: AnalysisInput, clickers: npt.NDArray[np.intp]) -> Iterator[str]:
    """Who is named, and what it does to the verdict."""
    if not len(clickers):
        return
    who = ", ".join(str(inputs.crowd.workers[one]) for one in clickers[:MOST_NAMED])
    more = f" and {len(clickers) - MOST_NAMED:,} more" if len(clickers) > MOST_NAMED else ""
    agrees = "agrees" if len(clickers) == 1 else "agree"
    yield (
        f"{who}{more} {agrees} with the others hardly better than by chance: a model need not be good to stand in for"
        " them. Whether a model passes is said without them."
    )


def _model_report(
    tested: _Tested, epsilon: float, inputs: AnalysisInput, clickers: npt.NDArray[np.intp]
) -> AltTestReport | NoAltTest:
    """A model's part of `alt_test` in report.json."""
    test = tested.all_
    if test is None:
        return NoAltTest(probe=tested.name, epsilon=epsilon, why=_NO_ANNOTATOR)
    annotators = tuple(
        LeftOutAnnotator(
            worker=str(inputs.crowd.workers[one.worker]), p=one.p, rejected=one.is_won, advantage=one.advantage
        )
        for one in test.annotators
    )
    rate = None if tested.verdict is None else tested.verdict.winning_rate
    named = NearChance(
        workers=tuple(str(inputs.crowd.workers[one]) for one in clickers),
        winning_rate=rate,
        is_passed=None if rate is None else rate >= PASS,
    )
    return AltTestReport(
        probe=tested.name,
        epsilon=epsilon,
        winning_rate=test.winning_rate,
        advantage=test.advantage,
        annotators=annotators,
        near_chance=named if len(clickers) else None,
    )


def _test_sentence(tested: _Tested, clickers: int) -> str:
    name, test = tested.name, tested.verdict
    if tested.all_ is None:
        return f"{name}: {_NO_ANNOTATOR}, so that there is no test."
    if test is None:
        return f"{name}: no verdict, for fewer than {FEWEST} annotators with {LEAST_ITEMS} items are above chance."
    rate = test.winning_rate
    enough = "passes" if rate >= PASS else "doesn't pass"
    needed = test.items_needed
    plan = (
        "no number of items would bring it past half of the annotators"
        if needed is None
        else f"about {np.ceil(needed):,.0f} items per annotator would let it pass with power .8, if it does as here"
    )
    all_of_them = f" ({tested.all_.winning_rate:.3f} with those near chance)" if clickers else ""
    return (
        f"{name} {enough}: winning rate {rate:.3f} of {len(test.annotators)} annotators{all_of_them} (.5 or more is a"
        f" pass), average advantage probability {test.advantage.estimate:.3f}; {plan}."
    )


# People under the same test: what passing means.


def _people_rows(inputs: AnalysisInput, people: Annotators, epsilon: float) -> list[dict[str, Cell]]:
    """Those who share most items with others, each in a model's place."""
    counts = np.bincount(people.worker, minlength=1)
    most = np.argsort(-counts, kind="stable")[:MOST_PEOPLE]
    who = np.sort(most[counts[most] >= LEAST_ITEMS])
    rows: list[dict[str, Cell]] = []
    for one, annotators in zip(who.tolist(), people_as_models(people, who, epsilon=epsilon), strict=True):
        if annotators:
            rows.append(
                {
                    "model": str(inputs.crowd.workers[one]),
                    "who": "person",
                    "annotators": len(annotators),
                    "winning_rate": winning_rate(annotators),
                    "advantage": float(np.mean([each.advantage for each in annotators])),
                }
            )
    return rows


def _people_sentences(rows: list[dict[str, Cell]]) -> Iterator[str]:
    rates = [rate for row in rows if isinstance(rate := row["winning_rate"], float)]
    if not rates:
        return
    passing = sum(rate >= PASS for rate in rates)
    who = "person" if len(rates) == 1 else "people"
    yield (
        f"In a model's place {passing:,} of {len(rates):,} {who} would pass against the other annotators: their median"
        f" winning rate is {np.median(rates):.3f}."
    )


def _models_table(tested: list[_Tested], stand_ins: list[dict[str, Cell]], epsilon: float) -> Table:
    rows: list[dict[str, Cell]] = [
        {
            "model": one.name,
            "who": "model",
            "annotators": len(test.annotators),
            "winning_rate": test.winning_rate,
            "advantage": test.advantage,
            "items_needed": None if test.items_needed is None else int(np.ceil(test.items_needed)),
        }
        for one in tested
        if (test := one.verdict) is not None
    ]
    return Table(
        name="alt-test",
        caption=f"Alternative annotator test, epsilon {epsilon:g}, without annotators near chance: the share of"
        " annotators whom the model may replace,"
        " the average advantage probability with its interval over items and workers, and the items per annotator with"
        " which it would pass (blank: no number would do). Below, people under the same test, each in a model's place"
        f" ({MOST_PEOPLE} at most, those with most items).",
        columns={
            "model": "Model or person",
            "who": "Who",
            "annotators": "Annotators",
            "winning_rate": "Winning rate",
            "advantage": "Advantage probability",
            "items_needed": "Items needed",
        },
        rows=[*rows, *stand_ins],
    )


def _annotators_table(tested: list[_Tested], inputs: AnalysisInput) -> Table:
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


def _annotator_rows(tested: list[_Tested], inputs: AnalysisInput) -> Iterator[dict[str, Cell]]:
    for model in tested:
        for one in () if model.all_ is None else model.all_.annotators:
            yield {
                "model": model.name,
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
    why_not=_reason_against,
    compute=_compute,
)
