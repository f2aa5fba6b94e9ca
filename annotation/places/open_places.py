"""Opens the places that a study's targets ask for, and closes those that they no longer ask for."""

from collections.abc import Iterator

import numpy as np
from django.db import transaction
from django.db.models import Count, F, Max
from django.db.models.functions import Coalesce

from annotation.database.bulk import insert_rows
from annotation.models import AssignedItem, OpenPlace, Study

PLACE_COLUMNS = ("study_id", "item_id", "slot", "rank")
PLACES_AT_ONCE = 10_000  # or one layer, if that is more; ten layers of 50 items opened one by one took twice as long
WANTED = Coalesce("judgments_per_item", F("study__judgments_per_item"))  # of an item


def open_places(*, study: Study) -> int:
    """Brings a study's places in line with its targets, and returns how many it opened. Twice opens none twice.

    A few layers at once: a study of a million places keeps nobody waiting for longer than one layer takes, and a
    process that dies on the way leaves whole layers, which the next call completes.
    """
    targets = study.items.targets().aggregate(most=Max(WANTED), items=Count("pk"))
    most = targets["most"] or 0
    at_once = max(1, PLACES_AT_ONCE // max(1, targets["items"]))
    opened = sum(
        _open_layers(study, range(first, min(first + at_once, most + 1))) for first in range(1, most + 1, at_once)
    )
    _close_surplus(study, most)
    return opened


def _close_surplus(study: Study, most: int) -> None:
    """Removes the open places above the targets.

    Two statements: layers above every target go by the index alone. The join over the rest is asked only if targets
    differ, for right after a large study was opened PostgreSQL has no statistics of it and joins row by row.
    """
    open_ones = OpenPlace.objects.filter(study=study)
    open_ones.filter(slot__gt=most).delete()
    targets = study.items.targets()
    if targets.filter(judgments_per_item__lt=most).exists() or (
        study.judgments_per_item < most and targets.filter(judgments_per_item=None).exists()
    ):
        open_ones.filter(slot__gt=Coalesce("item__judgments_per_item", F("study__judgments_per_item"))).delete()


def _open_layers(study: Study, slots: range) -> int:
    with transaction.atomic():
        # The race this prevents: two calls at once (the target is raised while items are imported) find the same place
        # missing; the first opens it, somebody claims it, and the second opens it again although it is held.
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        return insert_rows(OpenPlace, PLACE_COLUMNS, _missing(study, slots))


def _missing(study: Study, slots: range) -> Iterator[tuple[int, int, int, int]]:
    targets = study.items.targets().annotate(wanted=WANTED)
    items = list(targets.order_by("position").values_list("pk", "wanted"))
    there = _held_or_open(study, slots)
    for slot in slots:
        ranks = np.random.default_rng([study.seed, slot]).permutation(len(items)).tolist()
        for rank, (item, wanted) in zip(ranks, items, strict=True):
            if wanted >= slot and (item, slot) not in there:
                yield study.pk, item, slot, rank


def _held_or_open(study: Study, slots: range) -> set[tuple[int, int | None]]:
    """One statement: asked in two, a place that is claimed in between would be seen as neither."""
    layers = {"slot__gte": slots[0], "slot__lte": slots[-1]}
    held = AssignedItem.objects.filter(item__study=study, released_at__isnull=True, **layers)
    still_open = OpenPlace.objects.filter(study=study, **layers)
    both = [each.order_by().values_list("item_id", "slot") for each in (held, still_open)]
    return set(both[0].union(both[1], all=True))
