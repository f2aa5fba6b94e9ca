"""The base of every failure that Touchstone tells a person about, and what to do about a refusal.

A sentence is put together in one place and read in another. So a remedy is written with all of its wordings (a
command's options, a function's arguments, a page), between characters that no file's text brings into a sentence, and
whoever shows the sentence takes the one that fits.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, overload

Surface = Literal["command", "python", "page"]
COMMAND: Surface = "command"
PYTHON: Surface = "python"
PAGE: Surface = "page"
_SURFACES: tuple[Surface, ...] = (COMMAND, PYTHON, PAGE)
# Of Unicode's private area: a cell that holds one is quoted with its escape (`quote_cell`), as every cell in a message.
_BEGIN, _NEXT, _END, PLACE_ENDS = "\ue000", "\ue001", "\ue002", "\ue003"
_REMEDY = re.compile(f"{_BEGIN}([^{_END}]*){_END}")


def remedy(*, command: str, python: str, page: str = "") -> str:
    """The part of a sentence that says what to do; without words for a page a page leaves it out."""
    return f"{_BEGIN}{_NEXT.join((command, python, page))}{_END}"


def option(name: str, value: str = "", *, python: str | None = None) -> str:
    """An option of a command, which in Python is an argument of the same name, and on a page its name alone.

    >>> sentence = f"{option('labels')} names them all, such as {option('kind', 'text')}"
    >>> sentence_for(sentence, "command"), sentence_for(sentence, "python")
    ('--labels names them all, such as --kind text', 'labels names them all, such as kind="text"')
    """
    argument = name.replace("-", "_")
    spoken = f'{argument}="{value}"' if value else argument
    typed = f"--{name} {value}" if value else f"--{name}"
    return remedy(command=typed, python=python or spoken, page=f"{name.replace('-', ' ')} {value}".strip())


def scale_option(low: str, high: str) -> str:
    """The scale of a slider, as a command and a function take it.

    >>> sentence_for(scale_option("-5", "5"), "command"), sentence_for(scale_option("0", "7"), "python")
    ('--scale=-5:5', 'scale=(0, 7)')
    """
    return remedy(command=f"--scale={low}:{high}", python=f"scale=({low}, {high})", page=f"{low} to {high}")


def sentence_for(text: str, surface: Surface) -> str:
    """The sentence as this surface words it."""
    if _BEGIN not in text and PLACE_ENDS not in text:
        return text
    index = _SURFACES.index(surface)
    return _REMEDY.sub(lambda match: match[1].split(_NEXT)[index], text).replace(PLACE_ENDS, "")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is refused: where, the sentence on what is wrong and which limit it breaks, and the remedies in
    it, each by the surface that words it.
    """

    where: str
    limit: str
    remedies: tuple[dict[Surface, str], ...] = ()

    @classmethod
    def of(cls, marked: str) -> Reason:
        where, _, limit = marked.rpartition(PLACE_ENDS)
        wordings = [match[1].split(_NEXT) for match in _REMEDY.finditer(limit)]
        remedies = tuple(dict(zip(_SURFACES, each, strict=True)) for each in wordings)
        return cls(sentence_for(where, COMMAND), sentence_for(limit, COMMAND).lstrip(":, "), remedies)


class LazySentences(Sequence[str]):
    """Sentences that are made when they are read: there may be a million of them."""

    __slots__ = ()

    @abstractmethod
    def sentence(self, index: int) -> str:
        """The one at `index`, which is from 0 on."""

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        which = range(len(self))[index]
        return self.sentence(which) if isinstance(which, int) else [self.sentence(position) for position in which]


@dataclass(frozen=True, slots=True, eq=False)
class WordedReasons(LazySentences):
    """Reasons as a surface words them."""

    marked: Sequence[str]
    surface: Surface

    def __len__(self) -> int:
        return len(self.marked)

    def sentence(self, index: int) -> str:
        return sentence_for(self.marked[index], self.surface)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (list, tuple, WordedReasons)) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # a sequence that is compared by what it holds


@dataclass(frozen=True, slots=True, eq=False)
class ChangedReasons(LazySentences):
    """Reasons, each changed as it is read."""

    marked: Sequence[str]
    change: Callable[[str], str]

    def __len__(self) -> int:
        return len(self.marked)

    def sentence(self, index: int) -> str:
        return self.change(self.marked[index])


MOST_SHOWN = 20


class TouchstoneError(Exception):
    """Anything the project refuses or can't do, with a sentence that says what, where, which limit and what to do."""


class Refused(TouchstoneError, ValueError):
    """An input that changes nothing: every reason is kept, not only the first, so that a file is mended in one go.

    `reasons` are sentences, `parts` the same in parts: where, what the limit is, and what to do. Both may be lazy: a
    file with a million bad rows has a million reasons, made only while printed. `surface` is who reads them: a
    remedy is an option of a command, an argument in Python, and neither on a page.
    """

    def __init__(self, reasons: str | Sequence[str]) -> None:
        self._marked: Sequence[str] = [reasons] if isinstance(reasons, str) else reasons
        self.surface: Surface = COMMAND
        super().__init__(reasons)

    @property
    def reasons(self) -> Sequence[str]:
        return self.words(self.surface)

    def words(self, surface: Surface) -> Sequence[str]:
        """The reasons as this surface words them."""
        return WordedReasons(self._marked, surface)

    @property
    def marked(self) -> Sequence[str]:
        """The reasons for another `Refused`, whose surface isn't known yet."""
        return self._marked

    def change(self, change: Callable[[str], str]) -> None:
        """Every reason in other words from now on."""
        self._marked = ChangedReasons(self._marked, change)

    @property
    def parts(self) -> list[Reason]:
        return [Reason.of(text) for text in self._marked]

    def __str__(self) -> str:
        reasons = self.reasons
        if not reasons:
            return "refused"
        if self.surface == PYTHON:
            listed = [reasons[index] for index in range(min(len(reasons), MOST_SHOWN))]
            more = len(reasons) - len(listed)
            return "\n".join([*listed, *([f"(and {more:,} more: see .reasons)"] if more else [])])
        more = len(reasons) - 1
        return reasons[0] if not more else f"{reasons[0]} (and {more:,} more)"


class ExtraMissing(TouchstoneError, ImportError):
    """Something asked for needs packages that aren't installed; the sentence says what to install."""


@contextmanager
def use_surface(surface: Surface) -> Iterator[None]:
    """What is refused within is read on this surface, and worded in its terms."""
    try:
        yield
    except Refused as refused:
        refused.surface = surface
        raise
