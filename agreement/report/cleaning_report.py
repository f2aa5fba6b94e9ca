"""What cleaning did, in figures and in words: for report.json, methods.md, the terminal and the results page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from ..arrays import Bools
from ..cleaning.check_items import Checks, bounds_not_used, check_cost, checks_without_a_rule, clicker_passes
from ..cleaning.cleaning_run import Cleaning, Counts, RuleCount, decisions_on_workers
from ..cleaning.rule import plain_number
from ..cleaning.rule_set import RuleSet
from ..cleaning.sweep import Sweep
from ..estimation.estimate import Undefined
from ..files.trap_columns import traps_of
from ..typed_json import JsonObject
from .report import AppliedRules, ByHandCounts, CleaningReport, Report, WithoutGold

# What cleaning did, in words: for the methods paragraph, the terminal and the results page, from the report alone.

NO_CHECKS = "no checks"


def cleaning_paragraph(report: Report) -> str:
    """Which rules, whom they excluded and what is left, as a paper says it."""
    return " ".join(_sentences(report))


def kept_in_words(report: Report) -> str:
    """How many workers and judgments are kept, under which rules; or that no rule had anything to judge by.

    Such as "No checks: nobody excluded. 3 of 3 workers and 9 of 9 judgments of 3 items are kept." Whoever stands out
    by other signs is said beside it.
    """
    counts = report.counts
    workers = f"{counts.workers_kept:,} of {several(counts.workers, 'worker')}"
    of_items = f"{several(counts.judgments, 'judgment')} of {several(counts.items, 'item')}"
    judgments = f"{counts.judgments_kept:,} of {of_items}"
    if why := nothing_judged(report):
        nobody = "nobody excluded" if counts.workers_kept == counts.workers else "nobody excluded by a rule"
        if suspects := named_suspects(report):
            nobody += f", though answers of {several(suspects, 'worker')} look careless"
        return f"{why[:1].upper()}{why[1:]}: {nobody}. {workers} and {judgments} are kept."
    return f"{workers} and {judgments} are kept under {report.rules.name}."


def named_suspects(report: Report) -> int:
    """How many workers' answers look careless, as far as anybody could be screened."""
    results = report.question.results
    suspects = () if isinstance(results, WithoutGold) else results.suspects
    return 0 if suspects is None or isinstance(suspects, Undefined) else len(suspects)


def nothing_judged(report: Report) -> str:
    """Why no rule judged anybody; nothing where one did. "Not applicable" to everybody is not "passed"."""
    counts, rules = report.counts, report.cleaning.by_rule
    if not all(map(_is_idle, rules)):
        return ""
    if any(rule.kind != "check" for rule in rules):
        return "no rule applied to anybody"
    if not _had_checks(counts):
        return NO_CHECKS
    if not rules:
        return "the rule set has no rules"
    return "no rule looks at the checks" if counts.check_judgments else "nobody answered a check"


def _had_checks(counts: Counts) -> bool:
    """Whether there were check items; an older release counted the answers to them alone."""
    return bool(counts.check_judgments if counts.check_items is None else counts.check_items)


def notices(report: Report) -> list[str]:
    """What a reader of the results would otherwise not see: checks, rules and bounds that decided nothing."""
    lines, cleaning = [], report.cleaning
    if not nothing_judged(report):
        idle = [rule.rule for rule in cleaning.by_rule if _is_idle(rule)]
        lines += [f"This rule applied to nobody: {rule}." for rule in idle]
    if unseen := cleaning.checks_without_a_rule:
        lines.append(f"No rule looks at the checks named {', '.join(unseen)}: failing them has no consequence.")
    if other := cleaning.bounds_not_used:
        names = ", ".join(other)
        lines.append(f"The rules' bounds replaced those of the check items named {names}.")
    return lines + warning_texts(report)


def warning_texts(report: Report) -> list[str]:
    """What the report warns of, in its order."""
    return [warning.text for warning in report.warnings]


def _is_idle(rule: RuleCount) -> bool:
    return not (rule.passed or rule.failed or rule.kind == "row-disagreement")


def several(count: int, thing: str) -> str:
    """How many of a thing, in words.

    >>> several(1, "worker"), several(1200, "worker")
    ('1 worker', '1,200 workers')
    """
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _sentences(report: Report) -> Iterator[str]:
    rules, counts, cleaning, by_hand = report.rules, report.counts, report.cleaning, report.by_hand
    named = f"rule set {rules.name} (version {rules.version}, SHA-256 {rules.sha256})"
    if why := nothing_judged(report):
        which = f" of the {named}" if rules.rule and why != NO_CHECKS else ""
        because = "there were no check items" if why == NO_CHECKS else why
        yield f"No rule{which} excluded a worker, because {because}; {_kept_sentence(counts)}"
    else:
        yield f"The {named} was applied: {'; '.join(rules.rule)}."
        workers, judgments = counts.workers - counts.workers_kept, counts.judgments - counts.judgments_kept
        who = "It and the decisions by hand" if by_hand.set_aside or by_hand.by_earlier_runs else "It"
        who = "It, with the study's other questions," if by_hand.in_other_questions and who == "It" else who
        excluded = f"{several(workers, 'worker')} and {several(judgments, 'judgment')}"
        yield f"{who} excluded {excluded}; {_kept_sentence(counts)}"
        if counts.workers_unchecked and _had_checks(counts):
            yield f"{several(counts.workers_unchecked, 'worker')} answered no check that a rule looks at."
    if cleaning.checks_without_a_rule:
        yield f"No rule looks at the checks named {', '.join(cleaning.checks_without_a_rule)}."
    if cleaning.bounds_not_used:
        names = ", ".join(cleaning.bounds_not_used)
        yield f"The rules' bounds replaced those of the check items named {names}."
    if cleaning.traps:
        traps = "; ".join(map(str, cleaning.traps))
        count = several(len(cleaning.traps), "trap")
        yield f"Among the checks: {count}, which people pass and models are known to fail: {traps}."
    yield from _by_hand_in_words(by_hand)
    if cleaning.selects_on_outcome:
        yield _selecting(cleaning.selects_on_outcome, rules.rule)
    if cleaning.honest_workers_lost:
        first = cleaning.honest_workers_lost[0]
        lost, kept = (f"{100 * share:.1f} %" for share in (first.honest_lost, first.uniform_clickers_kept))
        yield (
            f"By an assumption, and not by these data: if a careful worker fails a check by mistake with probability"
            f" {first.slip:g}, the checks exclude {lost} of careful workers and keep {kept} of those who click at"
            " random."
        )


def _kept_sentence(counts: Counts) -> str:
    """What is kept: all of it where nothing was excluded."""
    per_item = f"{counts.judgments_per_item:.2f}".rstrip("0").removesuffix(".")
    workers, judgments = several(counts.workers_kept, "worker"), several(counts.judgments_kept, "judgment")
    every = "all " if counts.judgments_kept == counts.judgments and counts.workers > 2 else ""
    return f"{every}{workers} and {judgments} are kept, {per_item} per item on average."


def _selecting(selecting: Sequence[str], rules: Sequence[str]) -> str:
    """Which rules look at what agreement is made of; those that were just named aren't named again."""
    if list(selecting) == list(rules):
        who, look, select = ("This rule", "looks", "selects") if len(rules) == 1 else ("These rules", "look", "select")
        which = ""
    else:
        who, look, select, which = "Some of these rules", "look", "select", f": {'; '.join(selecting)}"
    return (
        f"{who} {look} at other people's answers or times and so {select} on the outcome, which raises agreement by"
        f" itself{which}."
    )


def _by_hand_in_words(by_hand: ByHandCounts) -> Iterator[str]:
    if by_hand.set_aside or by_hand.kept:
        yield (
            f"By hand, {several(by_hand.set_aside, 'worker')} {_was_or_were(by_hand.set_aside)} excluded and"
            f" {by_hand.kept:,} kept against a rule's verdict; the reasons are with the data."
        )
    if by_hand.by_earlier_runs:
        yield (
            f"{several(by_hand.by_earlier_runs, 'worker')} {_was_or_were(by_hand.by_earlier_runs)} excluded by an"
            " earlier cleaning run and stayed excluded, because no rule of this run applies to them."
        )
    if elsewhere := by_hand.in_other_questions:
        yield (
            f"{several(elsewhere, 'worker')} {_was_or_were(elsewhere)} excluded for what they answered to another"
            " question of the study: an exclusion covers all of them."
        )
    if beyond := by_hand.not_in_the_data:
        yield f"{several(beyond, 'decision')} by hand {_was_or_were(beyond)} on workers who are not in the data."


def _was_or_were(count: int) -> str:
    return "was" if count == 1 else "were"


# The parts of report.json that cleaning decides: who counts, by which rules, and what is said if nobody does.

# What a careful worker is assumed to do; the report says that it is an assumption.
ASSUMED_SLIPS = (0.01, 0.02, 0.05)
ASSUMED_CORRELATION = 0.2


def applied_rules(rules: RuleSet) -> AppliedRules:
    """The rules that a crowd was cleaned by."""
    return AppliedRules(
        name=rules.name,
        version=rules.version,
        sha256=rules.sha256,
        rule=tuple(map(str, rules.rules)),
        unused_checks=tuple(rules.unused_checks),
        typical=rules.typical or "",
    )


def nothing_kept(counts: Counts) -> str:
    """Why there is no gold, in a sentence."""
    if not counts.judgments:
        return "All judgments are of check or practice items, so there is no gold."
    if counts.workers_kept:
        of_them = f"none of their judgments ({counts.judgments:,} in all)"
        return f"{counts.workers_kept:,} of {counts.workers:,} workers kept, and {of_them}: no gold."
    failed = [f"{rule.failed:,} failed {rule.rule}" for rule in counts.rules if rule.failed]
    return f"0 of {counts.workers:,} workers kept: no gold.{' ' + '; '.join(failed) + '.' if failed else ''}"


def without_gold(why: str) -> WithoutGold:
    """What a run without gold leaves undefined."""
    undefined = Undefined(why)
    return WithoutGold(agreement=undefined, ceiling=undefined, release=undefined)


def by_hand_counts(cleaning: Cleaning) -> ByHandCounts:
    """How many workers of this crowd a person excluded, or kept against a rule, decisions on nobody in it, and how many
    stay excluded from an earlier run or are excluded for another question.
    """
    taken = cleaning.unchecked if cleaning.rules.drop_unchecked else np.zeros(cleaning.crowd.n_workers, dtype=np.bool_)
    for verdict in cleaning.verdicts:
        taken = taken | verdict.failed
    decisions = decisions_on_workers(cleaning.crowd, cleaning.by_hand)
    return ByHandCounts(
        set_aside=sum(not (each.kept or each.by_earlier_run or each.in_question) for _, each in decisions),
        kept=sum(decision.kept and bool(taken[worker]) for worker, decision in decisions),
        not_in_the_data=len(cleaning.by_hand) - len(decisions),
        by_earlier_runs=sum(decision.by_earlier_run for _, decision in decisions),
        in_other_questions=sum(bool(decision.in_question) for _, decision in decisions),
    )


def cleaning_summary(cleaning: Cleaning, counts: Counts) -> CleaningReport:
    """By rule and together, what selects on the outcome, and how many careful workers the checks exclude."""
    costs = [
        check_cost(cleaning, slip=slip, correlation=correlation)
        for correlation in (0.0, ASSUMED_CORRELATION)
        for slip in ASSUMED_SLIPS
    ]
    checks = Checks.of(cleaning.crowd)
    unseen = {*checks_without_a_rule(cleaning.rules, checks), *cleaning.rules.unused_checks}
    return CleaningReport(
        by_rule=counts.rules,
        checks_without_a_rule=tuple(sorted(unseen)),
        selects_on_outcome=tuple(str(rule) for rule in cleaning.selects_on_outcome),
        honest_workers_lost=tuple(cost for cost in costs if cost is not None),
        uniform_clicker_passes={str(rule): clicker_passes(cleaning.crowd, rule) for rule in cleaning.rules.checks},
        bounds_not_used=tuple(bounds_not_used(cleaning.rules, checks)),
        traps=traps_of(cleaning.crowd.items),
    )


# A threshold sweep as rows and as sentences: does any conclusion hang on the thresholds?

# Cells that keep fewer of the workers say little of the thresholds: they are drawn, and no sentence counts them.
LEAST_KEPT = 0.5


def rows_of(sweep: Sweep) -> list[JsonObject]:
    """A row per cell, undefined figures None."""
    best, (first, second) = sweep.best(), sweep.axes
    return [
        {
            "first": str(plain_number(a)),
            "second": str(plain_number(b)),
            "agreement": _number(sweep.alpha[i, j]),
            "workers": int(sweep.workers[i, j]),
            "judgments": int(sweep.judgments[i, j]),
            "gold": _number(sweep.gold[i, j]),
            "best": best[i][j],
            "now": _is_still_true(first.now, a) and _is_still_true(second.now, b),
        }
        for i, a in enumerate(first.values)
        for j, b in enumerate(second.values)
    ]


def _is_still_true(now: tuple[object, ...], value: object) -> bool:
    return not now or value in now


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def sentences(sweep: Sweep) -> list[str]:
    """What stays the same over the grid, and what hangs on the thresholds."""
    counts = sweep.workers >= LEAST_KEPT * max(int(sweep.workers.max()), 1)
    of = f"{int(counts.sum())} of {counts.size} cells that keep at least half of the workers"
    lines = []
    alpha = sweep.alpha[counts & ~np.isnan(sweep.alpha)]
    if len(alpha):
        lines.append(f"Agreement ({sweep.statistic}) goes from {alpha.min():.3f} to {alpha.max():.3f} over the {of}.")
    else:
        lines.append("Agreement is undefined in all of these cells; the figure shows how many workers are kept.")
    gold = sweep.gold[counts & ~np.isnan(sweep.gold)]
    if len(gold):
        lines.append(
            f"The gold of each of them goes with that of the present rules: {sweep.of_gold} {gold.min():.3f} or more."
        )
    if sweep.models:
        lines.append(_of_models(sweep, counts))
    return lines


def _of_models(sweep: Sweep, counts: Bools) -> str:
    best = Counter(name for name in np.array(sweep.best(), dtype=object)[counts].tolist() if name)
    if not best:
        return "No model has a score that a grid could show."
    [(name, n), *others] = best.most_common()
    if not others:
        return (
            f"{name} has the highest score ({sweep.of_models}) in all of them: which model is best doesn't depend on"
            " the thresholds."
        )
    rest = ", ".join(f"{other} in {many}" for other, many in others)
    return (
        f"Which model is best depends on the thresholds: {name} has the highest score ({sweep.of_models}) in {n} of"
        f" them, {rest}."
    )
