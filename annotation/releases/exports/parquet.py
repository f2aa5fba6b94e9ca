"""An export as Parquet, read from its CSV part by part; needs pyarrow, which is an extra."""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

from agreement.errors import Refused
from agreement.report.data_dictionary import header_of, meaning_of

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
    types = {name: TYPES.get(found.type if found else "", "string") for name, found in meanings.items()}
    schema = arrow.schema([(name, arrow.type_for_alias(of)) for name, of in types.items()])
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
