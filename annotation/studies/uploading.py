"""A large file of items from the admin: stored in parts, imported by a job, deleted when the job has ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

from django.core.files import File
from django.db import IntegrityError, transaction
from django.utils import timezone

from agreement.errors import Refused
from agreement.typed_json import JsonObject
from annotation.jobs import IMPORT, Progress, TryAgain, request_job
from annotation.media.files import Find, uploaded
from annotation.media.taking import media_from
from annotation.models import ItemImport, ItemUpload, ItemUploadPart, Job, Study, User
from annotation.models.job import PART_BYTES
from annotation.places.allocation import open_places
from annotation.studies.importing_in_parts import ImportUnderWay, discard_import, let_others_write
from annotation.studies.item_files import name_on_disk, read_items
from annotation.studies.study_life import AT_ONCE, add_items
from annotation.studies.unused_in_import import unused_in_import

# Parts that are written or deleted before others get their turn on SQLite: some 100 ms.
PARTS_BETWEEN_PAUSES = 4
JSON_LINES = (".jsonl", ".ndjson")
WITHOUT_LINES = (".xlsx", ".xls", ".parquet", ".json")
MOST_BYTES_AT_ONCE = 100_000  # of such files, in which an item takes some 50 bytes


def has_many_rows(file: File[bytes]) -> bool:
    """Whether a file may hold more items than one transaction may add. It has no more rows than lines, if any."""
    if (file.name or "").lower().endswith(WITHOUT_LINES):
        return bool(file.size > MOST_BYTES_AT_ONCE)
    ends = {b"\n": 0, b"\r": 0}
    last = b"\n"
    for chunk in file.chunks():
        for end in ends:
            ends[end] += chunk.count(end)
        last = chunk[-1:] or last
    file.seek(0)
    lines = max(ends.values()) + (last not in ends)
    header = 0 if (file.name or "").endswith(JSON_LINES) else 1
    return lines - header > AT_ONCE


def queue_import(*, study: Study, file: File[bytes], pictures: Iterable[File[bytes]] = (), by: User | None) -> Job:
    """Stores the file and its pictures, by short transactions, and queues the job that imports them."""
    upload = begin_upload(study=study, name=name_on_disk(file.name, "items.csv"))
    try:
        for file_number, each in enumerate([file, *pictures]):
            store_file(upload=upload, file_number=file_number, file=each)
        return queue_upload(upload=upload, by=by)
    except BaseException:
        discard_upload(upload=upload)
        raise


def begin_upload(*, study: Study, name: str, files: Sequence[object] | None = None) -> ItemUpload:
    """One at a time in a study, which a constraint holds."""
    for ended in ItemUpload.objects.no_longer_needed().filter(study=study):
        discard_upload(upload=ended)
    try:
        with transaction.atomic():
            return ItemUpload.objects.create(study=study, name=name, files=files)
    except IntegrityError as error:
        other = ItemUpload.objects.filter(study=study).first() or "Another file"
        sentence = (
            f"{other} is being imported into {study} at the moment. Wait until it is done, or cancel that import."
        )
        raise Refused(sentence) from error


def store_file(*, upload: ItemUpload, file_number: int, file: File[bytes]) -> None:
    """An empty file has one part too: it is refused by name later, and not lost."""
    for number, content in enumerate(_parts_of(file)):
        with transaction.atomic():
            touch_upload(upload)
            ItemUploadPart.objects.create(
                upload=upload, file_number=file_number, file_name=_whole_name(file), number=number, content=content
            )
        if (file_number + number + 1) % PARTS_BETWEEN_PAUSES == 0:
            let_others_write()


def _whole_name(file: File[bytes]) -> str:
    """By which items name a picture; of the file of items it need not be."""
    return PurePath(file.name or "items.csv").name.replace("\0", "")


def _parts_of(file: File[bytes]) -> Iterator[bytes]:
    """Read here, for `chunks()` of a file that Django holds in memory gives all of it as one."""
    file.seek(0)
    yield file.read(PART_BYTES)
    while content := file.read(PART_BYTES):
        yield content


@transaction.atomic
def queue_upload(*, upload: ItemUpload, by: User | None) -> Job:
    parameters: JsonObject = {"file": upload.name, "upload": upload.pk}
    job = request_job(kind=IMPORT, study=upload.study, parameters=parameters, by=by)
    touch_upload(upload, job=job)
    return job


def touch_upload(upload: ItemUpload, **values: object) -> None:
    """The race: a request that was silent for minutes is thought to have ended, and its parts are being deleted."""
    ours = ItemUpload.objects.being_stored().filter(pk=upload.pk)
    if ours.update(touched_at=timezone.now(), **values) != 1:
        raise Refused(
            f"{upload.name}: the upload showed no progress for too long and was stopped. Upload the file again."
        )


def import_upload(*, job: Job, progress: Progress) -> JsonObject:
    """Imports the stored file of a job: all of its items, or none and every reason why.

    An attempt before this one may have died anywhere. What it wrote and did not publish goes first; what it
    published is not imported again, and only the places that it may not have opened are opened.
    """
    if job.study is None:
        raise Refused("An import needs a study.")
    _discard_unpublished(job)
    unused: list[str] = []
    if not ItemImport.objects.filter(job=job).exists():
        unused = _import_stored(job, job.study, progress)
    elif job.study.status != Study.Status.DRAFT:
        open_places(study=job.study)
    count = sum(ItemImport.objects.filter(job=job).values_list("rows", flat=True))
    return {"items": count, **({"unused": [*unused]} if unused else {})}


def _discard_unpublished(job: Job) -> None:
    for item_import in ItemImport.objects.unpublished().filter(job=job):
        discard_import(item_import=item_import)


def _import_stored(job: Job, study: Study, progress: Progress) -> list[str]:
    """Returns what of it nothing uses."""
    upload = ItemUpload.objects.filter(job=job).first()
    if upload is None:
        raise Refused("The file of this import is not stored any more: upload it again.")
    with stored_files(upload) as (file, find), media_from(find) as pictures:
        items = read_items(file, study, pictures)
        progress.stop_if_cancelled()
        taken = pictures.seen.values()
        try:
            add_items(
                study=study, items=items, by=job.created_by, source=upload.name, pictures=taken, progress=progress
            )
        except ImportUnderWay as other:
            raise TryAgain(str(other)) from other
        return unused_in_import(items, study, pictures)


@contextmanager
def stored_files(upload: ItemUpload) -> Iterator[tuple[Path, Find]]:
    """The file of items under its name, and what finds its pictures; in a folder that goes at the end."""
    with TemporaryDirectory(prefix="touchstone-upload-") as folder, ExitStack() as opened:
        (file, _), *shown = _write_files(upload, Path(folder))
        pictures = [File(opened.enter_context(path.open("rb")), name=name) for path, name in shown]
        yield file, uploaded(pictures)


def _write_files(upload: ItemUpload, folder: Path) -> Iterator[tuple[Path, str]]:
    """Each with the name that it came by, in a folder of its own, for two pictures may have one name; one part in
    memory at a time.
    """
    parts = upload.parts.order_by("file_number", "number").values_list("pk", "file_number", "file_name")
    for (file_number, name), keys in groupby(list(parts), key=lambda part: part[1:]):
        path = folder / str(file_number) / name_on_disk(name, "file")
        path.parent.mkdir()
        with path.open("wb") as out:
            for key, *_ in keys:
                out.write(ItemUploadPart.objects.values_list("content", flat=True).get(pk=key))
        yield path, name


def discard_ended_uploads() -> int:
    """Deletes stored files that nothing will read again; returns of how many uploads. Twice does no harm."""
    ended: Sequence[ItemUpload] = list(ItemUpload.objects.no_longer_needed().select_related("job", "study"))
    for upload in ended:
        if upload.job is not None and upload.job.status != Job.Status.DONE:
            _settle(upload.job, upload.study)
        discard_upload(upload=upload)
    return len(ended)


def _settle(job: Job, study: Study) -> None:
    """A worker may have died in the middle of a job that was cancelled or given up since."""
    _discard_unpublished(job)
    if ItemImport.objects.filter(job=job).exists() and study.status != Study.Status.DRAFT:
        open_places(study=study)


def discard_upload(*, upload: ItemUpload) -> None:
    """Some parts at a time, then the row that holds the study's next upload back."""
    parts = ItemUploadPart.objects.filter(upload=upload.pk)
    while keys := list(parts.values_list("pk", flat=True)[:PARTS_BETWEEN_PAUSES]):
        ItemUploadPart.objects.filter(pk__in=keys).delete()
        let_others_write()
    ItemUpload.objects.filter(pk=upload.pk).delete()
