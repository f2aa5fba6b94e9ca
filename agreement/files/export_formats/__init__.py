"""Exports of other tools that judgments are read from: a module each, found by walking the folder."""

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from .export_format import ExportFormat


def _find_formats() -> Mapping[str, ExportFormat]:
    names = [module.name for module in pkgutil.iter_modules(__path__) if module.name != "export_format"]
    formats: list[ExportFormat] = [import_module(f"{__name__}.{name}").FORMAT for name in names]
    return MappingProxyType({each.name: each for each in formats})


EXPORT_FORMATS = _find_formats()
