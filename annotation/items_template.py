"""A file of items to fill in, made from a study's own question: its columns, two items and two checks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from annotation import presets
from annotation.models import Study
from annotation.pasted_items import fields_to_fill
from tables.writing import csv_cell

EXAMPLES = ("first", "second", "third", "fourth")


def template_lines(study: Study) -> Iterator[str]:
    """CSV lines. Their contents are examples to be typed over; the file can be imported as it is."""
    fields, kind = fields_to_fill(study), study.question_kind
    labels = list(study.labels.order_by("position").values_list("value", flat=True)[:2])
    answers = ("min", "max") if kind.has_scale else ("expected",)
    yield _line(["item_id", *fields, "kind", "check", *answers])
    for number, word in enumerate(EXAMPLES[:2], start=1):
        yield _line([f"item-{number}", *(f"{word} {field}" for field in fields), "target", "", *("" for _ in answers)])
    for number, (word, right) in enumerate(zip(EXAMPLES[2:], _right_answers(study, labels), strict=False), start=1):
        yield _line([f"check-{number}", *(f"{word} {field}" for field in fields), "check", "known", *right])


def _right_answers(study: Study, labels: list[str]) -> list[tuple[str, ...]]:
    """None where people write what they like: nothing of it can be told right from wrong."""
    if study.question_kind.has_scale:
        return [("", "40"), ("60", "")]
    return [(label,) for label in labels]


def _line(cells: list[str]) -> str:
    return ",".join(csv_cell(cell) for cell in cells) + "\n"


def samples_for(study: Study) -> list[str]:
    """The presets whose files of items have the study's kind of question."""
    loaded = (presets.load(name) for name in presets.names() if sample_path(name).exists())
    return [preset.name for preset in loaded if preset.study["kind"] == study.kind]


def sample_path(name: str) -> Path:
    return presets.ITEMS / f"{name}.csv"
