"""The parts of report.json that cleaning decides: who counts, by which rules, and what is said if nobody does."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from agreement.cleaning.counts import Counts
from agreement.cleaning.fitting import Checks, bounds_not_used, checks_without_a_rule
from agreement.cleaning.honest import check_cost, clicker_passes
from agreement.cleaning.ruleset import RuleSet
from agreement.cleaning.run import Cleaning, decided
from agreement.crowd import Crowd

# What an honest worker is assumed to do; the report says that it is an assumption.
ASSUMED_SLIPS = (0.01, 0.02, 0.05)
ASSUMED_CORRELATION = 0.2


def asked_for(crowd: Crowd, rules: RuleSet, study_name: str, *, seed: int, replicates: int) -> dict[str, Any]:
    """What was analysed, and with which rules and seed."""
    return {
        "study": study_name,
        "kind": crowd.kind,
        "scale": None if crowd.scale is None else {"low": float(crowd.scale.low), "high": float(crowd.scale.high)},
        "labels": list(crowd.labels),
        "rules": {
            "name": rules.name,
            "version": rules.version,
            "sha256": rules.sha256,
            "rule": list(map(str, rules.rules)),
            "unused_checks": list(rules.unused_checks),
        },
        "seed": seed,
        "replicates": replicates,
    }


def cleaning_parts(cleaning: Cleaning, counts: Counts) -> dict[str, Any]:
    """`counts`, `cleaning` and `by_hand` of report.json."""
    return {
        "counts": {name: value for name, value in asdict(counts).items() if name != "rules"},
        "cleaning": _cleaning(cleaning, counts),
        "by_hand": _by_hand(cleaning),
    }


def nothing_kept(counts: Counts) -> str:
    """Why there is no gold, in a sentence."""
    if not counts.judgments:
        return "There is no judgment of an item that isn't a check or practice: no gold."
    if counts.workers_kept:
        of_them = f"none of their judgments ({counts.judgments:,} in all)"
        return f"{counts.workers_kept:,} of {counts.workers:,} workers kept, and {of_them}: no gold."
    failed = [f"{rule.failed:,} failed {rule.rule}" for rule in counts.rules if rule.failed]
    return f"0 of {counts.workers:,} workers kept: no gold.{' ' + '; '.join(failed) + '.' if failed else ''}"


def without_gold(why: str) -> dict[str, Any]:
    """The parts of report.json that a run without gold leaves undefined."""
    undefined = {"undefined": why}
    empty: dict[str, Any] = {"scores": [], "probes": [], "comparisons": []}
    return {"agreement": undefined, "ceiling": undefined, **empty, "release": undefined}


def _by_hand(cleaning: Cleaning) -> dict[str, int]:
    """How many workers of this crowd a person excluded, or kept against a rule, decisions on nobody in it, and how many
    stay excluded from an earlier run.
    """
    taken = cleaning.unchecked if cleaning.rules.drop_unchecked else np.zeros(cleaning.crowd.n_workers, dtype=np.bool_)
    for verdict in cleaning.verdicts:
        taken = taken | verdict.failed
    decisions = decided(cleaning.crowd, cleaning.by_hand)
    return {
        "set_aside": sum(not (decision.kept or decision.by_earlier_run) for _, decision in decisions),
        "kept": sum(decision.kept and bool(taken[worker]) for worker, decision in decisions),
        "not_in_the_data": len(cleaning.by_hand) - len(decisions),
        "by_earlier_runs": sum(decision.by_earlier_run for _, decision in decisions),
    }


def _cleaning(cleaning: Cleaning, counts: Counts) -> dict[str, Any]:
    """By rule and together, what selects on the outcome, and what the checks cost the honest."""
    costs = [
        check_cost(cleaning, slip=slip, correlation=correlation)
        for correlation in (0.0, ASSUMED_CORRELATION)
        for slip in ASSUMED_SLIPS
    ]
    checks = Checks.of(cleaning.crowd)
    return {
        "by_rule": [asdict(rule) for rule in counts.rules],
        "checks_without_a_rule": sorted(
            {*checks_without_a_rule(cleaning.rules, checks), *cleaning.rules.unused_checks}
        ),
        "selects_on_outcome": [str(rule) for rule in cleaning.selects_on_outcome],
        "honest_workers_lost": [asdict(cost) for cost in costs if cost is not None],
        "uniform_clicker_passes": {str(rule): clicker_passes(cleaning.crowd, rule) for rule in cleaning.rules.checks},
        "bounds_not_used": bounds_not_used(cleaning.rules, checks),
    }
