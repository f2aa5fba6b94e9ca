"""Parts of a report that are stored by themselves, read back: figures, scores, tests between models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from ..estimation.estimate import Figure, Undefined
from ..people.agreement_report import Kappa
from ..people.matched_share import MatchedShare
from ..typed_json import from_json, read_as
from .model_scores import AgainstReference, ComparedProbes, GroupScore, ProbeScore

Stored = Mapping[str, object]


def stored_figure(stored: Stored) -> Figure:
    """A figure by itself: an estimate, or why there is none."""
    return cast("Figure", read_as(Figure, stored))


def stored_statistic(stored: Stored) -> Kappa:
    """A statistic with what stands beside it; of one that is no kappa nothing more."""
    return from_json(Kappa, stored)


def stored_share(stored: Stored) -> MatchedShare | Undefined:
    """A model as a share of a person."""
    return cast("MatchedShare | Undefined", read_as(MatchedShare | Undefined, stored))


def stored_scores(stored: Sequence[Stored]) -> list[ProbeScore]:
    return [from_json(ProbeScore, one) for one in stored]


def stored_groups(stored: Sequence[Stored]) -> list[GroupScore]:
    return [from_json(GroupScore, one) for one in stored]


def stored_comparisons(stored: Sequence[Stored]) -> list[ComparedProbes]:
    """Those of older leaderboards don't say how many more items would tell two models apart."""
    return [from_json(ComparedProbes, {"times_needed": None, **one}) for one in stored]


def stored_reference(stored: Stored) -> AgainstReference | Undefined:
    """Models and people against a reference; of nothing stored that there is none."""
    if "undefined" in stored or not stored:
        return Undefined(str(stored.get("undefined", "nothing was held against a reference")))
    return from_json(AgainstReference, {"groups": {}, "probes": [], "comparisons": [], **stored})
