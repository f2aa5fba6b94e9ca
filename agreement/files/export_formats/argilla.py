"""Argilla's records, as JSON or as a Hugging Face dataset: the responses of all users to a record in one row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...errors import option
from ..binary_tables import cell_text
from ..cell_texts import join_bars
from ..column_mapping import ColumnMapping
from ..json_lines import Row, table_of_cells
from ..nested import MOST_ELEMENTS, nested_rows
from ..problems import Problems
from .export_format import Export, ExportFormat, no_answer

USERS, STATUS, RESPONSES = ".responses.users", ".responses.status", ".responses"
NOT_SUBMITTED = frozenset({"draft", "discarded"})
IDS = ("id", "external_id", "_server_id")
Response = tuple[Any, Any, Any]  # value, user, status


def read(path: Path, mapping: ColumnMapping, problems: Problems) -> Export | None:
    rows = nested_rows(path, problems)
    if rows is None:
        if not len(problems):
            problems.whole("this is not Argilla's; export the records as JSON, or the dataset as Parquet or JSON Lines")
        return None
    reading = _Reading(mapping, problems)
    table = table_of_cells(path.name, reading.judgments(rows), problems)
    questions = reading.questions
    if not mapping.value and len(questions) > 1:
        example, listed = option("value", next(iter(questions))), ", ".join(questions)
        problems.whole(f"it has answers to several questions; say which, such as {example}, of: {listed}")
    elif mapping.value and mapping.value not in questions:
        problems.whole(no_answer(mapping.value, questions))
    elif not questions and not len(problems):
        problems.whole("no record in it has responses of users")
    if table is None or len(problems):
        return None
    gone = reading.not_submitted
    return Export(
        table=table,
        worker="worker_id",
        item="item_id",
        value="value",
        where=lambda number: f"record {number // MOST_ELEMENTS}, response {number % MOST_ELEMENTS + 1}",
        notes=(f"{gone:,} {'response' if gone == 1 else 'responses'} that nobody submitted left out.",) if gone else (),
        skips_missing=True,
    )


class _Reading:
    """Records one after the other; `questions` are those that anybody answered."""

    def __init__(self, mapping: ColumnMapping, problems: Problems) -> None:
        self.mapping, self.problems = mapping, problems
        self.questions: dict[str, None] = {}
        self.not_submitted = 0

    def judgments(self, rows: Iterator[tuple[int, Row]]) -> Iterator[tuple[int, dict[str, str]]]:
        for number, row in rows:
            by_question = responses_of(row)
            self.questions.update(dict.fromkeys(name for name, each in by_question.items() if each))
            item = row.get(self.mapping.item) if self.mapping.item else next(filter(None, map(row.get, IDS)), None)
            if item is None:
                self.problems.row(
                    number, f"there is no {self.mapping.item or 'id'} in it: type {option('item', 'NAME')}"
                )
                continue
            asked = self.mapping.value or next(iter(self.questions), "")
            for place, (value, user, status) in enumerate(by_question.get(asked, [])):
                if status in NOT_SUBMITTED:
                    self.not_submitted += 1
                    continue
                yield (
                    number * MOST_ELEMENTS + place,
                    {"worker_id": cell_text(user), "item_id": cell_text(item), "value": _answer(value), **_fields(row)},
                )


def responses_of(row: Row) -> dict[str, list[Response]]:
    """What each user answered to each question, in any of the forms that versions of Argilla write.

    >>> responses_of({"mood.responses": ["good"], "mood.responses.users": ["u1"]})
    {'mood': [('good', 'u1', None)]}
    >>> responses_of({"id": 1, "responses": {"mood": [{"value": "good", "user_id": "u1"}]}})
    {'mood': [('good', 'u1', None)]}
    """
    flat = [name.removesuffix(USERS) for name in row if name.endswith(USERS)]
    if flat:
        return {
            name: [
                *zip(
                    row.get(f"{name}{RESPONSES}") or [],
                    row[f"{name}{USERS}"] or [],
                    row.get(f"{name}{STATUS}") or [None] * len(row[f"{name}{USERS}"] or []),
                    strict=False,
                )
            ]
            for name in flat
        }
    nested = row.get("responses")
    if isinstance(nested, list):
        return _of_first_version(nested)
    columns = nested if isinstance(nested, dict) else row
    return {name: answers for name, each in columns.items() if (answers := _of_users(each)) is not None}


def _of_first_version(responses: list[Any]) -> dict[str, list[Response]]:
    """Of a response per user, whose values are by question.

    >>> _of_first_version([{"user_id": "u1", "status": "draft", "values": {"mood": {"value": "good"}}}])
    {'mood': [('good', 'u1', 'draft')]}
    """
    by_question: dict[str, list[Response]] = {}
    for one in responses:
        values = one.get("values") if isinstance(one, dict) else None
        for name, each in values.items() if isinstance(values, dict) else ():
            value = each.get("value") if isinstance(each, dict) else each
            by_question.setdefault(name, []).append((value, one.get("user_id"), one.get("status")))
    return by_question


def _of_users(value: object) -> list[Response] | None:
    """A list of answers with their users, or a user and an answer for each place of two lists; else None."""
    if isinstance(value, dict) and isinstance(value.get("user_id"), list) and isinstance(value.get("value"), list):
        status = value.get("status") or [None] * len(value["user_id"])
        return [*zip(value["value"], value["user_id"], status, strict=False)]
    if (
        isinstance(value, list)
        and value
        and all(isinstance(one, dict) and {"user_id", "value"} <= set(one) for one in value)
    ):
        return [(one["value"], one["user_id"], one.get("status")) for one in value]
    return None


def _answer(value: object) -> str:
    """A label, a number, several labels; of a ranking the labels in order.

    >>> _answer(["a", "b"]), _answer([{"rank": 2, "value": "x"}, {"rank": 1, "value": "y"}])
    ('a|b', 'y|x')
    """
    if (
        isinstance(value, list)
        and value
        and all(isinstance(one, dict) and {"rank", "value"} <= set(one) for one in value)
    ):
        return join_bars([cell_text(one["value"]) for one in sorted(value, key=lambda one: int(one["rank"] or 0))])
    return cell_text(value)


def _fields(row: Mapping[str, object]) -> dict[str, str]:
    fields = row.get("fields")
    own = fields if isinstance(fields, dict) else {k: v for k, v in row.items() if "." not in k and k not in IDS}
    return {name: value for name, value in own.items() if isinstance(value, str) and name != "status"}


def _knows(rows: list[Row]) -> bool:
    return any(any(name.endswith(USERS) for name in row) or bool(responses_of(row)) for row in rows)


FORMAT = ExportFormat(
    name="argilla", title="Argilla's records, as JSON or as a Hugging Face dataset", read=read, knows=_knows
)
