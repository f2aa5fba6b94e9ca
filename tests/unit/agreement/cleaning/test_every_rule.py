"""Every kind of rule, found by walking the folder: read, said, hashed, documented, and judging every question."""

from __future__ import annotations

import json
import pkgutil
from dataclasses import FrozenInstanceError, fields
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from agreement.cleaning import rules as folder
from agreement.cleaning.cleaning_run import Cleaning, clean
from agreement.cleaning.rule import NotOne, Parameter, RowRule, WorkerRule
from agreement.cleaning.rule_set import RuleSet, parse_rules
from agreement.cleaning.rules import RULES
from agreement.errors import Refused
from agreement.files.numbers import PER_CENT
from agreement.judgments.crowd import Crowd
from agreement.kinds.kind import QuestionKind
from agreement.kinds.registry import KINDS
from tests.by_kind import ANSWERS, ITEM, WORKER, labels_of

DOCUMENTED = Path(__file__).parents[4] / "docs" / "cleaning.md"
TRIED: tuple[object, ...] = (Decimal("0.5"), 1, "a")
NEVER: tuple[object, ...] = (Decimal("NaN"), Decimal("-Infinity"), True, "", [1], {"a": 1}, Decimal(10) ** 10, -2)

every_rule = pytest.mark.parametrize("kind", RULES)


def taken(parameter: Parameter, value: object) -> bool:
    try:
        parameter.read(value)
    except NotOne:
        return False
    return True


def toml_of(kind: str, **given: object) -> str:
    """A rule set with one rule of that kind, its parameters those given, or the first that each of them takes."""
    values = given or {
        name: next(value for value in TRIED if taken(parameter, value))
        for name, parameter in RULES[kind].parameters().items()
    }
    lines = [f"{name} = {json.dumps(value) if isinstance(value, str) else value}" for name, value in values.items()]
    return "\n".join(['name = "one"', "[[rule]]", f'kind = "{kind}"', *lines])


def crowd_of(kind: QuestionKind) -> Crowd:
    """Three people's answers to a target item and to a check named a, which has a right answer of its own."""
    number = KINDS[kind].has_scale and not KINDS[kind].has_labels
    items = pd.DataFrame(
        {
            "item_id": ["i", "j"],
            "kind": ["target", "check"],
            "check": ["", "a"],
            "min": pd.Series([None, Decimal(10) if number else None], dtype=object),
            "max": pd.Series([None, Decimal(50) if number else None], dtype=object),
            "expected": ["", "" if number else "a"],
        }
    )
    extras = pd.DataFrame({"response_ms": np.arange(6) * 300.0, "submitted_at": [""] * 6, "assignment_id": [""] * 6})
    scale = PER_CENT if KINDS[kind].has_scale else None
    workers = pd.Index(["u", "v", "w"])
    answers = ANSWERS[kind]
    return Crowd(kind, scale, labels_of(kind), items, workers, WORKER, ITEM, answers, extras, "refuse")


def alone(rules: RuleSet) -> dict[str, Any]:
    [rule] = rules.rules
    return rule.canonical()


def test_each_module_of_the_folder_is_the_rule_that_it_is_named_for() -> None:
    modules = [module.name for module in pkgutil.iter_modules(folder.__path__)]
    assert [name.replace("_", "-") for name in modules] == list(RULES)


@every_rule
def test_a_rule_judges_workers_or_rows_and_never_changes(kind: str) -> None:
    [rule] = parse_rules(toml_of(kind)).rules
    assert isinstance(rule, WorkerRule) != isinstance(rule, RowRule)
    with pytest.raises(FrozenInstanceError):
        setattr(rule, fields(rule)[0].name, None)  # type: ignore[arg-type]


@every_rule
def test_what_a_rule_says_is_its_hash(kind: str) -> None:
    rules = parse_rules(toml_of(kind))
    said = alone(rules)
    assert said.pop("kind") == kind
    assert set(said) == set(RULES[kind].parameters())
    numbers = {
        name: Decimal(value) if isinstance(value, str) and value != "a" else value for name, value in said.items()
    }
    assert parse_rules(toml_of(kind, **numbers)).sha256 == rules.sha256
    assert "None" not in str(rules.rules[0])


@every_rule
def test_each_parameter_has_limits_and_says_them(kind: str) -> None:
    for name, parameter in RULES[kind].parameters().items():
        refused = [value for value in NEVER if not taken(parameter, value)]
        assert len(refused) > 2
        with pytest.raises(Refused) as why:
            parse_rules(toml_of(kind, **{name: "nan"}).replace('"nan"', "nan"), source="mine")
        assert why.value.reasons[0].startswith(f"mine, rule 1: {name} is ")


@every_rule
def test_a_key_that_the_rule_has_not_is_named_beside_those_it_has(kind: str) -> None:
    with pytest.raises(Refused) as why:
        parse_rules(toml_of(kind, mood=1))
    names = ", ".join(sorted(RULES[kind].parameters()))
    assert f"unknown key 'mood'; a rule of kind {kind} has {names}" in why.value.reasons[0]


def rule_sets_of(kind: str) -> list[RuleSet]:
    """The rule with all of its parameters, and with each of them by itself."""
    parameters = RULES[kind].parameters()
    named = {"check": "a"} if "check" in parameters else {}
    each = [
        {**named, name: next(value for value in TRIED if taken(parameter, value))}
        for name, parameter in parameters.items()
    ]
    return [parse_rules(toml_of(kind)), *(parse_rules(toml_of(kind, **given)) for given in each)]


def cleaned(question: QuestionKind, rules: RuleSet) -> Cleaning | tuple[str, ...]:
    """The cleaning, or why the rules don't fit that kind of question."""
    try:
        return clean(crowd_of(question), rules)
    except Refused as refused:
        return tuple(refused.reasons)


@every_rule
def test_a_rule_judges_every_kind_of_question_or_says_why_not(kind: str) -> None:
    judged = 0
    for question, rules in product(KINDS, rule_sets_of(kind)):
        [rule] = rules.rules
        found = cleaned(question, rules)
        if isinstance(found, tuple):
            assert all(f"rule {rule}: " in reason for reason in found)
            continue
        judged += 1
        assert (len(found.verdicts), len(found.rows)) == ((1, 0) if isinstance(rule, WorkerRule) else (0, 1))
        for verdict in found.verdicts:
            assert set(np.flatnonzero(verdict.failed).tolist()) <= set(verdict.evidence)
            assert all(one.answer and one.bound for several in verdict.evidence.values() for one in several)
        assert rule.selects_on_outcome == (rule in found.selects_on_outcome)
    assert judged


@every_rule
def test_the_manual_has_the_rule_with_its_keys(kind: str) -> None:
    [row] = [line for line in DOCUMENTED.read_text().splitlines() if line.startswith(f"| `{kind}` |")]
    keys = ", ".join(f"`{name}`" for name in RULES[kind].parameters())
    assert sorted(row.split(" | ")[1].split(", ")) == sorted(keys.split(", "))
