"""The columns of gold.csv, each declared once: its name, its role, and whether its cells are text or numbers.

To add one, declare it here among its family and give the figure of its name in the family's gold. Whoever reads a gold
table asks for columns by name or by role, and takes for an item's own field only what is not declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from .annotator_models import MODELS


class Role(Enum):
    ITEM = auto()  # which item a line is of
    FIGURE = auto()  # promised in docs/formats.md, before the item's own fields
    BESIDE = auto()  # ours, after the item's own fields


@dataclass(frozen=True, slots=True)
class GoldColumn:
    """A name with `{label}` in it is one column per label."""

    name: str
    role: Role
    cells: type[str | float]

    def names(self, labels: Sequence[str]) -> list[str]:
        if "{label}" not in self.name:
            return [self.name]
        return [self.name.replace("{label}", label) for label in labels]


def _numbers(role: Role, *names: str) -> tuple[GoldColumn, ...]:
    return tuple(GoldColumn(name, role, float) for name in names)


ITEM_ID = GoldColumn("item_id", Role.ITEM, str)
SIDES = (GoldColumn("left", Role.FIGURE, str), GoldColumn("right", Role.FIGURE, str))
SHARE = "p:{label}"

# The families: one for each table that `gold_table.py` makes.
NUMBERS = (
    *_numbers(Role.FIGURE, "mean", "median", "sd", "n", "ci_low", "ci_high"),
    *_numbers(Role.BESIDE, "trimmed_mean", "z_mean", "median_ci_low", "median_ci_high"),
)
LABELS = (
    GoldColumn("label", Role.FIGURE, str),
    *_numbers(Role.FIGURE, "tied", "n", "entropy", SHARE),
    GoldColumn("typical", Role.FIGURE, str),
    *_numbers(Role.BESIDE, "n:{label}"),
)
BESIDE_THE_MAJORITY = tuple(
    column
    for model in MODELS
    for column in (GoldColumn(model, Role.BESIDE, str), GoldColumn(f"{model}_p", Role.BESIDE, float))
)
PROPERTY = GoldColumn("property", Role.FIGURE, str)
PROPERTIES = (PROPERTY, *_numbers(Role.FIGURE, "frequency", "n"))
# Of a crowd whose properties a researcher has coded.
CODED = tuple(GoldColumn(f"property_{part}", Role.BESIDE, str) for part in ("relation", "feature", "type"))
TEXT = GoldColumn("text", Role.FIGURE, str)
TEXTS = (TEXT, *_numbers(Role.FIGURE, "n"))


def names_of(columns: Iterable[GoldColumn], role: Role) -> tuple[str, ...]:
    return tuple(column.name for column in columns if column.role is role)


def number_columns(columns: Iterable[GoldColumn], labels: Sequence[str]) -> set[str]:
    return {name for column in columns if column.cells is float for name in column.names(labels)}


def item_fields(columns: Iterable[GoldColumn], header: Iterable[str], labels: Sequence[str]) -> list[str]:
    """The columns that are the item's own: those of a gold table that are not declared among `columns`."""
    ours = {name for column in columns for name in column.names(labels)}
    return [name for name in header if name not in ours]


def labels_in(header: Iterable[str]) -> list[str]:
    """The labels of a gold table, in order, by its columns of shares."""
    before = SHARE.partition("{")[0]
    return [name.removeprefix(before) for name in header if name.startswith(before)]
