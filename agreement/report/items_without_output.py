"""Items of gold for which a model's file has no output, in words: how many, the first ones, what becomes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..scoring.metrics import METRICS
from ..warnings.warning import named


def uncovered_in_words(coverage: Mapping[str, Any], metrics: Iterable[str] = ()) -> str:
    """Of one model; nothing where it has an output for every item. `metrics` are those that it is scored by.

    >>> uncovered_in_words({"gold": 30, "covered": 28, "missing": ["i1", "i2"]}, ["accuracy"])
    '2 of the 30 items of gold have no output (i1 and i2) and count as wrong'
    >>> uncovered_in_words({"gold": 30, "covered": 29, "missing": ["i1"]}, ["spearman"])
    '1 of the 30 items of gold has no output (i1) and is left out of its scores'
    """
    missing = list(map(str, coverage.get("missing", ())))
    if not missing:
        return ""
    one = len(missing) == 1
    are_wrong = {METRICS[name].missing_is_wrong for name in metrics if name in METRICS}
    wrong = "counts as wrong" if one else "count as wrong"
    left_out = f"{'is' if one else 'are'} left out of its scores"
    end = {(True,): wrong, (False,): left_out, (): left_out}.get(
        tuple(are_wrong), f"{wrong} where a score counts every item, and {'is' if one else 'are'} left out elsewhere"
    )
    have = f"{len(missing):,} of the {coverage['gold']:,} items of gold {'has' if one else 'have'} no output"
    return f"{have} ({named(missing)}) and {end}"


def uncovered_by_model(probes: Iterable[Mapping[str, Any]], scores: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The sentence of each model that lacks an output, by its name; a row of `scores` says whose metric it is."""
    rows = list(scores)
    found = {}
    for probe in probes:
        of_model = {row["metric"] for row in rows if probe["probe"] in (row.get("probe"), row.get("name"))}
        if said := uncovered_in_words(probe["coverage"], sorted(of_model)):
            found[probe["probe"]] = said
    return found
