"""The options of a command that say what is what in somebody else's file of judgments."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import Refused
from ..files.cell_texts import split_bars
from ..files.column_mapping import MISSING, NAMES, ColumnMapping, read_mapping
from ..files.export_formats import EXPORT_FORMATS
from .command_files import write_new

LEAVE_OUT = "rows to leave out and count, such as AssignmentStatus=Rejected; several with | between"


def add_mapping_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("files as other tools write them").add_argument
    titles = "; ".join(f"{name}: {each.title}" for name, each in EXPORT_FORMATS.items())
    add("--from", dest="export", choices=[*EXPORT_FORMATS], help=f"whose export it is ({titles})")
    add("--worker", metavar="COLUMN", help="the column that names the worker")
    add("--item", metavar="COLUMN", help="the column that names the item")
    add("--value", metavar="COLUMN", help="the column that holds the answer")
    add("--wide", action="store_true", default=None, help="one column per item and one row per worker")
    add("--columns", type=_texts, metavar="A*|B*", help="of a wide file, the columns that are items (* for any text)")
    add(
        "--skip-rows",
        type=_rows,
        metavar="1,2",
        help="rows to leave out, counted from the first below the header",
    )
    add("--leave-out", type=_values, metavar="COLUMN=VALUE", help=LEAVE_OUT)
    add("--missing", choices=MISSING, help="what to do with cells without an answer (default: refuse)")
    add("--missing-as", type=_texts, metavar="NA|-", help="texts that stand for no answer, beside empty cells")
    add("--mapping", type=Path, metavar="M.toml", help="these options from a file; options beside it take precedence")
    add("--save-mapping", type=Path, metavar="M.toml", help="write these options to a new file for --mapping")


def mapping_of(options: Mapping[str, Any]) -> ColumnMapping:
    """What the command was told; a file that holds it is written if that was asked for."""
    given = {name: options[name] for name in NAMES if options[name] is not None}
    mapping = ColumnMapping() if options["mapping"] is None else read_mapping(options["mapping"])
    mapping = replace(mapping, **given)
    if mapping.export and mapping.export not in EXPORT_FORMATS:
        raise Refused(f"key from: {mapping.export!r} is not one of {', '.join(EXPORT_FORMATS)}")
    if mapping.missing_as and mapping.missing != "skip":
        raise Refused("--missing-as says which texts stand for no answer: add --missing skip")
    return mapping


def save_mapping(options: Mapping[str, Any], mapping: ColumnMapping) -> None:
    """After the file was read by it."""
    if options["save_mapping"] is not None:
        write_new(options["save_mapping"], mapping.toml().encode())


def _texts(text: str) -> tuple[str, ...]:
    return tuple(split_bars(text))


def _values(text: str) -> tuple[str, ...]:
    found = tuple(split_bars(text))
    if not all(part.partition("=")[0].strip() and "=" in part for part in found):
        raise ArgumentTypeError(f"{text!r} names no column and value, such as AssignmentStatus=Rejected")
    return found


def _rows(text: str) -> tuple[int, ...]:
    rows = text.split(",")
    if not all(row.strip().isdecimal() and int(row) > 0 for row in rows):
        raise ArgumentTypeError(f"{text!r} is not a list of whole numbers from 1, such as 1,2")
    return tuple(map(int, rows))
