"""Exports as JSON Lines, Parquet and zips, and written to a file, whole or not at all, as of one moment."""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

from django.db import connection

from agreement.errors import Refused
from agreement.files.table import Column, Mask
from agreement.files.writing import RowWriter, Write
from agreement.report.data_dictionary import header_of, meaning_of

# Tables as JSON Lines: the same names as the CSV has, each cell as its text, nothing escaped for spreadsheets.


def json_line(names: Sequence[str], cells: Sequence[str]) -> bytes:
    return (json.dumps(dict(zip(names, cells, strict=True)), ensure_ascii=False) + "\n").encode()


def json_lines(columns: Mapping[str, Column], keep: Mask | None = None) -> Iterator[bytes]:
    """The table's rows, or those that `keep` marks; each distinct text is written as JSON once."""
    return json_rows().rows(columns, keep)


def json_rows() -> RowWriter:
    """Writes the rows of tables that have the same columns."""
    return RowWriter(_cell_writers)


def _cell_writers(columns: Mapping[str, Column]) -> list[Write]:
    names = [json.dumps(name, ensure_ascii=False) for name in columns]
    begins, ends = ["{", *[", "] * (len(names) - 1)], [*[""] * (len(names) - 1), "}\n"]
    return [_cell_writer(f"{begin}{name}: ", end) for begin, name, end in zip(begins, names, ends, strict=True)]


def _cell_writer(begin: str, end: str) -> Write:
    return lambda text: f"{begin}{json.dumps(text, ensure_ascii=False)}{end}"


# Zips whose bytes are always the same for the same content.

BEGINNING = (1980, 1, 1, 0, 0, 0)  # a zip keeps a time with each file


def zip_entry(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, BEGINNING)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info


def zip_of_files(files: Mapping[str, bytes]) -> bytes:
    """A small zip, made in memory."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(zip_entry(name), content)
    return buffer.getvalue()


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


# An export as Parquet, read from its CSV part by part; needs pyarrow, which is an extra.

TYPES = {"number": "float64", "whole number": "int64", "flag": "int64"}
# As `agreement.files.writing` undoes what keeps spreadsheets from running a text.
ESCAPED, UNESCAPED = r"^'('*[=+\-@\t\r])", r"\1"
BLOCK = 4 << 20
NOT_THERE = "Parquet needs the package pyarrow, which isn't installed: pip install 'touchstone-annotation[parquet]'."


def write_parquet(path: Path, file: str, pieces: Iterator[bytes]) -> int:
    """Columns of numbers as the data dictionary says of `file`, all others as text; blank cells of numbers are null."""
    modules = ("pyarrow", "pyarrow.csv", "pyarrow.parquet", "pyarrow.compute")
    arrow, csv, parquet, compute = (_module(name) for name in modules)
    first, _, rest = next(pieces, b"").partition(b"\n")
    header = header_of(first)
    meanings = {name: meaning_of(file, name) for name in header}
    types = {name: TYPES.get(meaning.type if meaning else "", "string") for name, meaning in meanings.items()}
    schema = arrow.schema([(name, arrow.type_for_alias(type_name)) for name, type_name in types.items()])
    options = csv.ConvertOptions(column_types=types, null_values=[""], strings_can_be_null=False)
    names = csv.ReadOptions(column_names=header, use_threads=False)
    quotes = csv.ParseOptions(newlines_in_values=True)
    temporary = path.with_name(f".{path.name}.partial")
    try:
        with parquet.ParquetWriter(temporary, schema, compression="zstd") as writer:
            for block in _blocks(chain([rest], pieces)):
                table = csv.read_csv(io.BytesIO(block), names, quotes, options)
                columns = [
                    compute.replace_substring_regex(table.column(name), ESCAPED, UNESCAPED)
                    if types[name] == "string"
                    else table.column(name)
                    for name in header
                ]
                writer.write_table(arrow.Table.from_arrays(columns, schema=schema))
        size = temporary.stat().st_size
        temporary.replace(path)
    except OSError as error:
        raise Refused(f"{path}: can't be written ({error.strerror})") from error
    finally:
        temporary.unlink(missing_ok=True)
    return size


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as absent:
        raise Refused(NOT_THERE) from absent


def _blocks(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Whole rows, some megabytes at a time. Arrow never reads from the export itself: it would do so in a thread of its
    own, where the database is seen at another moment.
    """
    block = bytearray()
    for piece in pieces:
        block += piece
        if len(block) >= BLOCK:
            yield bytes(block)
            block.clear()
    if block:
        yield bytes(block)
