"""What a careful colleague would say before these figures are printed: one file for each kind of warning."""

from __future__ import annotations

from ..judgments.crowd import Crowd, Sample
from ..kinds.statistics import statistics_of
from .about_labels import items_apart
from .about_rows import warnings_on_ids
from .warning import AnalysisWarning

__all__ = ["AnalysisWarning", "warnings_of"]


def warnings_of(crowd: Crowd, kept: Sample) -> list[AnalysisWarning]:
    """The warnings on the judgments of which gold and the figures are made, those that apply to their kind."""
    of_kind = statistics_of(crowd.kind).warnings
    return [found for warn in (*of_kind, items_apart, warnings_on_ids) for found in warn(crowd, kept)]
