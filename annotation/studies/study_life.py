"""A study's life: made from a preset or another study, given items, opened, paused, closed, archived."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, cast

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Manager, Max, QuerySet
from django.utils import timezone

from agreement.errors import Refused
from agreement.stimuli.blocks import blocks_of
from agreement.typed_json import Json
from annotation.database.rows import refused_if_doubled
from annotation.media.storage import store
from annotation.media.taking import Medium, media_from
from annotation.models import Assignment, AuditEntry, CheckQuota, Item, ItemImport, ItemMedium, Label, Study, User
from annotation.models.question import FIRST
from annotation.models.study import OPEN_NOW
from annotation.models.study_parts import Part
from annotation.places.allocation import open_places, release_pilots
from annotation.studies.completeness import what_is_missing
from annotation.studies.importing_in_parts import ITEM_TAKEN, import_in_chunks, media_rows
from annotation.studies.item_files import NewItem, UploadedItems, items_with_media
from annotation.studies.presets import Preset
from annotation.studies.questions import write_further, write_labels

if TYPE_CHECKING:
    from annotation.jobs import Progress

TAKEN = "There is a study '{}' already: choose another short name."
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
    *, slug: str, preset: Preset, owner: User | None = None, uploaded: UploadedItems | None = None, **changes: object
) -> Study:
    """A draft study with a copy of the preset: its texts, labels, checks and items, and the preset's name and hash.

    Items that are brought take the place of the preset's own targets (`UploadedItems.preset_items_to_keep`).
    """
    _refuse_unfit_slug(slug)
    refuse_taken_slug(slug)
    own = preset.items if uploaded is None else uploaded.preset_items_to_keep(preset.items)
    at_once = uploaded is not None and len(uploaded.items) <= AT_ONCE
    with media_from(preset.picture) as pictures:
        own = items_with_media(own, blocks_of(preset.study.get("stimulus", {})), pictures)
        with transaction.atomic():
            with refused_if_doubled(TAKEN.format(slug)):
                study = _copy_of(preset, slug=slug, owner=owner, quotas=_quotas(preset, uploaded), changes=changes)
            add_items(study=study, items=own, by=owner, source=f"preset {preset.name}", pictures=pictures.seen.values())
            if uploaded is not None and at_once:  # bad items leave no study behind
                _add_brought_items(study, uploaded, owner)
    if uploaded is not None and not at_once:  # in one transaction they would keep everybody waiting
        _add_brought_items(study, uploaded, owner)
    return study


def _refuse_unfit_slug(slug: str) -> None:
    """A short name that no address could hold."""
    try:
        Study._meta.get_field("slug").clean(slug, None)
    except ValidationError as error:
        raise Refused(f"'{slug[:100]}' can't be a study's short name. {' '.join(error.messages)}") from error


def refuse_taken_slug(slug: str) -> None:
    if Study.objects.filter(slug=slug).exists():
        raise Refused(TAKEN.format(slug))


def _copy_of(
    preset: Preset, *, slug: str, owner: User | None, quotas: Mapping[str, int], changes: Mapping[str, object]
) -> Study:
    study = Study.objects.create(
        slug=slug,
        owner=owner,
        preset=preset.name,
        preset_version=preset.version,
        preset_sha256=preset.sha256,
        **{"metrics": list(preset.metrics), **preset.study, **changes},
    )
    write_labels(study, FIRST, preset.labels)
    write_further(study, preset.questions)
    CheckQuota.objects.bulk_create(
        CheckQuota(study=study, check_name=name, per_assignment=count) for name, count in quotas.items()
    )
    AuditEntry.objects.create(study=study, by=owner, action=AuditEntry.Action.CREATED, detail={"preset": preset.name})
    return study


def _quotas(preset: Preset, uploaded: UploadedItems | None) -> dict[str, int]:
    """A file with check items of its own has those names, one of each where the preset says nothing of it."""
    names = sorted({str(item["check_name"]) for item in uploaded.items if item["check_name"]}) if uploaded else []
    return {name: preset.check_quotas.get(name, 1) for name in names} or preset.check_quotas


def _add_brought_items(study: Study, uploaded: UploadedItems, owner: User | None) -> None:
    add_items(study=study, items=uploaded.items, by=owner, source=uploaded.source, pictures=uploaded.pictures)


def add_items(
    *,
    study: Study,
    items: list[NewItem],
    by: User | None = None,
    source: str,
    pictures: Collection[Medium] = (),
    progress: Progress | None = None,
) -> int:
    """Adds items behind those that are there; each is a dict of Item's own fields. First the pictures that they show:
    one of them that no item shows in the end goes by itself.

    More than `AT_ONCE` of them come in by chunks, for one transaction of so many rows would keep annotators waiting.
    So does what a job adds, with its `progress`: it knows of an import by its row what an attempt before it has done.
    """
    if not items:
        return 0
    store(pictures)
    if len(items) > AT_ONCE or progress is not None:
        study = import_in_chunks(study=study, items=items, by=by, source=source, progress=progress)
    else:
        study = _add_at_once(study, items, by, source)
    if study.status != Study.Status.DRAFT:
        open_places(study=study)
    return len(items)


def _add_at_once(study: Study, items: list[NewItem], by: User | None, source: str) -> Study:
    with transaction.atomic():
        # The race this prevents: two imports at once number their items alike, or the study is opened in between and
        # the new items get no places.
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if other := ItemImport.objects.unpublished().filter(study=study).first():
            raise Refused(f"{other} is being imported into {study} at the moment. Wait until it is done.")
        last = study.items.order_by("-position").values_list("position", flat=True).first() or 0
        with refused_if_doubled(ITEM_TAKEN):
            rows = [Item(study=study, position=position, **_own(item)) for position, item in enumerate(items, last + 1)]
            Item.objects.bulk_create(rows, batch_size=AT_ONCE)
            named = [(row.pk, item.get("media", {})) for row, item in zip(rows, items, strict=True)]
            ItemMedium.objects.bulk_create(media_rows(named), batch_size=AT_ONCE)
        AuditEntry.objects.create(
            study=study, by=by, action=AuditEntry.Action.IMPORTED, detail={"items": len(items), "from": source}
        )
    return study


def _own(item: NewItem) -> dict[str, Any]:
    """Its own columns, without what other tables have."""
    return {name: value for name, value in item.items() if name != "media"}


def change_status(*, study: Study, status: str, by: User | None = None, why: str = "") -> Study:
    """Moves a study on in its life; opening it opens the places that its items still need.

    While a study is paused, or once it is closed, nobody comes in and no places are claimed; but what somebody has
    begun they may finish, for they are paid for it.
    """
    if status not in NEXT[study.status]:
        allowed = " or ".join(NEXT[study.status]) or "nothing else"
        raise Refused(f"{study} is {study.status}: it can become {allowed}, not {status}.")
    if study.archived_at is not None:
        raise Refused(f"{study} is archived: restore it first.")
    items = study.items.count()
    if status in OPEN_NOW:
        if reasons := list(what_is_missing(study)):
            raise Refused(reasons)
        open_places(study=study)
    with transaction.atomic():
        # The lock waits for claims that began before the change (hold_status in allocation.py is its other half), and
        # keeps two researchers who press different buttons apart: the second is told, as is who imports meanwhile.
        now = Study.objects.select_for_update(of=("self",)).get(pk=study.pk)
        if (now.status, now.archived_at) != (study.status, None) or now.items.count() != items:
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
        release_pilots(study=study, moment=timezone.now())
    study.refresh_from_db()
    return study


# A study made from another one: its texts, labels, checks and questions, and its items if they are wanted.

MOST_DUPLICATED = 20_000  # items that a page may wait for; more of them come from their file again
# What names the study, its people or its place on a platform is the original's alone.
NOT_DUPLICATED = {
    "id", "uuid", "slug", "owner", "status", "created_at", "archived_at", "deleted_at", "edits", "title", "seed",
    "translation_of", "platform_study_id", "requires_signed_entry", "code_completed", "code_no_consent",
    "code_failed_comprehension", "code_failed_qualification", "finish_url", "starts_at", "ends_at", "closed_at",
}  # fmt: skip


def duplicate_study(
    *, study: Study, slug: str, title: str, by: User | None, with_items: bool = True, shuts_out: bool = False
) -> Study:
    """A draft like this one, without its people, answers, codes and links. With `shuts_out` nobody who took part in
    the original can take part in it.
    """
    _refuse_unfit_slug(slug)
    refuse_taken_slug(slug)
    items = list(_items_to_copy(study)) if with_items else []
    fields = [field.attname for field in Study._meta.concrete_fields if field.name not in NOT_DUPLICATED]
    values = {name: getattr(study, name) for name in fields}
    with transaction.atomic():
        with refused_if_doubled(TAKEN.format(slug)):
            new = Study.objects.create(slug=slug, title=title, owner=by, **values)
        new.shuts_out.set([*study.shuts_out.all(), *([study] if shuts_out else [])])
        _copy_parts(study.further_questions, new)
        _copy_parts(Label.objects.filter(study=study), new)
        _copy_parts(study.check_quotas, new)
        _copy_parts(study.comprehension_questions, new)
        _copy_parts(study.end_questions, new)
        for entry, other in ((new, study), (study, new)):
            detail = {"from" if entry is new else "to": other.slug, "items": len(items)}
            AuditEntry.objects.create(study=entry, by=by, action=AuditEntry.Action.DUPLICATED, detail=detail)
        if len(items) <= AT_ONCE:
            _add_copies(study, new, items, by)
    if len(items) > AT_ONCE:  # in one transaction they would keep everybody waiting
        _add_copies(study, new, items, by)
    return new


def _copy_parts(parts: Manager[Part] | QuerySet[Part], new: Study) -> None:
    rows = list(parts.all())
    for row in rows:
        row.pk, row.study = None, new
    parts.model._default_manager.bulk_create(rows)


def _items_to_copy(study: Study) -> list[NewItem]:
    count = study.items.count()
    if count > MOST_DUPLICATED:
        raise Refused(
            f"{study} has {count:,} items, and {MOST_DUPLICATED:,} are duplicated at most: duplicate it without items,"
            " and import their file."
        )
    return [
        cast("NewItem", dict(row))
        for row in study.items.order_by("position").values(
            "item_id", "kind", "fields", "image_id", "check_question", "check_name", "expected", "min", "max",
            "reference", "judgments_per_item",
        )
    ]  # fmt: skip


def _add_copies(study: Study, new: Study, items: list[NewItem], by: User | None) -> None:
    add_items(study=new, items=items, by=by, source=f"study {study.slug}")
    repeats = dict(study.items.exclude(repeats=None).values_list("item_id", "repeats__item_id"))
    by_id = {item.item_id: item for item in new.items.filter(item_id__in={*repeats, *repeats.values()})}
    for item_id, repeated in repeats.items():
        by_id[item_id].repeats = by_id[repeated]
    Item.objects.bulk_update([by_id[item_id] for item_id in repeats], ["repeats"], batch_size=500)


# A study that is put away, and a draft that is thrown away.

# What is open to people stops being so when it is archived, and stays so when it is restored.
STOPPED = {Study.Status.PILOTING: Study.Status.DRAFT, Study.Status.LIVE: Study.Status.PAUSED}


def archive_study(*, study: Study, by: User | None = None, why: str = "") -> Study:
    """Hides a study from lists and closes it to new people. Refused while somebody is answering."""
    with transaction.atomic():
        # The lock waits for claims that began before, as in change_status(): nobody begins after the count.
        now = Study.objects.select_for_update(of=("self",)).get(pk=study.pk)
        if now.archived_at is None:
            _refuse_while_people_answer(now)
            status = STOPPED.get(Study.Status(now.status), now.status)
            Study.objects.filter(pk=now.pk).update(archived_at=timezone.now(), status=status)
            _record_change(now, by, AuditEntry.Action.ARCHIVED, {"from": now.status, "to": status}, why)
    study.refresh_from_db()
    return study


def _refuse_while_people_answer(study: Study) -> None:
    open_assignments = Assignment.objects.filter(participation__study=study, status=Assignment.Status.OPEN)
    still = open_assignments.filter(expires_at__gt=timezone.now()).aggregate(
        people=Count("participation", distinct=True), last=Max("expires_at")
    )
    if still["people"]:
        people = "1 person is" if still["people"] == 1 else f"{still['people']} people are"
        until = f"{timezone.localtime(still['last']):%d %B, %H:%M %Z}"
        first = "" if study.status == Study.Status.PAUSED else " Pause the study, so that nobody new begins, and"
        raise Refused(
            f"{people} answering at the moment, until {until} at the latest.{first or ' Please'} archive it after that."
        )


def restore_study(*, study: Study, by: User | None = None, why: str = "") -> Study:
    """Puts an archived study back into lists; it opens to people by a step of its own."""
    with transaction.atomic():
        if Study.objects.filter(pk=study.pk, archived_at__isnull=False).update(archived_at=None):
            _record_change(study, by, AuditEntry.Action.RESTORED, {}, why)
    study.refresh_from_db()
    return study


def delete_draft(*, study: Study, by: User | None = None, why: str = "") -> None:
    """Deletes a draft that nobody has taken part in: its items, labels, questions, links and texts.

    Its row stays, without any text and out of everybody's sight, for the record of who did what names it.
    """
    with transaction.atomic():
        # The race: somebody opens the study, or imports into it, while it is deleted.
        now = Study.objects.select_for_update(of=("self",)).get(pk=study.pk)
        if now.deleted_at is not None:
            return
        if now.status != Study.Status.DRAFT:
            raise Refused(f"{now} is {now.status}: only a draft can be deleted. You can archive it instead.")
        if people := now.participations.count():
            raise Refused(
                f"{people} {'person has' if people == 1 else 'people have'} taken part in {now}: what they answered is"
                " kept. You can archive the study instead."
            )
        if ItemImport.objects.unpublished().filter(study=now).exists():
            raise Refused(f"Items are being imported into {now} at the moment. Wait until that is done.")
        Label.objects.filter(study=now).delete()
        for name in (
            "open_places", "further_questions", "check_quotas", "comprehension_questions", "end_questions", "roles",
            "entry_links",
        ):  # fmt: skip
            getattr(now, name).all().delete()
        now.items.update(repeats=None)
        Item.everything.filter(study=now).delete()
        texts = dict.fromkeys(
            ("summary", "consent", "instructions", "contact", "researchers", "institution", "ethics"), ""
        )
        Study.objects.filter(pk=now.pk).update(
            deleted_at=timezone.now(), slug=f"deleted-{now.uuid.hex}", translation_of=None, stimulus={}, **texts
        )
        _record_change(now, by, AuditEntry.Action.DELETED, {"short name": now.slug, "title": now.title}, why)


def _record_change(study: Study, by: User | None, action: str, detail: Mapping[str, Json], why: str) -> None:
    AuditEntry.objects.create(study=study, by=by, action=action, detail=detail, why=why)
