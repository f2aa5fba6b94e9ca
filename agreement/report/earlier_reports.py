"""Reports of earlier versions, brought up to date step by step: what an older one lacks is filled in as it was meant.

A report without `version` is version 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

Stored: TypeAlias = dict[str, object]


def brought_up_to_date(stored: Mapping[str, object]) -> Stored:
    """The report as the newest version would have it."""
    report = dict(stored)
    version = report.get("version", 1)
    for step in STEPS[(version if isinstance(version, int) else 1) - 1 :]:
        report = step(report)
    return report


def _from_version_1(report: Stored) -> Stored:
    """Keys that came while reports had no version: nothing was counted or asked for where they are missing."""
    counts, cleaning, by_hand = (_part(report, name) for name in ("counts", "cleaning", "by_hand"))
    rules = {"unused_checks": [], **_part(report, "rules")}
    counts = {"check_items": counts.get("check_judgments", 0), **counts}
    cleaning = {"checks_without_a_rule": [], "bounds_not_used": [], "uniform_clicker_passes": {}, **cleaning}
    by_hand = {"not_in_the_data": 0, "by_earlier_runs": 0, **by_hand}
    report = {**report, "rules": rules, "counts": counts, "cleaning": cleaning, "by_hand": by_hand, "version": 2}
    if "undefined" in _part(report, "release"):
        return report
    claims = {"how": "", "looked_at": [], "too_few": [], "items": []}
    empty: Stored = {"influence": [], "groups": [], "beside_majority": {}, "claims": claims, "warnings": []}
    report = {**empty, "against_reference": {"undefined": "not part of this report"}, **report}
    report["agreement"] = {name: _agreement(part) for name, part in _part(report, "agreement").items()}
    return report


def _agreement(part: object) -> object:
    if not isinstance(part, Mapping):
        return part
    compared: Stored = {"comparisons": [], "not_compared": [], "largest_difference": None}
    return {"labels": [], "notes": [], "double_entry": compared, **part}


def _part(report: Mapping[str, object], name: str) -> Stored:
    part = report.get(name)
    return dict(part) if isinstance(part, Mapping) else {}


STEPS: tuple[Callable[[Stored], Stored], ...] = (_from_version_1,)
