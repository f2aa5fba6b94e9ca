"""The columns of gold.csv, each declared once: its name, its role, what it means, its type, unit and values.

To add one, declare it here among its family and give the figure of its name in the family's gold. Whoever reads a gold
table asks for columns by name or by role, and takes for an item's own field only what is not declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Literal

# Declared here, for what says what columns mean starts without the packages that compute them.
TRIMMED = 0.2  # of the answers, cut off at each end
ANNOTATOR_MODELS = ("dawid_skene", "mace")


class Role(Enum):
    ITEM = auto()  # which item a line is of
    FIGURE = auto()  # promised in docs/formats.md, before the item's own fields
    BESIDE = auto()  # ours, after the item's own fields


@dataclass(frozen=True, slots=True)
class GoldColumn:
    """A name with `{label}` in it is one column per label. What it means, its type, unit and values are what the data
    dictionary says of it.
    """

    name: str
    role: Role
    meaning: str
    value_type: Literal["text", "number", "whole number", "flag"] = "text"
    unit: str = ""
    values: str = ""

    @property
    def cells(self) -> type[str | float]:
        """What its cells are read as."""
        return float if self.value_type in ("number", "whole number", "flag") else str

    def names(self, labels: Sequence[str]) -> list[str]:
        if "{label}" not in self.name:
            return [self.name]
        return [self.name.replace("{label}", label) for label in labels]


SCALE, ONE_AT_MOST, FLAG = "the answer's scale", "0 to 1", "0 or 1"


def of_answers(role: Role, name: str, meaning: str, unit: str = SCALE) -> GoldColumn:
    """A number in the unit of the answers, or in one of its own."""
    return GoldColumn(name, role, meaning, "number", unit)


ITEM_ID = GoldColumn("item_id", Role.ITEM, "the item")
_NO_PAIR = "term of the item's pair; blank for items that are no pairs"
SIDES = (
    GoldColumn("left", Role.FIGURE, f"the first {_NO_PAIR}"),
    GoldColumn("right", Role.FIGURE, f"the second {_NO_PAIR}"),
)
SHARE = "p:{label}"
N = GoldColumn("n", Role.FIGURE, "how many judgments the row rests on", "whole number", "judgments")

# The families: one for each table that `gold_table.py` makes.
NUMBERS = (
    of_answers(Role.FIGURE, "mean", "mean of the kept answers"),
    of_answers(Role.FIGURE, "median", "median of the kept answers"),
    of_answers(Role.FIGURE, "sd", "standard deviation of the kept answers, with n - 1"),
    N,
    of_answers(Role.FIGURE, "ci_low", "lower end of the 95 % interval of the mean"),
    of_answers(Role.FIGURE, "ci_high", "upper end of the 95 % interval of the mean"),
    of_answers(
        Role.BESIDE,
        "trimmed_mean",
        f"mean without the lowest and the highest {100 * TRIMMED:g} % of the answers, each rounded down to whole ones",
    ),
    of_answers(
        Role.BESIDE, "z_mean", "mean of the answers after each worker's were standardised", "standard deviations"
    ),
    of_answers(Role.BESIDE, "median_ci_low", "lower end of the 95 % interval of the median"),
    of_answers(Role.BESIDE, "median_ci_high", "upper end of the 95 % interval of the median"),
)
LABELS = (
    GoldColumn(
        "label",
        Role.FIGURE,
        "the label that most people gave; all that tie, with | between; of a ranking one label of the item",
    ),
    GoldColumn("tied", Role.FIGURE, "whether labels tie", "flag", values=FLAG),
    N,
    GoldColumn("entropy", Role.FIGURE, "how much people's labels differ", "number", "bits"),
    GoldColumn(
        SHARE,
        Role.FIGURE,
        "this label's share of all labels that people chose; of numbers per label, its mean share of a person's sum",
        "number",
        values=ONE_AT_MOST,
    ),
    GoldColumn("typical", Role.FIGURE, "the labels that are typical of the item, with | between"),
    GoldColumn(
        "n:{label}",
        Role.BESIDE,
        "how many people chose this label; of numbers per label, the sum of its shares of people's numbers",
        "number",
    ),
)
_TITLES = {"dawid_skene": "of Dawid and Skene", "mace": "MACE"}
BESIDE_THE_MAJORITY = tuple(
    column
    for model in ANNOTATOR_MODELS
    for column in (
        GoldColumn(model, Role.BESIDE, f"the label that the model {_TITLES[model]} finds most probable"),
        GoldColumn(f"{model}_p", Role.BESIDE, "its probability by that model", "number", values=ONE_AT_MOST),
    )
)
# Of labels that are the points of a scale.
MEDIAN_LABEL = "median_label"
OF_ORDER = (
    GoldColumn(
        MEDIAN_LABEL,
        Role.BESIDE,
        "the median of people's labels, which are ordered; both where it lies between two, with | between",
    ),
)
PROPERTY = GoldColumn("property", Role.FIGURE, "a property that somebody named")
PROPERTIES = (
    PROPERTY,
    GoldColumn("frequency", Role.FIGURE, "how many people named it", "whole number", "people"),
    N,
)
# Of a crowd whose properties a researcher has coded.
CODED = tuple(
    GoldColumn(f"property_{part}", Role.BESIDE, f"the {part} that researchers coded it as")
    for part in ("relation", "feature", "type")
)
TEXT = GoldColumn("text", Role.FIGURE, "a text that somebody wrote")
TEXTS = (TEXT, N)


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
