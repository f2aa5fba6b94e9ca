"""Ogg with Opus or Vorbis: the comments are emptied, with the pictures in them; every page's checksum is looked at."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from .source import BROKEN, BadMedium, Facts, Source

CONTINUED, FIRST = 1, 2
HEAD = struct.Struct("<4sBBqIIIB")
MOST_HEADERS = 16_000_000  # bytes of the comments and what a decoder is set up by
LONGEST_SEGMENT = 255
OPUS_RATE = 48_000
OTHER_CODEC = "holds something else than Opus or Vorbis, which is all that browsers play of Ogg"
# Ogg's checksum is that of zlib with the bits of each byte, and of the sum, in the other order.
MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def checksum(page: bytes) -> int:
    """Of a page whose own checksum is zero.

    >>> hex(checksum(b"123456789"))
    '0x89a1897f'
    """
    mirrored = zlib.crc32(page.translate(MIRRORED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int(f"{mirrored:032b}"[::-1], 2)


@dataclass(frozen=True, slots=True)
class Page:
    flags: int
    granule: int  # how many samples have come by the end of it
    serial: int
    segments: bytes  # the length of each
    body: bytes

    def written(self, number: int) -> bytes:
        def page(total: int) -> bytes:
            values = (b"OggS", 0, self.flags, self.granule, self.serial, number, total, len(self.segments))
            return HEAD.pack(*values) + self.segments + self.body

        return page(checksum(page(0)))


def strip_ogg(source: Source, out: IO[bytes]) -> Facts:
    pages = _pages(source)
    first = next(pages)
    rate, skipped, packets = _codec(first)
    if not first.flags & FIRST or len(first.segments) != 1:
        raise BadMedium(BROKEN)
    headers = [first, *_headers(first, _header_packets(pages, packets, first.serial))]
    out.writelines(page.written(number) for number, page in enumerate(headers))
    last = 0
    for number, page in enumerate(pages, start=len(headers)):
        if page.flags & FIRST or page.serial != first.serial:
            raise BadMedium("holds several streams; save it with one sound")
        last = max(last, page.granule)
        out.write(page.written(number))
    if last <= skipped:
        raise BadMedium("holds no sound")
    return Facts("audio/ogg", duration_ms=round(1000 * (last - skipped) / rate))


def _pages(source: Source) -> Iterator[Page]:
    position = 0
    while position < source.size:
        head = source.at(position, HEAD.size)
        mark, version, flags, granule, serial, _number, total, count = HEAD.unpack(head)
        if mark != b"OggS" or version:
            raise BadMedium(BROKEN)
        segments = source.at(position + HEAD.size, count)
        body = source.at(position + HEAD.size + count, sum(segments))
        if checksum(head[:22] + bytes(4) + head[26:] + segments + body) != total:
            raise BadMedium(BROKEN)
        position += HEAD.size + count + len(body)
        yield Page(flags, granule, serial, segments, body)


def _codec(first: Page) -> tuple[int, int, int]:
    """Samples per second, how many at the beginning aren't heard, and how many packets stand before the sound."""
    body = first.body
    if body.startswith(b"OpusHead") and len(body) >= 19:
        return OPUS_RATE, int.from_bytes(body[10:12], "little"), 1
    if body.startswith(b"\x01vorbis") and len(body) == 30:
        rate = int.from_bytes(body[12:16], "little")
        if 1_000 <= rate <= 384_000:
            return rate, 0, 2
    raise BadMedium(OTHER_CODEC)


def _header_packets(pages: Iterator[Page], wanted: int, serial: int) -> list[bytes]:
    """The packets before the sound, which begins on a page of its own."""
    packets, size = [bytearray()], 0
    for page in pages:
        size += len(page.body)
        if size > MOST_HEADERS or page.serial != serial or page.flags & FIRST:
            raise BadMedium(BROKEN)
        start = 0
        for length in page.segments:
            packets[-1] += page.body[start : start + length]
            start += length
            if length < LONGEST_SEGMENT:
                packets.append(bytearray())
        if len(packets) > wanted:
            if len(packets) != wanted + 1 or packets[-1]:
                raise BadMedium(BROKEN)
            return [bytes(packet) for packet in packets[:wanted]]
    raise BadMedium(BROKEN)


def empty_comments(packet: bytes) -> bytes:
    """The packet of comments without any, and without the name of who encoded it."""
    if packet.startswith(b"OpusTags"):
        return b"OpusTags" + bytes(8)
    if packet.startswith(b"\x03vorbis"):
        return b"\x03vorbis" + bytes(8) + b"\x01"
    raise BadMedium(BROKEN)


def _headers(first: Page, packets: list[bytes]) -> Iterator[Page]:
    """Pages of the packets: the first of them emptied, the others as they are."""
    segments, body = bytearray(), empty_comments(packets[0]) + b"".join(packets[1:])
    for packet in (empty_comments(packets[0]), *packets[1:]):
        whole, rest = divmod(len(packet), LONGEST_SEGMENT)
        segments += bytes([LONGEST_SEGMENT]) * whole + bytes([rest])
    start, flags = 0, 0
    for position in range(0, len(segments), LONGEST_SEGMENT):
        some = bytes(segments[position : position + LONGEST_SEGMENT])
        # No packet ends on a page that is filled by full segments.
        ends = any(length < LONGEST_SEGMENT for length in some)
        yield Page(flags, 0 if ends else -1, first.serial, some, body[start : start + sum(some)])
        start, flags = start + sum(some), CONTINUED if some[-1] == LONGEST_SEGMENT else 0
