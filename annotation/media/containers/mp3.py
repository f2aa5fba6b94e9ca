"""MP3: of the file only the frames are kept. ID3, APE and Lyrics3 tags, with their pictures and comments, go."""

from __future__ import annotations

from typing import IO, NamedTuple

from .source import BROKEN, CUT, BadMedium, Facts, Source

MPEG_1 = 3
# By the version of MPEG: kilobits per second, and samples per second, by their numbers in a frame's header.
BIT_RATES = {
    MPEG_1: (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    2: (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
BIT_RATES[0] = BIT_RATES[2]
RATES = {MPEG_1: (44_100, 48_000, 32_000), 2: (22_050, 24_000, 16_000), 0: (11_025, 12_000, 8_000)}
LAYER_III = 1
TAGS_BEHIND = (b"TAG", b"APETAGEX", b"LYRICSBEGIN", b"ID3", b"3DI")
LEAST_FRAMES, MOST_FRAMES = 2, 500_000
MOST_PADDING = 100_000


class Frame(NamedTuple):
    version: int
    rate: int
    length: int

    @property
    def samples(self) -> int:
        return 1152 if self.version == MPEG_1 else 576


def frame_of(head: bytes) -> Frame | None:
    """A frame by its header; nothing where that is none.

    >>> frame_of(bytes.fromhex("fffb9064"))
    Frame(version=3, rate=44100, length=417)
    """
    word = int.from_bytes(head, "big")
    version, layer = word >> 19 & 3, word >> 17 & 3
    bits, rate = word >> 12 & 15, word >> 10 & 3
    if len(head) < 4 or word >> 21 != 0x7FF or version not in RATES or layer != LAYER_III or bits in {0, 15}:
        return None
    if rate == 3:
        return None
    rate = RATES[version][rate]
    length = (144_000 if version == MPEG_1 else 72_000) * BIT_RATES[version][bits - 1] // rate + (word >> 9 & 1)
    return Frame(version, rate, length)


def strip_mp3(source: Source, out: IO[bytes]) -> Facts:
    """Copies the frames, each of which begins where the one before ends."""
    start = position = _behind_tags(source)
    frames, kept = 0, None
    while (frame := frame_of(source.up_to(position, 4))) is not None and frames < MOST_FRAMES:
        kept = kept or frame
        if (frame.version, frame.rate) != (kept.version, kept.rate):
            break
        position += frame.length
        if position > source.size:
            raise BadMedium(CUT)
        frames += 1
    if kept is None or frames < LEAST_FRAMES or not _is_end(source, position):
        raise BadMedium(BROKEN)
    source.copy(out, start, position)
    silent = 1 if _is_directory(source.up_to(start, 40)) else 0
    return Facts("audio/mpeg", duration_ms=round(1000 * (frames - silent) * kept.samples / kept.rate))


def _behind_tags(source: Source) -> int:
    """Where the frames begin: behind the ID3 tags, which say how long they are."""
    position = 0
    while (head := source.up_to(position, 10))[:3] == b"ID3":
        if len(head) < 10 or any(byte > 127 for byte in head[6:]):
            raise BadMedium(BROKEN)
        length = head[6] << 21 | head[7] << 14 | head[8] << 7 | head[9]
        position += 10 + length + (10 if head[5] & 0x10 else 0)
        if position > source.size:
            raise BadMedium(CUT)
    return position


def _is_directory(head: bytes) -> bool:
    """Whether the first frame holds no sound, but a list of the others."""
    return b"Xing" in head or b"Info" in head


def _is_end(source: Source, position: int) -> bool:
    """Whether nothing but tags or padding follows."""
    rest = source.up_to(position, MOST_PADDING)
    return rest.startswith(TAGS_BEHIND) or not rest.strip(b"\0")
