"""WAV: of its chunks only the format and the samples are kept. RIFF INFO, bext, iXML and ID3 go."""

from __future__ import annotations

import struct
from typing import IO

from .source import BROKEN, CUT, BadMedium, Facts, Source

PCM, FLOAT, A_LAW, MU_LAW, EXTENSIBLE = 1, 3, 6, 7, 0xFFFE
PLAIN = {PCM, FLOAT, A_LAW, MU_LAW}
BITS = {8, 16, 24, 32, 64}
MOST_CHUNKS, MOST_CHANNELS = 1_000, 8
RATES = range(1_000, 384_001)
LONGEST_FORMAT = 64
NOT_PLAIN = "is encoded in a way that browsers don't play; save it as WAV with PCM samples, or as MP3"


def strip_wav(source: Source, out: IO[bytes]) -> Facts:
    """Copies the sound without its metadata. The chunks are read by their own lengths, which must fit the file's."""
    end = 8 + int.from_bytes(source.at(4, 4), "little")
    if end > source.size:
        raise BadMedium(CUT)
    form, position = b"", 12
    for _chunk in range(MOST_CHUNKS):
        name, length = struct.unpack("<4sI", source.at(position, 8))
        position += 8
        if position + length > end:
            raise BadMedium(CUT)
        if name == b"fmt ":
            form = _format(source.at(position, min(length, LONGEST_FORMAT)))
        elif name == b"data":
            return _write(source, out, form, position, length)
        position += length + length % 2
        if position >= end:
            break
    raise BadMedium(BROKEN)


def _format(content: bytes) -> bytes:
    """The format as it is written again."""
    tag, channels, rate, bytes_per_second, align, bits = struct.unpack("<HHIIHH", content[:16])
    is_extensible = tag == EXTENSIBLE and len(content) >= 40
    plain = int.from_bytes(content[24:26], "little") if is_extensible else tag
    if plain not in PLAIN:
        raise BadMedium(NOT_PLAIN)
    fits = 1 <= channels <= MOST_CHANNELS and rate in RATES and bits in BITS
    if not fits or align != channels * bits // 8 or bytes_per_second != rate * align:
        raise BadMedium(BROKEN)
    if is_extensible:
        return content[:40]
    return content[:16] if plain == PCM else content[:16] + b"\0\0"


def _write(source: Source, out: IO[bytes], form: bytes, start: int, length: int) -> Facts:
    if not form:
        raise BadMedium(BROKEN)
    bytes_per_second, align = struct.unpack("<IH", form[8:14])
    length -= length % align
    if not length:
        raise BadMedium("holds no sound")
    padding = b"\0" * (length % 2)
    out.write(struct.pack("<4sI4s4sI", b"RIFF", 20 + len(form) + length + len(padding), b"WAVE", b"fmt ", len(form)))
    out.write(form + struct.pack("<4sI", b"data", length))
    source.copy(out, start, start + length)
    out.write(padding)
    return Facts("audio/wav", duration_ms=round(1000 * length / bytes_per_second))
