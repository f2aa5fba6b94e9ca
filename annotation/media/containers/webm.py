"""WebM: tags, attachments, chapters, titles and dates are blanked where they stand; sounds and frames stay in place."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO

from .source import BROKEN, CUT, STEP, BadMedium, Facts, Source

EBML, DOC_TYPE, SEGMENT = 0x1A45DFA3, 0x4282, 0x18538067
SEEK_HEAD, INFO, TRACKS, CUES, CLUSTER = 0x114D9B74, 0x1549A966, 0x1654AE6B, 0x1C53BB6B, 0x1F43B675
SCALE, DURATION, MUXING_APP, WRITING_APP = 0x2AD7B1, 0x4489, 0x4D80, 0x5741
TRACK, TRACK_TYPE, CODEC, CODEC_PRIVATE, VIDEO, AUDIO = 0xAE, 0x83, 0x86, 0x63A2, 0xE0, 0xE1
WIDTH, HEIGHT, SHOWN_WIDTH, SHOWN_HEIGHT, SHOWN_UNIT = 0xB0, 0xBA, 0x54B0, 0x54BA, 0x54B2
TIMESTAMP, SIMPLE_BLOCK, GROUP, BLOCK = 0xE7, 0xA3, 0xA0, 0xA1
# What stays, by the element that it stands in; all others are blanked. Those without an entry stay as they are.
KEPT = {
    SEGMENT: {SEEK_HEAD, INFO, TRACKS, CUES, CLUSTER},
    INFO: {SCALE, DURATION, MUXING_APP, WRITING_APP},
    TRACKS: {TRACK},
    # number, UID, enabled, default, forced, lacing, duration of a frame, language twice, delay, pre-roll
    TRACK: {
        0xD7, 0x73C5, TRACK_TYPE, 0xB9, 0x88, 0x55AA, 0x9C, 0x23E383, 0x22B59C, 0x22B59D, CODEC, CODEC_PRIVATE, 0x56AA,
        0x56BB, VIDEO, AUDIO,
    },
    CLUSTER: {TIMESTAMP, 0xA7, 0xAB, SIMPLE_BLOCK, GROUP},
    GROUP: {BLOCK, 0x9B, 0xFB, 0x75A2},
}  # fmt: skip
OF_A_SEGMENT = KEPT[SEGMENT] | {0x1254C367, 0x1941A469, 0x1043A770}
PICTURES, SOUNDS = {b"V_VP8", b"V_VP9", b"V_AV1"}, {b"A_OPUS", b"A_VORBIS"}
MOST_ELEMENTS = 1_000_000
LONGEST_VALUE = 1_000_000
MOST_BYTES_OF_SIZE = 8


@dataclass(frozen=True, slots=True)
class Element:
    id: int
    position: int
    start: int
    end: int
    is_open: bool = False  # its length is not said: it goes on as far as what may stand in it


@dataclass(slots=True)
class Reading:
    """What was learned on the way, and what is to be written in the place of what stands there."""

    source: Source
    patches: list[tuple[int, bytes, int]] = field(default_factory=list)  # where, what, and how many zeros behind it
    elements: int = 0
    scale: int = 1_000_000  # nanoseconds
    duration: float = 0.0
    last: int = 0  # the latest time of a block
    codecs: list[bytes] = field(default_factory=list)
    width: int | None = None
    height: int | None = None

    def inside(self, parent: Element) -> Iterator[Element]:
        position = parent.start
        while position < parent.end:
            element = self.element(position, parent.end)
            if parent.is_open and parent.id == CLUSTER and element.id in OF_A_SEGMENT:
                return
            yield element
            position = self._end_of(element)

    def element(self, position: int, end: int) -> Element:
        self.elements += 1
        if self.elements > MOST_ELEMENTS:
            raise BadMedium("has too many parts; save it again, or cut it into several")
        head = self.source.up_to(position, 12)
        id_length = 9 - head[0].bit_length() if head else 9
        if id_length > 4 or len(head) <= id_length or not head[id_length]:
            raise BadMedium(CUT if len(head) <= id_length else BROKEN)
        size_length = 9 - head[id_length].bit_length()
        start = position + id_length + size_length
        if start > end or len(head) < id_length + size_length:
            raise BadMedium(CUT)
        bits = 7 * size_length
        size = int.from_bytes(head[id_length : id_length + size_length], "big") & ((1 << bits) - 1)
        name = int.from_bytes(head[:id_length], "big")
        if size == (1 << bits) - 1:
            if name not in {SEGMENT, CLUSTER}:
                raise BadMedium(BROKEN)
            return Element(name, position, start, end, is_open=True)
        if start + size > end:
            raise BadMedium(CUT)
        return Element(name, position, start, start + size)

    def _end_of(self, element: Element) -> int:
        """Of a cluster that doesn't say it, where something begins that stands in none."""
        if not element.is_open:
            return element.end
        position = element.start
        for inner in self.inside(element):
            position = inner.end
        return position

    def value(self, element: Element) -> bytes:
        if element.end - element.start > LONGEST_VALUE:
            raise BadMedium(BROKEN)
        return self.source.at(element.start, element.end - element.start)

    def number(self, element: Element) -> int:
        return int.from_bytes(self.value(element)[:8], "big")

    def blank(self, element: Element) -> None:
        """A void element of the same length in its place."""
        length = element.end - element.position
        width = 1 if length < 2 + 126 else MOST_BYTES_OF_SIZE
        size = length - 1 - width
        head = b"\xec" + (size | 1 << 7 * width).to_bytes(width, "big")
        self.patches.append((element.position, head, size))


def strip_webm(source: Source, out: IO[bytes]) -> Facts:
    reading = Reading(source)
    head = reading.element(0, source.size)
    kinds = [reading.value(each) for each in reading.inside(head) if each.id == DOC_TYPE]
    if head.id != EBML or kinds != [b"webm"]:
        raise BadMedium("is a Matroska file, which browsers don't play; save it as WebM")
    segment = reading.element(head.end, source.size)
    if segment.id != SEGMENT:
        raise BadMedium(BROKEN)
    _walk(reading, segment)
    _copy(reading, out, segment.end)
    pictures = [codec for codec in reading.codecs if codec in PICTURES]
    if len(reading.codecs) > 2 or len(pictures) > 1 or len(reading.codecs) - len(pictures) > 1:
        raise BadMedium("holds several pictures or sounds at once; save it with one of each")
    duration_ms = round(max(reading.duration, reading.last) * reading.scale / 1e6)
    if not reading.codecs or duration_ms <= 0:
        raise BadMedium("holds no sound and no picture")
    if not pictures:
        return Facts("audio/webm", duration_ms=duration_ms)
    if not reading.width or not reading.height:
        raise BadMedium(BROKEN)
    return Facts("video/webm", reading.width, reading.height, duration_ms)


def _walk(reading: Reading, parent: Element, time: int = 0) -> None:
    kept = KEPT[parent.id]
    for element in reading.inside(parent):
        if element.id not in kept:
            reading.blank(element)
        elif element.id == TIMESTAMP:
            time = reading.number(element)
        elif element.id in {SIMPLE_BLOCK, BLOCK}:
            number_length = 9 - reading.source.at(element.start, 1)[0].bit_length()
            (after,) = struct.unpack(">h", reading.source.at(element.start + number_length, 2))
            reading.last = max(reading.last, time + after)
        elif element.id in KEPT:
            _walk(reading, element, time)
            if element.id == TRACK:
                _look_at_track(reading, element)
        else:
            _look_at(reading, element)


def _look_at(reading: Reading, element: Element) -> None:
    if element.id == SCALE:
        reading.scale = reading.number(element)
    elif element.id == DURATION:
        value = reading.value(element)
        if len(value) not in {4, 8}:
            raise BadMedium(BROKEN)
        (reading.duration,) = struct.unpack(">d" if len(value) == 8 else ">f", value)
        if not 0 <= reading.duration < 1e15:
            raise BadMedium(BROKEN)
    elif element.id in {MUXING_APP, WRITING_APP}:
        reading.patches.append((element.start, b"", element.end - element.start))


def _look_at_track(reading: Reading, track: Element) -> None:
    inner = {each.id: each for each in reading.inside(track)}
    if CODEC not in inner:
        raise BadMedium(BROKEN)
    codec = reading.value(inner[CODEC]).rstrip(b"\0")
    if codec not in PICTURES | SOUNDS:
        named = codec.decode("ascii", "replace")[:30]
        raise BadMedium(f"holds something that is no picture or sound of WebM ({named}); save it with VP9 and Opus")
    reading.codecs.append(codec)
    if codec == b"A_VORBIS" and CODEC_PRIVATE in inner:
        _blank_vorbis_comments(reading, inner[CODEC_PRIVATE])
    if codec in PICTURES and VIDEO in inner:
        sizes = {each.id: reading.number(each) for each in reading.inside(inner[VIDEO]) if each.end - each.start <= 8}
        is_in_pixels = not sizes.get(SHOWN_UNIT)
        reading.width = (is_in_pixels and sizes.get(SHOWN_WIDTH)) or sizes.get(WIDTH)
        reading.height = (is_in_pixels and sizes.get(SHOWN_HEIGHT)) or sizes.get(HEIGHT)


def _blank_vorbis_comments(reading: Reading, element: Element) -> None:
    """The second of three packets: one long name of spaces for who encoded it, and no comments."""
    content = reading.value(element)
    lengths, position = [], 1
    for _packet in range(2):
        length = 0
        while content[position] == 255:
            length, position = length + 255, position + 1
        lengths.append(length + content[position])
        position += 1
    start, length = position + lengths[0], lengths[1]
    room = length - 7 - 4 - 4 - 1
    if content[0] != 2 or content[start : start + 7] != b"\x03vorbis" or room < 0 or start + length > len(content):
        raise BadMedium(BROKEN)
    empty = room.to_bytes(4, "little") + b" " * room + bytes(4) + b"\x01"
    reading.patches.append((element.start + start + 7, empty, 0))


def _copy(reading: Reading, out: IO[bytes], end: int) -> None:
    position = 0
    for place, content, zeros in sorted(reading.patches):
        reading.source.copy(out, position, place)
        out.write(content)
        for written in range(0, zeros, STEP):
            out.write(bytes(min(STEP, zeros - written)))
        position = place + len(content) + zeros
    reading.source.copy(out, position, end)
