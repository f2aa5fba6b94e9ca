from __future__ import annotations

from decimal import Decimal

import pytest

from agreement.cleaning.rule_set import built_in_names, load_rules, parse_rules
from agreement.cleaning.rules.check import Check
from agreement.cleaning.rules.too_fast import TooFast
from agreement.errors import Refused

ONE = 'name = "mine"\n[[rule]]\nkind = "check"\ncheck = "self"\nmin = 90\n'


def test_the_founding_rules_are_built_in() -> None:
    rules = load_rules("spatial-2019")

    assert "spatial-2019" in built_in_names()
    assert rules.rules == (Check("unrelated", max=Decimal(60)), Check("self", min=Decimal(90)))
    assert (rules.drop_unchecked, rules.minimum_checks) == (False, 0)


def test_the_hash_is_of_what_the_rules_say_not_of_how_they_are_written() -> None:
    respelt = '# a comment\n[[rule]]\nmin = 90.0\ntolerated = 0\ncheck = "self"\nkind = "check"\n'

    assert parse_rules(ONE).sha256 == parse_rules('name = "mine"\nminimum_checks = 0\n' + respelt).sha256
    assert parse_rules(ONE).sha256 != parse_rules(ONE.replace("90", "91")).sha256
    assert parse_rules(ONE).sha256 != parse_rules(ONE.replace("mine", "yours")).sha256


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = [", "not TOML"),
        ('[[rule]]\nkind = "check"\ncheck = "self"', "the key name is missing"),
        ('name = "a"\ncolour = 1', "unknown key 'colour'"),
        ('name = "a"\n[[rule]]\nkind = "mood"', "unknown kind 'mood'"),
        ('name = "a"\n[[rule]]\ncheck = "self"', "unknown kind None"),
        ('name = "a"\n[[rule]]\nkind = "check"\nmax = 60', "the key check is missing"),
        ('name = "a"\n[[rule]]\nkind = "check"\ncheck = "self"\nmaximum = 60', "unknown key 'maximum'"),
        ('name = "a"\n[[rule]]\nkind = "check"\ncheck = "self"\nmax = 101', "max is 101, not a number from 0 to 100"),
        ('name = "a"\n[[rule]]\nkind = "check"\ncheck = "self"\nmax = nan', "max is NaN, not a number"),
        ('name = "a"\n[[rule]]\nkind = "check"\ncheck = "self"\nmax = "60"', "max is '60', not a number"),
        ('name = "a"\n[[rule]]\nkind = "check"\ncheck = "self"\nmin = 60\nmax = 40', "min 60 is above max 40"),
        ('name = "a"\n[[rule]]\nkind = "check"\ncheck = "self"\ntolerated = -1', "tolerated is -1"),
        ('name = "a"\n[[rule]]\nkind = "too-fast"', "needs one of floor_ms, sd_below"),
        ('name = "a"\n[[rule]]\nkind = "self-consistency"', "needs one of max_difference"),
        ('name = "a"\ndrop_unchecked = 1', "drop_unchecked is not true or false"),
        ('name = "a"\nminimum_checks = 1.5', "minimum_checks is not a whole number"),
    ],
)
def test_what_no_rule_knows_is_refused_by_name(text: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_rules(text, source="rules.toml")
    assert reason in refused.value.reasons[0]
    assert refused.value.reasons[0].startswith("rules.toml")


def test_all_that_is_wrong_is_named_at_once() -> None:
    with pytest.raises(Refused) as refused:
        parse_rules('colour = 1\n[[rule]]\nkind = "mood"\n[[rule]]\nkind = "check"\nmax = 101')
    assert len(refused.value.reasons) == 5


def test_every_kind_of_rule_is_parsed() -> None:
    text = """
        name = "all"
        [[rule]]
        kind = "too-fast"
        floor_ms = 500
        sd_below = 3
        [[rule]]
        kind = "straight-lining"
        longest_run = 10
        [[rule]]
        kind = "self-consistency"
        max_difference = 20
        [[rule]]
        kind = "disagreement"
        correlation_below = 0.4
        [[rule]]
        kind = "row-disagreement"
        kendall_below = 0
    """
    rules = parse_rules(text)

    assert [rule.kind for rule in rules.rules] == [
        "too-fast",
        "straight-lining",
        "self-consistency",
        "disagreement",
        "row-disagreement",
    ]
    assert rules.rules[0] == TooFast(floor_ms=Decimal(500), sd_below=Decimal(3))
    assert [rule.selects_on_outcome for rule in rules.rules] == [True, False, False, True, True]


def test_a_name_that_is_no_rule_set_lists_those_there_are() -> None:
    with pytest.raises(Refused, match="spatial-2019"):
        load_rules("spatial-2091")
