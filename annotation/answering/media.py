"""The media that items show: where each is fetched, how large it is drawn, and what people did with it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from django.urls import reverse
from django.utils.translation import gettext as _

from agreement.stimuli.blocks import MEDIA, MediaKind, blocks_of, every_block, media_fields
from annotation.answering.kinds.form import ENDED, NOT_PERCEIVED, STARTED, MediumAsked
from annotation.models import Blob, Item, ItemMedium, Judgment, Study

PICTURE = "image"  # the column of an item's one picture, and the kind of it
WITHOUT_BLOCKS = "1"  # what its box sends


@dataclass(frozen=True, slots=True)
class ShownMedium:
    """A medium of an item. `column` is what its box sends where the person doesn't perceive it."""

    kind: MediaKind
    column: str
    sha256: str
    url: str
    small_url: str
    content_type: str
    width: int | None = None
    height: int | None = None
    duration_ms: int | None = None
    title: str = ""
    alternative: str = ""
    transcript: str = ""
    must_play: bool = False

    @property
    def complaint(self) -> str:
        """How people say that they don't perceive it; by its title where there are several of its kind."""
        sentences = {
            "image": _("I can't see the picture"),
            "audio": _("I can't hear the sound"),
            "video": _("I can't see or hear the video"),
        }
        return f"{sentences[self.kind]} ({self.title})" if self.title else sentences[self.kind]


Shown = Mapping[str, ShownMedium]


def media_of(study: Study, items: Collection[Item]) -> dict[int, dict[str, ShownMedium]]:
    """By the items' numbers and the columns that name them. A statement for pictures and one for what blocks name, each
    only where there is any.
    """
    kinds, items = media_fields(study.blocks), [item for item in items if item.pk]  # a preview's may be unsaved
    media: defaultdict[int, dict[str, ShownMedium]] = defaultdict(dict)
    if pictures := {item.image_id for item in items if item.image_id}:
        blobs = Blob.objects.defer("content").in_bulk(pictures)
        for item in items:
            if item.image_id:
                media[item.pk][PICTURE] = _shown("image", PICTURE, blobs[item.image_id])
    if kinds.keys() - ({PICTURE} if kinds.get(PICTURE) == "image" else set()):
        rows = ItemMedium.objects.filter(item__in=items).select_related("blob").defer("blob__content")
        for row in rows:
            if row.column in kinds:
                media[row.item_id][row.column] = _shown(kinds[row.column], row.column, row.blob)
    return media


def picture_of(item: Item, shown: Shown) -> ShownMedium | None:
    """The one picture of an item without blocks, as its box and its words have it."""
    if PICTURE not in shown:
        return None
    alternative = str(item.fields.get("alternative_text", ""))
    return replace(shown[PICTURE], column=WITHOUT_BLOCKS, alternative=alternative)


@lru_cache(maxsize=256)
def media_asked(stimulus: str) -> tuple[MediumAsked, ...]:
    """What the blocks of a study ask about media, by the JSON that the study stores."""
    return tuple(
        MediumAsked(block.column, block.must_play, is_optional=block.field.endswith("?"))
        for block in every_block(blocks_of(json.loads(stimulus)))
        if block.block in MEDIA
    )


def not_perceived(answers: Iterable[Judgment]) -> frozenset[str]:
    """What the boxes of an answered item send."""
    unseen = [row for row in answers if row.could_not_see]
    columns = {column for row in unseen for column, use in (row.media_use or {}).items() if NOT_PERCEIVED in use}
    return frozenset(columns or {WITHOUT_BLOCKS}) if unseen else frozenset()


def plays_so_far(answers: Iterable[Judgment]) -> dict[str, str]:
    """How often each sound and video was started and ended before the answers that stand, as the form sends it."""
    uses = [(column, use) for row in answers for column, use in (row.media_use or {}).items() if STARTED in use]
    return {column: f"{column}:{use[STARTED]}:{use[ENDED]}" for column, use in uses}


def _shown(kind: MediaKind, column: str, blob: Blob) -> ShownMedium:
    name, small = ("picture", "small-picture") if kind == "image" else ("medium", "")
    address, small_address = (
        reverse(f"annotation:{each}", kwargs={"sha256": blob.pk}) if each else "" for each in (name, small)
    )
    return ShownMedium(
        kind, column, blob.pk, address, small_address, blob.content_type, blob.width, blob.height, blob.duration_ms
    )
