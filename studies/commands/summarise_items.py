"""`touchstone summarise_items items.csv`: how many things, instances and labels, and how many labels an item has."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from agreement.cli.arguments import Progress, table_of
from agreement.files.cell_texts import split_bars
from agreement.files.table import Table
from agreement.report.markdown import markdown_cell
from studies.relations.summary import summaries

HELP = "Counts the things, instances and reference labels of an items file, and the labels that an item has."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("items", type=Path, metavar="items.csv", help="items with the column reference")
    things = "the columns that name things, with commas between (default: object,other)"
    parser.add_argument("--things", default="object,other", metavar="A,B", help=things)
    parser.add_argument("--by", default="", metavar="COLUMN", help="also for each group of this column")
    figures = "draw how often each label occurs, overall, by COLUMN and by the number of labels"
    parser.add_argument("--figures", type=Path, metavar="DIR", help=figures)


def run(options: Namespace, _progress: Progress) -> dict[str, Any]:
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


def _row(one: dict[str, Any]) -> str:
    sd = "–" if one["sd"] is None else f"{one['sd']:.3f}"
    cells = [one["group"], f"{one['things']:,}", f"{one['instances']:,}", one["classes"], f"{one['mean']:.3f} ({sd})"]
    return " | ".join(markdown_cell(str(cell)) for cell in [*cells, one["most"]])
