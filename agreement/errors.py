"""The base of every failure that Touchstone tells a person about, and the one that refuses an input."""

from __future__ import annotations

from collections.abc import Sequence


class TouchstoneError(Exception):
    """Anything the project refuses or can't do, with a sentence that says what, where, which limit and what to do."""


class Refused(TouchstoneError):
    """An input that changes nothing: every reason is kept, not only the first, so that a file is mended in one go.

    `reasons` may be a lazy sequence: a file with a million bad rows has a million reasons, made only while printed.
    """

    def __init__(self, reasons: str | Sequence[str]) -> None:
        self.reasons: Sequence[str] = [reasons] if isinstance(reasons, str) else reasons
        super().__init__(self._summary())

    def _summary(self) -> str:
        if not self.reasons:
            return "refused"
        more = len(self.reasons) - 1
        return self.reasons[0] if not more else f"{self.reasons[0]} (and {more:,} more)"
