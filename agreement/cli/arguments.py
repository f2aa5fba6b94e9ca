"""Arguments of commands that several of them read alike."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeAlias

from ..errors import Refused
from ..files.cell_texts import split_bars
from ..files.numbers import parse_scale
from ..files.scale import Scale
from ..property_names import words_in
from ..scoring.probe_format import DEFAULT, Option, ProbeOptions
from ..scoring.probe_formats import OPTIONS, options_of

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
        at = joined.index("--scale")
        joined[at : at + 2] = [f"--scale={joined[at + 1]}"]
    return joined


# How models' outputs are to be read, as the formats declare it.


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
    given = {name: _words(arguments[name]) if option.is_words else arguments[name] for name, option in told.items()}
    return options_of({**dict(first.given), **given})


def _words(path: str) -> str:
    try:
        return words_in(Path(path).read_bytes(), Path(path).name)
    except OSError as error:
        raise Refused(f"{path} can't be read ({error.strerror})") from error
