"""What a file brings and nothing uses: columns, columns that look like checks and aren't read so, names of media."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from ..errors import remedy
from ..files.column_words import tokens
from ..files.items_file import ITEM_COLUMNS
from ..files.marked_rows import NOT_VALID
from ..files.response_times import time_column
from ..files.table import Column, Table
from ..kinds.data import data_of
from ..kinds.kind import QuestionKind

MOST_NAMED = 12
CHECKS = frozenset({"attention", "catch", "check", "checks", "trap", "screener", "honeypot", "imc", "golden"})
MEDIA = re.compile(
    r"[^\n|]+\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|wav|mp3|ogg|m4a|flac|aac|mp4|webm|mov|avi|mkv)", re.IGNORECASE
)
PEEKED = 200
OF_ITEMS = remedy(command=" of items.csv (--items)", python=" of items")
# Columns that something reads: those of judgments.csv as we write it, and those of what came from a site.
READ = frozenset({
    "worker_id", "item_id", "value", "response_ms", "submitted_at", "assignment_id", *ITEM_COLUMNS, "left", "right",
    "question", "kept", "reason", "server_ms", "items_per_page", "worker_could_not_see", "repeats",
})  # fmt: skip


def looks_like_checks(name: str) -> bool:
    """Whether a column is called as if it said which rows are attention checks.

    >>> [looks_like_checks(name) for name in ("attention_check", "isCatchTrial", "check", "checkout")]
    [True, True, False, False]
    """
    return name not in ITEM_COLUMNS and bool(CHECKS & set(tokens(name)))


def names_media(column: Column) -> bool:
    """Whether the cells of a column are names of pictures, sounds or films."""
    return are_media(column.values)


def are_media(values: Sequence[str]) -> bool:
    """Whether texts are names of pictures, sounds or films.

    >>> are_media(["a/b.PNG", "snd 1.wav", ""]), are_media(["a.png", "cat"])
    (True, False)
    """
    texts = [value.strip() for value in values[:PEEKED] if value.strip()]
    return bool(texts) and all(MEDIA.fullmatch(text) for text in texts)


def notices_on_judgments(
    table: Table, kind: QuestionKind, used: Collection[str], of_items: Sequence[str]
) -> Iterator[str]:
    """Of a file of judgments and the columns of its items."""
    plain = {name: re.sub("[^a-z]", "", name.casefold()) for name in table.columns}
    answers = data_of(kind).columns.among(table.columns)
    known = {*READ, *used, *answers, *of_items}
    unused = [
        name
        for name, column in table.columns.items()
        if name not in known and plain[name] not in NOT_VALID and time_column(name) is None and any(column.values)
    ]
    if unused:
        yield f"Columns that nothing uses: {listed(unused)}; they stay in judgments.csv."
    has_checks = {"check", "kind"} & {*table.columns, *of_items}
    yield from () if has_checks else notices_on_checks([*unused, *of_items])


def notices_on_checks(names: Sequence[str]) -> Iterator[str]:
    """Columns that look like checks, where no column says which items are."""
    for name in filter(looks_like_checks, names):
        yield (
            f"The column {name} looks like checks and isn't read as such, so that such items count as all others: name"
            f" the check of each such item in a column called check{OF_ITEMS}, and its right answer in expected, min or"
            " max."
        )


def listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"
