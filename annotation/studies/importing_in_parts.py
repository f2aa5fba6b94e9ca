"""Brings the items of large files in: chunk by chunk, seen by nobody until all are there (docs/decisions/0013)."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING
from uuid import uuid4

from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, connection, transaction
from django.db.models import Max
from django.utils import timezone

from agreement.errors import Refused
from annotation.database.rows import chunks, insert_chunk, refused_if_doubled
from annotation.models import AuditEntry, Item, ItemImport, ItemMedium, Study, User
from annotation.models.question import FIRST
from annotation.studies.item_files import NewItem

if TYPE_CHECKING:
    from annotation.jobs import Progress


# Some 100 ms of SQLite's one write lock.
ROWS_PER_CHUNK = 1_000
# Whoever waits for SQLite's lock looks for it every 100 ms at the least: so long it has to be free between two chunks.
PAUSE_SECONDS = 0.11
COLUMNS = (
    "uuid", "study_id", "item_id", "position", "kind", "fields", "image_id", "check_question", "check_name", "expected",
    "min", "max", "repeats_id", "reference", "judgments_per_item", "in_import_id",
)  # fmt: skip
ITEM_TAKEN = (
    "An item with one of these ids has just been added to the study: send them again to see which are there already."
)
IN_JSON = ("fields", "expected")


class ImportUnderWay(Refused):
    """Another import into the study is running: this one can come in when that is done."""


def import_in_chunks(
    *,
    study: Study,
    items: Sequence[NewItem],
    by: User | None,
    source: str,
    progress: Progress | None = None,
) -> Study:
    """All of the items or, where anything goes wrong, none. Returns the study as it was when they were published."""
    item_import = begin_import(study=study, rows=len(items), by=by, source=source, progress=progress)
    try:
        last = Item.everything.filter(study=study).aggregate(last=Max("position"))["last"] or 0
        for chunk in chunks(enumerate(items, start=last + 1), ROWS_PER_CHUNK):
            write_chunk(item_import=item_import, items=chunk)
            let_others_write()
            if progress is not None:
                progress.stop_if_cancelled()
                progress.report((chunk[-1][0] - last) / len(items))
        return publish_import(item_import=item_import)
    except BaseException:
        discard_import(item_import=item_import)
        raise


def begin_import(
    *, study: Study, rows: int, by: User | None, source: str, progress: Progress | None = None
) -> ItemImport:
    """One at a time in a study, which a constraint holds: two at once would number their items alike.

    The race: a worker wakes up whose job was given to another. `writing()` stops it before it begins.
    """
    for abandoned in ItemImport.objects.abandoned().filter(study=study):
        discard_import(item_import=abandoned)
    try:
        with progress.writing() if progress else nullcontext(), transaction.atomic():
            job_id = progress.claim.job_id if progress else None
            return ItemImport.objects.create(study=study, rows=rows, by=by, source=source, job_id=job_id)
    except IntegrityError as error:
        other = ItemImport.objects.unpublished().filter(study=study).first()
        beginning = f"{other} is being imported into {study}" if other else f"Items are being imported into {study}"
        raise ImportUnderWay(f"{beginning} at the moment. Wait until it is done, then import this file.") from error


@transaction.atomic
def write_chunk(*, item_import: ItemImport, items: Sequence[tuple[int, NewItem]]) -> None:
    _touch(item_import)
    with refused_if_doubled(ITEM_TAKEN):
        insert_chunk(Item, COLUMNS, [_row(item_import, position, item) for position, item in items])
    media = {item["item_id"]: item["media"] for _position, item in items if item.get("media")}
    if media:
        keys = Item.everything.filter(study=item_import.study_id, item_id__in=media).values_list("item_id", "pk")
        ItemMedium.objects.bulk_create(media_rows((pk, media[item_id]) for item_id, pk in keys))


def media_rows(items: Iterable[tuple[int, Mapping[str, str]]]) -> list[ItemMedium]:
    """Of items by their numbers, each with its media by their columns."""
    return [
        ItemMedium(item_id=item, column=column, blob_id=sha256)
        for item, media in items
        for column, sha256 in media.items()
    ]


def _row(item_import: ItemImport, position: int, item: NewItem) -> list[object]:
    """An item as the database keeps it, for COPY: by the model's own machinery a row takes five times as long."""
    uuid = uuid4()
    on_sqlite = connection.vendor == "sqlite"
    values: dict[str, object] = {
        "kind": Item.Kind.TARGET, "fields": {}, "check_question": FIRST, "reference": "", **item
    }  # fmt: skip
    values |= {
        "uuid": uuid.hex if on_sqlite else uuid,
        "study_id": item_import.study_id,
        "position": position,
        "in_import_id": item_import.pk,
    }
    values.pop("media", None)
    if unknown := values.keys() - set(COLUMNS):
        raise TypeError(f"items have no {', '.join(sorted(unknown))}")
    for name in IN_JSON:
        if values.get(name) is not None:
            values[name] = json.dumps(values[name], cls=DjangoJSONEncoder)
    return [values.get(column) for column in COLUMNS]


@transaction.atomic
def publish_import(*, item_import: ItemImport) -> Study:
    """One row is changed, and all of the items are there.

    The race this prevents: the study is opened in between, and the new items get no places. Whoever opens it counts its
    items under the same lock; who publishes second sees that it is open, and opens their places.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=item_import.study_id)
    _touch(item_import, published_at=timezone.now())
    detail = {"items": item_import.rows, "from": item_import.source}
    AuditEntry.objects.create(study=study, by=item_import.by, action=AuditEntry.Action.IMPORTED, detail=detail)
    return study


def _touch(item_import: ItemImport, **values: object) -> None:
    """The race: another process discards this one's rows, as if it had ended. The update finds no row then."""
    ours = ItemImport.objects.unpublished().filter(pk=item_import.pk)
    if ours.update(touched_at=timezone.now(), **values) != 1:
        raise Refused(
            f"{item_import.source}: the import showed no progress for too long and was stopped. Nothing was imported."
        )


def discard_import(*, item_import: ItemImport) -> None:
    """Removes what an import has written that will not be published; twice does no harm.

    Its own process, should it live, writes nothing more after the last of these: it finds its row gone.
    """
    ours = ItemImport.objects.unpublished().filter(pk=item_import.pk)
    while True:
        with transaction.atomic():
            if not ours.select_for_update(no_key=True).exists():
                return
            rows = list(Item.everything.filter(in_import=item_import.pk).values_list("pk", flat=True)[:ROWS_PER_CHUNK])
            if not rows:
                ours.delete()
                return
            Item.everything.filter(pk__in=rows).delete()
        let_others_write()


def discard_abandoned_imports() -> int:
    """Clears up after processes that died; returns after how many."""
    abandoned = list(ItemImport.objects.abandoned())
    for item_import in abandoned:
        discard_import(item_import=item_import)
    return len(abandoned)


def let_others_write() -> None:
    """On PostgreSQL they never had to wait. Inside somebody's transaction nobody can be let in."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        time.sleep(PAUSE_SECONDS)
