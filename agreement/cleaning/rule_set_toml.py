"""A rule set written as TOML, as a form or a program has put it together."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agreement.cleaning.rule import Rule, plain
from agreement.cleaning.rule_set import RuleSet


def as_toml(rules: RuleSet) -> str:
    """TOML that reads as the same rule set; defaults are left out.

    >>> from agreement.cleaning.rule_set import load_rules, parse_rules
    >>> rules = load_rules("spatial-2019")
    >>> parse_rules(as_toml(rules)).sha256 == rules.sha256
    True
    """
    whole: dict[str, Any] = {"name": rules.name}
    whole |= {"version": rules.version} if rules.version != "1" else {}
    whole |= {"drop_unchecked": True} if rules.drop_unchecked else {}
    whole |= {"minimum_checks": rules.minimum_checks} if rules.minimum_checks else {}
    whole |= {"unused_checks": sorted(rules.unused_checks)} if rules.unused_checks else {}
    whole |= {"typical": rules.typical} if rules.typical is not None else {}
    return "\n".join([_lines(whole), *(_table(rule) for rule in rules.rules)])


def _table(rule: Rule) -> str:
    values = {name: getattr(rule, name) for name in rule.parameters()}
    return "[[rule]]\n" + _lines(
        {"kind": rule.kind} | {name: value for name, value in values.items() if value is not None}
    )


def _lines(values: Mapping[str, Any]) -> str:
    return "".join(f"{name} = {_written(value)}\n" for name, value in values.items())


def _written(value: Any) -> str:
    """JSON's texts, lists of texts, true and false are TOML's; numbers stand as people write them."""
    written = plain(value)
    if isinstance(written, str) and not isinstance(value, str):
        return written
    return json.dumps(written, ensure_ascii=False).replace("\x7f", "\\u007f")
