"""The verdict: every row of its tables, every kind of question, what can't be judged, and whether the word holds."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from agreement.analysis.analysis import NothingKept, analyse
from agreement.cleaning.rule_set import parse_rules
from agreement.estimation.estimate import Estimate
from agreement.files.numbers import PER_CENT, short_decimal
from agreement.kinds.registry import KINDS
from agreement.kinds.statistics import words_of
from agreement.output.question_folders import joined_reports
from agreement.planning.further_data import further_for_lead
from agreement.planning.printed_intervals import reliabilities
from agreement.report.report import read_report, report_as_json, without_suspects
from agreement.report.verdict import no_verdict, verdict_of, weakest
from agreement.report.verdict_rules import (
    CAVEATS,
    MEASURES,
    OPENINGS,
    STANDINGS,
    STEPS,
    WORDS,
    Circumstances,
    Facts,
    Standing,
    figure_text,
)
from agreement.typed_json import object_of
from tests.reports import FIGURE, OF_PEOPLE, SMALL, small_report
from tests.unit.agreement.analysis.test_every_further_analysis import crowd
from tools import place

# A good gold that nothing speaks against, and for each row what brings it about and nothing before it.
GOOD = Facts(judgments=600, standing="good", people=20, items=60, had_checks=True, has_models=True)
NOW = Circumstances()
CAVEAT_OF: Mapping[str, tuple[dict[str, Any], str]] = {
    "failed": ({"now": Circumstances(job_failed=True)}, "The newest analysis failed: this is what was known before."),
    "older": ({"now": Circumstances(newer_release=5)}, "This is an older release: release 5 is newer."),
    "out-of-date": (
        {"now": Circumstances(is_out_of_date=True)},
        "It is out of date: answers or settings have changed since.",
    ),
    "few": ({"people": 2}, "It rests on 2 people and 60 items alone."),
    "suspects": ({"suspects": 3}, "Answers of 3 people look careless, and still count."),
    "same-accounts": ({"same_accounts": True}, "Several accounts gave the same answers, as one person would."),
    "interval": (
        {"low": ".62", "standing_of_low": "not-yet"},
        "With other people and items it might be as low as .62, which is not good enough.",
    ),
    "no-interval": ({"has_interval": False}, "No interval says how far this figure may be off."),
    "unscreened": (
        {"had_checks": False, "were_screened": False},
        "There were no checks and nobody could be screened: careless answers may be among these.",
    ),
    "unsure": ({"unsure": 12}, "12 items have no sure label yet."),
    "single": (
        {"agreement": "Fleiss' kappa is .41"},
        "Single answers agree little, for Fleiss' kappa is .41: rely on the gold alone.",
    ),
    "selects": (
        {"selects_on_outcome": True},
        "A rule excluded people by how far they agree with others, which raises agreement by itself.",
    ),
    "no-checks": ({"had_checks": False}, "There were no checks: carelessness shows in disagreement alone."),
    "unsure-means": (
        {"unsure_means": 1},
        "The mean of 1 item is known less precisely than ±10 % of the scale.",
    ),
}
STEP_OF: Mapping[str, tuple[dict[str, Any], str]] = {
    "wait-for-job": ({"now": Circumstances(is_running=True)}, "Wait for the analysis that is running."),
    "see-failed-job": (
        {"now": Circumstances(job_failed=True)},
        "See why the last analysis failed, and start it again.",
    ),
    "see-newest": ({"now": Circumstances(newer_release=5)}, "Look at release 5."),
    "analyse-again": ({"now": Circumstances(is_out_of_date=True)}, "Analyse again."),
    "collect": ({"judgments": 0}, "Collect answers."),
    "analyse": ({"was_analysed": False}, "Analyse what was collected."),
    "look-at-rules": ({"people": 0}, "Look at the rules: they exclude everybody."),
    "look-at-people": ({"suspects": 3}, "Look at 3 people whose answers look careless."),
    "collect-more": ({"further": 4, "further_items": 12}, "Collect 4 more judgments for each of 12 items."),
    "revise-question": (
        {"standing": "not-yet"},
        "Revise the question or its items: more answers to these would hardly help.",
    ),
    "decide-items": ({"unsure": 6}, "Decide 6 items by hand: more answers would hardly do it."),
    "compare-models": ({"has_models": False}, "Add models' outputs, and compare them with people."),
    "publish": ({}, "Publish the gold with its report."),
}


def first(rules: Any, facts: Facts) -> tuple[str, str] | None:
    return next(((rule.key, rule.sentence.format(**facts.texts())) for rule in rules if rule.applies(facts)), None)


def test_every_row_of_the_tables_has_a_case_here() -> None:
    assert [rule.key for rule in CAVEATS] == list(CAVEAT_OF)
    assert list(dict.fromkeys(rule.key for rule in STEPS)) == list(STEP_OF)
    assert first(CAVEATS, GOOD) is None


@pytest.mark.parametrize("key", CAVEAT_OF)
def test_each_caveat_is_said_where_it_is_the_first_that_applies(key: str) -> None:
    facts, sentence = CAVEAT_OF[key]
    assert first(CAVEATS, replace(GOOD, **facts)) == (key, sentence)


@pytest.mark.parametrize("key", STEP_OF)
def test_each_step_is_the_one_thing_to_do_where_it_is_the_first_that_applies(key: str) -> None:
    facts, sentence = STEP_OF[key]
    assert first(STEPS, replace(GOOD, **facts)) == (key, sentence)


def test_few_people_or_items_are_more_of_what_to_collect() -> None:
    assert first(STEPS, replace(GOOD, items=9)) == (
        "collect-more",
        "Ask more people, or about more items: 20 people and 9 items are few.",
    )


@pytest.mark.parametrize("key", MEASURES)
def test_each_threshold_gives_its_word(key: str) -> None:
    measure = MEASURES[key]
    least: dict[Standing, float | None] = {
        "excellent": measure.excellent,
        "good": measure.good,
        "usable": measure.usable,
    }
    for standing, bound in least.items():
        if bound is not None:
            assert measure.standing_of(bound) == standing
            assert STANDINGS.index(measure.standing_of(bound - 1e-9)) < STANDINGS.index(standing)
    assert measure.standing_of(0.0) == "not-yet"
    assert measure.source.endswith(".")
    assert measure.meaning.endswith(".")
    assert set(OPENINGS) == set(WORDS) == set(STANDINGS) - {"none"}


def test_every_kind_is_judged_by_a_row() -> None:
    assert {words_of(kind).verdict_by for kind in KINDS} == set(MEASURES)


def test_the_manual_has_the_thresholds_of_the_code() -> None:
    manual = (place.ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")
    for key, measure in MEASURES.items():
        kinds = sorted(kind for kind in KINDS if words_of(kind).verdict_by == key)
        bounds = (measure.excellent, measure.good, measure.usable)
        cells = ["never" if bound is None else f"{bound:g}" if bound > 1 else short_decimal(bound) for bound in bounds]
        assert f"| {measure.name} | {', '.join(kinds)} | {' | '.join(cells)} |" in manual


def test_a_figure_is_never_rounded_over_its_threshold() -> None:
    printed = figure_text(Estimate(0.8964, 0.7962, 0.9312, 30, ""), MEASURES["reliability"])
    assert printed == ".896 (.796 to .93)"


# Of whole reports.


def with_reliability(value: float, low: float, high: float, **parts: Any) -> dict[str, Any]:
    figure = {**FIGURE, "estimate": value, "low": low, "high": high}
    cleaned = {**OF_PEOPLE, "first": "krippendorff_alpha.interval", "gold_reliability": figure}
    cleaned["krippendorff_alpha"] = {"interval": {**FIGURE, "estimate": 0.7}}
    root = {**FIGURE, "estimate": value**0.5, "low": low**0.5, "high": high**0.5}
    person = {"metric": "spearman", "mean": {**FIGURE, "estimate": 0.64}, "workers_counted": 9, "items_per_worker": {}}
    left_out = {**SMALL["ceiling"]["leave_one_out"], **person, "others_behind_a_gold": 2.0, "other_metrics": {}}
    return {
        "kind": "slider",
        "scale": {"low": 0, "high": 100},
        "labels": [],
        "agreement": {"raw": cleaned, "cleaned": cleaned},
        "ceiling": {"upper_bound": root, "leave_one_out": {**left_out, "left_out": {}}},
        "suspects": [],
        **parts,
    }


RULE = {
    "rule": "r", "kind": "check", "passed": 9, "failed": 8, "not_applicable": 0, "judgments": 80, "only_by_this": 8,
}  # fmt: skip
CHECKED = {"cleaning": {"by_rule": [RULE]}, "counts": {"workers": 17, "check_judgments": 34}}


def test_the_sentence_is_one_that_a_reader_of_a_paper_understands() -> None:
    verdict = small_report(**with_reliability(0.91, 0.82, 0.94, **CHECKED)).verdict
    assert verdict.sentence == (
        "This gold is excellent for comparing models: its reliability is .91 (.82 to .94); 8 of 17 people are out for"
        " failed checks; a model can reach .95, a typical person .64."
    )
    assert verdict.caveat == "With other people and items it might be as low as .82, which is good."
    assert verdict.next_step.key == "compare-models"
    assert [(one.key, one.text, one.better) for one in verdict.figures] == [
        ("reliability", ".91 (.82 to .94)", "higher"),
        ("ceiling", ".95 (.91 to .97)", "higher"),
        ("person", ".64 (.10 to .60)", "higher"),
        ("careless", "8 of 17", ""),
    ]


@pytest.mark.parametrize(("value", "further"), [(0.5, 9), (0.72, 2), (0.85, None)])
def test_what_is_lacking_is_counted_by_spearman_and_brown(value: float, further: int | None) -> None:
    step = small_report(**with_reliability(value, value - 0.1, value + 0.1, **CHECKED)).verdict.next_step
    assert step.count == further
    if further:
        assert step.sentence == f"Collect {further} more judgments for each of 30 items."


def test_suspects_come_first_until_somebody_has_looked_at_them() -> None:
    nothing = {"value": None, "z": None}
    names = ("agreement", "spread", "longest_run", "halves", "log_time", "distance")
    suspect = {"worker": "w1", "kinds": [], "sentence": "s.", "evidence": dict.fromkeys(names, nothing)}
    report = small_report(**with_reliability(0.85, 0.81, 0.9, **CHECKED, suspects=[suspect]))
    assert report.verdict.next_step.sentence == "Look at 1 person whose answers look careless."
    assert verdict_of(report, Circumstances(people_not_looked_at=0)).next_step.key == "compare-models"


def test_a_report_for_everybody_has_a_verdict_that_names_no_suspects() -> None:
    nothing = {"value": None, "z": None}
    names = ("agreement", "spread", "longest_run", "halves", "log_time", "distance")
    suspect = {"worker": "w1", "kinds": [], "sentence": "s.", "evidence": dict.fromkeys(names, nothing)}
    stored = report_as_json(small_report(**with_reliability(0.85, 0.81, 0.9, **CHECKED, suspects=[suspect])))
    published: Any = without_suspects(stored)
    assert published["verdict"]["next"][0]["key"] == "compare-models"
    assert published == report_as_json(read_report(published))


# What can't be judged says why.


@pytest.mark.parametrize(
    ("now", "judgments", "sentence", "step"),
    [
        (NOW, 0, "Nobody has answered yet.", "collect"),
        (NOW, 1, "1 judgment is there, and no analysis yet.", "analyse"),
        (NOW, 10_000, "10,000 judgments are there, and no analysis yet.", "analyse"),
        (NOW, 10_001, "More than 10,000 judgments are there, and no analysis yet.", "analyse"),
        (Circumstances(is_running=True), 9, "The first analysis is running.", "wait-for-job"),
        (Circumstances(job_failed=True), 9, "The analysis failed, so that there are no figures.", "see-failed-job"),
    ],
)
def test_a_study_without_a_release_says_why_there_is_no_verdict(
    now: Circumstances, judgments: int, sentence: str, step: str
) -> None:
    verdict = no_verdict(now, judgments=judgments)
    assert (verdict.standing, verdict.sentence, verdict.next_step.key) == ("none", sentence, step)


def test_nobody_kept_is_no_verdict_and_leads_to_the_rules() -> None:
    rules = parse_rules('name = "strict"\n[[rule]]\nkind = "straight-lining"\nsd_below = 1000.0\n')
    with pytest.raises(NothingKept) as nothing:
        analyse(crowd("slider", scale=PER_CENT), rules, study_name="s", replicates=0)
    verdict = nothing.value.report.verdict
    assert (verdict.standing, verdict.next_step.key, verdict.figures) == ("none", "look-at-rules", ())
    assert verdict.sentence.startswith("0 of ")


def test_one_person_is_no_verdict_and_asks_for_more() -> None:
    counts = {**OF_PEOPLE["counts"], "workers": 1}
    people = {**OF_PEOPLE, "counts": counts}
    verdict = small_report(agreement={"raw": people, "cleaned": people}).verdict
    assert verdict.standing == "none"
    assert verdict.sentence == (
        "Nothing tells how good this gold is: one person gave all answers that count, and nobody can be compared with"
        " them."
    )
    assert verdict.next_step.sentence == "Collect 2 more judgments for each of 30 items."


def test_labels_that_agree_no_more_than_by_chance_are_not_good_enough_however_sure() -> None:
    kappa = {**FIGURE, "estimate": -0.01, "low": -0.03, "high": 0.66}
    nominal = {**OF_PEOPLE, "first": "fleiss_kappa", "fleiss_kappa": kappa}
    nominal["krippendorff_alpha"] = {"ordinal": {"undefined": "no order"}}
    claims = {**SMALL["claims"], "unsure": {"count": 0, "of": 30, "items": []}}
    verdict = small_report(agreement={"raw": nominal, "cleaned": nominal}, claims=claims).verdict
    assert verdict.sentence.startswith(
        "This gold is not good enough yet: people may agree no more than by chance, for Fleiss' kappa is -.01 (-.03 to"
    )
    assert verdict.next_step.key == "revise-question"


# Several questions, and the file.


def test_of_several_questions_the_weakest_decides() -> None:
    reports = [
        replace(report, questions=(replace(report.question, question=name),))
        for name, report in (
            ("grammar", small_report(**with_reliability(0.95, 0.91, 0.97))),
            ("fluency", small_report(**with_reliability(0.5, 0.4, 0.6))),
            ("meaning", small_report(**with_reliability(0.85, 0.8, 0.9))),
            ("style", small_report(**with_reliability(0.7, 0.6, 0.8))),
        )
    ]
    over_all = weakest({report.question.question: report.verdict for report in reports})
    assert over_all.standing == "not-yet"
    assert over_all.sentence.startswith("Of 4 questions “fluency” is the weakest. This gold is not good enough yet:")
    joined = joined_reports([report_as_json(report) for report in reports])
    assert joined["verdict"] == object_of(over_all)


def test_the_file_has_the_verdict_whatever_order_a_database_gives_its_keys() -> None:
    stored = json.loads(json.dumps(report_as_json(small_report(**with_reliability(0.91, 0.82, 0.94)))))
    assert stored["verdict"]["level"] == "excellent"
    assert list(stored["verdict"]["next"][0]) == ["key", "sentence", "count"]
    shuffled = json.loads(json.dumps(stored, sort_keys=True))
    assert report_as_json(read_report(shuffled))["verdict"] == stored["verdict"]


# Whether the word holds where the truth is known.


@pytest.mark.parametrize(
    ("reliability", "expected", "share"),
    [(0.96, "excellent", 0.99), (0.85, "good", 0.8), (0.74, "usable", 0.55), (0.4, "not-yet", 0.95)],
)
def test_the_word_is_that_of_the_true_reliability(reliability: float, expected: Standing, share: float) -> None:
    """In 500 studies of 40 items and 12 people, whose noise makes that reliability, by the figure that they print."""
    studies, items, people = 500, 40, 12
    rng = np.random.default_rng(7)
    noise = np.sqrt(people * (1 - reliability) / reliability)
    answers = rng.normal(size=(studies, items, 1)) + noise * rng.normal(size=(studies, items, people))
    printed = reliabilities(answers, np.zeros((studies, items * people), dtype=np.int64), same_workers=False)
    words = [MEASURES["reliability"].standing_of(one) for one in printed.tolist()]
    off = np.array([STANDINGS.index(word) - STANDINGS.index(expected) for word in words])
    assert (off == 0).mean() > share
    assert (abs(off) > 1).mean() < 0.05


@pytest.mark.parametrize("n_labels", [2, 3, 5])
def test_labels_that_are_called_good_are_mostly_those_of_the_population(n_labels: int) -> None:
    """Items' answers are Dirichlet; a label is right where the leading one is the population's."""
    rng, right = np.random.default_rng(n_labels), dict[Standing, list[float]]()
    for concentration in (0.1, 0.3, 1.0, 3.0):
        for people in (3, 5, 9, 25):
            shares = rng.dirichlet(np.full(n_labels, concentration / n_labels), size=300)
            counts = rng.multinomial(people, shares).astype(np.float64)
            decided = float((further_for_lead(counts, are_labels=True) == 0).mean())
            is_right = counts.argmax(axis=1) == shares.argmax(axis=1)
            right.setdefault(MEASURES["decided"].standing_of(decided), []).append(float(is_right.mean()))
    mean = {standing: float(np.mean(shares)) for standing, shares in right.items()}
    assert mean["excellent"] > 0.95
    assert mean["good"] > 0.9
    assert mean.get("usable", 1.0) > 0.85
    assert mean["not-yet"] < 0.85
