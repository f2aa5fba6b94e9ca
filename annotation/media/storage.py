"""Where the bytes of media lie: small ones in the database, large ones in a folder, each named by its SHA-256.

A file is there, whole and on the disk, before the row that says so; whoever dies in between leaves a file that nothing
names, and `remove_unused` takes it away a day later (docs/decisions/0028-media-in-a-folder.md).
"""

from __future__ import annotations

import datetime as dt
import os
import shutil
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.media.taking import Medium
from annotation.models import Blob, Item, ItemImport, ItemMedium, ItemUpload

IN_DATABASE = 1_000_000  # bytes
UNUSED_FOR = dt.timedelta(days=1)
PORTION = 100
OF_MEDIA = (
    Q(content_type__startswith="image/") | Q(content_type__startswith="audio/") | Q(content_type__startswith="video/")
)
GOING = ".going"


def store(media: Iterable[Medium]) -> None:
    """Stores those that are not there yet."""
    for medium in media:
        facts, in_folder = medium.facts, medium.size > IN_DATABASE
        if in_folder:
            _write(medium)
        blob = Blob(
            sha256=medium.sha256,
            content_type=facts.content_type,
            content=b"" if in_folder else medium.file.read_bytes(),
            in_folder=in_folder,
            size=medium.size,
            width=facts.width,
            height=facts.height,
            duration_ms=facts.duration_ms,
        )
        Blob.objects.bulk_create([blob], ignore_conflicts=True)
        if in_folder and not path_of(medium.sha256).exists():  # the race: `remove_unused` took it just before the row
            _write(medium)


def path_of(sha256: str) -> Path:
    """Where it lies, if it does."""
    return Path(settings.MEDIA_DIR) / sha256[:2] / sha256


def opened(blob: Blob) -> IO[bytes]:
    """Its bytes as a file. `FileNotFoundError` where the folder has lost it."""
    return path_of(blob.sha256).open("rb") if blob.in_folder else BytesIO(bytes(blob.content))


def content_of(blob: Blob) -> bytes:
    with opened(blob) as file:
        return file.read()


def _write(medium: Medium) -> None:
    """Under another name first, and on the disk for good before it has its own."""
    path = path_of(medium.sha256)
    if path.exists():
        os.utime(path)  # it is wanted again, so it isn't old
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix="coming-", delete=False) as out:
        try:
            with medium.file.open("rb") as file:
                shutil.copyfileobj(file, out)
            out.flush()
            os.fsync(out.fileno())
            Path(out.name).replace(path)
        except BaseException:
            Path(out.name).unlink(missing_ok=True)
            raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_unused(*, now: dt.datetime) -> int:
    """Deletes a portion of the media that no item shows any more, and files that no row names; returns how many.

    Only what has been there for a day, and nothing while items are being imported: their media come before them.
    """
    if ItemImport.objects.unpublished().exists() or ItemUpload.objects.exists():
        return 0
    old = unused_blobs().filter(created_at__lt=now - UNUSED_FOR).values_list("pk", flat=True)
    blobs, _ = unused_blobs().filter(pk__in=list(old[:PORTION])).delete()
    return blobs + sum(_remove_file(path) for path in _old_files(now))


def unused_blobs() -> QuerySet[Blob]:
    """Media that no item shows: of a study that was deleted, or of an import that was refused in the end."""
    by_items = Item.everything.filter(image=OuterRef("pk"))
    by_blocks = ItemMedium.objects.filter(blob=OuterRef("pk"))
    return Blob.objects.filter(OF_MEDIA, ~Exists(by_items), ~Exists(by_blocks)).defer("content")


def _old_files(now: dt.datetime) -> Iterator[Path]:
    before = (now - UNUSED_FOR).timestamp()
    for path in Path(settings.MEDIA_DIR).glob("??/*"):
        if path.stat().st_mtime < before:
            yield path


def _remove_file(path: Path) -> bool:
    """Unless a row names it. The race: an import wants it again at this moment. So it is put aside first, and put back
    if a row is there by then; who comes later finds no file and writes it anew.
    """
    if Blob.objects.filter(pk=path.name, in_folder=True).exists():
        return False
    aside = path.with_name(path.name.removesuffix(GOING) + GOING)
    path.replace(aside)
    if Blob.objects.filter(pk=path.name, in_folder=True).exists():
        aside.replace(path)
        return False
    aside.unlink()
    return True
