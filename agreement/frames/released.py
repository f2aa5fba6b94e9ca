"""A release's labels, as they were published, in the shape that scores need."""

from __future__ import annotations

from typing import cast

import pandas as pd

from agreement.crowd import QuestionKind
from agreement.models import GoldRelease
from agreement.quotes import lines_of
from agreement.scoring.gold import Gold, gold_from_table

NUMBERS = frozenset({"n", "mean", "median", "sd", "ci_low", "ci_high", "frequency"})
PROPORTION = "p:"


def released_gold(release: GoldRelease) -> Gold:
    """The gold of gold.csv's own cells: nothing is computed again, so later withdrawals don't change a score.

    But for texts and lists: there a reference that was withdrawn is gone.
    """
    cells = [line for portion in lines_of(release) for line in portion]
    table = pd.DataFrame(cells, columns=release.columns, dtype=object)
    for name in release.columns:
        if name in NUMBERS or name.startswith(PROPORTION):
            table[name] = pd.to_numeric(table[name].replace("", None))
    labels = [name.removeprefix(PROPORTION) for name in release.columns if name.startswith(PROPORTION)]
    return gold_from_table(cast("QuestionKind", release.study.kind), table, labels).pinned(release.sha256)
