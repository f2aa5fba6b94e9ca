"""Media that come with a file of items: looked at, cleared and kept until the items are stored."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO

from agreement.errors import TouchstoneError
from agreement.stimuli.blocks import MediaKind
from annotation.media.containers import BadMedium, Facts, strip
from annotation.media.files import STEP, Files, Find
from annotation.media.pictures import dimensions_of, encoded

# Of one file; pictures have limits of their own.
MOST_BYTES = {"audio": 50_000_000, "video": 200_000_000}
LONGEST_MS = 3_600_000
# Of all pictures of one request, unpacked: some two seconds of a processor. More of them are encoded by a job.
MOST_PIXELS_AT_ONCE = 40_000_000
MOST_BYTES_AT_ONCE = 100_000_000
WORDS = {"image": "a picture", "audio": "a sound", "video": "a video"}
MISSING = {"image": "is not among the pictures that came with the file"}
NO_CONTENT = ("__MACOSX/", ".DS_Store", "Thumbs.db")


class TooMuchAtOnce(TouchstoneError):
    """The media are too large in all for a request: they are for a job."""


@dataclass(frozen=True, slots=True)
class Medium:
    """One that may be kept: `file` holds it as it is shown, cleared of what isn't sound or picture."""

    sha256: str
    facts: Facts
    file: Path
    size: int


@dataclass(slots=True)
class Media:
    """Those that come with a file of items. Each is looked at once, and encoded once, however many items show it.

    Looking reads a picture's size from its head and decodes nothing: 30 million black pixels are 435 bytes, and more
    than a second of work. In a request (`at_once`), `TooMuchAtOnce` is raised before too much of it is done.
    """

    find: Find
    folder: Path
    at_once: bool = False
    looked_at: set[tuple[str, MediaKind]] = field(default_factory=set)
    pixels: int = 0
    size: int = 0  # in bytes, unpacked
    seen: dict[tuple[str, MediaKind], Medium] = field(default_factory=dict)

    @property
    def offered(self) -> Collection[str]:
        """The files that came to be shown."""
        return self.find.names if isinstance(self.find, Files) else ()

    def unnamed(self) -> list[str]:
        """The files that came to be shown and that no item names."""
        names = {name for name, _kind in self.looked_at}
        named = {*names, *(PurePosixPath(name).name for name in names)}
        return [
            name
            for name in self.offered
            if not name.startswith(NO_CONTENT)
            and not name.endswith(("/", *NO_CONTENT))
            and not {name, PurePosixPath(name).name} & named
        ]

    def look_at(self, name: str, kind: MediaKind = "image") -> None:
        """`BadMedium` says why one of that name can't be taken, as far as its head tells; of sounds and videos, as far
        as all of it does.
        """
        if (name, kind) in self.looked_at:
            return
        self.looked_at.add((name, kind))
        if kind != "image":
            self.seen[name, kind] = self._recording(name, kind)
            self._count(self.seen[name, kind].size)
            return
        content = self._picture(name)
        self._count(len(content))
        width, height = dimensions_of(content)
        self.pixels += width * height
        if self.at_once and self.pixels > MOST_PIXELS_AT_ONCE:
            raise TooMuchAtOnce(f"the pictures have more than {MOST_PIXELS_AT_ONCE // 1_000_000} million pixels in all")

    def taken(self, name: str, kind: MediaKind = "image") -> Medium:
        """The medium of that name: a picture decoded and encoded again, others stripped; `BadMedium` says why not."""
        self.look_at(name, kind)
        if (name, kind) not in self.seen:
            again, content_type = encoded(self._picture(name))
            sha256 = hashlib.sha256(again).hexdigest()
            (self.folder / sha256).write_bytes(again)
            facts = Facts(content_type, *dimensions_of(again))
            self.seen[name, kind] = Medium(sha256, facts, self.folder / sha256, len(again))
        return self.seen[name, kind]

    def _count(self, size: int) -> None:
        self.size += size
        if self.at_once and self.size > MOST_BYTES_AT_ONCE:
            raise TooMuchAtOnce(f"the files have more than {MOST_BYTES_AT_ONCE // 1_000_000} MB in all")

    def _picture(self, name: str) -> bytes:
        content = self.find(name)
        if content is None:
            raise _not_there("image")
        return content

    def _recording(self, name: str, kind: MediaKind) -> Medium:
        raw, clean = self.folder / "raw", self.folder / "clean"
        try:
            with raw.open("w+b") as came, clean.open("w+b") as out:
                if not self._copied(name, came, MOST_BYTES[kind]):
                    raise _not_there(kind)
                facts = strip(came, out)
                _refuse_unfit(facts, kind)
                sha256, size = _hash_of(out), out.tell()
            return Medium(sha256, facts, clean.rename(self.folder / sha256), size)
        finally:
            raw.unlink(missing_ok=True)

    def _copied(self, name: str, out: IO[bytes], most: int) -> bool:
        if isinstance(self.find, Files):
            return self.find.copy(name, out, most)
        content = self.find(name)
        out.write(content or b"")
        return content is not None


def _not_there(kind: MediaKind) -> BadMedium:
    return BadMedium(MISSING.get(kind, "is not among the files that came with the file of items"))


def _refuse_unfit(facts: Facts, kind: MediaKind) -> None:
    own: MediaKind = "video" if facts.content_type.startswith("video/") else "audio"
    if own != kind:
        raise BadMedium(f"is {WORDS[own]}, and the study shows {WORDS[kind]} in its place")
    if (facts.duration_ms or 0) > LONGEST_MS:
        raise BadMedium(f"lasts longer than {LONGEST_MS // 60_000} minutes; cut it into several")


def _hash_of(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    file.seek(0)
    while piece := file.read(STEP):
        digest.update(piece)
    return digest.hexdigest()


@contextmanager
def media_from(find: Find, *, at_once: bool = False) -> Iterator[Media]:
    """Media to be taken; what was encoded lies in a folder that goes at the end."""
    with TemporaryDirectory(prefix="touchstone-media-") as folder:
        yield Media(find, Path(folder), at_once)
