"""A study's judgments, from page to page, and later only those that have come since."""

from __future__ import annotations

from collections.abc import Iterator

from .connection import Connection, Row

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
