"""A rule set as data: read from TOML, refused by name where it says what no rule knows, hashed canonically."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from ..errors import Refused
from ..files.cell_texts import why_no_line
from ..typical_filters import AS_PUBLISHED, FILTERS, Filter
from .rule import NotOne, RowRule, Rule, WorkerRule, is_count, name_list, plain_number
from .rules import RULES
from .rules.check import Check
from .rules.screening import Screening

DEFAULT = "own-bounds"
_TOP = {"name", "version", "drop_unchecked", "minimum_checks", "unused_checks", "typical", "rule"}
LONGEST_NAME = 80
TYPICAL_KEY = re.compile(r"\s*typical\s*=")


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Named rules; `sha256` is of the canonical form, so that a comment or a blank line changes nothing.

    `unused_checks` are names of check items that are to decide nothing. `typical` is the rule by which gold has
    several labels; None is the one that was published.
    """

    name: str
    version: str
    drop_unchecked: bool
    minimum_checks: int
    rules: tuple[Rule, ...]
    unused_checks: tuple[str, ...] = ()
    typical: Filter | None = None

    @property
    def typical_labels(self) -> Filter:
        return self.typical or AS_PUBLISHED

    @property
    def on_workers(self) -> tuple[WorkerRule, ...]:
        return tuple(rule for rule in self.rules if isinstance(rule, WorkerRule))

    @property
    def on_rows(self) -> tuple[RowRule, ...]:
        return tuple(rule for rule in self.rules if isinstance(rule, RowRule))

    @property
    def checks(self) -> tuple[Check, ...]:
        return tuple(rule for rule in self.rules if isinstance(rule, Check))

    def canonical(self) -> str:
        """The rule set as JSON with sorted keys and all defaults, however its TOML was written."""
        document = {
            "name": self.name,
            "version": self.version,
            "drop_unchecked": self.drop_unchecked,
            "minimum_checks": self.minimum_checks,
            "rule": [rule.canonical() for rule in self.rules],
        }
        if self.unused_checks:
            document["unused_checks"] = sorted(self.unused_checks)
        if self.typical is not None:
            document["typical"] = self.typical
        return json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.canonical().encode()).hexdigest()


def _rule_sets() -> Traversable:
    return resources.files(__package__) / "rule_sets"


def built_in_names() -> list[str]:
    """The rule sets that come with the project."""
    file_names = (entry.name for entry in _rule_sets().iterdir())
    return sorted(name.removesuffix(".toml") for name in file_names if name.endswith(".toml"))


def built_in_toml(name: str) -> str:
    """The TOML of a built-in rule set."""
    return (_rule_sets() / f"{name}.toml").read_text(encoding="utf-8")


def load_rules(name_or_path: str) -> RuleSet:
    """The built-in rule set of that name, or the one in that TOML file."""
    if name_or_path in built_in_names():
        return parse_rules(built_in_toml(name_or_path), source=f"{name_or_path}.toml")
    path = Path(name_or_path)
    try:
        return parse_rules(path.read_text(encoding="utf-8-sig"), source=path.name)
    except OSError as error:
        known = ", ".join(built_in_names())
        raise Refused(f"{name_or_path}: {error.strerror}; give a TOML file or the name of one of: {known}") from error
    except UnicodeDecodeError as error:
        raise Refused(f"{path.name}: the file is not UTF-8 text") from error


def parse_rules(toml: str, *, source: str = "rule set") -> RuleSet:
    """The rule set that `toml` writes, or `Refused` with everything that is wrong with it."""
    try:
        document = tomllib.loads(toml, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"{source}: not TOML ({error})") from error
    except (RecursionError, ArithmeticError, ValueError) as error:
        raise Refused(f"{source}: its values are nested too deeply or have too many digits") from error
    return rules_of(document, source=source)


def rules_of(document: Mapping[str, Any], *, source: str) -> RuleSet:
    """The rule set that a TOML document or a dictionary of its shape holds; numbers are whole or `Decimal`."""
    reasons = [
        f"{source}: unknown key {key!r}; a rule set has {name_list(_TOP)}" for key in document if key not in _TOP
    ]
    if not isinstance(document.get("name"), str) or not document["name"].strip():
        reasons.append(f"{source}: the key name is missing; a rule set is cited by its name")
    elif len(document["name"].strip()) > LONGEST_NAME:
        reasons.append(f"{source}: the name has more than {LONGEST_NAME} characters; shorten it")
    elif why := why_no_line(document["name"].strip()):
        reasons.append(f"{source}: the name: {why}")
    if not isinstance(document.get("drop_unchecked", False), bool):
        reasons.append(f"{source}: drop_unchecked is not true or false")
    if not is_count(document.get("minimum_checks", 0)):
        reasons.append(f"{source}: minimum_checks is not a whole number of 0 or more")
    if document.get("typical", AS_PUBLISHED) not in FILTERS:
        reasons.append(f"{source}: typical is {document['typical']!r}, and it is one of {name_list(FILTERS)}")
    rules = document.get("rule", [])
    if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
        reasons.append(f"{source}: rules are written as [[rule]] tables")
        rules = []
    parsed = [_parse_rule(rule, f"{source}, rule {number}", reasons) for number, rule in enumerate(rules, start=1)]
    unused = _unused(document.get("unused_checks", []), parsed, source, reasons)
    if reasons:
        raise Refused(reasons)
    return RuleSet(
        name=document["name"].strip(),
        version=str(document.get("version", "1")),
        drop_unchecked=document.get("drop_unchecked", False),
        minimum_checks=document.get("minimum_checks", 0),
        rules=tuple(rule for rule in parsed if rule is not None),
        unused_checks=unused,
        typical=document.get("typical"),
    )


def with_screening(rules: RuleSet) -> RuleSet:
    """The same rules and this one; those of the default rule set are then the rule set `screening`."""
    if any(isinstance(rule, Screening) for rule in rules.rules):
        return rules
    if rules.sha256 == load_rules(DEFAULT).sha256:
        return load_rules(Screening.kind)
    return replace(rules, name=f"{rules.name}, with screening"[:LONGEST_NAME], rules=(*rules.rules, Screening()))


def with_typical(toml: str, label_filter: Filter) -> str:
    """The same rule set with another rule for typical labels: keys of the whole stand before the first [[rule]]."""
    lines = [line for line in toml.splitlines() if not TYPICAL_KEY.match(line)]
    return "\n".join([f'typical = "{label_filter}"', *lines]) + "\n"


def _unused(value: object, rules: Iterable[Rule | None], source: str, reasons: list[str]) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) and name.strip() for name in value):
        reasons.append(f"{source}: unused_checks is {value!r}, not a list of names of checks")
        return ()
    names = tuple(dict.fromkeys(name.strip() for name in value))
    looked_at = {rule.check for rule in rules if isinstance(rule, Check)}
    if names and None in looked_at:
        reasons.append(
            f"{source}: a rule looks at all check items, so that none is unused; name the checks in the rule"
        )
    twice = [name for name in names if name in looked_at]
    reasons += [f"{source}: {name} is among unused_checks, and a rule looks at it" for name in twice]
    return names


def _parse_rule(table: dict[str, object], where: str, reasons: list[str]) -> Rule | None:
    kind = table.get("kind")
    if not isinstance(kind, str) or kind not in RULES:
        reasons.append(f"{where}: unknown kind {kind!r}; it is one of {name_list(RULES)}")
        return None
    rule = RULES[kind]
    known = rule.parameters()
    before = len(reasons)
    reasons += [
        f"{where}: unknown key {key!r}; a rule of kind {kind} has {name_list(known)}"
        for key in table
        if key != "kind" and key not in known
    ]
    values: dict[str, object] = {}
    for key in known:
        if key in table:
            try:
                values[key] = known[key].read(table[key])
            except NotOne as why:
                values[key] = None
                reasons.append(f"{where}: {key} is {why}")
    reasons += [f"{where}: {why}" for why in rule.wrong_together(values)]
    return rule(**values) if len(reasons) == before else None


def as_toml(rules: RuleSet) -> str:
    """TOML that reads as the same rule set; defaults are left out.

    >>> from agreement.cleaning.rule_set import load_rules, parse_rules
    >>> rules = load_rules("spatial-2019")
    >>> parse_rules(as_toml(rules)).sha256 == rules.sha256
    True
    """
    document: dict[str, object] = {"name": rules.name}
    document |= {"version": rules.version} if rules.version != "1" else {}
    document |= {"drop_unchecked": True} if rules.drop_unchecked else {}
    document |= {"minimum_checks": rules.minimum_checks} if rules.minimum_checks else {}
    document |= {"unused_checks": sorted(rules.unused_checks)} if rules.unused_checks else {}
    document |= {"typical": rules.typical} if rules.typical is not None else {}
    return "\n".join([_lines(document), *(_table(rule) for rule in rules.rules)])


def _table(rule: Rule) -> str:
    values = {name: getattr(rule, name) for name in rule.parameters()}
    return "[[rule]]\n" + _lines(
        {"kind": rule.kind} | {name: value for name, value in values.items() if value is not None}
    )


def _lines(values: Mapping[str, object]) -> str:
    return "".join(f"{name} = {_toml_value(value)}\n" for name, value in values.items())


def _toml_value(value: object) -> str:
    """JSON's texts, lists of texts, true and false are TOML's; numbers stand as people write them."""
    written = plain_number(value)
    if isinstance(written, str) and not isinstance(value, str):
        return written
    return json.dumps(written, ensure_ascii=False).replace("\x7f", "\\u007f")
