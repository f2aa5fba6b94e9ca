"""Pictures as they come in: decoded and encoded again, so that what is kept is a picture and nothing else.

What a file holds beside the picture (where it was taken, a script, another file) goes; its colours stay.
"""

from __future__ import annotations

import hashlib
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Protocol

from PIL import Image, ImageOps
from PIL.ImageFile import ImageFile

from agreement.errors import Refused, TouchstoneError

if TYPE_CHECKING:
    from django.core.files import File

MOST_BYTES = 10_000_000
STEP = 1 << 18
MOST_PIXELS = 30_000_000
# Of all pictures of one request, unpacked: some two seconds of a processor. More of them are encoded by a job.
MOST_PIXELS_AT_ONCE = 40_000_000
MOST_BYTES_AT_ONCE = 100_000_000
TOO_MANY_PIXELS = f"has more than {MOST_PIXELS // 1_000_000} million pixels; make it smaller"
# Of all zips of one upload; and of the list of its files that a zip begins to be read by, all of it at once.
MOST_ZIPPED = 50_000
MOST_LIST_BYTES = 8_000_000
# What is taken, and what it is kept as.
KEPT_AS = {"PNG": "PNG", "GIF": "PNG", "JPEG": "JPEG", "WEBP": "WEBP"}
CONTENT_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
QUALITY = 95
SMALL_QUALITY = 85
# The packings of a zip that are unpacked piece by piece: the others give all at once whatever few bytes hold.
UNPACKED_IN_STEPS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, struct.error)


class BadPicture(TouchstoneError):
    """What is wrong with a picture, as the end of a sentence that begins with its name."""


class TooMuchAtOnce(TouchstoneError):
    """The pictures are too large in all for a request: they are for a job."""


Find = Callable[[str], bytes | None]
Read = Callable[[], bytes]


class Readable(Protocol):
    """A file that was opened, an upload or a member of a zip."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One that may be kept: `file` holds it as it was encoded again."""

    sha256: str
    content_type: str
    file: Path


@dataclass(slots=True)
class Pictures:
    """Those that come with a file of items. Each is looked at once, and encoded once, however many items show it.

    Looking reads a picture's size from its head and decodes nothing: 30 million black pixels are 435 bytes, and more
    than a second of work. In a request (`at_once`), `TooMuchAtOnce` is raised before too much of it is done.
    """

    find: Find
    folder: Path
    at_once: bool = False
    offered: Collection[str] = ()  # the files that came with an upload
    looked_at: set[str] = field(default_factory=set)
    pixels: int = 0
    size: int = 0  # in bytes, unpacked
    seen: dict[str, Picture] = field(default_factory=dict)

    def look_at(self, name: str) -> None:
        """`BadPicture` says why one of that name can't be taken, as far as its head tells."""
        if name in self.looked_at:
            return
        self.looked_at.add(name)
        content = self._content(name)
        self.size += len(content)
        if self.at_once and self.size > MOST_BYTES_AT_ONCE:
            raise TooMuchAtOnce(f"the pictures have more than {MOST_BYTES_AT_ONCE // 1_000_000} MB in all")
        self.pixels += pixels_of(content)
        if self.at_once and self.pixels > MOST_PIXELS_AT_ONCE:
            raise TooMuchAtOnce(f"the pictures have more than {MOST_PIXELS_AT_ONCE // 1_000_000} million pixels in all")

    def taken(self, name: str) -> Picture:
        """The picture of that name, decoded and encoded again; `BadPicture` says why not."""
        if name not in self.seen:
            self.look_at(name)
            again, content_type = encoded(self._content(name))
            sha256 = hashlib.sha256(again).hexdigest()
            (self.folder / sha256).write_bytes(again)
            self.seen[name] = Picture(sha256, content_type, self.folder / sha256)
        return self.seen[name]

    def _content(self, name: str) -> bytes:
        content = self.find(name)
        if content is None:
            raise BadPicture("is not among the pictures that came with the file")
        return content


@contextmanager
def pictures_of(find: Find, *, at_once: bool = False) -> Iterator[Pictures]:
    """Pictures to be taken; what was encoded lies in a folder that goes at the end."""
    with TemporaryDirectory(prefix="touchstone-pictures-") as folder:
        yield Pictures(find, Path(folder), at_once, find.names if isinstance(find, Uploaded) else ())


def pixels_of(content: bytes) -> int:
    """How many pixels the picture has, by its head; `BadPicture` for what is no picture, moves, or is too large."""
    with _opened(content) as picture:
        return picture.width * picture.height


def encoded(content: bytes) -> tuple[bytes, str]:
    """The picture encoded again, and its content type; turned as its camera says, its colour profile kept.

    PNG and GIF lose nothing that can be seen. `BadPicture` for what is no picture, moves, or is too large.
    """
    with _opened(content) as picture:
        return _again(picture)


@contextmanager
def _opened(content: bytes) -> Iterator[ImageFile]:
    try:
        with Image.open(BytesIO(content), formats=list(KEPT_AS)) as picture:
            _refuse_unfit(picture)
            yield picture
    except BadPicture:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:  # the library's own, higher limit
        raise BadPicture(TOO_MANY_PIXELS) from error
    except Exception as error:  # the library raises whatever a broken file makes it stumble over
        raise BadPicture("can't be read as a PNG, JPEG, WebP or GIF picture") from error


def _refuse_unfit(picture: ImageFile) -> None:
    if picture.width * picture.height > MOST_PIXELS:
        raise BadPicture(TOO_MANY_PIXELS)
    if getattr(picture, "is_animated", False):
        raise BadPicture("is animated; use a picture that isn't")


def _again(picture: ImageFile) -> tuple[bytes, str]:
    kept_as, profile = KEPT_AS[picture.format or ""], picture.info.get("icc_profile")
    upright = ImageOps.exif_transpose(picture)
    upright.info = {name: upright.info[name] for name in ("transparency",) if name in upright.info}
    out = BytesIO()
    upright.save(out, kept_as, icc_profile=profile, **({} if kept_as == "PNG" else {"quality": QUALITY}))
    return out.getvalue(), CONTENT_TYPES[kept_as]


def scaled_down(content: bytes, within: tuple[int, int]) -> bytes:
    """The picture small enough to fit within so many pixels, or as it is where that would save nothing."""
    with Image.open(BytesIO(content), formats=list(CONTENT_TYPES)) as picture:
        if picture.width <= within[0] and picture.height <= within[1]:
            return content
        kept_as, profile = picture.format or "", picture.info.get("icc_profile")
        picture.draft(None, within)  # a JPEG is decoded no larger than needed
        small = picture.convert("RGBA" if "transparency" in picture.info else "RGB") if picture.mode == "P" else picture
        small.thumbnail(within, Image.Resampling.LANCZOS)
        out = BytesIO()
        small.save(out, kept_as, icc_profile=profile, **({} if kept_as == "PNG" else {"quality": SMALL_QUALITY}))
    return min(out.getvalue(), content, key=len)


def in_folder(folder: Path) -> Find:
    """Finds pictures by their path in a folder, and never outside it."""
    root = folder.resolve()

    def find(name: str) -> bytes | None:
        path = (root / name).resolve()
        try:
            if not path.is_relative_to(root) or not path.is_file():
                return None
            return _read(lambda: path.open("rb"))
        except OSError as error:
            raise BadPicture(f"can't be opened ({error.strerror})") from error

    return find


@dataclass(frozen=True, slots=True)
class Uploaded:
    """Finds pictures among the files of an upload; `names` has each file once."""

    names: Collection[str]
    reads: Mapping[str, Read]

    def __call__(self, name: str) -> bytes | None:
        read = self.reads.get(name) or self.reads.get(PurePosixPath(name).name)
        return read() if read else None


def uploaded(files: Iterable[File[bytes]]) -> Uploaded:
    """Finds pictures among files that came with a form and in zips of them, by their whole name or the end of it."""
    reads: dict[str, Read] = {}
    names: list[str] = []
    zipped = 0
    for file in files:
        if (file.name or "").lower().endswith(".zip"):
            archive = _opened_zip(file)
            zipped += len(archive.infolist())
            if zipped > MOST_ZIPPED:
                raise _too_many(file)
            reads |= _by_name(archive)
            names += archive.namelist()
        else:
            name = PurePosixPath(file.name or "").name
            reads[name] = partial(_read, partial(_from_its_start, file))
            names.append(name)
    return Uploaded(names, reads)


def _opened_zip(file: File[bytes]) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(_InSteps(file))
    except Refused:  # which is a ValueError too
        raise
    except BROKEN_ZIP as error:
        told = f"{file.name} can't be read as a zip: create it again, or choose the pictures themselves."
        raise Refused(told) from error


def _by_name(archive: zipfile.ZipFile) -> dict[str, Read]:
    """The files in a zip by their names there; by the last part alone too, where that is one file's."""
    reads: dict[str, Read] = {one.filename: partial(_unpacked, archive, one) for one in archive.infolist()}
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


def _unpacked(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> bytes:
    if one.compress_type not in UNPACKED_IN_STEPS:
        raise BadPicture("is compressed in an unusual way: create the zip again with the usual method (deflate)")
    try:
        return _read(partial(archive.open, one))
    except BROKEN_ZIP as error:
        raise BadPicture("can't be unpacked: the zip is broken, or locked by a password") from error


@contextmanager
def _from_its_start(file: File[bytes]) -> Iterator[File[bytes]]:
    file.seek(0)
    yield file


def _read(opened: Callable[[], AbstractContextManager[Readable]]) -> bytes:
    """Reads in steps and stops at the limit: what a zip or a folder says of a file's size may be untrue."""
    content = bytearray()
    with opened() as stream:
        while piece := stream.read(STEP):
            content += piece
            if len(content) > MOST_BYTES:
                raise BadPicture(f"is larger than {MOST_BYTES // 1_000_000} MB")
    return bytes(content)
