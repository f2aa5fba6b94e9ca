"""The form of a stimulus: its blocks as rows that can be added, moved and removed, without script too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.forms import CharField, Widget
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from agreement.errors import Refused
from agreement.stimuli.blocks import (
    KINDS,
    MOST_BLOCKS,
    MOST_IN_A_ROW,
    NEEDS,
    SETTINGS_OF_KINDS,
    as_stored,
    blocks_of,
    read_blocks,
)
from agreement.typed_json import JsonObject

EMPTY_ROWS = 2  # to fill in where there is no script to add one
MOST_ROWS = MOST_BLOCKS * MOST_IN_A_ROW
TEXTS = ("block", "text", "field", "title", "alternative", "transcript")
# What a kind of block is called on the form; `row` is a box that puts a block beside the one before it.
TITLES = {
    "text": "Text", "markdown": "Text with Markdown", "mono": "Code or other text in one width", "table": "Table",
    "chat": "Chat", "image": "Picture", "audio": "Sound", "video": "Video",
}  # fmt: skip
LABELS = {
    "text": "Text, with {columns} in braces",
    "field": "Column that it shows",
    "title": "Title above it",
    "alternative": "Column that describes it in words",
    "transcript": "Column with its transcript",
    "must_play": "It has to be played to its end before the answer",
}


def flat_rows(blocks: object) -> Iterator[dict[str, Any]]:
    """Blocks as rows, those of a row marked as standing beside the one before."""
    for block in blocks if isinstance(blocks, list | tuple) else ():
        inner = block.get("blocks") if block.get("block") == "row" else None
        for number, each in enumerate(inner or [block]):
            yield {**each, "beside": number > 0}


def blocks_of_rows(rows: Sequence[Mapping[str, Any]]) -> list[JsonObject]:
    """The blocks that such rows stand for.

    >>> blocks_of_rows([{"block": "image", "field": "a"}, {"block": "image", "field": "b", "beside": True}])
    [{'block': 'row', 'blocks': [{'block': 'image', 'field': 'a'}, {'block': 'image', 'field': 'b'}]}]
    """
    groups: list[list[JsonObject]] = []
    for row in rows:
        block = {name: value for name, value in row.items() if name != "beside" and value not in ("", False)}
        if row.get("beside") and groups:
            groups[-1].append(block)
        else:
            groups.append([block])
    return [group[0] if len(group) == 1 else {"block": "row", "blocks": group} for group in groups]


class BlocksWidget(Widget):
    """Sends each block as fields of its own; the API sends the blocks themselves."""

    template_name = "admin/touchstone/blocks.html"
    use_fieldset = True

    def id_for_label(self, *_id: str) -> str:
        """None: it has many fields."""
        return ""

    def value_from_datadict(self, data: Mapping[str, Any], files: object, name: str) -> object:  # noqa: ARG002
        if name in data and not isinstance(data, QueryDict):
            return data[name]
        total = str(data.get(f"{name}-total", ""))
        if not total.isdecimal():
            return None
        placed = []
        for number in range(min(int(total), MOST_ROWS)):
            row = {key: str(data.get(f"{name}-{number}-{key}", "")).strip() for key in TEXTS}
            flags = {key: bool(data.get(f"{name}-{number}-{key}")) for key in ("must_play", "beside")}
            place = str(data.get(f"{name}-{number}-place", ""))
            if any(row.values()) and not data.get(f"{name}-{number}-remove"):
                moved_to = int(place) if place.isdecimal() and len(place) < 4 else number + 1
                placed.append((moved_to, (moved_to > number + 1) - (moved_to < number + 1), {**row, **flags}))
        placed.sort(key=lambda one: one[:2])  # what was moved to a place goes before what stood there, or behind it
        return blocks_of_rows([row for _place, _moved, row in placed])

    def value_omitted_from_data(self, data: Mapping[str, Any], files: object, name: str) -> bool:  # noqa: ARG002
        return name not in data and f"{name}-total" not in data

    def format_value(self, value: object) -> Any:
        return list(flat_rows(value.get("blocks") if isinstance(value, Mapping) else value))

    def render(
        self,
        name: str,
        value: object,
        attrs: dict[str, Any] | None = None,
        renderer: object = None,  # noqa: ARG002
    ) -> SafeString:
        """By the site's own templates, which a form's renderer doesn't look at."""
        return render_to_string(self.template_name, self.get_context(name, value, attrs))

    def get_context(self, name: str, value: object, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        rows: list[dict[str, Any]] = context["widget"]["value"]
        context["rows"] = [_with_texts(row) for row in [*rows, *({} for _ in range(EMPTY_ROWS))]]
        context["empty_row"] = _with_texts({})
        context["kinds"] = TITLES.items()
        context["must_play"] = (LABELS["must_play"], _kinds_with("must_play"))
        return context


def _with_texts(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "texts": [(key, LABELS[key], _kinds_with(key), row.get(key, "")) for key in TEXTS[1:]]}


def _kinds_with(setting: str) -> str:
    return " ".join(kind for kind in KINDS if setting in {NEEDS[kind], *SETTINGS_OF_KINDS[kind]})


class StimulusField(CharField):
    """What a study stores of its blocks, from rows of the form or from a list of blocks."""

    widget = BlocksWidget

    def to_python(self, value: object) -> Any:
        if not value:
            return {}
        try:
            return as_stored(blocks_of(value) if isinstance(value, Mapping) else read_blocks(value))
        except Refused as refusal:
            raise ValidationError([reason[:1].upper() + reason[1:] for reason in refusal.reasons]) from refusal

    def has_changed(self, initial: object, data: object) -> bool:
        try:
            return data is not None and bool(self.to_python(initial) != self.to_python(data))
        except ValidationError:
            return True
