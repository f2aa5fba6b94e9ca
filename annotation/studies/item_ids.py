"""The ids of a table's items: its own column, one that is called id, or made from what people are shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from django.utils.text import slugify

from agreement.files.items_file import ITEM_COLUMNS, read_items_table
from agreement.files.problems import Problems
from agreement.files.question_fields import fields_of
from agreement.files.table import Table, encode
from annotation.studies.questions import QuestionSettings

ID = "item_id"


def table_with_ids(path: Path, problems: Problems, questions: Sequence[QuestionSettings]) -> Table | None:
    """The file's table, yet to be looked at. Items without an id get one from what the questions show."""
    table = read_items_table(path, problems)
    fields = [name for question in questions for name in fields_of(question.wording)]
    return None if table is None else with_ids(table, list(dict.fromkeys(fields)))


def with_ids(table: Table, fields: Sequence[str], taken: Collection[str] = ()) -> Table:
    """The table with the column `item_id`. `fields` are those that the questions name, `taken` ids of other items."""
    columns = table.columns
    if ID in columns or not columns:
        return table
    called_id = next((name for name in columns if name.strip().casefold() == "id" and name not in fields), None)
    if called_id is not None:
        return replace(table, columns={ID if name == called_id else name: each for name, each in columns.items()})
    shown = [name for name in fields if name in columns] or [name for name in columns if name not in ITEM_COLUMNS]
    ids = new_ids(zip(*(columns[name].text().tolist() for name in shown), strict=True), taken)
    return replace(table, columns={ID: encode(ids, len(table)), **columns}) if len(ids) == len(table) else table


def new_ids(shown: Iterable[Sequence[str]], taken: Collection[str] = ()) -> list[str]:
    """Ids made from what each item shows, and numbered where two would be the same.

    >>> new_ids([("Red", "blue"), ("red", "blue"), ("?",)])
    ['red--blue', 'red--blue-2', 'item']
    """
    all_taken, ids, numbers = set(taken), list[str](), dict[str, int]()
    for cells in shown:
        base = item_id = "--".join(filter(None, (slugify(cell)[:60] for cell in cells)))[:180] or "item"
        while item_id in all_taken:
            numbers[base] = numbers.get(base, 1) + 1
            item_id = f"{base}-{numbers[base]}"
        all_taken.add(item_id)
        ids.append(item_id)
    return ids
