"""The figures of a published report.json beside the same computed again."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..on_request import FURTHER

# What a bundle's own command can't make again: how people were found, what files were called, by what versions.
NOT_FIGURES = frozenset({"version", "study", "inputs", "versions", "collection", "unverified", "release", "by_hand"})
NOT_THERE = object()  # in the place of a part that the published report doesn't have
CUT = ", cut at "
TAILS = re.compile(r", tails \d+% below and \d+% above")  # which methods of scores say since then
# What stays of a row whose limits, and tests with them, are of something else now.
ALIKE = frozenset({"probe", "metric", "breakdown", "group", "first", "second", "estimate", "n", "chance", "models"})
MORE_METRICS = re.compile(r"The tables have \d+ more metrics?\.")  # as `many_models` says it
EXPLAINING = frozenset({"how", "note"})  # of claims: explanations, which every version words as it can
INDEX = re.compile(r"\[\d+\]")
DIGITS = 10
NUMBERS = (int, float)


@dataclass(slots=True)
class Comparison:
    """`differences` names what doesn't follow; `notes` what a reader should know of a comparison that holds.

    `to_ten_digits` is True where figures or warnings aren't wholly those of this version on this machine.
    """

    to_ten_digits: bool = False
    differences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def is_close(one: float, other: float) -> bool:
    """Whether two figures are the same but for what machines compute otherwise."""
    return math.isclose(one, other, rel_tol=10**-DIGITS, abs_tol=1e-12)


def compare_reports(published: Mapping[str, object], computed: Mapping[str, Any]) -> Comparison:
    """Both under the names of today."""
    comparison = Comparison()
    theirs, ours = _comparable_report(published, computed, comparison), dict(computed)
    if published.get("version", 1) < computed.get("version", 1):
        later: dict[str, None] = {}
        ours = _as_then(theirs, ours, later)
        if later:
            comparison.to_ten_digits = True
            comparison.notes.append(f"Not compared, for it came in a later version: {', '.join(later)}.")
    comparison.notes += _other_warnings(theirs.pop("warnings", []), ours.pop("warnings", []), comparison)
    comparison.notes += _other_verdict(theirs, ours, comparison)
    newer: dict[str, None] = {}
    for path, one, other in _leaves(theirs, ours, ""):
        if one == other:
            continue
        if one is NOT_THERE:
            newer[INDEX.sub("", path)] = None
        elif isinstance(one, NUMBERS) and isinstance(other, NUMBERS) and _are_close(one, other):
            comparison.to_ten_digits = True
        else:
            comparison.differences.append(
                f"report.json, {path}: {_short_text(one)}, and computed again {_short_text(other)}"
            )
    if newer:
        comparison.to_ten_digits = True
        comparison.notes.append(f"Not compared, for the bundle's report.json doesn't have it: {', '.join(newer)}.")
    return comparison


def _comparable_report(
    report: Mapping[str, Any], computed: Mapping[str, Any], comparison: Comparison
) -> dict[str, object]:
    """The report without the further analyses by what workers said of themselves, which no bundle has."""
    again = [part["analysis"] for part in computed.get("further", [])]
    parts = report.get("further", [])
    apart = [part["analysis"] for part in parts if part["analysis"] not in again and _reads_workers(part["analysis"])]
    if not apart:
        return dict(report)
    comparison.notes.append(
        f"Not computed again, for no bundle has what workers said of themselves: {', '.join(apart)}."
    )
    left = [part for part in parts if part["analysis"] not in apart]
    return {name: left if name == "further" else value for name, value in report.items() if name != "further" or left}


def _as_then(theirs: object, ours: object, later: dict[str, None]) -> Any:
    """What was computed without what came in a later version than the published: metrics, and limits that are cut.

    A table of models gets a row for each metric, and a sentence says how many metrics it has.
    """
    if isinstance(theirs, dict) and isinstance(ours, dict):
        if str(ours.get("analysis")).startswith("many-models") and "average precision" in json.dumps(theirs):
            later["tiers of models by average precision"] = None
            return theirs
        if limits := _other_limits(theirs, ours):
            later[limits] = None
            apart = {key for key in {*theirs, *ours} if key not in ALIKE}
            ours = {key: value for key, value in ours.items() if key not in apart}
            ours |= {key: theirs[key] for key in apart if key in theirs}
        ours = {**ours, **{key: theirs[key] for key in EXPLAINING & ours.keys() & theirs.keys()}}
        return {key: _as_then(theirs[key], value, later) if key in theirs else value for key, value in ours.items()}
    if isinstance(theirs, str) and isinstance(ours, str):
        says_the_same = theirs == TAILS.sub("", ours) or (_says_how_many(theirs) and _says_how_many(ours))
        return theirs if says_the_same else ours
    if not isinstance(theirs, list) or not isinstance(ours, list):
        return ours
    known = {one["metric"] for one in theirs if isinstance(one, dict) and "metric" in one}
    is_later = [bool(known) and isinstance(one, dict) and one.get("metric", "") not in known for one in ours]
    later.update({str(one.get("metric")): None for one, late in zip(ours, is_later, strict=True) if late})
    ours = [one for one, late in zip(ours, is_later, strict=True) if not late]
    if len(theirs) != len(ours):
        return ours
    return [_as_then(one, other, later) for one, other in zip(theirs, ours, strict=True)]


def _other_limits(theirs: Mapping[str, Any], ours: Mapping[str, object]) -> str:
    """What a row's limits are of now and weren't then; "" where they are the same."""
    if CUT in str(ours.get("method")) and "method" in theirs and CUT not in theirs["method"]:
        return "limits of errors that end at the width of the scale"
    is_precision = str(ours.get("metric")).startswith("average_precision")
    if is_precision and theirs.get("over") == "items and workers" and ours.get("over") == "items":
        return "average precision's intervals and tests for these workers"
    return ""


def _says_how_many(text: str) -> bool:
    return MORE_METRICS.fullmatch(text) is not None


def _other_warnings(theirs: object, ours: object, comparison: Comparison) -> Iterator[str]:
    """What is warned of in words that the report doesn't have, or no longer: these are sentences, and no figures."""
    before, now = (
        [str(one.get("text")) if isinstance(one, dict) else str(one) for one in warnings]
        if isinstance(warnings, list)
        else []
        for warnings in (theirs, ours)
    )
    more, fewer = [text for text in now if text not in before], [text for text in before if text not in now]
    if more or fewer:
        comparison.to_ten_digits = True
        yield "Its warnings are not those of this version; they are sentences, and no figure rests on them."
    yield from (f"  Warned of now: {text}" for text in more)
    yield from (f"  Not warned of any more: {text}" for text in fewer)


def _other_verdict(theirs: dict[str, object], ours: dict[str, object], comparison: Comparison) -> Iterator[str]:
    """Leaves of both verdicts the level and the figures, which are compared; their sentences are this version's."""
    if "verdict" not in theirs or "verdict" not in ours:
        return
    is_same = theirs["verdict"] == ours["verdict"]
    theirs["verdict"], ours["verdict"] = _without_words(theirs["verdict"]), _without_words(ours["verdict"])
    if not is_same and theirs["verdict"] == ours["verdict"]:
        comparison.to_ten_digits = True
        yield "Its verdict is not in the words of this version; its level and its figures are compared."


def _without_words(verdict: object) -> object:
    if not isinstance(verdict, Mapping) or not isinstance(verdict.get("figures"), list):
        return verdict
    figures = {one["key"]: [one.get(end) for end in ("value", "low", "high")] for one in verdict["figures"]}
    return {"level": verdict.get("level"), "figures": figures}


def _reads_workers(key: str) -> bool:
    analysis = FURTHER.get(key.partition(":")[0])
    return analysis is not None and analysis.reads_workers


def _leaves(ours: object, theirs: object, path: str) -> Iterator[tuple[str, object, object]]:
    """Every figure of the published report, with what was computed in its place; parts that it lacks came in later
    versions.
    """
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in [*ours, *(key for key in theirs if key not in ours)]:
            if path or key not in NOT_FIGURES:
                yield from _leaves(ours.get(key, NOT_THERE), theirs.get(key), f"{path}.{key}" if path else key)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for index, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from _leaves(one, other, f"{path}[{index}]")
    else:
        yield path, ours, theirs


def _are_close(one: float, other: float) -> bool:
    return not isinstance(one, bool) and not isinstance(other, bool) and is_close(one, other)


def _short_text(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:77]}…"
