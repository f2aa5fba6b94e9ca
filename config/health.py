"""What keeps the site from storing answers: a database that is gone or broken, or a disk without room."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection

LEAST_FREE_BYTES = 50_000_000  # the log of SQLite and the spooled uploads need some room to the last
SQLITE_MAGIC = b"SQLite format 3\x00"
# Descriptors of databases' files, by device and inode. None is ever closed: with the first that is closed, a process
# loses all its locks on the file (POSIX; https://sqlite.org/howtocorrupt.html, 2.2), those of its connections too. The
# next other process to leave the database then takes itself for the last and deletes the log, with answers in it.
_kept_open: dict[tuple[int, int], int] = {}
_opening = threading.Lock()


def what_is_wrong() -> str:
    """A sentence, or nothing while all is well. Nothing is written: a health check must not wait for other writers."""
    return next(_wrong(), "")


def _wrong() -> Iterator[str]:
    try:
        with connection.cursor() as cursor:
            # A table of ours, for a broken file may answer what needs no look into it.
            cursor.execute("SELECT name FROM django_migrations ORDER BY id DESC LIMIT 1")
    except DatabaseError as error:
        yield f"The database does not answer ({type(error).__name__})."
    if connection.vendor == "sqlite" and (broken := broken_sqlite(Path(connection.settings_dict["NAME"]))):
        yield broken
    for folder in _folders():
        if (free := _free_bytes(folder)) < LEAST_FREE_BYTES:
            yield f"The disk is full: {free / 1e6:.0f} MB are free, and {LEAST_FREE_BYTES / 1e6:.0f} MB are needed."


def broken_sqlite(file: Path) -> str:
    """What is wrong with the file to the eye: that it isn't a database of SQLite, or was cut short."""
    try:
        head = os.pread(_descriptor(file), 100, 0)
        size = file.stat().st_size
    except OSError as error:
        return f"The database's file can't be read ({error.strerror})."
    if not head.startswith(SQLITE_MAGIC) and size:
        return "The database's file is damaged: it is not a database of SQLite any more."
    page_bytes = int.from_bytes(head[16:18], "big") or 0
    pages = int.from_bytes(head[28:32], "big")
    if size < (65536 if page_bytes == 1 else page_bytes) * pages:
        return "The database's file is damaged: its end is missing."
    return ""


def _descriptor(file: Path) -> int:
    found = file.stat()
    with _opening:
        key = found.st_dev, found.st_ino
        if key not in _kept_open:
            _kept_open[key] = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
        return _kept_open[key]


def _folders() -> list[Path]:
    folders: list[Any] = [settings.VAR_DIR]
    if connection.vendor == "sqlite":
        folders.append(Path(connection.settings_dict["NAME"]).parent)
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]


def _free_bytes(folder: Path) -> int:
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize
