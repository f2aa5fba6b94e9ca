"""Lines of a file as text, none of them longer than fits in memory, and the limits that every table has."""

from __future__ import annotations

import io
from typing import BinaryIO

LONGEST_LINE = 1 << 20
MOST_COLUMNS = 20_000
ROWS_AT_ONCE = 1 << 9  # few enough to stay in the processor's cache


class LineTooLongError(Exception):
    """A line passed `LONGEST_LINE` bytes; raised while streaming, before the line is in memory."""


class _BoundedStream(io.RawIOBase):
    """A byte stream that fails as soon as a line grows past `LONGEST_LINE`."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._since_newline = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        block = self._raw.read(len(buffer))
        size = len(block)
        buffer[:size] = block
        end = max(block.rfind(b"\n"), block.rfind(b"\r"))
        self._since_newline = self._since_newline + size if end < 0 else size - end - 1
        if self._since_newline > LONGEST_LINE:
            raise LineTooLongError
        return size


def text_lines(stream: BinaryIO) -> io.TextIOWrapper:
    """The stream as text, line ends as they are; bytes that are no UTF-8 become lone surrogates, named later."""
    bounded = io.BufferedReader(_BoundedStream(stream), buffer_size=LONGEST_LINE)  # type: ignore[type-var]
    return io.TextIOWrapper(bounded, encoding="utf-8-sig", errors="surrogateescape", newline="")


def too_many_columns(most: int) -> str:
    """The beginning of a refusal."""
    return f"a file like this has at most {most:,} columns"
