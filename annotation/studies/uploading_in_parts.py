"""Many files from a browser, each part in a request of its own: what has come stays, the rest goes on after a break.

What comes is an `ItemUpload` as any other, imported by the same job: all of its items or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, cast

from django.db import transaction
from django.db.models import Count

from agreement.errors import Refused
from annotation.accounts.request_bodies import MOST_BYTES as MOST_OF_A_REQUEST
from annotation.media.taking import MOST_BYTES
from annotation.models import ItemUpload, ItemUploadPart, Job, Study, User
from annotation.models.job import PART_BYTES
from annotation.studies.item_files import name_on_disk
from annotation.studies.uploading import begin_upload, discard_upload, queue_upload, touch_upload

MOST_FILES = 5_000
MOST_IN_ALL = 10_000_000_000
LONGEST_NAME = 300


class ComingFile(TypedDict):
    """A file as the browser names it before it sends any of it; `modified` tells two of one name and size apart."""

    name: str
    size: int
    modified: int


def begin_parts(*, study: Study, files: Sequence[ComingFile]) -> ItemUpload:
    """The first of the files has the items. The same files again are the same upload, which goes on."""
    refuse_unfit(files)
    upload = ItemUpload.objects.being_stored().filter(study=study, files__isnull=False).first()
    if upload is not None and files_of(upload) != list(files):
        raise Refused(
            f"An upload of {len(files_of(upload)):,} files, {upload.name} among them, has not come to its end: choose"
            " the same files to go on with it, or drop it."
        )
    if upload is None:
        upload = begin_upload(study=study, name=name_on_disk(files[0]["name"], "items.csv"), files=list(files))
    return upload


def refuse_unfit(files: Sequence[ComingFile]) -> None:
    """By their sizes, before any of them is sent."""
    most = max(MOST_BYTES.values())
    large = [file["name"] for file in files[1:] if file["size"] > most and not file["name"].lower().endswith(".zip")]
    if not 1 <= len(files) <= MOST_FILES:
        raise Refused(f"{len(files):,} files: choose {MOST_FILES:,} at most, or import them in several steps.")
    if large:
        raise Refused([f"{name} is larger than {most // 1_000_000} MB." for name in large])
    if files[0]["size"] > MOST_OF_A_REQUEST:
        raise Refused(f"{files[0]['name']} is larger than {MOST_OF_A_REQUEST // 1_000_000} MB.")
    if sum(file["size"] for file in files) > MOST_IN_ALL:
        raise Refused(
            f"The files have more than {MOST_IN_ALL // 1_000_000_000} GB in all: import them in several steps."
        )


def files_of(upload: ItemUpload) -> list[ComingFile]:
    return cast("list[ComingFile]", upload.files or [])


def parts_of(size: int) -> int:
    """How many parts a file has; an empty one has one too."""
    return max(1, -(-size // PART_BYTES))


def stored_parts(upload: ItemUpload) -> list[int]:
    """How many parts of each file are there. A browser sends them in their order, one after the other."""
    counted = dict(upload.parts.values_list("file_number").annotate(count=Count("pk")).order_by())
    return [counted.get(number, 0) for number in range(len(files_of(upload)))]


def unfinished_parts(study: Study) -> ItemUpload:
    upload = ItemUpload.objects.being_stored().filter(study=study, files__isnull=False).first()
    if upload is None:
        raise Refused("This upload is not kept any more: begin it again.")
    return upload


def store_part(*, study: Study, file_number: int, number: int, content: bytes) -> None:
    """Stores one part; the same again does no harm, for a request may have come through and its answer not."""
    upload = unfinished_parts(study)
    files = files_of(upload)
    if not (0 <= file_number < len(files) and 0 <= number < parts_of(files[file_number]["size"])):
        raise Refused("There is no such part in this upload: begin it again.")
    file = files[file_number]
    wanted = min(PART_BYTES, file["size"] - number * PART_BYTES)
    if len(content) != wanted:
        raise Refused(f"{file['name']} has changed since it was chosen: choose the files again.")
    with transaction.atomic():
        touch_upload(upload)
        part = ItemUploadPart(
            upload=upload, file_number=file_number, file_name=file["name"], number=number, content=content
        )
        ItemUploadPart.objects.bulk_create([part], ignore_conflicts=True)


def queue_parts(*, study: Study, by: User | None) -> Job:
    """Queues the import once every part is there."""
    upload = unfinished_parts(study)
    files = files_of(upload)
    counts = zip(files, stored_parts(upload), strict=True)
    if lacking := [file["name"] for file, count in counts if count != parts_of(file["size"])]:
        raise Refused(f"{len(lacking):,} of {len(files):,} files have not come whole, {lacking[0]} among them: go on.")
    return queue_upload(upload=upload, by=by)


def drop_parts(*, study: Study) -> None:
    discard_upload(upload=unfinished_parts(study))
