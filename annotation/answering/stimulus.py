"""What an item shows apart from its questions: each block filled with the item's fields, for its template."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString

from agreement.stimuli.blocks import MEDIA, Block
from agreement.stimuli.filling import FilledBlock, filled
from annotation.answering.formatting import template_as_html
from annotation.answering.media import Shown, ShownMedium
from annotation.models import Item, Study

LONG = 1_500  # characters of a stimulus that no phone shows beside its question


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A block with what its template needs beside what fills it: HTML of Markdown, and its picture."""

    filled: FilledBlock
    html: SafeString | None = None
    medium: ShownMedium | None = None
    blocks: tuple[ShownBlock, ...] = ()

    def media(self) -> Iterator[ShownMedium]:
        yield from (self.medium,) if self.medium else ()
        for block in self.blocks:
            yield from block.media()

    @property
    def template(self) -> str:
        return f"annotation/stimulus/{'mono' if self.filled.wrong else self.filled.kind}.html"


@dataclass(frozen=True, slots=True)
class Stimulus:
    blocks: tuple[ShownBlock, ...] = ()

    @property
    def media(self) -> list[ShownMedium]:
        """In the order in which they are shown; where there is one of a kind, its title isn't needed to name it."""
        media = {each.column: each for block in self.blocks for each in block.media()}
        kinds = [each.kind for each in media.values()]
        return [
            replace(each, title="" if kinds.count(each.kind) == 1 else each.title or str(number))
            for number, each in enumerate(media.values(), start=1)
        ]

    def __bool__(self) -> bool:
        return bool(self.blocks)

    @property
    def words(self) -> str:
        return " ".join(text for block in self.blocks for text in block.filled.words())

    @property
    def is_long(self) -> bool:
        """Whether a phone shows a way past it, to the question."""
        return len(self.words) > LONG


def stimulus_of(study: Study, item: Item, media: Shown, *, is_swapped: bool = False) -> Stimulus:
    blocks: Sequence[Block] = study.blocks
    if not blocks:
        return Stimulus()
    return Stimulus(tuple(_shown(each, study, media) for each in filled(blocks, item.fields, is_swapped=is_swapped)))


def _shown(block: FilledBlock, study: Study, media: Shown) -> ShownBlock:
    if block.kind == "row":
        return ShownBlock(block, blocks=tuple(_shown(each, study, media) for each in block.blocks))
    if block.kind == "markdown":
        return ShownBlock(block, html=template_as_html(block.parts, study))
    if block.kind in MEDIA and block.column in media:
        return ShownBlock(block, medium=_medium(block, media[block.column]))
    return ShownBlock(block)


def _medium(block: FilledBlock, medium: ShownMedium) -> ShownMedium:
    return replace(
        medium,
        title=block.title,
        alternative=block.alternative or medium.alternative,
        transcript=block.transcript,
        must_play=block.block.must_play,
    )
