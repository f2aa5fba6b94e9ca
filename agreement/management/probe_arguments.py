"""The options of a command that say how models' outputs are to be read, as the formats declare them."""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from agreement.scoring.allowed_words import words_in
from agreement.scoring.probe_format import DEFAULT, Option, ProbeOptions
from agreement.scoring.probe_formats import OPTIONS, options_of
from annotation.errors import Refused


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
