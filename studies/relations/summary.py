"""What a paper says of a data set in one row: things, instances, labels, and how many labels an item has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from agreement.errors import Refused
from agreement.files.cell_texts import split_bars
from agreement.files.table import Table

THINGS = ("object", "other")


@dataclass(frozen=True, slots=True)
class Summary:
    """Of some of a file's rows: `labels` are counted by item, `mean` and `sd` (n - 1) are of labels per item."""

    group: str
    instances: int
    things: int
    labels: dict[str, int]
    mean: float
    sd: float | None
    most: int

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "classes": len(self.labels)}


def summaries(table: Table, *, things: Sequence[str] = THINGS, by: str = "") -> list[Summary]:
    """Of the whole file, then of each group of the column `by`. Rows without a reference are left out."""
    for name in ("reference", *([by] if by else [])):
        if name not in table.columns:
            raise Refused(f"{table.name}: the column {name} is missing; there are {', '.join(table.columns)}.")
    references = table.columns["reference"].text().tolist()
    there = [at for at, cell in enumerate(references) if cell.strip()]
    if not there:
        raise Refused(f"{table.name}: no item has a reference.")
    sides = [table.columns[name].text().tolist() for name in things if name in table.columns]
    sides = sides or [table.columns["item_id"].text().tolist()]
    found = [_summary("all", there, references, sides)]
    if by:
        groups = table.columns[by].text().tolist()
        found += [
            _summary(group, [at for at in there if groups[at] == group], references, sides)
            for group in sorted({groups[at] for at in there})
        ]
    return found


def _summary(group: str, rows: Sequence[int], references: Sequence[str], sides: Sequence[Sequence[str]]) -> Summary:
    labels = [split_bars(references[at]) for at in rows]
    sizes = np.array([len(of) for of in labels])
    counts = Counter(label for of in labels for label in of)
    return Summary(
        group,
        len(rows),
        len({side[at] for side in sides for at in rows}),
        dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))),
        float(sizes.mean()),
        float(sizes.std(ddof=1)) if len(sizes) > 1 else None,
        int(sizes.max()),
    )
