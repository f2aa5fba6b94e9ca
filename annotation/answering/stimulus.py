"""What an item shows apart from its questions: each block filled with the item's fields, for its template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString

from agreement.stimuli.blocks import MEDIA, Block
from agreement.stimuli.filling import FilledBlock, filled
from annotation.answering.formatting import escape_markdown, text_as_html
from annotation.models import Item, Study

LONG = 1_500  # characters of a stimulus that no phone shows beside its question


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture in the column `image`, as a block's template shows it."""

    url: str
    small_url: str
    alternative: str


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A block with what its template needs beside what fills it: HTML of Markdown, and its picture."""

    filled: FilledBlock
    html: SafeString | None = None
    medium: ShownPicture | None = None
    blocks: tuple[ShownBlock, ...] = ()

    @property
    def template(self) -> str:
        return f"annotation/stimulus/{'mono' if self.filled.wrong else self.filled.kind}.html"


@dataclass(frozen=True, slots=True)
class Stimulus:
    blocks: tuple[ShownBlock, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.blocks)

    @property
    def words(self) -> str:
        return " ".join(text for block in self.blocks for text in block.filled.words())

    @property
    def is_long(self) -> bool:
        """Whether a phone shows a way past it, to the question."""
        return len(self.words) > LONG


def stimulus_of(study: Study, item: Item, *, is_swapped: bool = False) -> Stimulus:
    blocks: Sequence[Block] = study.blocks
    if not blocks:
        return Stimulus()
    media = {"image": _picture(item)} if item.image_id else {}
    return Stimulus(tuple(_shown(each, study, media) for each in filled(blocks, item.fields, is_swapped=is_swapped)))


def _shown(block: FilledBlock, study: Study, media: Mapping[str, ShownPicture]) -> ShownBlock:
    if block.kind == "row":
        return ShownBlock(block, blocks=tuple(_shown(each, study, media) for each in block.blocks))
    if block.kind == "markdown":
        text = "".join(escape_markdown(part.text) if part.is_field else part.text for part in block.parts)
        return ShownBlock(block, html=text_as_html(text, study))
    if block.kind in MEDIA:
        return ShownBlock(block, medium=media.get(block.column))
    return ShownBlock(block)


def _picture(item: Item) -> ShownPicture:
    address, small_address = (
        reverse(f"annotation:{name}", kwargs={"sha256": item.image_id}) for name in ("picture", "small-picture")
    )
    return ShownPicture(address, small_address, str(item.fields.get("alternative_text", "")))
