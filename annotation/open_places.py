"""Opens the places that a study's targets ask for, and closes those that they no longer ask for."""

from collections.abc import Iterator

import numpy as np
from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Coalesce

from annotation.bulk import insert_rows
from annotation.models import AssignedItem, Item, OpenPlace, Study

PLACE_COLUMNS = ("study_id", "item_id", "slot", "rank")


def open_places(*, study: Study) -> int:
    """Brings a study's places in line with its targets, and returns how many it opened. Twice opens none twice.

    Layer by layer: a study of a million places keeps nobody waiting for longer than one layer takes, and a process
    that dies on the way leaves whole layers, which the next call completes.
    """
    items = study.items.targets().annotate(wanted=Coalesce("judgments_per_item", F("study__judgments_per_item")))
    most = items.order_by("-wanted").values_list("wanted", flat=True).first() or 0
    opened = sum(_open_layer(study, slot) for slot in range(1, most + 1))
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


def _open_layer(study: Study, slot: int) -> int:
    with transaction.atomic():
        # The race this prevents: two calls at once (the target is raised while items are imported) find the same place
        # missing; the first opens it, somebody claims it, and the second opens it again although it is held.
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        return insert_rows(OpenPlace, PLACE_COLUMNS, _missing(study, slot))


def _missing(study: Study, slot: int) -> Iterator[tuple[int, int, int, int]]:
    held = AssignedItem.objects.filter(item=OuterRef("pk"), slot=slot, released_at__isnull=True)
    still_open = OpenPlace.objects.filter(item=OuterRef("pk"), slot=slot)
    # Held or open is asked in one statement: asked in two, a place that is claimed in between would be seen as neither.
    items = (
        Item.objects.filter(study=study)
        .targets()
        .annotate(
            wanted=Coalesce("judgments_per_item", F("study__judgments_per_item")),
            is_there=Exists(held) | Exists(still_open),
        )
        .order_by("position")
        .values_list("pk", "wanted", "is_there")
    )
    rows = list(items)
    ranks = np.random.default_rng([study.seed, slot]).permutation(len(rows)).tolist()
    for rank, (item, wanted, is_there) in zip(ranks, rows, strict=True):
        if wanted >= slot and not is_there:
            yield study.pk, item, slot, rank
