"""The files that come with items: from a folder, an upload or zips, found by their names and read within limits."""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Protocol

from agreement.errors import Refused
from annotation.media.containers import BadMedium
from annotation.media.pictures import MOST_BYTES

if TYPE_CHECKING:
    from django.core.files import File

STEP = 1 << 18
# Of all zips of one upload; and of the list of its files that a zip begins to be read by, all of it at once.
MOST_ZIPPED = 50_000
MOST_LIST_BYTES = 8_000_000
# The packings of a zip that are unpacked piece by piece: the others give all at once whatever few bytes hold.
UNPACKED_IN_STEPS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, struct.error)


class Readable(Protocol):
    """A file that was opened, an upload or a member of a zip."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes."""


Find = Callable[[str], bytes | None]
Copy = Callable[[IO[bytes], int], None]  # into that file, and so many bytes at most


@dataclass(frozen=True, slots=True)
class Files:
    """Files by their names; `names` has those that came to be shown, each of which an item has to name."""

    copy_of: Callable[[str], Copy | None]
    names: Collection[str] = ()

    def __call__(self, name: str) -> bytes | None:
        """A small file at once: a picture."""
        out = BytesIO()
        return out.getvalue() if self.copy(name, out, MOST_BYTES) else None

    def copy(self, name: str, out: IO[bytes], most: int) -> bool:
        """Whether there is such a file; `BadMedium` where it can't be read, or has more bytes."""
        copy = self.copy_of(name)
        if copy is None:
            return False
        copy(out, most)
        return True


def in_folder(folder: Path, *, offers_all: bool = False) -> Files:
    """Finds files by their path in a folder, and never outside it."""
    root = folder.resolve()

    def copy_of(name: str) -> Copy | None:
        path = (root / name).resolve()
        try:
            if not path.is_relative_to(root) or not path.is_file():
                return None
            size = path.stat().st_size
        except OSError as error:
            raise BadMedium(f"can't be opened ({error.strerror})") from error
        return partial(_copy, partial(_opened, path), size)

    walked = os.walk(root) if offers_all else ()
    names = sorted((Path(at) / name).relative_to(root).as_posix() for at, _, files in walked for name in files)
    return Files(copy_of, names)


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise BadMedium(f"can't be opened ({error.strerror})") from error


def uploaded(files: Iterable[File[bytes]]) -> Files:
    """Finds files that came with a form and in zips, by their whole name or the end of it."""
    copies: dict[str, Copy] = {}
    names: list[str] = []
    zipped = 0
    for file in files:
        if (file.name or "").lower().endswith(".zip"):
            archive = _opened_zip(file)
            zipped += len(archive.infolist())
            if zipped > MOST_ZIPPED:
                raise _too_many(file)
            copies |= _by_name(archive)
            names += archive.namelist()
        else:
            name = PurePosixPath(file.name or "").name
            copies[name] = partial(_copy, partial(_from_its_start, file), file.size)
            names.append(name)
    return Files(lambda name: copies.get(name) or copies.get(PurePosixPath(name).name), names)


def _opened_zip(file: File[bytes]) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(_InSteps(file))
    except Refused:  # which is a ValueError too
        raise
    except BROKEN_ZIP as error:
        told = f"{file.name} can't be read as a zip: create it again, or choose the files themselves."
        raise Refused(told) from error


def _by_name(archive: zipfile.ZipFile) -> dict[str, Copy]:
    """The files in a zip by their names there; by the last part alone too, where that is one file's."""
    reads: dict[str, Copy] = {one.filename: partial(_unpacked, archive, one) for one in archive.infolist()}
    ends = Counter(PurePosixPath(name).name for name in reads)
    lone = {PurePosixPath(name).name: read for name, read in reads.items()}
    return {end: read for end, read in lone.items() if ends[end] == 1} | reads


def _too_many(file: File[bytes]) -> Refused:
    return Refused(f"{file.name}: there are more than {MOST_ZIPPED:,} files in the zips of one upload: send fewer.")


@dataclass(frozen=True, slots=True)
class _InSteps:
    """A zip that is never read by more than `MOST_LIST_BYTES` at once: its list of files says itself how long it is."""

    file: File[bytes]

    def read(self, size: int = -1) -> bytes:
        if size > MOST_LIST_BYTES:
            raise _too_many(self.file)
        return bytes(self.file.read(min(size, MOST_LIST_BYTES) if size >= 0 else MOST_LIST_BYTES))

    def seek(self, offset: int, whence: int = 0) -> int:
        self.file.seek(offset, whence)
        return int(self.file.tell())

    def tell(self) -> int:
        return int(self.file.tell())

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        """Whoever opened the file closes it."""


def _unpacked(archive: zipfile.ZipFile, one: zipfile.ZipInfo, out: IO[bytes], most: int) -> None:
    if one.compress_type not in UNPACKED_IN_STEPS:
        raise BadMedium("is compressed in an unusual way: create the zip again with the usual method (deflate)")
    try:
        _copy(partial(archive.open, one), one.file_size, out, most)
    except BROKEN_ZIP as error:
        raise BadMedium("can't be unpacked: the zip is broken, or locked by a password") from error


@contextmanager
def _from_its_start(file: File[bytes]) -> Iterator[File[bytes]]:
    file.seek(0)
    yield file


def _copy(opened: Callable[[], AbstractContextManager[Readable]], size: int, out: IO[bytes], most: int) -> None:
    """Refuses by the size that is said, reads in steps and stops at the limit: that size may be untrue."""
    if size > most:
        raise _too_large(most)
    copied = 0
    with opened() as stream:
        while piece := stream.read(STEP):
            copied += len(piece)
            if copied > most:
                raise _too_large(most)
            out.write(piece)


def _too_large(most: int) -> BadMedium:
    return BadMedium(f"is larger than {most // 1_000_000} MB")
