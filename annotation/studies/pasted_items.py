"""Items that are pasted into a box, as a table with its header or one on each line; and a file of items to fill in."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from django.utils.text import slugify

from agreement.errors import Refused
from agreement.files.items_file import ITEM_COLUMNS, MOST_ITEM_COLUMNS, MOST_NAMED
from agreement.files.json_lines import too_many_columns
from agreement.files.problems import Problems, refuse_if_any
from agreement.files.question_fields import fields_of
from agreement.files.reading import delimiter_of
from agreement.files.table import Table, encode
from agreement.files.writing import csv_cell
from annotation.media.pictures import pictures_of
from annotation.models import Study
from annotation.studies import presets
from annotation.studies.item_files import NewItem, items_of_table

NAME = "the pasted items"
MOST_PASTED = 2_000
PAIR = ("left", "right")
LEAVE_OUT, ADD_AGAIN = "leave out", "add again"


class AlreadyThere(Refused):
    """Some of the items are in the study already, and nobody has said yet what to do with them."""


def without_doubles(items: list[NewItem], study: Study, wish: str) -> list[NewItem]:
    """The items that are to be added, of which others in the study may have the same kind and fields.

    `wish` is what to do with those that have: `LEAVE_OUT`, `ADD_AGAIN`, or nothing, which is refused if there are any.
    """
    if wish == ADD_AGAIN:
        return items
    in_study = {_shown(*item) for item in study.items.values_list("kind", "check_name", "fields").iterator()}
    new = [item for item in items if _shown(item["kind"], item["check_name"], item["fields"]) not in in_study]
    if wish != LEAVE_OUT and len(new) < len(items):
        doubled = len(items) - len(new)
        which = f"{doubled:,} of these {len(items):,} items {'is' if doubled == 1 else 'are'}"
        raise AlreadyThere(f"{'This item is' if len(items) == 1 else which} already in the study: choose what to do.")
    return new


def _shown(kind: str, check_name: str | None, fields: Mapping[str, object]) -> tuple[str, str, str]:
    return str(kind), check_name or "", json.dumps(fields, sort_keys=True)


def fields_to_fill(study: Study) -> list[str]:
    """What an item of this study needs: the fields that its question names, else a pair of words."""
    return list(dict.fromkeys(fields_of(study.question))) or list(PAIR)


def items_of_text(text: str, study: Study, *, more: Sequence[str] = (), **constants: str) -> list[NewItem]:
    """The items as `add_items` takes them; refused with every reason.

    The first line may name the columns. Without, the cells of each line are the fields of the question in their order,
    then the columns `more`; of a question with one field the line is that field. Items without an id get one.
    """
    lines = [(at, line) for at, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise Refused("There is nothing in the box: paste one item on each line.")
    if len(lines) > MOST_PASTED + 1:
        raise Refused(
            f"The box takes {MOST_PASTED:,} items, and there are {len(lines):,} lines: import them as a file."
        )
    problems, fields = Problems(NAME), [*fields_to_fill(study), *more]
    header, rows = _split(lines, fields)
    if len(header) > MOST_ITEM_COLUMNS:
        raise Refused(f"{NAME}: {too_many_columns(MOST_ITEM_COLUMNS)}, and the first line names {len(header):,}.")
    expected = ", ".join(header) if len(header) <= MOST_NAMED else f"{', '.join(header[:MOST_NAMED])}, …"
    for at, cells in rows:
        if len(cells) != len(header):
            problems.row(at, f"{len(cells)} cells, where {len(header)} are expected: {expected}")
    refuse_if_any(problems)
    columns = {name: [cells[place].strip() for _, cells in rows] for place, name in enumerate(header)}
    columns |= {name: [value] * len(rows) for name, value in constants.items()}
    if "item_id" not in columns:
        shown = [name for name in columns if name not in ITEM_COLUMNS]
        texts = [[columns[name][at] for name in shown] for at in range(len(rows))]
        columns = {"item_id": _new_ids(study, texts), **columns}
    encoded = {name: encode(values, len(rows)) for name, values in columns.items()}
    table = Table(NAME, np.array([at for at, _ in rows], dtype=np.int64), encoded)
    with pictures_of(lambda _name: None) as none:
        return items_of_table(table, problems, study, none)


def _split(lines: Sequence[tuple[int, str]], fields: Sequence[str]) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The names of the columns, and each line's cells."""
    first = lines[0][1]
    mark = delimiter_of(first)
    names = [name.strip() for name in _cells(first, mark)]
    if "item_id" in names or set(fields[:1]) & set(names):
        return names, [(at, _cells(line, mark)) for at, line in lines[1:]]
    if len(fields) == 1:
        return list(fields), [(at, [line]) for at, line in lines]
    return list(fields), [(at, _cells(line, mark)) for at, line in lines]


def _cells(line: str, mark: str) -> list[str]:
    return next(csv.reader([line], delimiter=mark, skipinitialspace=True), [""])


def _new_ids(study: Study, shown: Sequence[Sequence[str]]) -> list[str]:
    """Ids made from what the items show, and numbered where two would be the same."""
    taken = set(study.items.values_list("item_id", flat=True))
    ids: list[str] = []
    for cells in shown:
        base = "--".join(filter(None, (slugify(cell)[:60] for cell in cells)))[:180] or "item"
        item_id, number = base, 2
        while item_id in taken:
            item_id, number = f"{base}-{number}", number + 1
        taken.add(item_id)
        ids.append(item_id)
    return ids


# A file of items to fill in, made from a study's own question: its columns, two items and two checks.

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
    loaded = (presets.load(name) for name in presets.names())
    return [one.name for one in loaded if one.items_file.exists() and one.study["kind"] == study.kind]


def sample_path(name: str) -> Path:
    return presets.load(name).items_file
