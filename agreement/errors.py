"""The base of every failure that Touchstone tells a person about, and the one that refuses an input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from .refusal_words import COMMAND, PYTHON, Reason, Surface, WordedReasons

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
def worded_for(surface: Surface) -> Iterator[None]:
    """What is refused within is read on this surface, and worded in its terms."""
    try:
        yield
    except Refused as refused:
        refused.surface = surface
        raise
