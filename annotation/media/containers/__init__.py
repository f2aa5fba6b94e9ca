"""Sounds and videos as they come in: told by their content, cleared of everything that isn't sound or picture.

Nothing is decoded or encoded again: each reader knows one container, and refuses what it doesn't understand.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import IO

from .mp3 import frame_of, strip_mp3
from .mp4 import strip_mp4
from .ogg import strip_ogg
from .source import BROKEN, BadMedium, Facts, Source
from .wav import strip_wav
from .webm import strip_webm

__all__ = ["BadMedium", "Facts", "strip"]

Strip = Callable[[Source, IO[bytes]], Facts]
NO_MEDIUM = "can't be read as sound or video (WAV, MP3, Ogg, M4A, MP4 or WebM)"


def strip(file: IO[bytes], out: IO[bytes]) -> Facts:
    """Copies the medium without its metadata, and says what it is; `BadMedium` for what can't be taken."""
    source = Source(file)
    reader = _reader(source.up_to(0, 12))
    try:
        return reader(source, out)
    except (struct.error, IndexError, OverflowError, MemoryError) as error:  # a number that nothing of it can mean
        raise BadMedium(BROKEN) from error


def _reader(head: bytes) -> Strip:
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return strip_wav
    if head[:4] == b"OggS":
        return strip_ogg
    if head[4:8] == b"ftyp":
        return strip_mp4
    if head[:4] == b"\x1a\x45\xdf\xa3":
        return strip_webm
    if head[:3] == b"ID3" or frame_of(head[:4]):
        return strip_mp3
    raise BadMedium(NO_MEDIUM)
