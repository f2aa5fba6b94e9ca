"""The gold table: what gold.csv holds for answers of each type (docs/formats.md)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..arrays import Bools, Floats, Ints
from ..files.numbers import PER_CENT, Scale
from ..files.trap_columns import TRAP_COLUMNS
from ..judgments.crowd import ITEM_COLUMNS, Answers, Properties
from ..judgments.property_coding import Coding
from ..kinds.options import OPTIONS, has_own_labels, spelt, values_of_options
from ..typical_filters import Filter
from .annotator_models import Consensus
from .gold_columns import CODED, MEDIAN_LABEL, NUMBERS, GoldColumn, Role, labels_in, names_of, number_columns
from .label_gold import LabelGold, as_text, label_gold, leading, median_labels, production_frequencies
from .slider_gold import slider_gold

Columns: TypeAlias = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class KeptJudgments:
    """Kept judgments of target items: item, worker [J] codes, `item` into the rows of `items`, which are all there are.

    `coding` is that which the answers' properties are named by. `beside` are the models that stand beside the majority
    (`consensus_of`). `ordered` says that the order of `labels` means something.
    """

    item: Ints
    worker: Ints
    answers: Answers
    labels: Sequence[str]
    items: pd.DataFrame
    scale: Scale = PER_CENT
    typical_filter: Filter = "typical"
    beside: Mapping[str, Consensus] = field(default_factory=dict)
    coding: Coding | None = None
    ordered: bool = False

    @property
    def n_items(self) -> int:
        return len(self.items)

    @property
    def is_target(self) -> Bools:
        """[N] the items that have gold."""
        return np.asarray(self.items["kind"] == "target", dtype=np.bool_)


GoldTable: TypeAlias = Callable[[KeptJudgments], pd.DataFrame]
# [N] people and [N, L] what each label got, from items, answers, and how many items and labels there are.
Weights: TypeAlias = Callable[[Ints, npt.NDArray[Any], int, int], tuple[npt.NDArray[np.int64], Floats]]


def gold_of(
    table: GoldTable,
    item: Ints,
    worker: Ints,
    answers: Answers,
    n_items: int,
    labels: Sequence[str] = (),
    *,
    items: pd.DataFrame | None = None,
    scale: Scale | None = None,
    typical_filter: Filter = "typical",
    beside: Mapping[str, Consensus] | None = None,
    coding: Coding | None = None,
    ordered: bool = False,
) -> pd.DataFrame:
    """The gold of one crowd: kept judgments of target items only go in; every target item comes out.

    `table` makes the gold of answers of their type. item, worker [J] codes, `item` into the rows of `items` (as
    `Crowd.items`: all of them, so that codes stay what they were; rows whose `kind` isn't target are left out of the
    gold). An item without judgments has n = 0 and blanks. First the columns that docs/formats.md promises, then the
    item's own fields, then what is ours beside them. A field named like one of the columns comes out as `item:<name>`.
    `scale` is 0 to 100 unless given. What workers are called, and the order of the rows, decide no byte of it.
    """
    if items is None:
        items = pd.DataFrame({"item_id": np.arange(n_items), "kind": "target"})
    if len(items) != n_items:
        raise ValueError(f"items has {len(items)} rows and n_items is {n_items}")
    return table(
        KeptJudgments(
            item, worker, answers, labels, items, scale or PER_CENT, typical_filter, beside or {}, coding, ordered
        )
    )


def number_gold_table(judged: KeptJudgments) -> pd.DataFrame:
    """A line for each item: the mean of its numbers, with everything that stands beside a mean."""
    numbers = np.asarray(judged.answers, dtype=np.float64)
    gold = slider_gold(judged.item, judged.worker, numbers, judged.n_items, judged.scale)
    sides = {
        side: np.asarray(judged.items[side] if side in judged.items else [""] * judged.n_items, dtype=object)
        for side in ("left", "right")
    }
    promised, beside = (
        {name: getattr(gold, name) for name in names_of(NUMBERS, role)} for role in (Role.FIGURE, Role.BESIDE)
    )
    return _line_per_item(judged, sides | promised, beside)


def label_gold_table(judged: KeptJudgments, weights: Weights) -> pd.DataFrame:
    """A line for each item: its labels' shares, the majority with its ties, and the models beside it."""
    labels, answers = judged.labels, np.asarray(judged.answers)
    gold = label_gold(*weights(judged.item, answers, judged.n_items, len(labels)), judged.typical_filter)
    promised, ours = _label_columns(gold, labels)
    for name, model in judged.beside.items():
        p = np.full_like(model.p, np.nan) if model.swapped else model.p  # classes that don't mean their labels
        ours |= {name: as_text(leading(np.nan_to_num(p)), labels), f"{name}_p": p.max(axis=1)}
    if judged.ordered:
        ours[MEDIAN_LABEL] = median_labels(gold.weights, labels)
    if has_own_labels(labels):
        options = [values_of_options({OPTIONS: str(cell)}) for cell in judged.items[OPTIONS]]
        promised |= {name: np.array(spelt(promised[name], options), dtype=object) for name in ("label", "typical")}
    return _line_per_item(judged, promised, ours)


def _label_columns(gold: LabelGold, labels: Sequence[str]) -> tuple[Columns, Columns]:
    promised: Columns = {
        "label": as_text(gold.majority, labels),
        "tied": gold.tied.astype(np.int64),
        "n": gold.n,
        "entropy": gold.entropy,
    }
    promised |= {f"p:{label}": gold.p[:, column] for column, label in enumerate(labels)}
    promised["typical"] = as_text(gold.typical, labels)
    return promised, {f"n:{label}": gold.weights[:, column] for column, label in enumerate(labels)}


def property_gold_table(judged: KeptJudgments) -> pd.DataFrame:
    """A line for each item and property that somebody named, with its parts where properties are coded."""
    if not isinstance(judged.answers, Properties):
        raise TypeError("a table of properties is made of answers that are Properties")
    n, table = production_frequencies(judged.item, judged.worker, judged.answers, judged.n_items)
    rows: pd.DataFrame = table.rename(columns={"item": "row"})
    rows["n"] = n[rows["row"].to_numpy()]
    kept: pd.DataFrame = rows.loc[judged.is_target[rows["row"].to_numpy()]].reset_index(drop=True)
    ours: Columns = {}
    if judged.coding is not None:
        codes = [judged.coding.parts(str(name)) for name in kept["property"]]
        parts = [(code.relation, code.feature, code.type) for code in codes]
        cells = list(zip(*parts, strict=True)) or [()] * len(CODED)
        ours = {column.name: np.array(part, dtype=object) for column, part in zip(CODED, cells, strict=True)}
    return with_fields(kept, judged.items, ours)


def text_gold_table(judged: KeptJudgments) -> pd.DataFrame:
    """A line for each text, in item order and then by the alphabet: all of an item's texts are its references."""
    item, answers = judged.item, np.asarray(judged.answers, dtype=object)
    n = np.bincount(item, minlength=judged.n_items)
    texts, of_target = answers.astype(str).tolist(), judged.is_target[item]
    order = np.array(
        sorted(np.flatnonzero(of_target).tolist(), key=lambda judgment: (item[judgment], texts[judgment])),
        dtype=np.int64,
    )
    rows = pd.DataFrame({"row": item[order], "text": answers[order], "n": n[item[order]]})
    return with_fields(rows, judged.items, {})


def _line_per_item(judged: KeptJudgments, promised: Columns, ours: Columns) -> pd.DataFrame:
    targets = np.flatnonzero(judged.is_target)
    rows = pd.DataFrame({"row": targets, **{name: column[targets] for name, column in promised.items()}})
    return with_fields(rows, judged.items, {name: column[targets] for name, column in ours.items()})


def with_fields(rows: pd.DataFrame, items: pd.DataFrame, ours: Columns) -> pd.DataFrame:
    """item_id, the promised columns, the item's own fields, then `ours`; `rows` has the promised ones beside `row`, the
    place of each line's item in `items`.
    """
    item_rows = rows["row"].to_numpy()
    promised = rows.drop(columns="row")
    taken = {"item_id", *promised.columns, *ours}
    sides = {"left", "right"} & set(promised.columns)
    fields = {
        f"item:{name}" if name in taken else str(name): items[name].iloc[item_rows].reset_index(drop=True)
        for name in items.columns
        if name not in {*sides, *TRAP_COLUMNS}
        and (name not in ITEM_COLUMNS or (name == "reference" and (items[name] != "").any()))
    }
    ids = items["item_id"].iloc[item_rows].reset_index(drop=True)
    parts = [pd.DataFrame({"item_id": ids}), promised.reset_index(drop=True), pd.DataFrame(fields), pd.DataFrame(ours)]
    return pd.concat([part for part in parts if part.shape[1]], axis=1)


def gold_of_cells(header: list[str], cells: list[list[str]], columns: Iterable[GoldColumn]) -> pd.DataFrame:
    """gold.csv as a table: numbers where the kind's columns have numbers, text elsewhere."""
    table = pd.DataFrame(cells, columns=header, dtype=object)
    for name in number_columns(columns, labels_in(header)).intersection(header):
        table[name] = pd.to_numeric(table[name].replace("", None))
    return table
