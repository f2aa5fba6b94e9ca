"""Unpacks a zip that a stranger made: nothing outside of the folder, and no more than it announces."""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from ..errors import Refused

MOST_FILES, MOST_BYTES = 10_000, 4 << 30
SMALL, MOST_TIMES = 100 << 20, 200  # beyond so many bytes a zip that unpacks to so many times its size is a zip bomb
MOST_LIST_BYTES = 8 << 20  # of the zip's list of files, which is read at once
STEP = 1 << 18
# What is unpacked piece by piece; bzip2 and LZMA give all at once, however much a few bytes hold.
UNPACKED_IN_STEPS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, ValueError)


def unpack(path: Path, folder: Path, needed: Sequence[str] = ()) -> None:
    """All files of the zip, or `Refused` with every reason; `needed` names files that must be in it."""
    try:
        with path.open("rb") as stream, zipfile.ZipFile(_ShortList(stream, path.name)) as archive:
            members = _members(path, archive, needed)
            for member in members:
                _unpack_member(archive, member, folder / member.filename)
    except Refused:  # which is a ValueError too
        raise
    except OSError as error:
        raise Refused(f"{path}: can't be read ({error.strerror or error})") from error
    except BROKEN as error:
        raise Refused(f"{path.name}: this is not a whole zip: {error}") from error


def _members(path: Path, archive: zipfile.ZipFile, needed: Sequence[str]) -> list[zipfile.ZipInfo]:
    members = archive.infolist()
    if reasons := list(_reasons_against(path, members, needed)):
        raise Refused(reasons)
    return members


def _reasons_against(path: Path, members: Sequence[zipfile.ZipInfo], needed: Sequence[str]) -> Iterator[str]:
    names = [member.filename for member in members]
    unpacked = sum(member.file_size for member in members)
    if len(names) > MOST_FILES or unpacked > MOST_BYTES:
        yield f"{path.name}: a bundle has at most {MOST_FILES:,} files and {MOST_BYTES >> 30} GiB"
        return
    times = unpacked // max(path.stat().st_size, 1)
    if unpacked > SMALL and times > MOST_TIMES:
        yield f"{path.name}: it would unpack to {times:,} times its size, and no bundle does ({MOST_TIMES})"
        return
    for member in members:
        if PurePosixPath(member.filename).is_absolute() or ".." in PurePosixPath(member.filename).parts:
            yield f"{path.name}: {member.filename} would lie outside of its folder"
        if stat.S_ISLNK(member.external_attr >> 16):
            yield f"{path.name}: {member.filename} is a link, and a bundle has files alone"
        if member.compress_type not in UNPACKED_IN_STEPS:
            yield f"{path.name}: {member.filename} is compressed in an unusual way; a bundle is made by deflate"
    yield from (f"{path.name}: {name} is there twice" for name, n in sorted(Counter(names).items()) if n > 1)
    yield from (f"{path.name}: {name} is missing" for name in needed if name not in names)


def _unpack_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> None:
    """In steps. The reader stops at the announced size, and refuses content that isn't whole there by its checksum."""
    if member.is_dir():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(member) as packed, path.open("xb") as out:
        while piece := packed.read(STEP):
            out.write(piece)
        if out.tell() != member.file_size:
            raise zipfile.BadZipFile(f"{member.filename} is shorter than the zip says")


class _ShortList:
    """A zip that is never read by more than `MOST_LIST_BYTES` at once: its list of files says itself how long it is."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name

    def read(self, size: int = -1) -> bytes:
        if size > MOST_LIST_BYTES:
            raise Refused(f"{self._name}: a bundle has at most {MOST_FILES:,} files and {MOST_BYTES >> 30} GiB")
        return self._stream.read(MOST_LIST_BYTES if size < 0 else size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        """Whoever opened the stream closes it."""
