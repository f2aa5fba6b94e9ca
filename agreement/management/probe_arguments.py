"""The options of a command that say how models' outputs are to be read, as the formats declare them."""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from agreement.scoring.probe_format import DEFAULT, Option, ProbeOptions
from agreement.scoring.probe_formats import OPTIONS, options_of


def add_probe_arguments(
    parser: ArgumentParser, options: Iterable[Option[Any]] = tuple(OPTIONS.values()), first: ProbeOptions = DEFAULT
) -> None:
    """`first` has the defaults that a command has of its own."""
    for option in options:
        if option.choices:
            parser.add_argument(option.flag, choices=option.choices, help=f"{option.help} (default: {first[option]})")
        else:
            parser.add_argument(option.flag, action="store_true", default=None, help=option.help)


def probe_options(arguments: Mapping[str, Any], first: ProbeOptions = DEFAULT) -> ProbeOptions:
    """What the command was told, and for the rest what `first` says."""
    given = {name: arguments[name] for name in OPTIONS if arguments.get(name) is not None}
    return options_of({**dict(first.given), **given})
