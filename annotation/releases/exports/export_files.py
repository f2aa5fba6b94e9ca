"""Exports as JSON Lines and as zips, and exports written to a file, whole or not at all, as of one moment."""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

from agreement.errors import Refused
from agreement.files.table import Column, Mask
from agreement.files.writing import RowWriter, Write

# Tables as JSON Lines: the same names as the CSV has, each cell as its text, nothing escaped for spreadsheets.


def json_line(names: Sequence[str], cells: Sequence[str]) -> bytes:
    return (json.dumps(dict(zip(names, cells, strict=True)), ensure_ascii=False) + "\n").encode()


def json_lines(columns: Mapping[str, Column], keep: Mask | None = None) -> Iterator[bytes]:
    """The table's rows, or those that `keep` marks; each distinct text is written as JSON once."""
    return json_rows().rows(columns, keep)


def json_rows() -> RowWriter:
    """Writes the rows of tables that have the same columns."""
    return RowWriter(_writes)


def _writes(columns: Mapping[str, Column]) -> list[Write]:
    names = [json.dumps(name, ensure_ascii=False) for name in columns]
    begins, ends = ["{", *[", "] * (len(names) - 1)], [*[""] * (len(names) - 1), "}\n"]
    return [_write(f"{begin}{name}: ", end) for begin, name, end in zip(begins, names, ends, strict=True)]


def _write(begin: str, end: str) -> Write:
    return lambda text: f"{begin}{json.dumps(text, ensure_ascii=False)}{end}"


# Zips whose bytes are always the same for the same content.

BEGINNING = (1980, 1, 1, 0, 0, 0)  # a zip keeps a time with each file


def zip_entry(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, BEGINNING)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A small zip, made in memory."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(zip_entry(name), content)
    return made.getvalue()


# Writes an export to a file, whole or not at all.


def write_to(path: Path, pieces: Iterable[bytes]) -> int:
    """A temporary file beside it, flushed to disk and renamed at the end; returns how many bytes."""
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise Refused(f"{path}: can't be written ({error.strerror})") from error
    size = 0
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in pieces:
                size += file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except OSError as error:
        raise Refused(f"{path}: can't be written ({error.strerror})") from error
    finally:
        Path(temporary).unlink(missing_ok=True)
    return size


# The database as it was at one moment, however long an export takes, and nobody is kept from saving.

# Reading alone: SQLite's own way to begin, and not the site's, which takes the one lock for writing at once.
BEGIN = {"postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "sqlite": "BEGIN DEFERRED"}


@contextmanager
def one_moment() -> Iterator[None]:
    """Nothing can be written by this connection meanwhile. Inside of a transaction it is that one's moment."""
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(BEGIN[connection.vendor])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")


def in_one_moment(pieces: Callable[[], Iterator[bytes]]) -> Generator[bytes, None, None]:
    """The pieces, begun when the first is asked for; a download that is broken off ends the moment too."""
    with one_moment():
        yield from pieces()
