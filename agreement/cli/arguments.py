"""Arguments of commands that several of them read alike, and files that commands read or write."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from ..errors import Refused
from ..files.cell_texts import split_bars
from ..files.column_mapping import MISSING, NAMES, ColumnMapping, fits_response_time, read_mapping
from ..files.export_formats import EXPORT_FORMATS
from ..files.numbers import Scale, parse_scale
from ..files.problems import Problems
from ..files.reading import required_table
from ..files.table import Table
from ..judgments.property_coding import words_in
from ..scoring.probe_format import DEFAULT, Option, ProbeOptions
from ..scoring.probe_formats import OPTIONS, options_of


def table_of(path: Path) -> Table:
    """The table in a file; `Refused` with every reason, also where it has no column item_id."""
    problems = Problems(path.name)
    table = required_table(path, problems)
    if "item_id" not in table.columns or not len(table):
        raise Refused(f"{path.name}: it needs the column item_id and at least one row.")
    return table


def write_new(path: Path, content: bytes) -> None:
    """A file that isn't there yet."""
    try:
        with path.open("xb") as out:
            out.write(content)
    except FileExistsError:
        raise Refused(f"{path} is there already: name another file, or remove it.") from None
    except OSError as error:
        raise Refused(f"{path}: it can't be written ({error.strerror})") from error


# Arguments of commands that several of them read alike, and files that commands read or write.

LEAVE_OUT = "rows to leave out and count, such as AssignmentStatus=Rejected; several with | between"


def add_mapping_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("files as other tools write them").add_argument
    titles = "; ".join(f"{name}: {each.title}" for name, each in EXPORT_FORMATS.items())
    add("--from", dest="export", choices=[*EXPORT_FORMATS], help=f"whose export it is ({titles})")
    add("--worker", metavar="COLUMN", help="the column that names the worker")
    add("--item", metavar="COLUMN", help="the column that names the item")
    add("--value", metavar="COLUMN", help="the column that holds the answer")
    add("--wide", action="store_true", default=None, help="one column per item and one row per worker")
    raters = "one column per rater and one row per item"
    add("--raters-in-columns", action="store_true", default=None, help=raters)
    labels = "one row per judgment and one column per label, with a number or a mark in each"
    add("--labels-in-columns", action="store_true", default=None, help=labels)
    add("--columns", type=_texts, metavar="A*|B*", help="of these files, the columns with answers (* for any text)")
    add("--sheet", metavar="NAME", help="the sheet of a workbook")
    time_help = "the column of response times and its unit, ms or s, such as rt=ms"
    add("--response-time", type=_response_time, metavar="COLUMN=UNIT", help=time_help)
    add(
        "--skip-rows",
        type=_rows,
        metavar="1,2",
        help="rows to leave out, counted from the first below the header",
    )
    add("--leave-out", type=_values, metavar="COLUMN=VALUE", help=LEAVE_OUT)
    missing = "what to do with cells without an answer (default: skip those of wide files, refuse others)"
    add("--missing", choices=MISSING, help=missing)
    add("--missing-as", type=_texts, metavar="NA|-", help="texts that stand for no answer, beside empty cells")
    add("--mapping", type=Path, metavar="M.toml", help="these options from a file; options beside it take precedence")
    add("--save-mapping", type=Path, metavar="M.toml", help="write these options to a new file for --mapping")


def mapping_of(options: Mapping[str, Any]) -> ColumnMapping:
    """What the command was told; a file that holds it is written if that was asked for."""
    settings = {name: options[name] for name in NAMES if options[name] is not None}
    mapping = ColumnMapping() if options["mapping"] is None else read_mapping(options["mapping"])
    mapping = replace(mapping, **settings)
    if mapping.export and mapping.export not in EXPORT_FORMATS:
        raise Refused(f"key from: {mapping.export!r} is not one of {', '.join(EXPORT_FORMATS)}")
    skips = mapping.is_wide or mapping.labels_in_columns
    if mapping.missing_as and not (mapping.missing == "skip" or (skips and not mapping.missing)):
        raise Refused("--missing-as says which texts stand for no answer: add --missing skip")
    if mapping.wide + mapping.raters_in_columns + mapping.labels_in_columns > 1:
        raise Refused(
            "--wide is one column per item, --raters-in-columns one per rater, --labels-in-columns one per label: type"
            " one of them"
        )
    return mapping


def save_mapping(options: Mapping[str, Any], mapping: ColumnMapping) -> None:
    """After the file was read by it."""
    if options["save_mapping"] is not None:
        write_new(options["save_mapping"], mapping.toml().encode())


def _texts(text: str) -> tuple[str, ...]:
    return tuple(split_bars(text))


def _values(text: str) -> tuple[str, ...]:
    values = tuple(split_bars(text))
    if not all(part.partition("=")[0].strip() and "=" in part for part in values):
        raise ArgumentTypeError(f"{text!r} names no column and value, such as AssignmentStatus=Rejected")
    return values


def _response_time(text: str) -> str:
    if not fits_response_time(text):
        raise ArgumentTypeError(f"{text!r} is not a column and its unit, such as rt=ms or rt=s")
    return text


def _rows(text: str) -> tuple[int, ...]:
    rows = text.split(",")
    if not all(row.strip().isdecimal() and int(row) > 0 for row in rows):
        raise ArgumentTypeError(f"{text!r} is not a list of whole numbers from 1, such as 1,2")
    return tuple(map(int, rows))


# Arguments of commands that several of them read alike.

LARGEST_SEED = 2**63 - 1  # which a database's columns can hold
# What a command shows while it works: given what it counts, it has a function to be told (done, total), or None.
Progress: TypeAlias = Callable[[str], AbstractContextManager[Callable[[int, int], None] | None]]


def seed(text: str) -> int:
    """The type of an option `--seed`."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 20 and int(digits) <= LARGEST_SEED):
        raise ArgumentTypeError(f"{text!r} is not a whole number of 63 bits at most")
    return int(text)


def count(text: str) -> int:
    """The type of an option that is a whole number of 0 or more."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
    return int(text)


def label_list(text: str) -> tuple[str, ...]:
    labels = tuple(split_bars(text))
    if "" in labels or len(set(labels)) < len(labels):
        raise ArgumentTypeError(f"{text!r} is not a list of different labels with | between them")
    return labels


def scale(text: str) -> Scale:
    try:
        return parse_scale(text)
    except Refused as refused:
        raise ArgumentTypeError(str(refused)) from refused


ALT_TEST = "the alternative annotator test of each model at this epsilon: --also alt-test:EPSILON"


def alt_test(epsilon: str) -> str:
    """The further analysis that `--alt-test EPSILON` asks for."""
    return f"alt-test:{epsilon}"


def with_scale_joined(argv: list[str]) -> list[str]:
    """The arguments with `--scale A:B` as one.

    >>> with_scale_joined(["analyse_file", "j.csv", "--scale", "-5:5", "--out", "o"])
    ['analyse_file', 'j.csv', '--scale=-5:5', '--out', 'o']
    """
    joined = list(argv)
    if "--scale" in joined[:-1]:
        index = joined.index("--scale")
        joined[index : index + 2] = [f"--scale={joined[index + 1]}"]
    return joined


# How models' outputs are to be read, as the formats declare it.

ANSWER_MAPPING = "what answers of models stand for: a CSV with the columns answer, value, as `touchstone map` writes it"


def add_answer_mapping(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--answer-mapping",
        type=Path,
        nargs="+",
        action="extend",
        default=[],
        metavar="mapping.csv",
        help=ANSWER_MAPPING,
    )


def add_probe_arguments(
    parser: ArgumentParser, options: Iterable[Option[Any]] = tuple(OPTIONS.values()), first: ProbeOptions = DEFAULT
) -> None:
    """`first` has the defaults that a command has of its own."""
    for option in options:
        if option.is_words:
            parser.add_argument(option.flag, metavar="words.txt", help=option.help)
        elif option.is_text:
            parser.add_argument(option.flag, metavar="COLUMN", help=option.help)
        elif option.choices:
            parser.add_argument(option.flag, choices=option.choices, help=f"{option.help} (default: {first[option]})")
        else:
            parser.add_argument(option.flag, action="store_true", default=None, help=option.help)


def probe_options(arguments: Mapping[str, Any], first: ProbeOptions = DEFAULT) -> ProbeOptions:
    """What the command was told, and for the rest what `first` says; words are read from their file, `Refused` if
    they can't be.
    """
    told = {name: option for name, option in OPTIONS.items() if arguments.get(name) is not None}
    options = {name: _words(arguments[name]) if option.is_words else arguments[name] for name, option in told.items()}
    return options_of({**dict(first.values), **options})


def _words(path: str) -> str:
    try:
        return words_in(Path(path).read_bytes(), Path(path).name)
    except OSError as error:
        raise Refused(f"{path} can't be read ({error.strerror})") from error
