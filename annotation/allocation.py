"""Who judges what next: places are opened, claimed, and given back, and never held twice."""

import datetime as dt
from collections.abc import Iterator

import numpy as np
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce

from annotation.bulk import chunks, insert_rows
from annotation.models import AssignedItem, Assignment, Item, Judgment, OpenPlace, Participation, Study

PLACE_COLUMNS = ("study_id", "item_id", "slot", "rank")


def open_places(*, study: Study) -> int:
    """Opens every place up to the targets that is neither held nor open yet; doing it twice opens none twice."""
    items = study.items.targets().annotate(wanted=Coalesce("target", F("study__target")))
    wanted = list(items.order_by("position").values_list("pk", "wanted"))
    most = max((target for _, target in wanted), default=0)
    return sum(insert_rows(OpenPlace, PLACE_COLUMNS, _missing(study, wanted, slot)) for slot in range(1, most + 1))


def _missing(study: Study, wanted: list[tuple[int, int]], slot: int) -> Iterator[tuple[int, int, int, int]]:
    held = AssignedItem.objects.filter(item__study=study, slot=slot, released_at__isnull=True)
    taken = set(held.values_list("item_id", flat=True))
    taken.update(study.open_places.filter(slot=slot).values_list("item_id", flat=True))
    ranks = np.random.default_rng([study.seed, slot]).permutation(len(wanted)).tolist()
    for rank, (item, target) in zip(ranks, wanted, strict=True):
        if target >= slot and item not in taken:
            yield study.pk, item, slot, rank


def claim_places(*, participation: Participation, want: int) -> list[tuple[int, int]]:
    """Takes up to `want` open places of items that the person has never had: (item, slot), lowest slots first.

    Call it inside a transaction. The race it prevents: two people who come at once take the same place. On PostgreSQL
    the rows are locked and those that another has locked are passed over; on SQLite transactions are immediate, so the
    second one waits. The unique constraint on (item, slot) stands behind both.
    """
    had = AssignedItem.objects.filter(participation=participation, item=OuterRef("item"))
    free = OpenPlace.objects.filter(~Exists(had), study=participation.study_id).order_by("slot", "rank", "item")
    places: dict[int, tuple[int, int]] = {}  # item -> (open place, slot)
    while len(places) < want:
        others = (free.exclude(item__in=places) if places else free)[: want - len(places)]
        rows = list(others.select_for_update(skip_locked=True, of=("self",)).values_list("pk", "item__pk", "slot"))
        if not rows:
            break
        for pk, item, slot in rows:
            places.setdefault(item, (pk, slot))
    OpenPlace.objects.filter(pk__in=[pk for pk, _ in places.values()]).delete()
    return [(item, slot) for item, (_, slot) in places.items()]


def release_places(*, participation: Participation, at: dt.datetime) -> int:
    """Gives back every place of an excluded or withdrawn person, answered or not."""
    return _release(Q(participation=participation), at)


def release_unanswered(*, assignment: Assignment, at: dt.datetime) -> int:
    """Gives back the places of an assignment that has ended before all was answered."""
    return _release(Q(assignment=assignment), at, only_unanswered=True)


def _release(which: Q, at: dt.datetime, *, only_unanswered: bool = False) -> int:
    held = AssignedItem.objects.filter(which, slot__isnull=False, released_at__isnull=True)
    with transaction.atomic():
        # The race this prevents: an answer comes while its place is given away. Locking first makes us wait for an
        # answer that is being stored; only the next statement sees it (saving.py takes the other half of this lock).
        locked = list(held.select_for_update().values_list("pk", flat=True))
        held = AssignedItem.objects.filter(pk__in=locked)
        if only_unanswered:
            held = held.filter(~Exists(Judgment.objects.filter(assigned_item=OuterRef("pk"))))
        given_back = list(held.select_related("item"))
        AssignedItem.objects.filter(pk__in=[place.pk for place in given_back]).update(released_at=at)
        # Rank 0: what was given back is first of its layer, so that no item stays short.
        OpenPlace.objects.bulk_create(
            (
                OpenPlace(study_id=place.item.study_id, item_id=place.item_id, slot=place.slot or 1, rank=0)
                for place in given_back
            ),
            ignore_conflicts=True,
        )
    return len(given_back)


def expire_overdue(*, now: dt.datetime) -> int:
    """Ends the assignments whose time is over and opens their unanswered places again; returns how many it ended."""
    ended = 0
    for batch in chunks(Assignment.objects.overdue(now).order_by("expires_at").iterator(), 100):
        for assignment in batch:
            with transaction.atomic():
                # Compare-and-set: another process may have ended it, or the person finished, since it was read.
                still_open = Assignment.objects.filter(pk=assignment.pk, status=Assignment.Status.OPEN)
                if still_open.update(status=Assignment.Status.EXPIRED, ended_at=now):
                    release_unanswered(assignment=assignment, at=now)
                    ended += 1
    return ended


def items_by_kind(study: Study, kind: str) -> list[tuple[int, str | None]]:
    """(item, check name) of a study's checks or practice items, in the order of the file."""
    return list(Item.objects.filter(study=study, kind=kind).order_by("position").values_list("pk", "check_name"))
