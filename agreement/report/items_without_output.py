"""Items of gold for which a model's file has no output, in words: how many, the first ones, what becomes of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ..scoring.metrics import METRICS
from ..scoring.score import Coverage
from ..warnings.warning import named


class _Probe(Protocol):
    """A probe of a report."""

    @property
    def probe(self) -> str: ...
    @property
    def coverage(self) -> Coverage: ...


class _Score(Protocol):
    """A score of a report: whose it is, by which metric."""

    @property
    def name(self) -> str: ...
    @property
    def metric(self) -> str: ...


def uncovered_in_words(coverage: Coverage, metrics: Iterable[str] = ()) -> str:
    """Of one model; nothing where it has an output for every item. `metrics` are those that it is scored by.

    >>> uncovered_in_words(Coverage(30, 28, ("i1", "i2"), ()), ["accuracy"])
    '2 of the 30 items of gold have no output (i1 and i2) and count as wrong'
    >>> uncovered_in_words(Coverage(30, 29, ("i1",), ()), ["spearman"])
    '1 of the 30 items of gold has no output (i1) and is left out of its scores'
    """
    missing = coverage.missing
    if not missing:
        return ""
    one = len(missing) == 1
    are_wrong = {METRICS[name].missing_is_wrong for name in metrics if name in METRICS}
    wrong = "counts as wrong" if one else "count as wrong"
    left_out = f"{'is' if one else 'are'} left out of its scores"
    end = {(True,): wrong, (False,): left_out, (): left_out}.get(
        tuple(are_wrong), f"{wrong} where a score counts every item, and {'is' if one else 'are'} left out elsewhere"
    )
    have = f"{len(missing):,} of the {coverage.gold:,} items of gold {'has' if one else 'have'} no output"
    return f"{have} ({named(missing)}) and {end}"


def uncovered_by_model(probes: Iterable[_Probe], scores: Iterable[_Score]) -> dict[str, str]:
    """The sentence of each model that lacks an output, by its name; a row of `scores` says whose metric it is."""
    rows = list(scores)
    sentences = {}
    for probe in probes:
        metrics = sorted({row.metric for row in rows if row.name == probe.probe})
        if sentence := uncovered_in_words(probe.coverage, metrics):
            sentences[probe.probe] = sentence
    return sentences
