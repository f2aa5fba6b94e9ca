"""How many requests each token and network has sent in the last minute, counted by all web processes of a machine.

They stand in a small database of SQLite of their own, so that counting waits for no answer and no answer for it: why,
says docs/decisions/0024-requests-are-counted-by-a-machine.md.
"""

import os
import sqlite3
import time
from pathlib import Path
from threading import Lock

NAME = "api-requests.sqlite3"
MINUTE = 60
PATIENCE_SECONDS = 0.5
TABLE = """
    CREATE TABLE IF NOT EXISTS requests (
        sender TEXT NOT NULL, second INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (sender, second)
    ) WITHOUT ROWID
"""
# Seconds are those since the machine was started, which nobody sets anew. Later ones than now are of an earlier start.
FORGET = "DELETE FROM requests WHERE second <= :now - 60 OR second > :now"
SUM = """
    SELECT coalesce(sum(count), 0), min(second) FROM requests
    WHERE sender = :sender AND second BETWEEN :now - 59 AND :now
"""
ADD = "INSERT INTO requests VALUES (:sender, :now, 1) ON CONFLICT (sender, second) DO UPDATE SET count = count + 1"


class RequestCounts:
    """The counts in one file, which other processes read and write too. One thread of this process at a time."""

    def __init__(self, file: Path) -> None:
        self.file, self.process, self.lock, self.forgot_at = file, os.getpid(), Lock(), 0
        file.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
        self.connection = sqlite3.connect(file, timeout=PATIENCE_SECONDS, isolation_level=None, check_same_thread=False)
        self._prepare()

    def _prepare(self) -> None:
        """While another process does the same SQLite says at once that the file is locked, whatever the timeout is."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", TABLE):
                    self.connection.execute(statement)
            except sqlite3.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(PATIENCE_SECONDS / 20)
            else:
                return

    def wait_of(self, sender: str, most: int) -> int:
        """0: the request is counted and may go on; else after how many seconds it may come again. `sqlite3.Error`
        where nothing can be counted.
        """
        with self.lock, self.connection:
            now = int(time.monotonic())
            self.connection.execute("BEGIN IMMEDIATE")
            if now != self.forgot_at:
                self.connection.execute(FORGET, {"now": now})
                self.forgot_at = now
            count, first = self.connection.execute(SUM, {"sender": sender, "now": now}).fetchone()
            if count >= most:
                return max(int(first) + MINUTE - now, 1) if first is not None else MINUTE
            self.connection.execute(ADD, {"sender": sender, "now": now})
            return 0


_opening = Lock()
_opened: dict[Path, RequestCounts] = {}


def counts_in(folder: Path) -> RequestCounts:
    """This process's connection to the counts in a folder; a process that was forked opens one of its own."""
    file = folder / NAME
    with _opening:
        counts = _opened.get(file)
        if counts is None or counts.process != os.getpid():
            counts = _opened[file] = RequestCounts(file)
        return counts
