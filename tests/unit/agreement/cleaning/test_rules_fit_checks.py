"""Rules and checks fit each other, or every reason why not is named before anything is judged."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from agreement.cleaning.check_items import Checks, bounds_not_used, misfits, refuse_misfit
from agreement.cleaning.cleaning_run import clean, included_again, still_excluded
from agreement.cleaning.rule_set import load_rules, parse_rules
from agreement.errors import Refused
from agreement.report.cleaning_report import kept_in_words, nothing_judged, notices
from agreement.report.report import read_report
from tests.reports import RULE, SMALL, small_report
from tests.unit.agreement.cleaning.crowds import Row, crowd_of

OWN = load_rules("own-bounds")
NAMED = 'name = "mine"\n[[rule]]\nkind = "check"\ncheck = "typical"\n'
ROWS: list[Row] = [("w", "robin", 95.0), ("w", "eagle", 70.0), ("v", "robin", 20.0), ("v", "eagle", 60.0)]
TYPICAL: dict[str, Any] = {"checks": {"robin": "typical"}, "bounds": {"robin": {"min": Decimal(80)}}}


def checks_of(**changes: Any) -> Checks:
    return Checks.of(crowd_of(ROWS, **{**TYPICAL, **changes}))


def test_own_bounds_judge_checks_of_any_name() -> None:
    cleaning = clean(crowd_of(ROWS, **TYPICAL), OWN)
    assert cleaning.worker_kept.tolist() == [False, True]
    assert cleaning.worker_reasons == ["failed check items: each within its own bounds", ""]
    assert [str(found) for found in cleaning.evidence(0)] == ["robin: 20 (at least 80)"]


def test_own_bounds_judge_expected_labels() -> None:
    rows: list[Row] = [("w", "a", 0), ("w", "c", 1), ("v", "a", 1), ("v", "c", 0)]
    crowd = crowd_of(
        rows, kind="choice", scale=None, labels=("no", "yes"), checks={"c": "trap"}, bounds={"c": {"expected": "yes"}}
    )
    refuse_misfit(OWN, Checks.of(crowd))
    assert clean(crowd, OWN).worker_kept.tolist() == [False, True]


def test_crowd_without_checks_fits_own_bounds_and_nobody_is_judged() -> None:
    crowd = crowd_of(ROWS)
    refuse_misfit(OWN, Checks.of(crowd))
    assert clean(crowd, OWN).verdicts[0].outcome.tolist() == [0, 0]


def test_check_without_bounds_is_refused_and_the_way_out_is_named() -> None:
    (reason,) = misfits(OWN, checks_of(bounds={}))
    assert reason.startswith("1 of the check items have no right answer of their own")
    assert "they are named typical, and the first is robin" in reason
    assert "--rules spatial-2019" in reason


def test_check_without_bounds_is_fine_where_a_rule_gives_them() -> None:
    both = '[[rule]]\nkind = "check"\n'
    rules = parse_rules(f"{NAMED}min = 80\n{both}")
    assert list(misfits(rules, checks_of(bounds={}))) == []


def test_check_that_no_rule_looks_at_is_refused_by_name() -> None:
    rules = parse_rules(NAMED + "min = 80")
    (reason,) = misfits(rules, checks_of(checks={"robin": "typical", "eagle": "atypical"}))
    assert reason.startswith("No rule of mine looks at the check items named atypical:")


def test_check_called_unused_is_not_looked_at_and_changes_the_hash() -> None:
    rules = parse_rules('unused_checks = ["atypical"]\n' + NAMED + "min = 80")
    assert list(misfits(rules, checks_of(checks={"robin": "typical", "eagle": "atypical"}))) == []
    assert rules.sha256 != parse_rules(NAMED + "min = 80").sha256
    (reason,) = misfits(rules, checks_of())
    assert "unused_checks names atypical, and there is no check item of that name" in reason


def test_rule_whose_check_does_not_exist_is_refused_with_those_that_do() -> None:
    rules = parse_rules(NAMED.replace("typical", "typicl") + 'min = 80\n[[rule]]\nkind = "check"\ncheck = "typical"')
    (reason,) = misfits(rules, checks_of())
    assert 'rule check "typicl"' in reason
    assert "there is no check item of that name; the check items are named typical." in reason
    with pytest.raises(Refused, match="there are no check items"):
        refuse_misfit(load_rules("spatial-2019"), checks_of(checks={}, bounds={}))


def test_repeat_is_looked_at_by_self_consistency() -> None:
    rules = parse_rules('name = "twice"\n[[rule]]\nkind = "self-consistency"\nmax_difference = 10')
    repeats = checks_of(bounds={}, fields={"robin": {"repeats": "eagle"}, "eagle": {"repeats": ""}})
    assert list(misfits(rules, repeats)) == []
    assert len(list(misfits(rules, checks_of(bounds={})))) == 1


@pytest.mark.parametrize(
    ("toml", "reason"),
    [
        ('unused_checks = "a"', "unused_checks is 'a', not a list of names"),
        ('unused_checks = ["a"]\n[[rule]]\nkind = "check"', "a rule looks at all check items, so that none is unused"),
        ('unused_checks = ["a"]\n[[rule]]\nkind = "check"\ncheck = "a"', "a is among unused_checks"),
        ('[[rule]]\nkind = "check"\nmin = 3', "it names the check items that min is for"),
        ('[[rule]]\nkind = "check"\ncheck = ""', "check is '', not a text"),
    ],
)
def test_rule_set_that_contradicts_itself_is_refused(toml: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_rules(f'name = "x"\n{toml}')
    assert reason in refused.value.reasons[0]


def test_right_answer_that_nobody_can_give_is_refused() -> None:
    rows: list[Row] = [("w", "a", 0), ("w", "c", 1)]
    told: dict[str, Any] = {"kind": "choice", "scale": None, "labels": ("literal", "metaphor")}
    crowd = crowd_of(rows, checks={"c": "clear"}, bounds={"c": {"expected": "litteral"}}, **told)
    (reason,) = misfits(OWN, Checks.of(crowd))
    assert reason == "Check item c, expected: 'litteral' is not among the answers' labels ('literal', 'metaphor')."
    named = parse_rules('name = "mine"\n[[rule]]\nkind = "check"\ncheck = "clear"\nexpected = "literal"')
    assert list(misfits(named, Checks.of(crowd))) == []


def test_bounds_that_a_rule_takes_the_place_of_are_told() -> None:
    assert bounds_not_used(parse_rules(NAMED + "min = 90"), checks_of()) == ["typical"]
    assert bounds_not_used(parse_rules(NAMED + "min = 80"), checks_of()) == []
    assert bounds_not_used(OWN, checks_of()) == []


def test_not_applicable_is_never_called_kept_under_the_rules() -> None:
    counts = {"workers": 2, "workers_kept": 2, "judgments": 4, "judgments_kept": 4, "items": 2}
    report = small_report(counts=counts, cleaning={"by_rule": [RULE]})
    assert nothing_judged(report) == "no checks"
    assert kept_in_words(report).startswith("No checks: nobody excluded. 2 of 2 workers")
    some = small_report(counts={**counts, "check_items": 3}, cleaning={"by_rule": [RULE]})
    assert nothing_judged(some) == "nobody answered a check"
    older = {**SMALL, "cleaning": {**SMALL["cleaning"], "by_rule": [RULE]}}
    older["counts"] = {key: n for key, n in SMALL["counts"].items() if key != "check_items"} | {"check_judgments": 9}
    other = read_report({key: part for key, part in older.items() if key != "version"})
    assert nothing_judged(other) == "no rule looks at the checks"
    judged = small_report(cleaning={"by_rule": [RULE, {**RULE, "rule": "s", "passed": 2}]})
    assert kept_in_words(judged).endswith("are kept under own-bounds.")
    assert notices(judged) == ["This rule applied to nobody: r."]


def test_only_who_passed_a_rule_is_included_again() -> None:
    rows: list[Row] = [("ann", "robin", 95.0), ("ann", "eagle", 1.0), ("ben", "eagle", 1.0), ("eve", "robin", 2.0)]
    cleaning = clean(crowd_of(rows, **TYPICAL), OWN)  # ann passes, ben answered no check, eve fails
    earlier = {"ann": "a", "ben": "b", "eve": "e", "zoe": "not in the data"}
    stay = still_excluded([cleaning], earlier)
    assert {name: (decision.kept, str(decision)) for name, decision in stay.items()} == {
        "ben": (False, "excluded by an earlier run: b")
    }
    again = clean(crowd_of(rows, **TYPICAL), OWN, stay)
    assert included_again([again], earlier) == {"ann": "a"}
    assert again.worker_kept.tolist() == [True, False, False]
