"""Reports for tests of what is said of them: the JSON of a small one, with what a test is about in its place."""

import json
from collections.abc import Mapping
from typing import Any

from agreement.report.report import Report, read_report
from agreement.typed_json import object_of

FIGURE: dict[str, Any] = {"estimate": 0.4, "low": 0.1, "high": 0.6, "n": 30, "method": "jackknife"}
NONE: dict[str, Any] = {"undefined": "nothing was measured"}
OF_PEOPLE: dict[str, Any] = {
    "first": "",
    "counts": {
        "judgments": 90, "items": 30, "items_with_two": 30, "workers": 9, "judgments_per_item": 3.0,
        "judgments_per_worker_min": 10, "judgments_per_worker_median": 10.0, "judgments_per_worker_max": 10,
        "busiest_worker": "w1", "busiest_tied": 9, "busiest_share": None, "repeated": 0,
    },
    "fleiss_kappa": NONE, "krippendorff_alpha": {}, "icc1": NONE, "icc1k": NONE, "split_half": NONE,
    "split_half_spearman": NONE, "labels": [], "notes": [],
    "double_entry": {"comparisons": [], "not_compared": [], "largest_difference": None},
}  # fmt: skip
SMALL: dict[str, Any] = {
    "study": "s", "kind": "choice", "scale": None, "labels": ["a", "b"],
    "rules": {"name": "own-bounds", "version": "1", "sha256": "0" * 64, "rule": [], "unused_checks": []},
    "seed": 1, "replicates": 100, "repeats": {"answers": 0, "told_by": None, "policy": "refuse"},
    "counts": {
        "workers": 9, "workers_kept": 9, "workers_unchecked": 0, "judgments": 90, "judgments_kept": 90,
        "check_judgments": 0, "practice_judgments": 0, "items": 30, "items_without_judgments": 0,
        "judgments_per_item": 3.0, "check_items": 0,
    },
    "cleaning": {
        "by_rule": [], "checks_without_a_rule": [], "selects_on_outcome": [], "honest_workers_lost": [],
        "uniform_clicker_passes": {}, "bounds_not_used": [],
    },
    "by_hand": {"set_aside": 0, "kept": 0, "not_in_the_data": 0, "by_earlier_runs": 0},
    "agreement": {"raw": OF_PEOPLE, "cleaned": OF_PEOPLE},
    "ceiling": {
        "leave_one_out": {"mean": NONE, "weighted": NONE, "pooled": NONE},
        "upper_bound": NONE, "pairwise": NONE, "noise_lower": NONE, "noise_upper": NONE, "reference": NONE,
    },
    "influence": [], "scores": [], "probes": [], "comparisons": [], "groups": [], "against_reference": NONE,
    "beside_majority": {}, "release": {"number": 1, "sha256": "0" * 64}, "inputs": [], "versions": {},
    "claims": {"how": "", "looked_at": [], "too_few": [], "items": []}, "warnings": [], "version": 3,
}  # fmt: skip
RULE: dict[str, Any] = {
    "rule": "r", "kind": "check", "passed": 0, "failed": 0, "not_applicable": 2, "judgments": 0, "only_by_this": 0,
}  # fmt: skip


def small_report(**parts: Any) -> Report:
    """The small report with these parts in place of its own; of an object the keys that are given."""
    return read_report(_merged(SMALL, parts))


def with_agreement(raw: Mapping[str, Any], cleaned: Mapping[str, Any] | None = None) -> Report:
    return small_report(agreement={"raw": raw, "cleaned": raw if cleaned is None else cleaned})


def _merged(ours: Any, theirs: Any) -> Any:
    if not isinstance(ours, dict) or not isinstance(theirs, dict) or "undefined" in ours:
        return json.loads(json.dumps(theirs))
    return {**ours, **{key: _merged(ours.get(key), value) for key, value in theirs.items()}}


def as_dict(value: object) -> dict[str, Any]:
    """Any part of a report as its JSON, for tests that go through all of its keys."""
    return dict(object_of(value))
