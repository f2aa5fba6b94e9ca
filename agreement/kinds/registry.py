"""What every kind of question declares about itself, beside its data, its form and its statistics. No Django."""

import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

# The name of a folder here. Kinds are found by walking the folders, so the code has no list of names.
QuestionKind: TypeAlias = str


@dataclass(frozen=True, slots=True)
class Kind:
    """`name` is what is stored, `title` what researchers read, `order` the place in lists."""

    name: QuestionKind
    title: str
    order: int
    column: str  # the column of a judgment that holds its answers
    has_scale: bool  # answers are numbers between the study's two ends
    fewest_labels: int  # a study needs so many labels; 0: this kind has none
    most_labels: int | None = None  # and takes so many at most
    several_labels: bool = False  # an answer may be about several labels at once
    in_own_words: bool = False  # people write what they like, and published files quote it

    # What the form of a new study begins with.
    first_question: str = ""
    first_labels: tuple[str, ...] = ()

    has_properties: bool = False  # an answer is a list of properties, which a researcher may code

    @property
    def has_labels(self) -> bool:
        return self.fewest_labels > 0


# The kinds of question that there are: every folder beside this file that has a `kind.py`, in their declared
# order.


def _found() -> Mapping[QuestionKind, Kind]:
    folders = [module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]) if module.ispkg]
    kinds: list[Kind] = [import_module(f"{__package__}.{folder}.kind").KIND for folder in folders]
    return MappingProxyType({kind.name: kind for kind in sorted(kinds, key=lambda kind: kind.order)})


KINDS = _found()
QUESTION_KINDS = tuple(KINDS)


@cache
def declared(kind: QuestionKind, module: str, name: str) -> Any:
    """`name` of a module in a kind's folder, imported when it is asked for."""
    return getattr(import_module(f"{__package__}.{KINDS[kind].name}.{module}"), name)
