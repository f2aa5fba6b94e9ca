"""An item as people see it: the question with its words in place, the pair, the picture."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse

from agreement.files.question_fields import word
from annotation.models import Item, Study


@dataclass(frozen=True, slots=True)
class AsShown:
    uuid: UUID
    item_id: str
    question: str
    pair: tuple[str, ...]
    picture: str
    small_picture: str
    alternative: str
    kind: str
    check_name: str

    @property
    def short(self) -> str:
        """One line for lists."""
        return " · ".join(self.pair) if self.pair else self.question


def as_shown(study: Study, item: Item, *, is_swapped: bool = False) -> AsShown:
    wording = word(study.question, item.fields, is_swapped=is_swapped)
    pictures: dict[str, object] = {"sha256": item.image_id}
    return AsShown(
        uuid=item.uuid,
        item_id=item.item_id,
        question=str(wording),
        pair=wording.pair,
        picture=reverse("annotation:picture", kwargs=pictures) if item.image_id else "",
        small_picture=reverse("annotation:small-picture", kwargs=pictures) if item.image_id else "",
        alternative=str(item.fields.get("alternative_text", "")),
        kind=item.kind,
        check_name=item.check_name or "",
    )
