"""Check items beside a rule set: whether the two fit each other, and how many careful workers the checks exclude."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..errors import Refused, option
from ..estimation.estimate import Undefined
from ..files.cell_texts import split_bars
from ..judgments.crowd import REPEATS_FIELD, Crowd, Mask
from ..kinds.data import given_bounds, wrong_right_answer
from ..kinds.kind import QuestionKind
from ..kinds.options import labels_of_item
from ..kinds.registry import KINDS
from ..kinds.statistics import statistics_of
from .cleaning_run import Cleaning
from .rule_set import RuleSet
from .rules.check import Check, checks_of_rule, has_bounds, judgments_checked, unfit_bounds


@dataclass(frozen=True, slots=True)
class Checks:
    """What a rule set has to fit: the kind of question, its labels as far as known, and the items, as in a `Crowd`.

    `elsewhere` are the names of check items of the study's other questions.
    """

    kind: QuestionKind
    labels: tuple[str, ...]
    items: pd.DataFrame
    elsewhere: frozenset[str] = frozenset()

    @classmethod
    def of(cls, crowd: Crowd) -> Checks:
        return cls(crowd.kind, crowd.labels, crowd.items, crowd.checks_elsewhere)

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
            f"No rule of {rules.name} looks at the check items named {_name_list(unseen)}: name them in a rule"
            ' (kind = "check"), or under unused_checks if they are to decide nothing.'
        )
    for rule in rules.checks:
        if rule.check is not None and rule.check not in checks.names:
            if rule.check in checks.elsewhere:
                continue
            existing_names = (
                f"the check items are named {_name_list(checks.names)}" if checks.names else "there are no check items"
            )
            yield f"{rules.name}, rule {rule}: there is no check item of that name; {existing_names}."
        else:
            yield from (f"{rules.name}, {reason}" for reason in unfit_bounds(rule, checks.kind, checks.labels))
    for name in rules.unused_checks:
        if name not in checks.names and name not in checks.elsewhere:
            yield f"{rules.name}: unused_checks names {name}, and there is no check item of that name."
    yield from _impossible_answers(rules, checks)
    if without := _without_bounds(rules, checks):
        names = sorted(set(checks.items["check"].iloc[without]))
        yield (
            f"{len(without):,} of the check items have no right answer of their own (min, max or expected), and"
            f" {rules.name} gives none: they are named {_name_list(names)}, and the first is"
            f" {checks.items['item_id'].iloc[without[0]]}. Fill the columns in, or choose rules that give bounds, such"
            f" as {option('rules', 'spatial-2019')}."
        )


def checks_without_a_rule(rules: RuleSet, checks: Checks) -> list[str]:
    """The names of check items that no rule looks at and that the rule set doesn't call unused."""
    if any(rule.check is None for rule in rules.checks):
        return []
    seen = {rule.check for rule in rules.checks} | set(rules.unused_checks)
    judged_otherwise = _has_comparison(rules, checks)
    return sorted(set(checks.items["check"][checks.is_check & ~judged_otherwise]) - seen)


def bounds_not_used(rules: RuleSet, checks: Checks) -> list[str]:
    """The names of check items that came with bounds of their own, of which a rule's other bounds take the place."""
    names = []
    for rule in rules.checks:
        if not rule.uses_own_bounds:
            mine = checks.items[checks.is_check & np.asarray(checks.items["check"] == rule.check)]
            own_bounds = set(zip(mine["min"], mine["max"], mine["expected"], strict=True)) - {(None, None, "")}
            if own_bounds - {(rule.min, rule.max, rule.expected or "")}:
                names.append(str(rule.check))
    return sorted(set(names))


def _has_comparison(rules: RuleSet, checks: Checks) -> Mask:
    """[N] check items that repeat another, where a rule compares the two answers."""
    if REPEATS_FIELD not in checks.items or not any(rule.compares_repeats for rule in rules.rules):
        return np.zeros(len(checks.items), dtype=np.bool_)
    return np.asarray(checks.items[REPEATS_FIELD].astype(str).str.strip() != "", dtype=np.bool_)


def _without_bounds(rules: RuleSet, checks: Checks) -> list[int]:
    """The rows of check items that a rule would judge by bounds of their own, which they don't have."""
    if not checks.is_check.any():  # as in most files: nothing to look through
        return []
    bounded_checks = {rule.check for rule in rules.checks if not rule.uses_own_bounds}
    covered = np.asarray(checks.items["check"].isin(bounded_checks), dtype=np.bool_) | _has_comparison(rules, checks)
    rows: list[int] = np.flatnonzero(_by_own_bounds(rules, checks) & ~covered & ~has_bounds(checks.items)).tolist()
    return rows


def _impossible_answers(rules: RuleSet, checks: Checks) -> Iterator[str]:
    """Right answers that nobody can give: whoever answers such a check fails it."""
    if not checks.is_check.any():
        return
    for row in np.flatnonzero(_by_own_bounds(rules, checks)).tolist():
        item = checks.items.iloc[row]
        bounds = given_bounds(item["min"], item["max"])
        for column, why in wrong_right_answer(
            checks.kind, labels_of_item(checks.kind, checks.labels, item), str(item["expected"]), bounds
        ):
            yield f"Check item {item['item_id']}, {column}: {why}."


def _by_own_bounds(rules: RuleSet, checks: Checks) -> Mask:
    """[N] the check items that a rule judges by bounds of their own."""
    own = [rule.check for rule in rules.checks if rule.uses_own_bounds]
    if None in own:
        return checks.is_check
    return checks.is_check & np.asarray(checks.items["check"].isin(own), dtype=np.bool_)


def _name_list(names: Iterable[str]) -> str:
    return ", ".join(names)


# How many careful workers the checks exclude, at an assumed chance of a slip, and how many careless ones they
# miss.

Counts = npt.NDArray[np.int64]
Chances = npt.NDArray[np.float64]
POSITIONS = 101  # a slider of 0-100 stops at whole numbers


@dataclass(frozen=True, slots=True)
class CheckCost:
    """Shares of the workers who answered a check. `slip` and `correlation` are assumptions, not estimates."""

    slip: float
    correlation: float
    honest_lost: float
    uniform_clickers_kept: float


def chance_of_more(k: Sequence[Counts], p: Sequence[float], tolerated: int, correlation: float = 0.0) -> Chances:
    """[W] Pr[sum_c Binomial(k_c, p_c) > T]: the chance that a worker slips on more checks than are tolerated.

    `k` holds a [W] array a type of check. With `correlation` > 0 a worker's slips of one type go together:
    beta-binomial with that correlation between any two of them.

    >>> chance_of_more([np.array([2])], [0.05], 0).round(4).tolist()
    [0.0975]
    """
    most = tolerated + 1
    at_most = np.zeros((len(k[0]), most))
    at_most[:, 0] = 1.0
    for k_c, p_c in zip(k, p, strict=True):
        slips = np.stack([_pmf(s, k_c, p_c, correlation) for s in range(most)], axis=1)
        folded = np.zeros_like(at_most)
        for total in range(most):
            folded[:, total] = sum(at_most[:, total - s] * slips[:, s] for s in range(total + 1))
        at_most = folded
    return np.asarray(np.clip(1.0 - at_most.sum(axis=1), 0.0, 1.0))


def _pmf(slips: int, k: Counts, p: float, correlation: float) -> Chances:
    from scipy import stats  # which takes half a second to import, and most crowds have no checks

    if correlation > 0 and 0 < p < 1:
        spread = (1 - correlation) / correlation
        return np.asarray(stats.betabinom.pmf(slips, k, p * spread, (1 - p) * spread))
    return np.asarray(stats.binom.pmf(slips, k, p))


def check_cost(cleaning: Cleaning, *, slip: float, correlation: float = 0.0) -> CheckCost | None:
    """What the rule set's checks do to careful workers and to uniform clickers, over the workers' actual checks.

    Each rule tolerates its own failures, so a worker stays who passes them all; with none tolerated that is
    Pr[sum Binomial(k_c, p_c) > 0]. None where nobody answered a check.
    """
    crowd, checked = cleaning.crowd, (cleaning.checks > 0) & (cleaning.checks >= cleaning.rules.minimum_checks)
    if not checked.any() or not cleaning.rules.checks:
        return None
    honest_stay, clicker_stays = np.ones(int(checked.sum())), np.ones(int(checked.sum()))
    for rule in cleaning.rules.checks:
        k = np.bincount(crowd.worker[judgments_checked(crowd, rule)], minlength=crowd.n_workers)[checked]
        honest_stay *= 1 - chance_of_more([k], [slip], rule.tolerated, correlation)
        clicker_stays *= 1 - chance_of_more([k], [1 - uniform_pass(crowd, rule)], rule.tolerated)
    return CheckCost(slip, correlation, float(1 - honest_stay.mean()), float(clicker_stays.mean()))


def clicker_passes(crowd: Crowd, rule: Check) -> float | Undefined:
    """`uniform_pass` for the report; undefined in words where the rule's bounds are numbers and the answers labels."""
    if not KINDS[crowd.kind].has_scale and not (rule.uses_own_bounds or rule.expected):
        return Undefined(f"the rule has numeric bounds, and answers of kind {crowd.kind} are no numbers")
    return uniform_pass(crowd, rule)


def uniform_pass(crowd: Crowd, rule: Check) -> float:
    """The chance that someone who clicks anywhere passes one check: on 0-100, 61/101 at most 60, 11/101 at least 90.

    For a rule that leaves bounds to the items, the mean over its items. Of a `choices` question the clicker picks any
    set that isn't empty; properties and texts are never hit by chance.
    """
    if not rule.uses_own_bounds:
        return _passes(crowd, rule.min, rule.max, rule.expected or "", len(crowd.labels))
    own = crowd.items[checks_of_rule(crowd, rule)]
    chances = [
        _passes(crowd, row["min"], row["max"], str(row["expected"]), len(labels_of_item(crowd.kind, crowd.labels, row)))
        for _, row in own.iterrows()
    ]
    return float(np.mean(chances)) if chances else 1.0


def _passes(crowd: Crowd, low: Decimal | None, high: Decimal | None, expected: str, n_labels: int) -> float:
    wanted = len([part for part in split_bars(expected) if part])
    return statistics_of(crowd.kind).chance_to_pass(low, high, wanted, n_labels)


# Before anybody has answered: what the check items of a study would do to a random clicker and to a careful person.

SLIP = 0.01  # assumed: a careful person answers one check in a hundred by mistake
SPREAD = 3.0  # assumed: and stops a slider this far from the end that is right, on average, in per cent of the scale


def slips_by_bounds(low: float | None, high: float | None, *, slip: float = SLIP, spread: float = SPREAD) -> float:
    """The chance that a careful person breaks a check's bounds: s + (1 - s) e^(-t / m).

    s is the chance of a mistake, m the mean distance between answer and right answer, exponentially distributed, and t
    the room that the bounds leave: from the end of the scale that they hold to the other bound, or half of what is
    between two inner bounds (then to both sides). Labels leave no room and have no distance: s alone.

    >>> [round(slips_by_bounds(*bounds), 3) for bounds in ((None, 60), (90, None), (40, 60), (None, None))]
    [0.01, 0.045, 0.045, 0.01]
    """
    least, most = low if low is not None else 0.0, high if high is not None else 100.0
    if least <= 0 and most >= 100:
        return slip
    room = most if least <= 0 else 100 - least if most >= 100 else (most - least) / 2
    return slip + (1 - slip) * math.exp(-room / spread)


def passes_by_chance(kind: str, low: float | None, high: float | None, wanted: int, n_labels: int) -> float:
    """The chance that one click anywhere passes one check item."""
    bounds = [None if bound is None else Decimal(str(bound)) for bound in (low, high)]
    return statistics_of(kind).chance_to_pass(bounds[0], bounds[1], wanted, n_labels)


def chance_of_all(chances: Sequence[tuple[float, int]]) -> float:
    """The chance that independent events all happen: the product of p_c^(k_c) over the checks' types.

    >>> round(chance_of_all([(0.6, 2), (0.1, 2)]), 4)
    0.0036
    """
    return math.prod(chance**count for chance, count in chances)


# The chance of one click anywhere, by the type of the answers: bounds in per cent, and how many of the labels will do.


def number_by_chance(low: Decimal | None, high: Decimal | None, *_: int) -> float:
    """Every position of a slider alike."""
    least, most = low if low is not None else Decimal(0), high if high is not None else Decimal(100)
    return sum(least <= position <= most for position in range(POSITIONS)) / POSITIONS


def numbers_by_chance(low: Decimal | None, high: Decimal | None, wanted: int, n_labels: int) -> float:
    """Every position of each label's slider alike; with labels wanted, one of them has to be the furthest."""
    within = number_by_chance(low, high)
    return float(within**n_labels if not wanted else within**wanted * wanted / n_labels)


def label_by_chance(_low: Decimal | None, _high: Decimal | None, wanted: int, n_labels: int) -> float:
    return wanted / n_labels


def set_by_chance(_low: Decimal | None, _high: Decimal | None, _wanted: int, n_labels: int) -> float:
    """Every set that isn't empty alike."""
    return float(1 / (2**n_labels - 1))


def words_by_chance(*_: Decimal | int | None) -> float:
    """Properties and texts are never hit."""
    return 0.0
