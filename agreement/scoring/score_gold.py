"""Gold as scores need it, from a release's table; and the crowd that made it as a model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..arrays import Bools, Floats, divide
from ..errors import Refused
from ..files.cell_texts import split_bars
from ..files.numbers import Scale
from ..gold.gold_columns import MEDIAN_LABEL, GoldColumn, item_fields
from ..kinds.kind import QuestionKind
from ..kinds.options import OPTIONS, Options, has_own_labels, numbered, values_of_options
from ..typical_filters import Filter
from .probe import Probe, Run, Shape, StudyItems
from .spans import Spans

# Gold by its type: labels, numbers, properties or texts.

Texts = npt.NDArray[np.object_]
NOTHING = "gold has numbers, labels, an order of labels, properties, texts or spans, and this has none of them"


@dataclass(frozen=True, slots=True, eq=False)
class LabelGold:
    """[N, L] proportions (None for labels from elsewhere), the label sets, and the majority with its ties.

    `has_one_label` says that an item's gold is one label, the majority, and that sets are beside it. Where people give
    several labels, `chosen` [N, L] are the shares of people who gave each, which add up to more than 1. `median` [N] is
    the median label as a step from 0, where labels are the points of a scale. `sizes` [N] are how many labels an item
    has, where items have labels of their own: the label sets and shares are then by their number.
    """

    shares: Floats | None
    sets: Bools
    majority: Bools
    has_one_label: bool = False
    chosen: Floats | None = None
    median: Floats | None = None
    sizes: Floats | None = None

    def take(self, which: npt.NDArray[np.generic]) -> "LabelGold":
        """The gold of some items."""
        parts = (self.shares, self.chosen, self.median, self.sizes)
        shares, chosen, median, sizes = (None if part is None else part[which] for part in parts)
        return LabelGold(shares, self.sets[which], self.majority[which], self.has_one_label, chosen, median, sizes)


# What equal probabilities for all labels score in expectation.


def size_of_gold(gold: LabelGold) -> float | None:
    """The mean size of the gold set over the number of labels, those of each item where items have their own."""
    has = gold.sets.any(axis=1)
    if gold.sizes is not None:
        return float(np.mean(gold.sets[has].sum(axis=1) / gold.sizes[has])) if has.any() else None
    return float(np.sum(gold.sets[has]) / (int(has.sum()) * gold.sets.shape[1])) if has.any() else None


def share_of_one_label(gold: LabelGold) -> float | None:
    """One over the number of labels; where items have labels of their own, the mean of one over each item's."""
    has = gold.sets.any(axis=1)
    if gold.sizes is not None:
        return float(np.mean(1 / gold.sizes[has])) if has.any() else None
    return 1.0 / int(gold.sets.shape[1]) if gold.sets.any() else None


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """N items with exactly one kind of gold: numbers, labels, an order of labels, properties, texts or spans.

    Beside properties stand, as `spans`, those that more than half of an item's people named.
    `order` [N, L] has a number for each label, of which the order alone counts: the largest is first.
    `scale` is the one that numbers are answers on; None where they are from elsewhere.
    `fields` are the item's own columns, by which scores are broken down; `left` and `right` are the two terms of a
    pair; `kind` is what sentences call it; `sha256` is the release's, "" for labels from elsewhere; `typical_filter` is
    the filter that made the label sets.
    """

    kind: QuestionKind
    ids: Texts
    labels: tuple[str, ...] = ()
    typical_filter: Filter = "typical"
    numbers: Floats | None = None
    by_label: LabelGold | None = None
    order: Floats | None = None
    properties: tuple[dict[str, int], ...] | None = None
    texts: tuple[tuple[str, ...], ...] | None = None
    spans: tuple[Spans, ...] | None = None
    scale: Scale | None = None
    fields: dict[str, Texts] = field(default_factory=dict)
    sha256: str = ""

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def scored_as(self) -> str:
        """Which family of metrics is for it: that of the probes' shape, or of orders."""
        return "orders" if self.order is not None else self.takes

    @property
    def takes(self) -> Shape:
        """The shape of the probes that it can be held against."""
        if self.numbers is not None:
            return "numbers"
        if self.by_label is not None or self.order is not None:
            return "labels"
        if self.properties is not None:
            return "ranking"
        if self.texts is not None:
            return "texts"
        if self.spans is not None:
            return "spans"
        raise ValueError(NOTHING)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """All shapes that it can be held against."""
        return (self.takes,) if self.spans is None or self.takes == "spans" else (self.takes, "spans")

    def pinned(self, sha256: str) -> "Gold":
        """The same gold with the hash of the release that it is."""
        return replace(self, sha256=sha256)


# Gold from the lines of a gold.csv, by what its lines are. Items without judgments have no gold and are left out.


@dataclass(frozen=True, slots=True, eq=False)
class GoldLines:
    """A gold table (`gold_of`) with the columns that are declared for it, and the kind that sentences name."""

    kind: QuestionKind
    columns: Sequence[GoldColumn]
    table: pd.DataFrame
    labels: Sequence[str]
    typical_filter: Filter

    def judged(self) -> "GoldLines":
        """The lines of items that somebody judged."""
        return replace(self, table=self.table[self.table["n"] > 0].reset_index(drop=True))

    def texts(self, name: str) -> Texts:
        return self.table[name].astype(object).to_numpy()

    def fields(self) -> dict[str, Texts]:
        """The items' own columns."""
        return {name: self.texts(name) for name in item_fields(self.columns, map(str, self.table.columns), self.labels)}

    def by_item(self) -> tuple[Texts, npt.NDArray[np.intp], dict[str, Texts]]:
        """Where an item has several lines: the items' ids, [lines] which of them each line is of, and their fields."""
        ids, first, which = np.unique(self.texts("item_id").astype(str), return_index=True, return_inverse=True)
        return ids.astype(object), which, {name: values[first] for name, values in self.fields().items()}


GoldReader: TypeAlias = Callable[[GoldLines], Gold]


def gold_from_table(
    read: GoldReader,
    kind: QuestionKind,
    columns: Sequence[GoldColumn],
    table: pd.DataFrame,
    labels: Sequence[str] = (),
    *,
    typical_filter: Filter = "typical",
    scale: Scale | None = None,
) -> Gold:
    """Gold of a release's table, read as lines of their type are."""
    return replace(read(GoldLines(kind, columns, table, labels, typical_filter)), scale=scale)


def gold_from_numbers(lines: GoldLines) -> Gold:
    """The means, with the terms of pairs."""
    lines = lines.judged()
    sides = {side: lines.texts(side) for side in ("left", "right") if (lines.table[side] != "").any()}
    numbers = lines.table["mean"].to_numpy(dtype=np.float64)
    return Gold(lines.kind, lines.texts("item_id"), numbers=numbers, fields={**sides, **lines.fields()})


def gold_from_labels(lines: GoldLines, *, has_one_label: bool, has_sets: bool = False) -> Gold:
    """The shares, the typical sets and the majorities; `has_sets` says that a person gives several labels."""
    lines = lines.judged()
    labels = lines.labels
    shares = lines.table[[f"p:{label}" for label in labels]].to_numpy(dtype=np.float64)
    options = own_options(lines)
    sets, majority = (
        label_sets(lines.texts(column) if options is None else by_number(lines.texts(column), options), labels)
        for column in ("typical", "label")
    )
    sizes = None if options is None else np.array([*map(len, options)], dtype=np.float64)
    counts = [f"n:{label}" for label in labels]
    chosen = None
    if has_sets and set(counts) <= set(lines.table.columns):
        people = lines.table["n"].to_numpy(dtype=np.float64)
        chosen = divide(lines.table[counts].to_numpy(dtype=np.float64), people[:, None])
    median = None
    if has_one_label and MEDIAN_LABEL in lines.table.columns:
        between = label_sets(lines.texts(MEDIAN_LABEL), labels).astype(np.float64)
        median = divide(between @ np.arange(len(labels)), between.sum(axis=1))
    by_label = LabelGold(shares, sets, majority, has_one_label, chosen, median, sizes)
    ids = lines.texts("item_id")
    return Gold(lines.kind, ids, tuple(labels), lines.typical_filter, by_label=by_label, fields=lines.fields())


def own_options(lines: GoldLines) -> Options | None:
    """[lines] the values of each item's own labels, where items have them."""
    if not has_own_labels(lines.labels):
        return None
    return [values_of_options({OPTIONS: cell}) for cell in lines.texts(OPTIONS)]


def by_number(texts: Texts, options: Options) -> Texts:
    """[N] values of items' own labels as their numbers."""
    return np.array(numbered(map(str, texts), options), dtype=object)


def gold_from_properties(lines: GoldLines) -> Gold:
    """Properties with their frequencies, of each item that has any."""
    ids, which, fields = lines.by_item()
    named: list[dict[str, int]] = [{} for _ in ids]
    by_most: list[dict[str, int]] = [{} for _ in ids]
    columns = (lines.table[name] for name in ("property", "frequency", "n"))
    for item, name, frequency, n in zip(which.tolist(), *columns, strict=True):
        named[item][str(name)] = int(frequency)
        if 2 * int(frequency) > int(n):
            by_most[item][str(name)] = 1
    return Gold(lines.kind, ids, properties=tuple(named), spans=tuple(by_most), fields=fields)


def gold_from_texts(lines: GoldLines) -> Gold:
    """All texts of each item that has any."""
    ids, which, fields = lines.by_item()
    texts: list[list[str]] = [[] for _ in ids]
    for item, text in zip(which.tolist(), lines.table["text"], strict=True):
        texts[item].append(str(text))
    return Gold(lines.kind, ids, texts=tuple(map(tuple, texts)), fields=fields)


def label_sets(texts: Texts, labels: Sequence[str]) -> Bools:
    """[N, L] the labels that texts name, `|` between several."""
    code = {label: index for index, label in enumerate(labels)}
    distinct = {text: [code[label] for label in split_bars(str(text)) if label in code] for text in set(texts.tolist())}
    sets = np.zeros((len(texts), len(labels)), dtype=np.bool_)
    for index, text in enumerate(texts.tolist()):
        sets[index, distinct[text]] = True
    return sets


# The crowd as a model: what a release says, scored like any probe against labels from elsewhere.

NAME = "the crowd"


def crowd_as_probe(gold: Gold, study: StudyItems) -> Probe:
    """The release's label distribution, means or frequencies of properties, as outputs on the study's items."""
    rows = study.rows_of(gold.ids)
    if gold.numbers is not None:
        values = np.full(len(study.ids), np.nan)
        values[rows] = gold.numbers
        return Probe(NAME, "numbers", (Run({}, values),))
    if gold.properties is not None:
        names = sorted({name for named in gold.properties for name in named})
        column = {name: number for number, name in enumerate(names)}
        values = np.full((len(study.ids), len(names)), np.nan)
        for row, named in zip(rows.tolist(), gold.properties, strict=True):
            for name, count in named.items():
                values[row, column[name]] = count
        return Probe(NAME, "ranking", (Run({}, values),), vocabulary=tuple(names))
    outputs = gold.order if gold.by_label is None else gold.by_label.shares
    if outputs is None:
        raise Refused(f"gold of kind {gold.kind} has no distribution or mean that could stand as a model's output")
    shares = np.full((len(study.ids), len(gold.labels)), np.nan)
    shares[rows] = outputs
    return Probe(NAME, "labels", (Run({}, shares),))
