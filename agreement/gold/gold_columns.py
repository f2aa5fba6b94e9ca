"""The columns of gold.csv, each declared once: its name, where it stands, and whether its cells are numbers.

To add one, declare it here and give the figure of its name in the kind's gold. Whoever reads a gold table asks for
columns by name, and takes for an item's own field only what is not declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from agreement.crowd import QuestionKind
from agreement.gold.annotator_models import MODELLED, MODELS


class Place(Enum):
    BEFORE_FIELDS = auto()  # promised in docs/formats.md, before the item's own fields
    AFTER_FIELDS = auto()


@dataclass(frozen=True, slots=True)
class GoldColumn:
    """A name with `{label}` in it is one column per label."""

    name: str
    is_number: bool
    place: Place = Place.BEFORE_FIELDS

    def names(self, labels: Sequence[str]) -> list[str]:
        if "{label}" not in self.name:
            return [self.name]
        return [self.name.replace("{label}", label) for label in labels]


def _text(name: str, place: Place = Place.BEFORE_FIELDS) -> GoldColumn:
    return GoldColumn(name, is_number=False, place=place)


def _number(name: str, place: Place = Place.BEFORE_FIELDS) -> GoldColumn:
    return GoldColumn(name, is_number=True, place=place)


ITEM_ID = _text("item_id")
SIDES = (_text("left"), _text("right"))
SHARE = "p:{label}"
NUMBERS = (
    *(_number(name) for name in ("mean", "median", "sd", "n", "ci_low", "ci_high")),
    *(_number(name, Place.AFTER_FIELDS) for name in ("trimmed_mean", "z_mean", "median_ci_low", "median_ci_high")),
)
LABELS = (
    *(_text("label"), _number("tied"), _number("n"), _number("entropy"), _number(SHARE), _text("typical")),
    _number("n:{label}", Place.AFTER_FIELDS),
)
BESIDE_THE_MAJORITY = tuple(
    column
    for model in MODELS
    for column in (_text(model, Place.AFTER_FIELDS), _number(f"{model}_p", Place.AFTER_FIELDS))
)
PROPERTIES = (_text("property"), _number("frequency"), _number("n"))
TEXTS = (_text("text"), _number("n"))
# The column that quotes people word for word; other kinds publish numbers and labels alone.
QUOTING: Mapping[str, str] = {"list": "property", "text": "text"}


def columns_of(kind: QuestionKind) -> tuple[GoldColumn, ...]:
    """All that Touchstone writes for a kind of question, beside the item's own fields."""
    if kind == "slider":
        return (ITEM_ID, *SIDES, *NUMBERS)
    if kind == "list":
        return (ITEM_ID, *PROPERTIES)
    if kind == "text":
        return (ITEM_ID, *TEXTS)
    return (ITEM_ID, *LABELS, *(BESIDE_THE_MAJORITY if kind in MODELLED else ()))


def names_of(columns: Iterable[GoldColumn], place: Place) -> tuple[str, ...]:
    return tuple(column.name for column in columns if column.place is place)


def number_columns(kind: QuestionKind, labels: Sequence[str]) -> set[str]:
    return {name for column in columns_of(kind) if column.is_number for name in column.names(labels)}


def item_fields(kind: QuestionKind, header: Iterable[str], labels: Sequence[str]) -> list[str]:
    """The columns that are the item's own: those of a gold table that are not declared here."""
    ours = {name for column in columns_of(kind) for name in column.names(labels)}
    return [name for name in header if name not in ours]


def labels_in(header: Iterable[str]) -> list[str]:
    """The labels of a gold table, in order, by its columns of shares."""
    before = SHARE.partition("{")[0]
    return [name.removeprefix(before) for name in header if name.startswith(before)]
