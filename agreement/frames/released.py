"""A release's labels, as they were published, in the shape that scores need."""

from __future__ import annotations

from typing import cast

import pandas as pd

from agreement.crowd import QuestionKind
from agreement.gold.columns import labels_in, number_columns
from agreement.models import GoldRelease
from agreement.quotes import lines_of
from agreement.scoring.gold import Gold, gold_from_table


def released_gold(release: GoldRelease) -> Gold:
    """The gold of gold.csv's own cells: nothing is computed again, so later withdrawals don't change a score.

    But for texts and lists: there a reference that was withdrawn is gone.
    """
    cells = [line for portion in lines_of(release) for line in portion]
    table = pd.DataFrame(cells, columns=release.columns, dtype=object)
    kind, labels = cast("QuestionKind", release.study.kind), labels_in(release.columns)
    for name in number_columns(kind, labels).intersection(release.columns):
        table[name] = pd.to_numeric(table[name].replace("", None))
    return gold_from_table(kind, table, labels).pinned(release.sha256)
