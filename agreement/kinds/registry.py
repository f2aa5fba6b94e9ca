"""The kinds of question that there are, and what the modules of their folders declare. No Django."""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .kind import Kind, QuestionKind

# Every folder beside this file, in their declared order.


def _find_kinds() -> Mapping[QuestionKind, Kind]:
    folders = [module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]) if module.ispkg]
    kinds: list[Kind] = [import_module(f"{__package__}.{folder}").KIND for folder in folders]
    return MappingProxyType({kind.name: kind for kind in sorted(kinds, key=lambda kind: kind.order)})


KINDS = _find_kinds()
QUESTION_KINDS = tuple(KINDS)


@cache
def declaration(kind: QuestionKind, module: str, name: str) -> Any:
    """`name` of a module in a kind's folder, imported when it is asked for."""
    return getattr(import_module(f"{__package__}.{KINDS[kind].name}.{module}"), name)
