"""The blocks of a stimulus: what each kind of block takes, how they are read and stored, and the columns they need.

A study stores `{"version": 1, "blocks": [...]}`, and nothing (an empty object) where it has no blocks. `text` and
`title` are templates with an item's fields in braces; `field`, `alternative` and `transcript` name columns. A name with
a question mark behind it is of a column that may be blank: the block is left out where it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias, get_args

from ..errors import Refused
from ..files.question_fields import FIELD
from ..typed_json import Json, JsonObject

BlockKind: TypeAlias = Literal["text", "markdown", "mono", "table", "chat", "image", "audio", "video", "row"]
MediaKind: TypeAlias = Literal["image", "audio", "video"]
KINDS: tuple[BlockKind, ...] = get_args(BlockKind)
MEDIA: tuple[MediaKind, ...] = get_args(MediaKind)
VERSION = 1
MOST_BLOCKS, MOST_IN_A_ROW = 20, 4
LONGEST_TEXT, LONGEST_TITLE = 20_000, 200
COLUMN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\??)")


@dataclass(frozen=True, slots=True)
class Block:
    """One block. `text` is a template; `field`, `alternative` and `transcript` name columns; a row has `blocks`."""

    block: BlockKind
    text: str = ""
    field: str = ""
    title: str = ""
    alternative: str = ""
    transcript: str = ""
    must_play: bool = False
    blocks: tuple[Block, ...] = ()

    @property
    def column(self) -> str:
        """The column that `field` names."""
        return self.field.removesuffix("?")

    def columns(self) -> Iterator[tuple[str, bool]]:
        """The columns that it shows, each with whether it must be filled."""
        for template in (self.title, self.text):
            for match in FIELD.finditer(template):
                yield match[1], not match[2]
        if self.field:
            yield self.column, not self.field.endswith("?")
        for name in filter(None, (self.alternative, self.transcript)):
            yield name.removesuffix("?"), False
        for inner in self.blocks:
            yield from inner.columns()


# What a block of each kind needs, and what it may have.
NEEDS: Mapping[BlockKind, str] = {
    "text": "text", "markdown": "text", "mono": "text", "table": "field", "chat": "field", "image": "field",
    "audio": "field", "video": "field", "row": "blocks",
}  # fmt: skip
SETTINGS_OF_KINDS: Mapping[BlockKind, tuple[str, ...]] = {
    "text": ("title",), "markdown": ("title",), "mono": ("title",), "table": ("title",), "chat": ("title",),
    "image": ("title", "alternative"), "audio": ("title", "transcript", "must_play"),
    "video": ("title", "alternative", "transcript", "must_play"), "row": (),
}  # fmt: skip


def read_blocks(value: object, where: str = "") -> tuple[Block, ...]:
    """Blocks from what TOML or JSON gives. `Refused` names each bad one by its place.

    >>> read_blocks([{"block": "text", "text": "{premise}"}])[0].text
    '{premise}'
    >>> read_blocks([{"block": "chat", "text": "{turns}"}])
    Traceback (most recent call last):
    agreement.errors.Refused: stimulus, block 1: a chat takes no text. (and 1 more)
    """
    reasons: list[str] = []
    blocks = tuple(_read_list(value, where or "stimulus", reasons, within_row=False))
    shown_as: dict[str, MediaKind] = {}
    for column, kind in _media(blocks):
        if shown_as.setdefault(column, kind) != kind:
            reasons.append(f"{where or 'stimulus'}: the column {column} is shown as {shown_as[column]} and as {kind}.")
    if reasons:
        raise Refused(reasons)
    return blocks


def _read_list(value: object, where: str, reasons: list[str], *, within_row: bool) -> Iterator[Block]:
    most = MOST_IN_A_ROW if within_row else MOST_BLOCKS
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        reasons.append(f"{where}: give a list of blocks.")
        return
    if len(value) > most:
        reasons.append(f"{where}: it has {len(value)} blocks; {most} is the most.")
        return
    for number, each in enumerate(value, 1):
        block = _read_one(each, f"{where}, block {number}", reasons, within_row=within_row)
        if block is not None:
            yield block


def _read_one(value: object, where: str, reasons: list[str], *, within_row: bool) -> Block | None:
    kind = value.get("block") if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or kind not in KINDS:
        reasons.append(f"{where}: give its kind as “block”: {', '.join(KINDS)}.")
        return None
    if kind == "row" and within_row:
        reasons.append(f"{where}: a row stands in no row.")
        return None
    before, needed = len(reasons), NEEDS[kind]
    reasons += _wrong_keys(kind, value, where)
    inner: tuple[Block, ...] = ()
    if kind == "row" and value.get("blocks"):
        inner = tuple(_read_list(value["blocks"], where, reasons, within_row=True))
    if not value.get(needed) or not str(value[needed]).strip():
        reasons.append(f"{where}: {ARTICLES.get(kind, 'a')} {kind} needs its {needed}.")
    if len(reasons) > before:
        return None
    texts = {name: str(value.get(name) or "").strip() for name in ("title", *COLUMN_NAMES)}
    text = str(value.get("text") or "").replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    return Block(kind, text=text, must_play=bool(value.get("must_play")), blocks=inner, **texts)


ARTICLES = {"image": "an", "audio": "an"}
COLUMN_NAMES = ("field", "alternative", "transcript")
LIMITS = {"text": LONGEST_TEXT, "title": LONGEST_TITLE} | dict.fromkeys(COLUMN_NAMES, LONGEST_TITLE)


def _wrong_keys(kind: BlockKind, value: Mapping[object, object], where: str) -> Iterator[str]:
    known, of_kind = {each.name for each in fields(Block)}, {"block", NEEDS[kind], *SETTINGS_OF_KINDS[kind]}
    for name, own in value.items():
        if name not in known:
            yield f"{where}: it has no {name}; a block may have {', '.join(sorted(of_kind))}."
        elif name not in of_kind:
            if own:  # an empty one says nothing
                yield f"{where}: {ARTICLES.get(kind, 'a')} {kind} takes no {name}."
        elif name == "must_play":
            if not isinstance(own, bool):
                yield f"{where}, must_play: give true or false."
        elif name in LIMITS:
            yield from _wrong_text(str(name), own, where)


def _wrong_text(name: str, text: object, where: str) -> Iterator[str]:
    if not isinstance(text, str):
        yield f"{where}, {name}: give a text."
    elif len(text) > LIMITS[name]:
        yield f"{where}, {name}: it has {len(text):,} characters; {LIMITS[name]:,} is the most."
    elif "\x00" in text:
        yield f"{where}, {name}: it has a character that can't be saved."
    elif name in COLUMN_NAMES and text.strip() and COLUMN.fullmatch(text.strip()) is None:
        yield f"{where}, {name}: give the name of one column: letters, digits and _, without braces."


# What is stored.


def as_stored(blocks: Sequence[Block]) -> JsonObject:
    """What a study stores; nothing for no blocks.

    >>> as_stored([Block("image", field="photo")])
    {'version': 1, 'blocks': [{'block': 'image', 'field': 'photo'}]}
    """
    return {"version": VERSION, "blocks": as_plain(blocks)} if blocks else {}


def as_plain(blocks: Sequence[Block]) -> list[Json]:
    """The blocks as JSON and TOML write them: without what is empty."""
    return [
        {
            each.name: as_plain(value) if each.name == "blocks" else value
            for each in fields(Block)
            if (value := getattr(block, each.name))
        }
        for block in blocks
    ]


def blocks_of(stored: Mapping[str, object]) -> tuple[Block, ...]:
    """The blocks of what a study stores."""
    if not stored:
        return ()
    if stored.get("version") != VERSION:
        raise Refused(f"stimulus: version {stored.get('version')} is not known; a newer Touchstone wrote it.")
    return read_blocks(stored.get("blocks"))


def in_words(blocks: Sequence[Block]) -> Iterator[str]:
    """Each block in a line of words, for who reads and doesn't edit them.

    >>> list(in_words([Block("text", text="{premise}", title="Premise"), Block("chat", field="turns")]))
    ['text “Premise”: {premise}', 'chat: column turns']
    """
    for block in blocks:
        title = f" “{block.title}”" if block.title else ""
        what = block.text or f"column {block.field}" if not block.blocks else "; ".join(in_words(block.blocks))
        notes = [f"described by {block.alternative}"] if block.alternative else []
        notes += [f"transcript in {block.transcript}"] if block.transcript else []
        notes += ["played to its end before the answer"] if block.must_play else []
        yield f"{block.block}{title}: {what}{''.join(f', {note}' for note in notes)}"


# Which columns of items they need.


def fields_of(blocks: Sequence[Block]) -> list[str]:
    """The columns that must be there and filled, in order.

    >>> fields_of([Block("text", text="{premise} {source?}"), Block("image", field="photo", alternative="says")])
    ['premise', 'photo']
    """
    return list(dict.fromkeys(name for name, must_be_filled in _columns(blocks) if must_be_filled))


def columns_of(blocks: Sequence[Block]) -> list[str]:
    """Every column that a block shows, filled or not."""
    return list(dict.fromkeys(name for name, _must_be_filled in _columns(blocks)))


def media_fields(blocks: Sequence[Block]) -> dict[str, MediaKind]:
    """The columns that name files, with what each of them shows."""
    return dict(_media(blocks))


def every_block(blocks: Sequence[Block]) -> Iterator[Block]:
    """All of them, with those in a row in the row's place."""
    for block in blocks:
        yield from every_block(block.blocks) if block.block == "row" else (block,)


def _columns(blocks: Sequence[Block]) -> Iterator[tuple[str, bool]]:
    for block in blocks:
        yield from block.columns()


def _media(blocks: Sequence[Block]) -> Iterator[tuple[str, MediaKind]]:
    for block in every_block(blocks):
        if block.block in MEDIA:
            yield block.column, block.block
