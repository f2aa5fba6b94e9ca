"""`manage.py summarise_items items.csv`: how many things, instances and labels, and how many labels an item has."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.management.base import TouchstoneCommand
from annotation.management.files import table_of
from annotation.relations.summary import summaries


class Command(TouchstoneCommand):
    help = "Counts the things, instances and reference labels of an items file, and the labels that an item has."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("items", type=Path, metavar="items.csv", help="items with the column reference")
        things = "the columns that name things, with commas between (default: object,other)"
        parser.add_argument("--things", default="object,other", metavar="A,B", help=things)
        parser.add_argument("--by", default="", metavar="COLUMN", help="also for each group of this column")

    def answer(self, **options: Any) -> dict[str, Any]:
        table = table_of(options["items"])
        found = summaries(table, things=options["things"].split(","), by=options["by"])
        return {"file": table.name, "groups": [one.as_dict() for one in found]}

    def say(self, answer: dict[str, Any]) -> str:
        head = "| | objects | instances | labels | labels per item (SD) | at most |"
        lines = [f"| {_row(one)} |" for one in answer["groups"]]
        counts = ", ".join(f"{label} {count:,}" for label, count in answer["groups"][0]["labels"].items())
        rule = "| --- | --- | --- | --- | --- | --- |"
        return "\n".join([head, rule, *lines, "", f"Items with each label: {counts}."])


def _row(one: dict[str, Any]) -> str:
    sd = "–" if one["sd"] is None else f"{one['sd']:.3f}"
    cells = [one["group"], f"{one['things']:,}", f"{one['instances']:,}", one["classes"], f"{one['mean']:.3f} ({sd})"]
    return " | ".join(map(str, [*cells, one["most"]]))
