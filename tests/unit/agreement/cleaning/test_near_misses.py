"""Near misses: who passes a rule and would fail it with its bounds a little further in."""

from __future__ import annotations

from typing import Any

import pytest

from agreement.cleaning.cleaning_run import clean, near_misses
from agreement.cleaning.rule import CountedJudgments
from agreement.cleaning.rule_set import as_toml, built_in_toml, parse_rules
from agreement.cleaning.rules import RULES
from tests.unit.agreement.cleaning.crowds import crowd_of

ROWS: list[Any] = [
    ("ann", "i1", 5.0), ("ann", "u1", 10.0),
    ("ben", "i1", 6.0), ("ben", "u1", 57.0),
    ("eve", "i1", 7.0), ("eve", "u1", 61.0),
]  # fmt: skip


@pytest.mark.parametrize("name", ["own-bounds", "mine"])
def test_who_nearly_broke_a_bound_is_named_with_the_answer(name: str) -> None:
    from decimal import Decimal

    toml = (
        built_in_toml(name) if name == "own-bounds" else 'name = "m"\n[[rule]]\nkind = "check"\ncheck = "u"\nmax = 60\n'
    )
    crowd = crowd_of(ROWS, checks={"u1": "u"}, bounds={"u1": {"max": Decimal(60)}})
    [near] = near_misses(clean(crowd, parse_rules(toml)))
    assert near.worker == "ben"
    assert [str(each) for each in near.evidence] == ["u1: 57 (at most 55)"]


EXAMPLES = {
    "cant-see": {"share_above": "0.2"},
    "check": {"check": "u", "min": "90"},
    "disagreement": {"correlation_below": "0.2"},
    "row-disagreement": {"kendall_below": "0"},
    "screening": {"beyond": "2.5"},
    "self-consistency": {"max_difference": "20"},
    "straight-lining": {"sd_below": "5", "longest_run": "6"},
    "too-fast": {"floor_ms": "400"},
}


@pytest.mark.parametrize("kind", RULES)
def test_every_rule_has_words_for_its_parameters_and_is_written_as_it_was_read(kind: str) -> None:
    rule = RULES[kind]
    assert set(rule.words) == set(rule.parameters())
    assert rule.title
    lines = "".join(
        f"{name} = {value if value != 'u' else chr(34) + value + chr(34)}\n" for name, value in EXAMPLES[kind].items()
    )
    rules = parse_rules(f'name = "x \\"y\\" \\\\ z"\ntypical = "typical-viphy"\n[[rule]]\nkind = "{kind}"\n{lines}')
    assert parse_rules(as_toml(rules)) == rules


def test_stricter_rules_fail_nobody_less() -> None:
    crowd = crowd_of(ROWS, checks={"u1": "u"}, response_ms=[300, 500, 450, 600, 900, 800])
    for kind, given in EXAMPLES.items():
        if kind in {"row-disagreement", "check"}:
            continue
        lines = "".join(f"{name} = {value}\n" for name, value in given.items())
        rules = parse_rules(f'name = "x"\n[[rule]]\nkind = "{kind}"\n{lines}')
        cleaning = clean(crowd, rules)
        judged = CountedJudgments(crowd, crowd.on_target, cleaning.checks >= 0)
        for verdicts in cleaning.verdicts:
            assert not (verdicts.failed & ~verdicts.rule.almost(judged).failed).any(), kind
