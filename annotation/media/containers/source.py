"""What the readers of containers share: a file that is read by positions, and what they tell of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from agreement.errors import TouchstoneError

STEP = 1 << 18
MOST_AT_ONCE = 32_000_000  # bytes of a container's own lists; the sounds and frames themselves are never held
CUT = "breaks off before its end; upload the whole file again"
BROKEN = "is damaged: its parts contradict each other"


class BadMedium(TouchstoneError):
    """What is wrong with a medium, as the end of a sentence that begins with its name."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a medium is, by its content."""

    content_type: str
    width: int | None = None
    height: int | None = None
    duration_ms: int | None = None


class Source:
    """A file on the disk, read at positions. `BadMedium` where it ends too early."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.size = file.seek(0, 2)

    def at(self, position: int, count: int) -> bytes:
        """So many bytes."""
        if count > MOST_AT_ONCE:
            raise BadMedium(BROKEN)
        content = self.up_to(position, count)
        if len(content) != count:
            raise BadMedium(CUT)
        return content

    def up_to(self, position: int, count: int) -> bytes:
        """So many bytes, or those that there are."""
        self.file.seek(position)
        return self.file.read(count)

    def copy(self, out: IO[bytes], start: int, end: int) -> None:
        """The bytes from one position to another, piece by piece."""
        self.file.seek(start)
        while start < end:
            piece = self.file.read(min(STEP, end - start))
            if not piece:
                raise BadMedium(CUT)
            out.write(piece)
            start += len(piece)
