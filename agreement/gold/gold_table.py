"""The gold table: what gold.csv holds for each of the seven kinds of question (docs/formats.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.arrays import Ints
from agreement.crowd import ITEM_COLUMNS, Answers, Properties, QuestionKind
from agreement.gold.annotator_models import Consensus
from agreement.gold.gold_columns import NUMBERS, Place, names_of
from agreement.gold.label_gold import (
    LabelGold,
    as_text,
    choice_weights,
    choices_weights,
    label_gold,
    leading,
    sliders_weights,
)
from agreement.gold.property_gold import production_frequencies
from agreement.gold.slider_gold import slider_gold
from agreement.gold.typical_labels import Filter
from tables.scale import PER_CENT, Scale


def gold_of(
    kind: QuestionKind,
    item: Ints,
    worker: Ints,
    answers: Answers,
    n_items: int,
    labels: Sequence[str] = (),
    *,
    items: pd.DataFrame | None = None,
    scale: Scale | None = None,
    how: Filter = "typical",
    beside: Mapping[str, Consensus] | None = None,
) -> pd.DataFrame:
    """The gold of one crowd: kept judgments of target items only go in; every target item comes out.

    item, worker [J] codes, `item` into the rows of `items` (as `Crowd.items`: all of them, so that codes stay what they
    were; rows whose `kind` isn't target are left out of the gold). An item without judgments has n = 0 and blanks.
    First the columns that docs/formats.md promises, then the item's own fields, then what is ours beside them. A field
    named like one of the columns comes out as `item:<name>`. `scale` is a slider's, 0 to 100 unless given. `beside` are
    the models that stand beside the majority (`consensus_of`), each with its label and that label's probability.
    What workers are called, and the order of the rows, decide no byte of it.
    """
    if items is None:
        items = pd.DataFrame({"item_id": np.arange(n_items), "kind": "target"})
    if len(items) != n_items:
        raise ValueError(f"items has {len(items)} rows and n_items is {n_items}")
    if kind == "list":
        return _with_fields(_list_rows(item, worker, answers, n_items, items), items, {})
    if kind == "text":
        return _with_fields(_text_rows(item, answers, n_items, items), items, {})
    targets = np.flatnonzero(np.asarray(items["kind"] == "target"))
    if kind == "slider":
        numbers = np.asarray(answers, dtype=np.float64)
        promised, ours = _slider_columns(item, worker, numbers, n_items, items, scale or PER_CENT)
    else:
        gold = label_gold(*_weights(kind, item, answers, n_items, len(labels)), how)
        promised, ours = _label_columns(gold, labels)
        for name, model in (beside or {}).items():
            p = np.full_like(model.p, np.nan) if model.swapped else model.p  # classes that don't mean their labels
            ours |= {name: as_text(leading(np.nan_to_num(p)), labels), f"{name}_p": p.max(axis=1)}
    rows = pd.DataFrame({"row": targets, **{name: column[targets] for name, column in promised.items()}})
    return _with_fields(rows, items, {name: column[targets] for name, column in ours.items()})


def _slider_columns(
    item: Ints, worker: Ints, value: npt.NDArray[np.float64], n_items: int, items: pd.DataFrame, scale: Scale
) -> tuple[dict[str, npt.NDArray[Any]], dict[str, npt.NDArray[Any]]]:
    gold = slider_gold(item, worker, value, n_items, scale)
    sides = {
        side: np.asarray(items[side] if side in items else [""] * n_items, dtype=object) for side in ("left", "right")
    }
    return (
        {**sides, **{name: getattr(gold, name) for name in names_of(NUMBERS, Place.BEFORE_FIELDS)}},
        {name: getattr(gold, name) for name in names_of(NUMBERS, Place.AFTER_FIELDS)},
    )


def _weights(
    kind: QuestionKind, item: Ints, answers: Answers, n_items: int, n_labels: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    given = np.asarray(answers)
    if kind == "choices":
        return choices_weights(item, given.astype(np.bool_), n_items)
    if kind == "sliders":
        return sliders_weights(item, given.astype(np.float64), n_items)
    return choice_weights(item, given, n_items, n_labels)


def _label_columns(
    gold: LabelGold, labels: Sequence[str]
) -> tuple[dict[str, npt.NDArray[Any]], dict[str, npt.NDArray[Any]]]:
    promised: dict[str, npt.NDArray[Any]] = {
        "label": as_text(gold.majority, labels),
        "tied": gold.tied.astype(np.int64),
        "n": gold.n,
        "entropy": gold.entropy,
    }
    promised |= {f"p:{label}": gold.p[:, at] for at, label in enumerate(labels)}
    promised["typical"] = as_text(gold.typical, labels)
    return promised, {f"n:{label}": gold.weights[:, at] for at, label in enumerate(labels)}


def _list_rows(item: Ints, worker: Ints, answers: Answers, n_items: int, items: pd.DataFrame) -> pd.DataFrame:
    if not isinstance(answers, Properties):
        raise TypeError("answers of kind list are Properties")
    n, table = production_frequencies(item, worker, answers, n_items)
    rows: pd.DataFrame = table.rename(columns={"item": "row"})
    rows["n"] = n[rows["row"].to_numpy()]
    of_target = (items["kind"] == "target").to_numpy(dtype=np.bool_)[rows["row"].to_numpy()]
    kept: pd.DataFrame = rows.loc[of_target].reset_index(drop=True)
    return kept


def _text_rows(item: Ints, answers: Answers, n_items: int, items: pd.DataFrame) -> pd.DataFrame:
    """A row a text, in item order and then by the alphabet: all of an item's texts are its references."""
    n = np.bincount(item, minlength=n_items)
    texts = np.asarray(answers, dtype=object).astype(str).tolist()
    of_target = np.asarray(items["kind"] == "target")[item]
    order = np.array(sorted(np.flatnonzero(of_target).tolist(), key=lambda at: (item[at], texts[at])), dtype=np.int64)
    return pd.DataFrame({"row": item[order], "text": np.asarray(answers, dtype=object)[order], "n": n[item[order]]})


def _with_fields(rows: pd.DataFrame, items: pd.DataFrame, ours: dict[str, npt.NDArray[Any]]) -> pd.DataFrame:
    """item_id, the promised columns of `rows`, the item's own fields, then `ours`."""
    at = rows["row"].to_numpy()
    promised = rows.drop(columns="row")
    taken = {"item_id", *promised.columns, *ours}
    sides = {"left", "right"} & set(promised.columns)
    fields = {
        f"item:{name}" if name in taken else str(name): items[name].iloc[at].reset_index(drop=True)
        for name in items.columns
        if name not in sides and (name not in ITEM_COLUMNS or (name == "reference" and (items[name] != "").any()))
    }
    ids = items["item_id"].iloc[at].reset_index(drop=True)
    parts = [pd.DataFrame({"item_id": ids}), promised.reset_index(drop=True), pd.DataFrame(fields), pd.DataFrame(ours)]
    return pd.concat([part for part in parts if part.shape[1]], axis=1)
