"""The parts by which a score is broken down: an item's own columns, its labels, and how many labels it has."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from .probe import ALIASES
from .score_gold import Gold

MOST_GROUPS = 100
GROUPS_OF_NUMBERS = 5
BY_ITSELF = frozenset({"left", "right", *ALIASES, "reference", "cluster"})


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A breakdown: the items (places in gold) of each of its groups. Groups of `label` may share items."""

    column: str
    names: tuple[str, ...]
    members: tuple[npt.NDArray[np.int64], ...]


def parts_of(gold: Gold, breakdowns: Sequence[str] | None = None) -> list[Part]:
    """By each column named, or by every column of 2 to 100 values; label gold also by label and by cardinality.

    A column of more numbers than that (a distance from a threshold) is cut into five groups of about equal size.
    """
    names = list(breakdowns) if breakdowns is not None else _worth_it(gold)
    parts = [_by_column(name, gold.fields[name].astype(str)) for name in names if name in gold.fields]
    own = {part.column for part in parts}  # a column of the items' own stands where ours would have the same name
    if gold.by_label is not None and "label" not in own and (breakdowns is None or "label" in breakdowns):
        sets = gold.by_label.sets
        parts.append(Part("label", gold.labels, tuple(np.flatnonzero(sets[:, at]) for at in range(sets.shape[1]))))
    if gold.by_label is not None and "cardinality" not in own and (breakdowns is None or "cardinality" in breakdowns):
        parts.append(_by_value("cardinality", gold.by_label.sets.sum(axis=1).astype(str)))
    return [Part(part.column, *_filled(part)) for part in parts]


def _worth_it(gold: Gold) -> list[str]:
    names = []
    for name, values in gold.fields.items():
        different = len(set(values.tolist()))
        few = different <= min(MOST_GROUPS, len(gold) // 2)
        if name not in BY_ITSELF and different >= 2 and (few or _as_numbers(values.astype(str)) is not None):
            names.append(name)
    return names


def _by_column(column: str, values: npt.NDArray[np.str_]) -> Part:
    numbers = _as_numbers(values) if len(np.unique(values)) > min(MOST_GROUPS, len(values) // 2) else None
    if numbers is None:
        return _by_value(column, values)
    edges = np.unique(np.quantile(numbers, np.linspace(0, 1, GROUPS_OF_NUMBERS + 1)))
    if len(edges) < 2:
        return _by_value(column, values)
    code = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, len(edges) - 2)
    names = [f"{low:.6g} to {high:.6g}" for low, high in pairwise(edges)]
    return Part(column, tuple(names), tuple(np.flatnonzero(code == at) for at in range(len(names))))


def _as_numbers(values: npt.NDArray[np.str_]) -> npt.NDArray[np.float64] | None:
    """The column as numbers, if all of it is."""
    try:
        numbers = values.astype(np.float64)
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _by_value(column: str, values: npt.NDArray[np.str_]) -> Part:
    names, codes = np.unique(values, return_inverse=True)
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(names)))
    return Part(column, tuple(map(str, names)), tuple(np.split(order, ends[:-1])))


def _filled(part: Part) -> tuple[tuple[str, ...], tuple[npt.NDArray[np.int64], ...]]:
    there = [at for at, items in enumerate(part.members) if len(items)]
    return tuple(part.names[at] for at in there), tuple(part.members[at] for at in there)
