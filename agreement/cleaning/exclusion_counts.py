"""How many workers and judgments a cleaning takes, by rule and together, and which items it leaves short."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ..typed_json import NOT_IN_JSON
from .cleaning_run import Cleaning


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
        practice_judgments=int((kinds == "practice")[crowd.item].sum()),
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
