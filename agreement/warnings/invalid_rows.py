"""A warning about judgments in rows that the platform marks as not valid, and that count all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from ..files.marked_rows import marked_in_words
from ..files.table import Column
from ..judgments.crowd import Crowd, Mask
from ..refusal_words import remedy
from .warning import AnalysisWarning, named

_BY_HAND = remedy(
    command="--by-hand, with the columns worker_id, kept (0) and reason, excludes workers.",
    python="drop their rows of the frame to exclude them.",
    page="they can be excluded by hand.",
)


def marked_rows(crowd: Crowd, kept: Mask) -> Iterator[AnalysisWarning]:
    """Of the judgments [J] that are `kept`: a rejected assignment, an unfinished survey, a preview."""
    columns = {
        str(name): Column(np.asarray(column.cat.codes), [str(value) for value in column.cat.categories])
        for name, column in crowd.extras.items()
        if isinstance(column.dtype, pd.CategoricalDtype)
    }
    if text := marked_in_words(columns, crowd.worker, kept):
        yield AnalysisWarning("marked-not-valid", text)


def marked_people(crowd: Crowd, kept: Mask, status_of: Mapping[str, str]) -> Iterator[AnalysisWarning]:
    """Of workers with judgments that are `kept`: those whose whole submission the platform doesn't take as valid."""
    there = [str(crowd.workers[worker]) for worker in np.unique(crowd.worker[kept]).tolist()]
    found = [who for who in there if who in status_of]
    if not found:
        return
    counts = Counter(status_of[who] for who in found)
    each = ", ".join(f"{status}: {count:,}" for status, count in sorted(counts.items()))
    one = len(found) == 1
    yield AnalysisWarning(
        "marked-not-valid",
        f"The submission{'' if one else 's'} of {len(found):,} worker{'' if one else 's'} ({named(found)})"
        f" {'is' if one else 'are'} not valid by the platform's export of people ({each}), and their judgments count"
        " like all others; " + _BY_HAND,
    )
