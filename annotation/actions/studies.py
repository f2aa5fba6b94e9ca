"""A study's life: made from a preset, given items, opened, paused, closed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from annotation import presets
from annotation.actions.importing_in_parts import import_in_chunks
from annotation.allocation import release_pilots
from annotation.completeness import what_is_missing
from annotation.errors import Refused
from annotation.item_files import BroughtItems, with_pictures
from annotation.models import AuditEntry, Blob, CheckQuota, Item, ItemImport, Label, Study, User
from annotation.open_places import open_places
from annotation.pictures import Picture, in_folder, pictures_of
from annotation.presets import Preset

if TYPE_CHECKING:
    from jobs import Progress

# Items that one transaction may add: on SQLite some 150 ms of its one write lock.
AT_ONCE = 2_000
NEXT: dict[str, tuple[str, ...]] = {
    Study.Status.DRAFT: (Study.Status.PILOTING, Study.Status.LIVE),
    Study.Status.PILOTING: (Study.Status.DRAFT, Study.Status.LIVE, Study.Status.CLOSED),
    Study.Status.LIVE: (Study.Status.PAUSED, Study.Status.CLOSED),
    Study.Status.PAUSED: (Study.Status.LIVE, Study.Status.CLOSED),
    Study.Status.CLOSED: (),
}


def create_study(
    *, slug: str, preset: Preset, owner: User | None = None, brought: BroughtItems | None = None, **changes: Any
) -> Study:
    """A draft study with a copy of the preset: its texts, labels, checks and items, and the preset's name and hash.

    Items that are brought take the place of the preset's own targets (`BroughtItems.beside`).
    """
    _refuse_unfit_slug(slug)
    if Study.objects.filter(slug=slug).exists():
        raise Refused(f"There is a study '{slug}' already: choose another short name.")
    own = preset.items if brought is None else brought.beside(preset.items)
    at_once = brought is not None and len(brought.items) <= AT_ONCE
    with pictures_of(in_folder(presets.ITEMS)) as pictures:
        own = with_pictures(own, pictures)
        with transaction.atomic():
            study = _copy_of(preset, slug=slug, owner=owner, quotas=_quotas(preset, brought), changes=changes)
            taken = pictures.seen.values()
            add_items(study=study, items=own, by=owner, source=f"preset {preset.name}", pictures=taken)
            if brought is not None and at_once:  # bad items leave no study behind
                _add_brought(study, brought, owner)
    if brought is not None and not at_once:  # in one transaction they would keep everybody waiting
        _add_brought(study, brought, owner)
    return study


def _refuse_unfit_slug(slug: str) -> None:
    """A short name that no address could hold."""
    try:
        Study._meta.get_field("slug").clean(slug, None)
    except ValidationError as error:
        why = " ".join(error.messages)
        raise Refused(f"'{slug[:100]}' can't be a study's short name. {why}") from error


def _copy_of(
    preset: Preset, *, slug: str, owner: User | None, quotas: Mapping[str, int], changes: Mapping[str, Any]
) -> Study:
    study = Study.objects.create(
        slug=slug,
        owner=owner,
        preset=preset.name,
        preset_version=preset.version,
        preset_sha256=preset.sha256,
        **{"metrics": list(preset.metrics), **preset.study, **changes},
    )
    Label.objects.bulk_create(
        Label(study=study, position=position, **label) for position, label in enumerate(preset.labels, start=1)
    )
    CheckQuota.objects.bulk_create(
        CheckQuota(study=study, check_name=name, per_assignment=count) for name, count in quotas.items()
    )
    AuditEntry.objects.create(study=study, by=owner, action=AuditEntry.Action.CREATED, detail={"preset": preset.name})
    return study


def _quotas(preset: Preset, brought: BroughtItems | None) -> dict[str, int]:
    """A file with check items of its own takes no quota of checks that it doesn't have."""
    names = {item["check_name"] for item in brought.items if item["check_name"]} if brought is not None else set()
    return {name: count for name, count in preset.check_quotas.items() if not names or name in names}


def _add_brought(study: Study, brought: BroughtItems, owner: User | None) -> None:
    add_items(study=study, items=brought.items, by=owner, source=brought.source, pictures=brought.pictures)


def add_items(
    *,
    study: Study,
    items: list[dict[str, Any]],
    by: User | None = None,
    source: str,
    pictures: Collection[Picture] = (),
    progress: Progress | None = None,
) -> int:
    """Adds items behind those that are there; each is a dict of Item's own fields. First the pictures that they show:
    one of them that no item shows in the end does no harm.

    More than `AT_ONCE` of them come in by chunks, for one transaction of so many rows would keep annotators waiting.
    So does what a job adds, with its `progress`: it knows of an import by its row what an attempt before it has done.
    """
    if not items:
        return 0
    for picture in pictures:
        blob = Blob(sha256=picture.sha256, content_type=picture.content_type, content=picture.file.read_bytes())
        Blob.objects.bulk_create([blob], ignore_conflicts=True)
    if len(items) > AT_ONCE or progress is not None:
        study = import_in_chunks(study=study, items=items, by=by, source=source, progress=progress)
    else:
        study = _add_at_once(study, items, by, source)
    if study.status != Study.Status.DRAFT:
        open_places(study=study)
    return len(items)


def _add_at_once(study: Study, items: list[dict[str, Any]], by: User | None, source: str) -> Study:
    with transaction.atomic():
        # The race this prevents: two imports at once number their items alike, or the study is opened in between and
        # the new items get no places.
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if other := ItemImport.objects.unpublished().filter(study=study).first():
            raise Refused(f"{other} is being imported into {study} at the moment. Wait until it is done.")
        last = study.items.order_by("-position").values_list("position", flat=True).first() or 0
        Item.objects.bulk_create(
            (Item(study=study, position=position, **item) for position, item in enumerate(items, start=last + 1)),
            batch_size=AT_ONCE,
        )
        AuditEntry.objects.create(
            study=study, by=by, action=AuditEntry.Action.IMPORTED, detail={"items": len(items), "from": source}
        )
    return study


def change_status(*, study: Study, status: str, by: User | None = None, why: str = "") -> Study:
    """Moves a study on in its life; opening it opens the places that its items still need.

    While a study is paused, or once it is closed, nobody comes in and no places are claimed; but what somebody has
    begun they may finish, for they are paid for it.
    """
    if status not in NEXT[study.status]:
        allowed = " or ".join(NEXT[study.status]) or "nothing else"
        raise Refused(f"{study} is {study.status}: it can become {allowed}, not {status}.")
    items = study.items.count()
    if status in {Study.Status.PILOTING, Study.Status.LIVE}:
        if reasons := list(what_is_missing(study)):
            raise Refused(reasons)
        open_places(study=study)
    with transaction.atomic():
        # The lock waits for claims that began before the change (hold_status in allocation.py is its other half), and
        # keeps two researchers who press different buttons apart: the second is told, as is who imports meanwhile.
        now = Study.objects.select_for_update(of=("self",)).get(pk=study.pk)
        if now.status != study.status or now.items.count() != items:
            raise Refused(f"Somebody else has just changed {study}: reload the page.")
        closed_at = timezone.now() if status == Study.Status.CLOSED else None
        Study.objects.filter(pk=study.pk).update(status=status, closed_at=closed_at)
        AuditEntry.objects.create(
            study=study,
            by=by,
            action=AuditEntry.Action.CHANGED_STATUS,
            why=why,
            detail={"from": study.status, "to": status},
        )
    if status == Study.Status.LIVE:
        release_pilots(study=study, at=timezone.now())
    study.refresh_from_db()
    return study
