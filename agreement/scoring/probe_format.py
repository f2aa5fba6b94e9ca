"""What every way of writing a model's outputs declares: the columns that tell it, its options, and how it is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import numpy as np
import numpy.typing as npt

from ..arrays import Floats
from .probe import Probe, Run, Shape, StudyItems

if TYPE_CHECKING:
    from .probe_layout import ProbeRows

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(Generic[Value]):
    """One way in which a file may ask to be read otherwise: a choice, a list of words, a text, or else a yes or no."""

    name: str  # as stored, and as a field of the form
    default: Value
    choices: tuple[str, ...] = ()
    is_words: bool = False  # words from a file, one on each line; kept as such lines
    is_text: bool = False  # a line of text, such as a column's name
    help: str  # of the command's option
    label: str  # of the form's field

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"


@dataclass(frozen=True, slots=True, init=False)
class ProbeOptions:
    """How a probe says that it is to be read: the options that were given, by name; the rest have their defaults."""

    given: tuple[tuple[str, object], ...]

    def __init__(self, **given: object) -> None:
        object.__setattr__(self, "given", tuple(sorted(given.items())))

    def __getitem__(self, option: Option[Value]) -> Value:
        return cast("Value", dict(self.given).get(option.name, option.default))


DEFAULT = ProbeOptions()


@dataclass(frozen=True, slots=True)
class NumbersReader:
    """How a file of nothing but `item_id` and columns of numbers is read; None where anything is to be refused.

    `read` takes the numbers [R, C] of the columns that a study's file has, and [R] the place of each row's item.
    """

    columns: Callable[[StudyItems], Sequence[str]]
    read: Callable[[Floats, npt.NDArray[np.int64], StudyItems, str], Probe | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeFormat:
    """One way of writing outputs. `columns` is its header as the manual has it, `example` as the page does.

    A file is of the first format, in the order of `tried`, whose columns it has: `told_by` takes the names of all.
    """

    order: int  # in lists
    tried: int
    columns: str
    example: str = ""
    what: str  # what a row is, for the page
    told_by: Callable[[AbstractSet[str]], bool]
    says: str = ""  # how a refusal names the columns that say what the model gives
    key: str = "item_id"  # the column that each row is told by
    key_says: str = ""  # how a refusal names another one
    read: Callable[[ProbeRows, str], Probe]
    options: tuple[Option[Any], ...] = ()
    quick: NumbersReader | None = None


def unreadable(name: str, shape: Shape = "numbers") -> Probe:
    """A probe without outputs, whose problems are said elsewhere."""
    return Probe(name, shape, ())


def laid_out(values: Floats, rows: npt.NDArray[np.int64], study: StudyItems) -> Floats:
    """Rows of values on the study's items, NaN where there is none."""
    found: Floats = np.full((len(study.ids), *values.shape[1:]), np.nan)
    found[rows] = values
    return found


def only_run(name: str, shape: Shape, values: Floats) -> Probe:
    return Probe(name, shape, (Run({}, values),))
