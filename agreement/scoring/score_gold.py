"""Gold as scores need it: a release's table, or labels from elsewhere, which the crowd is a model of too."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.arrays import Bools, Floats
from agreement.crowd import QuestionKind
from agreement.gold.gold_columns import item_fields
from agreement.gold.typical_labels import Filter
from agreement.scoring.probe import Probe, Run, StudyItems
from annotation.errors import Refused
from tables.cell_texts import split_bars

# Gold as scores need it: from a release's table, or from labels that come from elsewhere.

ONE_LABEL: tuple[QuestionKind, ...] = ("choice", "verify")
Texts = npt.NDArray[np.object_]


@dataclass(frozen=True, slots=True, eq=False)
class LabelGold:
    """[N, L] proportions (None for labels from elsewhere), the label sets, and the majority with its ties.

    `has_one_label` says that an item's gold is one label, the majority, and that sets are beside it.
    """

    shares: Floats | None
    sets: Bools
    majority: Bools
    has_one_label: bool = False

    def take(self, which: npt.NDArray[np.generic]) -> "LabelGold":
        """The gold of some items."""
        shares = None if self.shares is None else self.shares[which]
        return LabelGold(shares, self.sets[which], self.majority[which], self.has_one_label)


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """N items with exactly one kind of gold: numbers, labels, properties or texts.

    `fields` are the item's own columns, by which scores are broken down; `left` and `right` are the two terms of a
    pair; `sha256` is the release's, "" for labels from elsewhere; `how` is the filter that made the label sets.
    """

    kind: QuestionKind
    ids: Texts
    labels: tuple[str, ...] = ()
    how: Filter = "typical"
    numbers: Floats | None = None
    by_label: LabelGold | None = None
    properties: tuple[dict[str, int], ...] | None = None
    texts: tuple[tuple[str, ...], ...] | None = None
    fields: dict[str, Texts] = field(default_factory=dict)
    sha256: str = ""

    def __len__(self) -> int:
        return len(self.ids)

    def pinned(self, sha256: str) -> "Gold":
        """The same gold with the hash of the release that it is."""
        return replace(self, sha256=sha256)


def gold_from_table(
    kind: QuestionKind, table: pd.DataFrame, labels: Sequence[str] = (), *, how: Filter = "typical"
) -> Gold:
    """Gold of a release's table (`gold_of`); items without judgments have no gold and are left out."""
    if kind in ("list", "text"):
        return _gathered(kind, table)
    table = table[table["n"] > 0].reset_index(drop=True)
    ids = _texts(table, "item_id")
    if kind == "slider":
        fields = _fields(kind, table, labels)
        sides = {side: _texts(table, side) for side in ("left", "right") if (table[side] != "").any()}
        numbers = table["mean"].to_numpy(dtype=np.float64)
        return Gold(kind, ids, numbers=numbers, fields={**sides, **fields})
    shares = table[[f"p:{label}" for label in labels]].to_numpy(dtype=np.float64)
    sets, majority = (_sets(_texts(table, column), labels) for column in ("typical", "label"))
    fields = _fields(kind, table, labels)
    by_label = LabelGold(shares, sets, majority, kind in ONE_LABEL)
    return Gold(kind, ids, tuple(labels), how, by_label=by_label, fields=fields)


def gold_from_reference(
    ids: Sequence[str],
    references: Sequence[str],
    labels: Sequence[str],
    fields: dict[str, Texts] | None = None,
    *,
    how: Filter = "typical",
) -> Gold:
    """Labels from elsewhere, `|` between several, as gold; accuracy counts the items that have one.

    `how` names the filter that makes a prediction a set for F1: the one that made the reference, if it is known.
    """
    sets = _sets(np.array(references, dtype=object), labels)
    single = sets & (sets.sum(axis=1, keepdims=True) == 1)
    by_label = LabelGold(None, sets, single, bool((sets.sum(axis=1) <= 1).all()))
    return Gold("choices", np.array(ids, dtype=object), tuple(labels), how, by_label=by_label, fields=fields or {})


def _gathered(kind: QuestionKind, table: pd.DataFrame) -> Gold:
    """Properties with their frequencies, or all texts, of each item that has any."""
    column = "property" if kind == "list" else "text"
    ids, first, which = np.unique(_texts(table, "item_id").astype(str), return_index=True, return_inverse=True)
    named: list[dict[str, int]] = [{} for _ in ids]
    texts: list[list[str]] = [[] for _ in ids]
    for at, value in zip(which.tolist(), table[column].tolist(), strict=True):
        texts[at].append(str(value))
    if kind == "list":
        for at, name, frequency in zip(which.tolist(), table[column], table["frequency"], strict=True):
            named[at][str(name)] = int(frequency)
    fields = {name: values[first] for name, values in _fields(kind, table, ()).items()}
    if kind == "list":
        return Gold(kind, ids.astype(object), properties=tuple(named), fields=fields)
    return Gold(kind, ids.astype(object), texts=tuple(map(tuple, texts)), fields=fields)


def _sets(texts: Texts, labels: Sequence[str]) -> Bools:
    code = {label: at for at, label in enumerate(labels)}
    distinct = {text: [code[label] for label in split_bars(str(text)) if label in code] for text in set(texts.tolist())}
    sets = np.zeros((len(texts), len(labels)), dtype=np.bool_)
    for at, text in enumerate(texts.tolist()):
        sets[at, distinct[text]] = True
    return sets


def _fields(kind: QuestionKind, table: pd.DataFrame, labels: Sequence[str]) -> dict[str, Texts]:
    return {name: _texts(table, name) for name in item_fields(kind, map(str, table.columns), labels)}


def _texts(table: pd.DataFrame, name: str) -> Texts:
    return table[name].astype(object).to_numpy()


# The crowd as a model: what a release says, scored like any probe against labels from elsewhere.

NAME = "the crowd"


def crowd_as_probe(gold: Gold, study: StudyItems) -> Probe:
    """The release's label distribution, or its means, as outputs on the study's items."""
    rows = study.rows_of(gold.ids)
    if gold.numbers is not None:
        values = np.full(len(study.ids), np.nan)
        values[rows] = gold.numbers
        return Probe(NAME, "numbers", (Run({}, values),))
    if gold.by_label is None or gold.by_label.shares is None:
        raise Refused(f"gold of kind {gold.kind} has no distribution or mean that could stand as a model's output")
    shares = np.full((len(study.ids), len(gold.labels)), np.nan)
    shares[rows] = gold.by_label.shares
    return Probe(NAME, "labels", (Run({}, shares),))
