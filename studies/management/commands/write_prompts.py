"""`manage.py write_prompts STUDY --templates T.txt --out prompts.csv`: what a model is asked, item by item."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TypedDict

from agreement.cli.arguments import write_new
from agreement.files.table import encode
from agreement.files.writing import csv_chunks
from annotation.management.base import StudyCommand
from studies import prompts


class Written(TypedDict):
    study: str
    items: int
    templates: int
    prompts: int


class Command(StudyCommand[Written]):
    help = "Writes a prompt for each item to judge and each template, with the item's fields in the template's braces."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        templates = f"a file with one template on each line, or one of {', '.join(prompts.names())}"
        parser.add_argument("--templates", required=True, metavar="T.txt", help=templates)
        parser.add_argument("--out", type=Path, required=True, metavar="prompts.csv")
        parser.add_argument("--blanks", action="store_true", help="write underscores in fields as blanks")
        parser.add_argument("--lower", action="store_true", help="write prompts in lower case")

    def answer(self, options: Namespace) -> Written:
        study = self.study(options.study)
        templates = prompts.load(options.templates)
        labels = list(study.labels.order_by("position").values_list("value", flat=True))
        targets = study.items.targets().order_by("position").values_list("position", "item_id", "fields")
        items = [(position, item_id, _texts(item_id, fields)) for position, item_id, fields in targets]
        prompts.refuse_missing_fields(templates, items, labels, f"the items of {study.slug}")
        how = {"as_blanks": options.blanks, "lower": options.lower}
        rows = list(prompts.prompts(templates, [(item_id, fields) for _, item_id, fields in items], labels, **how))
        columns = {name: encode([row[at] for row in rows], len(rows)) for at, name in enumerate(prompts.COLUMNS)}
        write_new(options.out, b"".join(csv_chunks(columns)))
        return {"study": study.slug, "items": len(items), "templates": len(templates), "prompts": len(rows)}

    def say(self, answer: Written) -> str:
        by = f"{answer['items']:,} items of {answer['study']} by {answer['templates']} templates"
        return f"{answer['prompts']:,} prompts: {by}."


def _texts(item_id: str, fields: dict[str, object]) -> dict[str, str]:
    return {"item_id": item_id, **{name: str(value) for name, value in fields.items()}}
