"""What came with a file of items and nothing uses: columns, pictures and sounds; told where the import is confirmed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from agreement.errors import PAGE, Surface, sentence_for
from agreement.files.numbers import count_text
from agreement.files.question_fields import FIELD, PAIR, QUESTION
from agreement.files.trap_columns import TRAP_COLUMNS
from agreement.judgments.unused_columns import are_media, listed, notices_on_checks
from agreement.kinds.options import OPTION_TEXTS, OPTIONS
from agreement.stimuli.blocks import columns_of
from annotation.media.taking import Media
from annotation.models import Study
from annotation.studies.item_files import IMAGE, ItemsOfFile, NewItem

ALIASES = ("left_alias", "right_alias")  # by which models' files call the terms
OF_PRACTICE = ("feedback", "feedback_right", "feedback_wrong")  # which people read once they have answered
OF_PICTURES = ("alternative_text",)
OF_NORMS = ("concept", "relation")  # by which norms belong to the items of lists


def unused_in_import(items: ItemsOfFile, study: Study, pictures: Media, surface: Surface = PAGE) -> list[str]:
    """A sentence for each thing of which somebody might think that people see it."""
    sentences = [*_of_columns(items, study), *unused_beside_columns(items, pictures)]
    return [sentence_for(each, surface) for each in sentences]


def _of_columns(items: Sequence[NewItem], study: Study) -> Iterator[str]:
    filled: dict[str, list[str]] = {}
    for item in items:
        for name, value in item.get("fields", {}).items():
            if str(value).strip():
                filled.setdefault(name, []).append(str(value))
    in_blocks = set(columns_of(study.blocks))
    media = [name for name, values in filled.items() if name not in {IMAGE, *in_blocks} and are_media(values)]
    own = {str(item.get("fields", {}).get(QUESTION, "")) for item in items}
    shown = shown_fields([*own, *([each.question for each in study.questions()] if study.pk else [study.question])])
    unshown = [name for name in filled if name not in shown | in_blocks]
    if others := [name for name in unshown if name not in media]:
        nothing = "no question and no block" if in_blocks else "no question"
        yield f"Columns that {nothing} shows: {listed(others)}. They stay with the items, and break scores down."
    for name in media:
        yield (
            f"The column {name} names media ({listed(sorted(set(filled[name]))[:3])}), and nobody sees or hears them:"
            f" pictures are named in the column {IMAGE}."
        )
    if not any(item.get("kind") == "check" for item in items):
        yield from notices_on_checks(unshown)


def unused_beside_columns(items: ItemsOfFile, pictures: Media) -> Iterator[str]:
    """Files that no item names, items without a picture, and rows without anything."""
    if unnamed := pictures.unnamed():
        yield f"{count_text(len(unnamed), 'file')} that no item names in the column {IMAGE}: {listed(unnamed)}."
    without = [item["item_id"] for item in items if not str(item.get("fields", {}).get(IMAGE, "")).strip()]
    if without and len(without) < len(items):
        yield f"{count_text(len(without), 'item')} without a picture, beside others that have one: {listed(without)}."
    if items.empty_rows:
        yield f"{count_text(items.empty_rows, 'empty row')} skipped."


def shown_fields(texts: Iterable[str]) -> set[str]:
    """What these questions name, and what is shown or read without being named."""
    named = {match[1] for text in texts for match in FIELD.finditer(text)}
    return {
        *named,
        *PAIR,
        *ALIASES,
        *OF_NORMS,
        *OF_PRACTICE,
        *OF_PICTURES,
        *TRAP_COLUMNS,
        OPTIONS,
        OPTION_TEXTS,
        QUESTION,
        IMAGE,
    }
