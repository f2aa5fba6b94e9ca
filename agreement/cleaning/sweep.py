"""A sweep: the same cleaning over a grid of both check thresholds, to see whether any conclusion depends on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from agreement.cleaning.cleaning_run import Cleaning, clean
from agreement.cleaning.exclusion_counts import count
from agreement.cleaning.rule_set import RuleSet
from agreement.cleaning.rules import Check, Rule
from agreement.crowd import Crowd


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One pair of thresholds, in per cent, what they take, and whatever else was measured there."""

    max: Decimal
    min: Decimal
    workers_removed: int
    judgments_kept: int
    judgments_per_item: float
    measured: Mapping[str, Any]


def sweep(
    crowd: Crowd,
    rules: RuleSet,
    *,
    maxima: Iterable[Decimal],
    minima: Iterable[Decimal],
    measure: Callable[[Cleaning], Mapping[str, Any]] | None = None,
) -> Iterator[SweepPoint]:
    """Clean anew for every pair: `maxima` replace the max of check rules that have one, `minima` the min.

    `measure` adds what depends on the kept judgments: alpha, ceilings, the ranking of probes. A rule set with no check
    of either sort gives the same point again and again, which is the answer then.
    """
    lows = list(minima)
    for high in maxima:
        for low in lows:
            cleaning = clean(crowd, with_thresholds(rules, high=high, low=low))
            counts = count(cleaning)
            yield SweepPoint(
                max=high,
                min=low,
                workers_removed=counts.workers - counts.workers_kept,
                judgments_kept=counts.judgments_kept,
                judgments_per_item=counts.judgments_per_item,
                measured=measure(cleaning) if measure else {},
            )


def with_thresholds(rules: RuleSet, *, high: Decimal, low: Decimal) -> RuleSet:
    """The rule set with other thresholds in its checks of one bound; those with two bounds or labels stay."""
    return replace(rules, rules=tuple(_moved(rule, high=high, low=low) for rule in rules.rules))


def _moved(rule: Rule, *, high: Decimal, low: Decimal) -> Rule:
    if isinstance(rule, Check) and rule.max is not None and rule.min is None:
        return replace(rule, max=high)
    if isinstance(rule, Check) and rule.min is not None and rule.max is None:
        return replace(rule, min=low)
    return rule
