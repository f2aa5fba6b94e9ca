"""The ways in which a model's outputs are written: a module per shape, found by walking the folder."""

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from ..harness_files import READ_AS
from ..probe_format import ID_COLUMN, IGNORE, MODEL_COLUMN, OUTPUT, Option, ProbeFormat, ProbeOptions


def _find_formats() -> tuple[ProbeFormat, ...]:
    modules = [import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    formats: list[ProbeFormat] = [each for module in modules for each in module.FORMATS]
    return tuple(sorted(formats, key=lambda each: each.order))


FORMATS = _find_formats()
OF_ALL = (OUTPUT, IGNORE, ID_COLUMN, MODEL_COLUMN, READ_AS)  # options of every format
OPTIONS: Mapping[str, Option[Any]] = {
    option.name: option for option in (*(option for each in FORMATS for option in each.options), *OF_ALL)
}


def options_of(values: Mapping[str, object]) -> ProbeOptions:
    """The options of a command, a form or a stored probe; KeyError for one that there isn't."""
    if unknown := values.keys() - OPTIONS:
        raise KeyError(f"a probe has no option {', '.join(sorted(unknown))}")
    return ProbeOptions(**values)


def all_options(options: ProbeOptions) -> dict[str, object]:
    """Every option by name, as it is stored."""
    return {name: options[option] for name, option in OPTIONS.items()}
