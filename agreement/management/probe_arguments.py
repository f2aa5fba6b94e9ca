"""The options of a command that say how models' outputs are to be read, as the formats declare them."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agreement.scoring.allowed_words import words_in
from agreement.scoring.probe_format import ProbeOptions
from agreement.scoring.probe_formats import OPTIONS, options_of
from annotation.errors import Refused


def add_probe_arguments(parser: ArgumentParser) -> None:
    for option in OPTIONS.values():
        if option.is_words:
            parser.add_argument(option.flag, default=option.default, metavar="words.txt", help=option.help)
        elif option.choices:
            parser.add_argument(option.flag, choices=option.choices, default=option.default, help=option.help)
        else:
            parser.add_argument(option.flag, action="store_true", help=option.help)


def probe_options(arguments: Mapping[str, Any]) -> ProbeOptions:
    """The options as they were given; words are read from their file, `Refused` if they can't be."""
    return options_of(
        {name: _words(arguments[name]) if option.is_words else arguments[name] for name, option in OPTIONS.items()}
    )


def _words(path: str) -> str:
    if not path:
        return ""
    try:
        return words_in(Path(path).read_bytes(), Path(path).name)
    except OSError as error:
        raise Refused(f"{path} can't be read ({error.strerror})") from error
