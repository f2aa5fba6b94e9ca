"""What the package raises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

MOST_SHOWN = 20


class TouchstoneError(Exception):
    """The base of every error of this package."""


class Refused(TouchstoneError, ValueError):
    """What was given can't be used, and nothing was written: `reasons` has every reason."""

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = list(reasons)
        shown = self.reasons[:MOST_SHOWN]
        more = len(self.reasons) - len(shown)
        super().__init__("\n".join([*shown, *([f"(and {more:,} more: see .reasons)"] if more else [])]))


class NothingKept(Refused):
    """Cleaning kept no judgment, so that there is no gold: `workers` has who failed what."""

    def __init__(self, reasons: Sequence[str], workers: pd.DataFrame) -> None:
        super().__init__(reasons)
        self.workers = workers


class ExtraMissing(TouchstoneError, ImportError):
    """Something asked for needs packages that aren't installed; the sentence says what to install."""
