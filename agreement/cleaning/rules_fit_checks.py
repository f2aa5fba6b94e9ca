"""Whether a rule set and the check items fit each other: asked before a run starts, so that no check is ignored and no
rule looks for what isn't there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..errors import Refused
from ..judgments.crowd import REPEATS_FIELD, Crowd, Mask
from ..kinds.data import given_bounds, wrong_right_answer
from ..kinds.registry import QuestionKind
from ..refusal_words import option
from .rule_set import RuleSet
from .rules.check import has_bounds, unfit


@dataclass(frozen=True, slots=True)
class Checks:
    """What a rule set has to fit: the kind of question, its labels as far as known, and the items, as in a `Crowd`."""

    kind: QuestionKind
    labels: tuple[str, ...]
    items: pd.DataFrame

    @classmethod
    def of(cls, crowd: Crowd) -> Checks:
        return cls(crowd.kind, crowd.labels, crowd.items)

    @property
    def is_check(self) -> Mask:
        """[N] which items are check items."""
        return np.asarray(self.items["kind"] == "check", dtype=np.bool_)

    @property
    def names(self) -> list[str]:
        return sorted(set(self.items["check"][self.is_check]))


def refuse_misfit(rules: RuleSet, checks: Checks) -> None:
    """Raise `Refused` with every reason why these rules can't judge these checks."""
    if reasons := list(misfits(rules, checks)):
        raise Refused(reasons)


def misfits(rules: RuleSet, checks: Checks) -> Iterator[str]:
    """Every reason why the rule set doesn't fit: a check that no rule looks at, a rule without a check, no bounds."""
    if unseen := checks_without_a_rule(rules, checks):
        yield (
            f"No rule of {rules.name} looks at the check items named {_listed(unseen)}: name them in a rule"
            ' (kind = "check"), or under unused_checks if they are to decide nothing.'
        )
    for rule in rules.checks:
        if rule.check is not None and rule.check not in checks.names:
            there = f"the check items are named {_listed(checks.names)}" if checks.names else "there are no check items"
            yield f"{rules.name}, rule {rule}: there is no check item of that name; {there}."
        else:
            yield from (f"{rules.name}, {reason}" for reason in unfit(rule, checks.kind, checks.labels))
    for name in rules.unused_checks:
        if name not in checks.names:
            yield f"{rules.name}: unused_checks names {name}, and there is no check item of that name."
    yield from _impossible_answers(rules, checks)
    if without := _without_bounds(rules, checks):
        names = sorted(set(checks.items["check"].iloc[without]))
        yield (
            f"{len(without):,} of the check items have no right answer of their own (min, max or expected), and"
            f" {rules.name} gives none: they are named {_listed(names)}, and the first is"
            f" {checks.items['item_id'].iloc[without[0]]}. Fill the columns in, or choose rules that give bounds, such"
            f" as {option('rules', 'spatial-2019')}."
        )


def checks_without_a_rule(rules: RuleSet, checks: Checks) -> list[str]:
    """The names of check items that no rule looks at and that the rule set doesn't call unused."""
    if any(rule.check is None for rule in rules.checks):
        return []
    seen = {rule.check for rule in rules.checks} | set(rules.unused_checks)
    judged_otherwise = _compared_with_another(rules, checks)
    return sorted(set(checks.items["check"][checks.is_check & ~judged_otherwise]) - seen)


def bounds_not_used(rules: RuleSet, checks: Checks) -> list[str]:
    """The names of check items that came with bounds of their own, of which a rule's other bounds take the place."""
    found = []
    for rule in rules.checks:
        if not rule.uses_own_bounds:
            mine = checks.items[checks.is_check & np.asarray(checks.items["check"] == rule.check)]
            given = set(zip(mine["min"], mine["max"], mine["expected"], strict=True)) - {(None, None, "")}
            if given - {(rule.min, rule.max, rule.expected or "")}:
                found.append(str(rule.check))
    return sorted(set(found))


def _compared_with_another(rules: RuleSet, checks: Checks) -> Mask:
    """[N] check items that repeat another, where a rule compares the two answers."""
    if REPEATS_FIELD not in checks.items or not any(rule.compares_repeats for rule in rules.rules):
        return np.zeros(len(checks.items), dtype=np.bool_)
    return np.asarray(checks.items[REPEATS_FIELD].astype(str).str.strip() != "", dtype=np.bool_)


def _without_bounds(rules: RuleSet, checks: Checks) -> list[int]:
    """The rows of check items that a rule would judge by bounds of their own, which they don't have."""
    if not checks.is_check.any():  # as in most files: nothing to look through
        return []
    given = {rule.check for rule in rules.checks if not rule.uses_own_bounds}
    covered = np.asarray(checks.items["check"].isin(given), dtype=np.bool_) | _compared_with_another(rules, checks)
    found: list[int] = np.flatnonzero(_by_own_bounds(rules, checks) & ~covered & ~has_bounds(checks.items)).tolist()
    return found


def _impossible_answers(rules: RuleSet, checks: Checks) -> Iterator[str]:
    """Right answers that nobody can give: whoever answers such a check fails it."""
    if not checks.is_check.any():
        return
    for row in np.flatnonzero(_by_own_bounds(rules, checks)).tolist():
        item = checks.items.iloc[row]
        bounds = given_bounds(item["min"], item["max"])
        for column, why in wrong_right_answer(checks.kind, checks.labels, str(item["expected"]), bounds):
            yield f"Check item {item['item_id']}, {column}: {why}."


def _by_own_bounds(rules: RuleSet, checks: Checks) -> Mask:
    """[N] the check items that a rule judges by bounds of their own."""
    own = [rule.check for rule in rules.checks if rule.uses_own_bounds]
    if None in own:
        return checks.is_check
    return checks.is_check & np.asarray(checks.items["check"].isin(own), dtype=np.bool_)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
