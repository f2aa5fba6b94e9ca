"""The options of a command that say how models' outputs are to be read, as the formats declare them."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from agreement.scoring.probe_format import ProbeOptions
from agreement.scoring.probe_formats import OPTIONS, options_of


def add_probe_arguments(parser: ArgumentParser) -> None:
    for option in OPTIONS.values():
        if option.choices:
            parser.add_argument(option.flag, choices=option.choices, default=option.default, help=option.help)
        else:
            parser.add_argument(option.flag, action="store_true", help=option.help)


def probe_options(arguments: Mapping[str, Any]) -> ProbeOptions:
    return options_of({name: arguments[name] for name in OPTIONS})
