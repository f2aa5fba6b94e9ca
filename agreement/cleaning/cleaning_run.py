"""A cleaning run: every rule's verdict on every worker, and the judgments that are kept. A preview is the same call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..files.items_file import OUTSIDE_RESULTS
from ..judgments.crowd import Crowd, Mask, could_not_see
from ..typed_json import NOT_IN_JSON
from .decided_by_hand import NOTHING_BY_HAND, ByHand, Decision
from .rule import PASSED, CountedJudgments, Evidence, Rule, Verdicts
from .rule_set import RuleSet
from .rules.check import Check, judgments_checked

UNCHECKED = "answered no check"
PRACTICE = "practice item"


@dataclass(frozen=True, slots=True, eq=False)
class DroppedRows:
    """The judgments [J] that a rule on answers, not on workers, dropped."""

    rule: Rule
    dropped: Mask


@dataclass(frozen=True, eq=False)
class Cleaning:
    """What a rule set says of a crowd. `checks` and `checks_failed` [W] count answers to checks that a rule judged.

    `kept` [J] marks the judgments that stay; those on check items stay with their worker, and never enter gold.
    """

    rules: RuleSet
    crowd: Crowd
    verdicts: tuple[Verdicts, ...]
    rows: tuple[DroppedRows, ...]
    checks: npt.NDArray[np.int64]
    checks_failed: npt.NDArray[np.int64]
    worker_kept: Mask
    kept: Mask
    by_hand: ByHand = field(default_factory=dict)

    @property
    def unchecked(self) -> Mask:
        """[W] workers with judgments and no answer to a check that a rule looks at."""
        return np.asarray((self.checks == 0) & self.took_part)

    @cached_property
    def took_part(self) -> Mask:
        """[W] who has a judgment at all."""
        return np.asarray(np.bincount(self.crowd.worker, minlength=self.crowd.n_workers) > 0)

    @cached_property
    def answered_something(self) -> Mask:
        """[W] who has a judgment, or said of a picture that it can't be seen."""
        return np.asarray(self.took_part | (could_not_see(self.crowd) > 0))

    @cached_property
    def kept_targets(self) -> Mask:
        """[J] the judgments that gold, agreement and ceilings are made of."""
        return self.kept & self.crowd.on_target

    @property
    def selects_on_outcome(self) -> tuple[Rule, ...]:
        """The rules that look at other people's answers or times: agreement after them is partly of their making."""
        return tuple(rule for rule in self.rules.rules if rule.selects_on_outcome)

    @cached_property
    def worker_reasons(self) -> list[str]:
        """[W] why a worker is excluded, "" for those who aren't."""
        reasons: list[list[str]] = [[] for _ in range(self.crowd.n_workers)]
        for verdict in self.verdicts:
            for worker in np.flatnonzero(verdict.failed).tolist():
                reasons[worker].append(f"failed {verdict.rule}")
        if self.rules.drop_unchecked:
            for worker in np.flatnonzero(self.unchecked).tolist():
                reasons[worker].append(UNCHECKED)
        for worker, decision in decisions_on_workers(self.crowd, self.by_hand):
            reasons[worker] = [] if decision.kept else [*reasons[worker], str(decision)]
        return ["; ".join(texts) for texts in reasons]

    def judgment_reasons(self) -> tuple[npt.NDArray[np.int32], list[str]]:
        """[J] codes of why a judgment is not kept, and the reasons; "" for those that are."""
        texts = list(dict.fromkeys(["", PRACTICE, *(str(row.rule) for row in self.rows), *self.worker_reasons]))
        code = {text: number for number, text in enumerate(texts)}
        by_worker = np.array([*map(code.__getitem__, self.worker_reasons), 0], dtype=np.int32)
        codes = by_worker[self.crowd.worker]
        for row in self.rows:
            codes[row.dropped & (codes == 0)] = code[str(row.rule)]
        codes[_practice(self.crowd)] = code[PRACTICE]
        return codes, texts

    def code_of(self, name: str) -> int | None:
        """A worker's place in the crowd; None for who isn't in it."""
        return self._codes.get(name)

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {str(name): code for code, name in enumerate(self.crowd.workers)}

    def passed_a_rule(self, name: str) -> bool:
        code = self.code_of(name)
        return code is not None and any(verdicts.outcome[code] == PASSED for verdicts in self.verdicts)

    def evidence(self, worker: int) -> list[Evidence]:
        """Everything that broke a bound, by one worker."""
        return [piece for verdict in self.verdicts for piece in verdict.evidence.get(worker, ())]


def decisions_on_workers(crowd: Crowd, by_hand: ByHand) -> list[tuple[int, Decision]]:
    """The decisions by hand on workers of this crowd, by worker code."""
    codes = crowd.workers.get_indexer(pd.Index(list(by_hand), dtype=object))
    return [(int(code), decision) for code, decision in zip(codes, by_hand.values(), strict=True) if code >= 0]


def clean(crowd: Crowd, rules: RuleSet, by_hand: ByHand = NOTHING_BY_HAND) -> Cleaning:
    """Judge every worker by every rule, then drop answers by the rules on answers. Stores nothing.

    What a person decided `by_hand` stands over the rules' verdicts, which are given all the same.

    Each rule on workers sees the whole crowd, so their order makes no difference; a rule on answers compares with the
    item's mean, and sees only what those rules left, or the careless would decide who is careless.
    """
    judged = judgments_for_rules(crowd, rules)
    counted, checks = judged.counted, _answers_to_checks(crowd, rules)
    verdicts = tuple(rule.judge(judged) for rule in rules.on_workers)
    worker_kept = np.ones(crowd.n_workers, dtype=np.bool_)
    for verdict in verdicts:
        worker_kept &= ~verdict.failed
    if rules.drop_unchecked:
        worker_kept &= (checks > 0) | (np.bincount(crowd.worker, minlength=crowd.n_workers) == 0)
    for worker, decision in decisions_on_workers(crowd, by_hand):
        worker_kept[worker] = decision.kept
    kept = counted & worker_kept[crowd.worker]
    dropped = []
    for rule in rules.on_rows:
        fallen = rule.dropped(crowd, kept & crowd.on_target)
        dropped.append(DroppedRows(rule, fallen))
        kept = kept & ~fallen
    failed = sum(
        (verdict.failures for verdict in verdicts if isinstance(verdict.rule, Check)),
        start=np.zeros(crowd.n_workers, dtype=np.int64),
    )
    return Cleaning(rules, crowd, verdicts, tuple(dropped), checks, failed, worker_kept, kept, by_hand)


def judgments_for_rules(crowd: Crowd, rules: RuleSet) -> CountedJudgments:
    """What the rules on workers look at."""
    return CountedJudgments(crowd, ~_practice(crowd), _answers_to_checks(crowd, rules) >= rules.minimum_checks)


def _answers_to_checks(crowd: Crowd, rules: RuleSet) -> npt.NDArray[np.int64]:
    """[W] how many answers a worker gave to check items that a rule looks at; each answer counts once."""
    seen = np.zeros(crowd.n_judgments, dtype=np.bool_)
    for rule in rules.checks:
        seen[judgments_checked(crowd, rule)] = True
    return np.bincount(crowd.worker[seen], minlength=crowd.n_workers)


def _practice(crowd: Crowd) -> Mask:
    return np.asarray(crowd.items["kind"].isin(OUTSIDE_RESULTS), dtype=np.bool_)[crowd.item]


# Who nearly failed a rule: kept by it, and not by the same rule with its bounds a little further in.


@dataclass(frozen=True, slots=True)
class NearMiss:
    """`evidence` is held to the stricter bound."""

    worker: str
    rule: Rule
    evidence: tuple[Evidence, ...]


def near_misses(cleaning: Cleaning) -> list[NearMiss]:
    """By rule, then in the order of the workers."""
    judged, misses = judgments_for_rules(cleaning.crowd, cleaning.rules), []
    for verdict in cleaning.verdicts:
        almost = verdict.rule.almost(judged)
        for worker in np.flatnonzero(almost.failed & ~verdict.failed & cleaning.worker_kept).tolist():
            name, evidence = str(cleaning.crowd.workers[worker]), almost.evidence.get(worker, ())
            misses.append(NearMiss(name, verdict.rule, evidence))
    return misses


# Workers whom an earlier run excluded: whom this one would include again, and who stays excluded. A verdict of "not
# applicable" says nothing in a worker's favour: only who passed a rule, and failed none, can come back.


# Of several questions each has a cleaning of its own: who comes back is kept by all of them, and passed a rule of one.


def included_again(cleanings: Sequence[Cleaning], earlier: Mapping[str, str]) -> dict[str, str]:
    """Of the workers in `earlier` (worker to reason), those whom these cleanings keep."""
    return {name: why for name, why in earlier.items() if _is_kept(cleanings, name)}


def still_excluded(cleanings: Sequence[Cleaning], earlier: Mapping[str, str]) -> dict[str, Decision]:
    """Of the workers in `earlier`, those whom no rule of these cleanings applies to: they stay excluded."""
    return {
        name: Decision(kept=False, why=why, by_earlier_run=True)
        for name, why in included_again(cleanings, earlier).items()
        if name not in cleanings[0].by_hand and not any(one.passed_a_rule(name) for one in cleanings)
    }


def _is_kept(cleanings: Sequence[Cleaning], name: str) -> bool:
    verdicts = [bool(one.worker_kept[code]) for one in cleanings if (code := one.code_of(name)) is not None]
    return bool(verdicts) and all(verdicts)


def excluded_elsewhere(
    cleaning: Cleaning, others: Mapping[str, Cleaning], by_hand: ByHand = NOTHING_BY_HAND
) -> dict[str, Decision]:
    """The workers of a question's crowd whom the rules exclude for what they answered to others of the study, which are
    given by name: an exclusion covers all questions. What was decided by hand stands.
    """
    decisions: dict[str, Decision] = {}
    for question, other in others.items():
        for worker in np.flatnonzero(~other.worker_kept).tolist():
            name = str(other.crowd.workers[worker])
            if name not in by_hand and name not in decisions and cleaning.code_of(name) is not None:
                decisions[name] = Decision(kept=False, why=other.worker_reasons[worker], in_question=question)
    return dict(sorted(decisions.items()))


def cleanings_of(
    crowds: Sequence[Crowd],
    names: Sequence[str],
    rules: RuleSet,
    by_hand: ByHand = NOTHING_BY_HAND,
    earlier: Mapping[str, str] = MappingProxyType({}),
) -> list[Cleaning]:
    """Of each question of a study, by its name: who is excluded for one of them is excluded for all."""
    cleanings = [clean(crowd, rules, by_hand) for crowd in crowds]
    if stay := still_excluded(cleanings, earlier):
        by_hand = dict(sorted({**by_hand, **stay}.items()))
        cleanings = [clean(crowd, rules, by_hand) for crowd in crowds]
    if len(cleanings) == 1:
        return cleanings
    together = []
    for cleaning in cleanings:
        others = {name: other for name, other in zip(names, cleanings, strict=True) if other is not cleaning}
        elsewhere = excluded_elsewhere(cleaning, others, by_hand)
        together.append(clean(cleaning.crowd, rules, {**by_hand, **elsewhere}) if elsewhere else cleaning)
    return together


# How many workers and judgments a cleaning takes, by rule and together, and which items it leaves short.


@dataclass(frozen=True, slots=True)
class RuleCount:
    """One rule: workers by verdict, target judgments that it alone would take, and workers that no other rule takes."""

    rule: str
    kind: str
    passed: int
    failed: int
    not_applicable: int
    judgments: int
    only_by_this: int


@dataclass(frozen=True, slots=True)
class Counts:
    """Before and after; `judgments` are those on target items."""

    workers: int
    workers_kept: int
    workers_unchecked: int
    judgments: int
    judgments_kept: int
    check_judgments: int
    practice_judgments: int
    items: int
    items_without_judgments: int
    judgments_per_item: float
    check_items: int | None  # None in the report of a version that counted the answers to them alone
    rules: tuple[RuleCount, ...] = field(default=(), metadata=NOT_IN_JSON)  # a report has them beside its rules


def count(cleaning: Cleaning) -> Counts:
    """The counts of a cleaning."""
    crowd, took_part = cleaning.crowd, cleaning.took_part
    kinds = crowd.items["kind"].to_numpy()
    per_item = kept_per_item(cleaning)
    items, kept = len(per_item), int(cleaning.kept_targets.sum())
    return Counts(
        workers=int(took_part.sum()),
        workers_kept=int((took_part & cleaning.worker_kept).sum()),
        workers_unchecked=int(cleaning.unchecked.sum()),
        judgments=int(crowd.on_target.sum()),
        judgments_kept=kept,
        check_judgments=int((kinds == "check")[crowd.item].sum()),
        practice_judgments=int(_practice(crowd).sum()),
        items=items,
        items_without_judgments=int((per_item == 0).sum()),
        judgments_per_item=kept / items if items else 0.0,
        rules=_by_rule(cleaning),
        check_items=int((kinds == "check").sum()),
    )


def kept_per_item(cleaning: Cleaning) -> npt.NDArray[np.int64]:
    """[target items] how many judgments each keeps, in the order of the items."""
    crowd = cleaning.crowd
    return np.bincount(crowd.item[cleaning.kept_targets], minlength=crowd.n_items)[crowd.item_is_target]


def _by_rule(cleaning: Cleaning) -> tuple[RuleCount, ...]:
    crowd, counted = cleaning.crowd, cleaning.answered_something
    on_target = np.bincount(crowd.worker[crowd.on_target], minlength=crowd.n_workers)
    times_failed = sum((verdict.failed.astype(np.int64) for verdict in cleaning.verdicts), np.zeros(crowd.n_workers))
    counts = []
    for verdict in cleaning.verdicts:
        failed = verdict.failed
        verdict_of = np.bincount(verdict.outcome[counted], minlength=3).tolist()
        counts.append(
            RuleCount(
                rule=str(verdict.rule),
                kind=verdict.rule.kind,
                passed=verdict_of[1],
                failed=verdict_of[2],
                not_applicable=verdict_of[0],
                judgments=int(on_target[failed].sum()),
                only_by_this=int((failed & (times_failed == 1)).sum()),
            )
        )
    rows = (RuleCount(str(row.rule), row.rule.kind, 0, 0, 0, int(row.dropped.sum()), 0) for row in cleaning.rows)
    return (*counts, *rows)
