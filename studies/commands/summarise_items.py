"""`touchstone summarise_items items.csv`: how many things, instances and labels, and how many labels an item has."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agreement.cli.arguments import Progress, table_of
from agreement.errors import Refused
from agreement.files.cell_texts import split_bars
from agreement.files.table import Table
from agreement.report.markdown import markdown_cell

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

    def as_dict(self) -> dict[str, object]:
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


HELP = "Counts the things, instances and reference labels of an items file, and the labels that an item has."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("items", type=Path, metavar="items.csv", help="items with the column reference")
    things = "the columns that name things, with commas between (default: object,other)"
    parser.add_argument("--things", default="object,other", metavar="A,B", help=things)
    parser.add_argument("--by", default="", metavar="COLUMN", help="also for each group of this column")
    figures = "draw how often each label occurs, overall, by COLUMN and by the number of labels"
    parser.add_argument("--figures", type=Path, metavar="DIR", help=figures)


def run(options: Namespace, _progress: Progress) -> dict[str, object]:
    table = table_of(options.items)
    found = summaries(table, things=options.things.split(","), by=options.by)
    if options.figures is not None:
        _draw(table, options.by, options.figures)
    return {"file": table.name, "groups": [one.as_dict() for one in found]}


def say(answer: dict[str, Any]) -> str:
    head = "| | objects | instances | labels | labels per item (SD) | at most |"
    lines = [f"| {_row(one)} |" for one in answer["groups"]]
    counts = ", ".join(f"{label} {count:,}" for label, count in answer["groups"][0]["labels"].items())
    rule = "| --- | --- | --- | --- | --- | --- |"
    return "\n".join([head, rule, *lines, "", f"Items with each label: {counts}."])


def _draw(table: Table, by: str, folder: Path) -> None:
    from agreement.figures.rendering import render
    from studies.figures.labels import CARDINALITY, by_cardinality, draw_distribution

    cells = table.columns["reference"].text().tolist()
    there = [at for at, cell in enumerate(cells) if cell.strip()]
    references = [cells[at] for at in there]
    labels = sorted({label for cell in references for label in split_bars(cell)})
    figures = [draw_distribution(references, labels)]
    if by:
        groups = table.columns[by].text().tolist()
        figures.append(draw_distribution(references, labels, [groups[at] for at in there], column=by))
    if any("|" in cell for cell in references):
        figures.append(draw_distribution(references, labels, by_cardinality(references), column=CARDINALITY))
    render(figures, folder)


def _row(one: dict[str, object]) -> str:
    sd = "–" if one["sd"] is None else f"{one['sd']:.3f}"
    cells = [one["group"], f"{one['things']:,}", f"{one['instances']:,}", one["classes"], f"{one['mean']:.3f} ({sd})"]
    return " | ".join(markdown_cell(str(cell)) for cell in [*cells, one["most"]])
