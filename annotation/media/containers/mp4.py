"""MP4 and M4A: written anew of the boxes that playing needs and of the samples of one picture and one sound track.

So nothing else can stay: no places or names (udta, meta), no tracks of other things (a camera's GPS), and nothing that
lies between the samples. Times at which it was recorded become zero. The list comes first, so that playing begins soon.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, TypeAlias

import numpy as np
import numpy.typing as npt

from .source import BROKEN, CUT, BadMedium, Facts, Source

Longs: TypeAlias = npt.NDArray[np.int64]
MOST_BOXES = 10_000
MOST_BYTES = 1 << 40  # of all samples: more is no file's
HEADER = 8
# By the box that they stand in; all others go.
KEPT: Mapping[bytes, frozenset[bytes]] = {
    b"moov": frozenset({b"mvhd", b"trak"}),
    b"trak": frozenset({b"tkhd", b"edts", b"mdia"}),
    b"edts": frozenset({b"elst"}),
    b"mdia": frozenset({b"mdhd", b"hdlr", b"minf"}),
    b"minf": frozenset({b"vmhd", b"smhd", b"dinf", b"stbl"}),
    b"dinf": frozenset({b"dref"}),
    b"stbl": frozenset(
        {b"stsd", b"stts", b"ctts", b"cslg", b"stsc", b"stsz", b"stco", b"co64", b"stss", b"sdtp", b"sgpd", b"sbgp"}
    ),
}
WITH_TIMES = {b"mvhd", b"tkhd", b"mdhd"}
OWN_FILE = struct.pack(">II", 0, 1) + struct.pack(">I4sI", 12, b"url ", 1)  # a dref: the samples lie in this file
PICTURES, SOUNDS = {b"avc1", b"avc3", b"vp08", b"vp09", b"av01"}, {b"mp4a", b"Opus", b"fLaC", b".mp3"}
CODECS = {b"vide": PICTURES, b"soun": SOUNDS}
NOT_PLAYED = "is encoded in a way that many browsers can't play; save it with H.264 and AAC"
IN_FRAGMENTS = "is a recording in fragments; save it again as an ordinary MP4 (ffmpeg -i in.mp4 -c copy out.mp4)"
ROTATED = (slice(-44, -40), slice(-28, -24))  # a and d of the matrix: both zero where it stands on its side


@dataclass(frozen=True, slots=True)
class Box:
    name: bytes
    content: bytes = b""
    boxes: tuple[Box, ...] = ()

    def inner(self, *path: bytes) -> Box:
        """The first box of this path. `BadMedium` where there is none."""
        box = self
        for name in path:
            inner = next((each for each in box.boxes if each.name == name), None)
            if inner is None:
                raise BadMedium(BROKEN)
            box = inner
        return box

    def written(self) -> bytes:
        content = self.content + b"".join(box.written() for box in self.boxes)
        return struct.pack(">I4s", HEADER + len(content), self.name) + content


@dataclass(frozen=True, slots=True)
class Track:
    box: Box
    kind: bytes
    offsets: Longs  # of the chunks, in the file
    sizes: Longs

    def moved(self, offsets: Longs) -> Box:
        """The track with its chunks in other places."""
        return _moved(self.box, struct.pack(">II", 0, len(offsets)) + offsets.astype(">u4").tobytes())


def _moved(box: Box, offsets: bytes) -> Box:
    if box.name in {b"stco", b"co64"}:
        return Box(b"stco", offsets)
    return Box(box.name, box.content, tuple(_moved(inner, offsets) for inner in box.boxes))


def strip_mp4(source: Source, out: IO[bytes]) -> Facts:
    moov, samples = _top(source)
    movie = _read(moov, b"moov", [0])
    tracks = [track for box in movie.boxes if box.name == b"trak" and (track := _track(box)) is not None]
    kinds = [track.kind for track in tracks]
    if len(set(kinds)) < len(kinds):
        raise BadMedium("holds several pictures or sounds at once; save it with one of each")
    if not tracks:
        raise BadMedium("holds no sound and no picture")
    _write(source, out, movie, tracks, samples)
    duration_ms = max(_duration_ms(track.box.inner(b"mdia", b"mdhd").content) for track in tracks)
    shown = next((track for track in tracks if track.kind == b"vide"), None)
    if shown is None:
        return Facts("audio/mp4", duration_ms=duration_ms)
    return Facts("video/mp4", *_dimensions(shown.box.inner(b"tkhd").content), duration_ms)


def _top(source: Source) -> tuple[bytes, list[tuple[int, int]]]:
    """The list of all samples, and where samples lie."""
    lists: list[tuple[int, int]] = []
    samples: list[tuple[int, int]] = []
    for name, start, end in _top_boxes(source):
        if name == b"moof":
            raise BadMedium(IN_FRAGMENTS)
        if name == b"mdat":
            samples.append((start, end))
        elif name == b"moov":
            lists.append((start, end))
    if len(lists) != 1:
        raise BadMedium(BROKEN if lists else CUT)
    ((start, end),) = lists
    return source.at(start, end - start), samples


def _top_boxes(source: Source) -> Iterator[tuple[bytes, int, int]]:
    position = 0
    for _box in range(MOST_BOXES):
        if position >= source.size:
            return
        length, name = struct.unpack(">I4s", source.at(position, HEADER))
        start = position + HEADER
        if length == 1:
            length, start = int.from_bytes(source.at(start, 8), "big"), start + 8
        end = source.size if length == 0 else position + length
        if end < start:
            raise BadMedium(BROKEN)
        if end > source.size:
            raise BadMedium(CUT)
        yield name, start, end
        position = end
    raise BadMedium(BROKEN)


def _read(content: bytes, name: bytes, count: list[int]) -> Box:
    """The boxes that are kept. `count` is of all that were looked at."""
    if name in WITH_TIMES:
        return Box(name, _without_times(content))
    if name == b"hdlr":
        return Box(name, content[:24].ljust(24, b"\0") + b"\0")
    if name == b"dref":
        return Box(name, OWN_FILE)
    if name not in KEPT:
        return Box(name, content)
    inner: list[Box] = []
    position = 0
    while position + HEADER <= len(content):
        length, box = struct.unpack_from(">I4s", content, position)
        count[0] += 1
        if length < HEADER or position + length > len(content) or count[0] > MOST_BOXES:
            raise BadMedium(BROKEN)
        if box == b"mvex":
            raise BadMedium(IN_FRAGMENTS)
        if box in KEPT[name]:
            inner.append(_read(content[position + HEADER : position + length], box, count))
        position += length
    return Box(name, boxes=tuple(inner))


def _without_times(content: bytes) -> bytes:
    """Without when it was made and changed, in 32 or 64 bits."""
    wide = 16 if content[:1] == b"\1" else 8
    if len(content) < 4 + wide + 12:
        raise BadMedium(BROKEN)
    return content[:4] + bytes(wide) + content[4 + wide :]


def _duration_ms(mdhd: bytes) -> int:
    scale, duration = struct.unpack(">IQ", mdhd[20:32]) if mdhd[:1] == b"\1" else struct.unpack(">II", mdhd[12:20])
    if not scale or not duration:
        raise BadMedium("does not say how long it lasts; save it again")
    return int(duration * 1000 // scale)


def _dimensions(tkhd: bytes) -> tuple[int, int]:
    if len(tkhd) not in {84, 96}:
        raise BadMedium(BROKEN)
    width, height = (value >> 16 for value in struct.unpack(">II", tkhd[-8:]))
    if not width or not height:
        raise BadMedium(BROKEN)
    is_rotated = not any(any(tkhd[part]) for part in ROTATED)
    return (height, width) if is_rotated else (width, height)


def _track(box: Box) -> Track | None:
    """One of pictures or sounds; nothing of anything else."""
    kind = box.inner(b"mdia", b"hdlr").content[8:12]
    if kind not in CODECS:
        return None
    table = box.inner(b"mdia", b"minf", b"stbl")
    described = table.inner(b"stsd").content
    if described[4:8] != b"\0\0\0\1" or described[12:16] not in CODECS[kind]:
        raise BadMedium(NOT_PLAYED)
    offsets = _chunk_offsets(table)
    return Track(box, kind, offsets, _chunk_sizes(table, len(offsets)))


def _numbers(content: bytes, kind: str, columns: int = 1, skip: int = 4) -> Longs:
    """The numbers of a table, whose count stands behind its version."""
    count = int.from_bytes(content[skip : skip + 4], "big")
    size = np.dtype(kind).itemsize * columns * count
    if len(content) < skip + 4 + size:
        raise BadMedium(BROKEN)
    values = np.frombuffer(content[skip + 4 : skip + 4 + size], dtype=kind)
    if kind == ">u8" and values.size and int(values.max()) > 1 << 62:
        raise BadMedium(BROKEN)
    return values.astype(np.int64).reshape(count, columns)


def _chunk_offsets(table: Box) -> Longs:
    wide = next((each for each in table.boxes if each.name == b"co64"), None)
    return (_numbers(wide.content, ">u8") if wide else _numbers(table.inner(b"stco").content, ">u4"))[:, 0]


def _chunk_sizes(table: Box, chunks: int) -> Longs:
    """How many bytes each chunk has: the samples that stsc puts into it, each as long as stsz says."""
    runs = _numbers(table.inner(b"stsc").content, ">u4", columns=3)
    firsts = runs[:, 0] - 1
    if not chunks or not len(runs) or firsts[0] or (np.diff(firsts) <= 0).any() or firsts[-1] >= chunks:
        raise BadMedium(BROKEN)
    samples = np.repeat(runs[:, 1], np.diff(np.append(firsts, chunks)))
    stsz = table.inner(b"stsz").content
    each, count = struct.unpack(">II", stsz[4:12])
    if int(samples.sum()) != count or each * count > MOST_BYTES:
        raise BadMedium(BROKEN)
    if each:
        return np.asarray(samples * each, dtype=np.int64)
    sizes = _numbers(stsz, ">u4", skip=8)[:, 0]
    ends = np.concatenate([[0], np.cumsum(sizes)])
    last = np.cumsum(samples)
    return np.asarray(ends[last] - ends[last - samples], dtype=np.int64)


def _write(source: Source, out: IO[bytes], movie: Box, tracks: list[Track], samples: list[tuple[int, int]]) -> None:
    kept = [each for each in movie.boxes if each.name != b"trak"]
    offsets, sizes = (np.concatenate(each) for each in zip(*((t.offsets, t.sizes) for t in tracks), strict=True))
    order = np.argsort(offsets, kind="stable")
    _refuse_chunks_elsewhere(offsets[order], sizes[order], samples)
    # Where each chunk comes to lie, behind a list whose length does not depend on it.
    head = Box(b"ftyp", b"isom\0\0\0\0isomiso2mp41").written()

    def listed(places: Longs) -> bytes:
        parts = np.split(places, np.cumsum([len(track.offsets) for track in tracks])[:-1])
        moved = (track.moved(part) for track, part in zip(tracks, parts, strict=True))
        return Box(b"moov", boxes=(*kept, *moved)).written()

    behind = np.concatenate([[0], np.cumsum(sizes[order])])
    start = len(head) + len(listed(np.zeros_like(offsets))) + HEADER
    if start + int(behind[-1]) >= 1 << 32:
        raise BadMedium("is larger than 4 GB")
    places = np.empty_like(offsets)
    places[order] = start + behind[:-1]
    out.write(head + listed(places) + struct.pack(">I4s", HEADER + int(behind[-1]), b"mdat"))
    for first, end in _runs(offsets[order], sizes[order]):
        source.copy(out, first, end)


def _refuse_chunks_elsewhere(offsets: Longs, sizes: Longs, samples: list[tuple[int, int]]) -> None:
    """Chunks lie where samples do and share no byte: what is written is never more than what was read."""
    if (offsets[:-1] + sizes[:-1] > offsets[1:]).any() or (sizes < 0).any():
        raise BadMedium(BROKEN)
    starts = np.array([start for start, _end in samples] or [0], dtype=np.int64)
    ends = np.array([end for _start, end in samples] or [0], dtype=np.int64)
    order = np.argsort(starts)
    within = np.searchsorted(starts[order], offsets, side="right") - 1
    if (within < 0).any() or (offsets + sizes > ends[order][within]).any():
        raise BadMedium(CUT)


def _runs(offsets: Longs, sizes: Longs) -> Iterator[tuple[int, int]]:
    """From where to where chunks follow one another without a gap."""
    breaks = np.flatnonzero(offsets[1:] != offsets[:-1] + sizes[:-1]) + 1
    for first, last in zip([0, *breaks.tolist()], [*breaks.tolist(), len(offsets)], strict=True):
        yield int(offsets[first]), int(offsets[last - 1] + sizes[last - 1])
