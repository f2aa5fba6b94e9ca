"""The rows that the API answers with, as far as the client uses them; a test holds them against docs/openapi.json."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any, NotRequired, TypedDict

from .connection import Connection, Row

if TYPE_CHECKING:
    import pandas as pd


class ShownIf(TypedDict):
    """A question is asked where the earlier one has one of the labels, or a number from low to high."""

    question: str
    labels: list[str] | None
    low: float | None
    high: float | None


class Question(TypedDict):
    name: str
    kind: str
    question: str
    is_required: bool
    offers_dont_know: bool
    asks_confidence: bool
    labels: list[dict[str, str]]
    shown_if: ShownIf | None


class Study(TypedDict):
    slug: str
    status: str
    title: str
    kind: str
    question: str
    questions: list[Question]
    judgments_per_item: int
    items_per_assignment: int | None
    created_at: str


class Checklist(TypedDict):
    can_open: bool
    missing: list[str]
    notices: list[str]


class StudyProgress(TypedDict):
    items: int
    judgments_wanted: int
    judgments_done: int
    judgments_in_progress: int
    judgments_needed: int


class Screening(TypedDict):
    made_at: str | None
    undefined: str
    caution: str
    suspects: list[dict[str, Any]]


class Link(TypedDict):
    id: int
    address: str | None
    people: int


class Verdict(TypedDict):
    """`level` is none, not-yet, usable, good or excellent; `next` has the one thing to do next."""

    level: str
    sentence: str
    caveat: str
    figures: list[dict[str, Any]]
    next: list[dict[str, Any]]
    source: str


class Release(TypedDict):
    id: str
    number: int
    sha256: str
    rules: str
    created_at: str
    verdict: NotRequired[Verdict]
    counts: NotRequired[dict[str, Any]]
    methods: NotRequired[str]
    methods_details: NotRequired[str]
    out_of_date: NotRequired[list[str]]


class Probe(TypedDict):
    id: str
    name: str
    group: str
    sha256: str


class Me(TypedDict):
    username: str
    token: dict[str, Any]


# Data frames of a site's tables, and files of data frames.

# Columns of texts, of which some may look like numbers.
TEXTS = {"item_id", "left", "right", "worker_id", "assignment_id", "label", "labels", "reason", "evidence"}
YES_OR_NO = {"kept", "unchecked"}


def frame_of(lines: Iterable[str]) -> pd.DataFrame:
    """A table in JSON Lines whose cells are texts: numbers where all of a column are numbers.

    >>> frame_of(['{"item_id": "007", "mean": "4.5", "kept": "1"}', '{"item_id": "12", "mean": "", "kept": "0"}'])
      item_id  mean   kept
    0     007   4.5   True
    1      12   NaN  False
    """
    import pandas as pd

    frame = pd.DataFrame([json.loads(line) for line in lines if line.strip()])
    for name in frame.columns:
        if name in YES_OR_NO:
            frame[name] = frame[name] == "1"
        elif name not in TEXTS:
            frame[name] = _numbers(frame[name])
    return frame


def _numbers(column: pd.Series) -> pd.Series:
    """As numbers if every cell that isn't blank is one."""
    import pandas as pd

    blank = column == ""
    numbers = pd.to_numeric(column.where(~blank), errors="coerce")
    return column if blank.all() or (numbers.isna() & ~blank).any() else numbers


def json_lines(rows: pd.DataFrame | Iterable[dict[str, object]]) -> IO[bytes]:
    """A file of a frame's rows, without what is missing in each."""
    import pandas as pd

    records = rows.to_dict("records") if isinstance(rows, pd.DataFrame) else list(rows)
    objects = (
        {str(name): _python_value(cell) for name, cell in row.items() if not _is_missing(cell)} for row in records
    )
    return io.BytesIO("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in objects).encode())


def csv_file(frame: pd.DataFrame) -> IO[bytes]:
    return io.BytesIO(frame.to_csv(index=False).encode())


def _is_missing(cell: Any) -> bool:
    import pandas as pd

    return bool(pd.api.types.is_scalar(cell) and pd.isna(cell))


def _python_value(cell: object) -> object:
    """Numpy's numbers as Python's."""
    return cell.item() if hasattr(cell, "item") else cell


# A study's judgments, from page to page, and later only those that have come since.

ROWS_PER_PAGE = 1_000


class Judgments:
    """To be iterated: every revision of every answer, in the order in which they came.

    `since` is where the reading has come to: keep it, and give it to `Client.judgments` for what has come after it.
    """

    def __init__(self, connection: Connection, study: str, since: str | None) -> None:
        self._connection = connection
        self._study = study
        self.since = since

    def __iter__(self) -> Iterator[Row]:
        asked: dict[str, str | None] = {"since": self.since}
        while True:
            page = self._connection.get(f"studies/{self._study}/judgments/", limit=ROWS_PER_PAGE, **asked)
            yield from page["results"]
            self.since = page["since"]  # after its rows, so that a loop that ends early misses none of them
            if page["next_cursor"] is None:
                return
            asked = {"cursor": page["next_cursor"]}
