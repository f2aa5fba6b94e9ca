"""Reports that earlier versions stored, in the shape that today's code reads. Every stored report is read through here.

A stored report stays as it is, byte for byte: a bundle ships it, and `verify` compares it. What reads figures of it
takes `current_report`, which fills in what the version that stored it did not have.

A change to the shape of report.json, or to what a key means, adds a step. The first of `STEPS` takes a report of
version 1 to version 2, and so on. Reports that say nothing of a version are of version 1, and may have any of the parts
that came one after the other, so that its step leaves alone what is there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from ..errors import Refused

Report = dict[str, Any]

NOT_HELD = "the version that made this report held nothing against references"


@dataclass(frozen=True, slots=True)
class Step:
    """From one version to the next, both on the report itself: `rename` moves what is called otherwise now, `fill_in`
    adds defaults for what there was not.
    """

    rename: Callable[[Report], None]
    fill_in: Callable[[Report], None]


def current_report(stored: Mapping[str, object]) -> Report:
    """The report in today's shape; the stored one is not changed.

    >>> current_report({"by_hand": {"set_aside": 2, "kept": 0, "not_in_the_data": 0}})["by_hand"]["by_earlier_runs"]
    0
    """
    report = deepcopy(dict(stored))
    for step in _steps_from(stored):
        step.rename(report)
        step.fill_in(report)
    report["version"] = NEWEST
    return report


def with_current_names(stored: Mapping[str, object]) -> Report:
    """What the report says, under the names of today and without defaults: for a comparison of its figures.

    >>> with_current_names({"ceiling": {"leave_one_out": {"items_a_worker": {"median": 10.0}}}})
    {'ceiling': {'leave_one_out': {'items_per_worker': {'median': 10.0}}}}
    """
    report = deepcopy(dict(stored))
    for step in _steps_from(stored):
        step.rename(report)
    return report


def _steps_from(stored: Mapping[str, Any]) -> tuple[Step, ...]:
    version = stored.get("version", 1)
    if version > NEWEST:
        raise Refused(f"A newer version of Touchstone made this report (version {version} of its format).")
    return STEPS[version - 1 :]


# From version 1: what reports got before they had a version, in the order in which it came.


def _rename_items_per_worker(report: Report) -> None:
    left_out = report.get("ceiling", {}).get("leave_one_out", {})
    if "items_a_worker" in left_out:
        left_out["items_per_worker"] = left_out.pop("items_a_worker")


def _fill_in_parts(report: Report) -> None:
    """A part stays out where its absence says that nothing is known: `collection`, `unverified`, `similarity_matrix`
    and `property_entries`, and of a figure `over` and `most_influential_worker`.
    """
    # Whoever an earlier run had excluded was counted under `set_aside`.
    _fill_in(report, "by_hand", by_earlier_runs=0)
    _fill_in(report, "rules", unused_checks=[])
    _fill_in(report, "counts", check_items=None)  # not counted, and so not known
    _fill_in(report, "cleaning", bounds_not_used=[], checks_without_a_rule=[], uniform_clicker_passes={})
    if "undefined" in report.get("release", {}):  # nothing was kept, and nothing more can be said
        return
    report.setdefault("warnings", [])
    report.setdefault("beside_majority", {})
    report.setdefault("claims", {"how": "", "looked_at": [], "too_few": [], "items": []})
    for probe in report.get("probes", []):
        if "model" in probe["matched_share"]:  # else it is undefined
            _fill_in(probe, "matched_share", chance=0.0)  # nothing was taken from the scores of model and person
    report.setdefault("groups", [])
    report.setdefault("against_reference", {"undefined": NOT_HELD})
    report.setdefault("influence", [])
    for pair in report.get("comparisons", []):
        pair.setdefault("times_needed", None)


def _fill_in(report: Report, part: str, **defaults: object) -> None:
    """Gives a part of the report the keys that it lacks; a part that isn't there stays out."""
    if part in report:
        report[part] = {**defaults, **report[part]}


def _nothing(report: Report) -> None:
    """From version 2: `suspects` came, whose absence says that nobody was screened. From version 4: `verdict` came,
    which is made of the rest.
    """


# From version 3: `rmse` was the error after a fitted line, which is called `rmse_calibrated` since `rmse` is plain.

FITTED = re.compile(r"\brmse(?=_sd\b|_max\b|\b)")
NAMING = frozenset({"metric", "method", "undefined"})  # what has the name of a metric in it
TITLES = {"RMSE": "RMSE after a fitted line"}  # in the tables of further analyses


def rename_fitted_errors(part: object) -> Any:
    """A part of a report, or rows of scores as they are stored, with today's names of metrics.

    >>> rename_fitted_errors([{"metric": "rmse_sd", "method": "sd (n - 1) of rmse over 2 templates or runs"}])
    [{'metric': 'rmse_calibrated_sd', 'method': 'sd (n - 1) of rmse_calibrated over 2 templates or runs'}]
    """
    if isinstance(part, list):
        return [rename_fitted_errors(one) for one in part]
    if not isinstance(part, dict):
        return part
    metric = part.get("metric")
    if not isinstance(metric, str):
        return {key: rename_fitted_errors(value) for key, value in part.items()}
    renamed = _with_fitted_errors(part) if FITTED.match(metric) else part
    return {**renamed, "metric": TITLES.get(metric, renamed["metric"])}


def _with_fitted_errors(part: Mapping[str, object]) -> dict[str, object]:
    """A row of that metric: its name, and the words on its figures; not the names of models."""
    return {
        key: FITTED.sub("rmse_calibrated", value)
        if key in NAMING and isinstance(value, str)
        else _with_fitted_errors(value)
        if isinstance(value, dict)
        else value
        for key, value in part.items()
    }


def _rename_fitted_errors(report: Report) -> None:
    report.update(rename_fitted_errors(report))


STEPS = (
    Step(_rename_items_per_worker, _fill_in_parts),
    Step(_nothing, _nothing),
    Step(_rename_fitted_errors, _nothing),
    Step(_nothing, _nothing),
)
NEWEST = 1 + len(STEPS)

# What a figure means now and meant otherwise, by the version of report.json since which it does.
CHANGED_DEFINITIONS: Mapping[int, tuple[str, ...]] = {
    2: (
        "intervals and tests of models are over items and workers; they had been over items alone",
        "a matched share's chance is what the best constant answer gets; it had been 0",
        "intervals of two annotators are over items, for these two",
        "items_a_worker of the ceiling is called items_per_worker",
    ),
    4: (
        "rmse is the plain error; what it had been, the error after a fitted line, is called rmse_calibrated",
        "limits of errors end at the width of the scale; there were none where they were far beyond it",
        "intervals and tests of average precision are for these workers; they had been over items and workers",
    ),
}


def changed_definitions(version: int) -> list[str]:
    """What means something else now than in a report of that version.

    >>> changed_definitions(NEWEST)
    []
    """
    return [each for since, changes in CHANGED_DEFINITIONS.items() if since > version for each in changes]
