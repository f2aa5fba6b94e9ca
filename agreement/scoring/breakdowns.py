"""The parts by which a score is broken down: an item's own columns, its labels, and how many labels it has."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.scoring.gold import Gold

MOST_GROUPS = 100
BY_ITSELF = frozenset({"left", "right", "reference", "cluster"})


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A breakdown: the items (places in gold) of each of its groups. Groups of `label` may share items."""

    column: str
    names: tuple[str, ...]
    members: tuple[npt.NDArray[np.int64], ...]


def parts_of(gold: Gold, breakdowns: Sequence[str] | None = None) -> list[Part]:
    """By each column named, or by every column of 2 to 100 values; label gold also by label and by cardinality."""
    names = list(breakdowns) if breakdowns is not None else _worth_it(gold)
    parts = [_by_value(name, gold.fields[name].astype(str)) for name in names if name in gold.fields]
    if gold.by_label is not None and (breakdowns is None or "label" in breakdowns):
        sets = gold.by_label.sets
        parts.append(Part("label", gold.labels, tuple(np.flatnonzero(sets[:, at]) for at in range(sets.shape[1]))))
    if gold.by_label is not None and (breakdowns is None or "cardinality" in breakdowns):
        parts.append(_by_value("cardinality", gold.by_label.sets.sum(axis=1).astype(str)))
    return [Part(part.column, *_filled(part)) for part in parts]


def _worth_it(gold: Gold) -> list[str]:
    names = []
    for name, values in gold.fields.items():
        different = len(set(values.tolist()))
        if name not in BY_ITSELF and 2 <= different <= min(MOST_GROUPS, len(gold) // 2):
            names.append(name)
    return names


def _by_value(column: str, values: npt.NDArray[np.str_]) -> Part:
    names, codes = np.unique(values, return_inverse=True)
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(names)))
    return Part(column, tuple(map(str, names)), tuple(np.split(order, ends[:-1])))


def _filled(part: Part) -> tuple[tuple[str, ...], tuple[npt.NDArray[np.int64], ...]]:
    there = [at for at, items in enumerate(part.members) if len(items)]
    return tuple(part.names[at] for at in there), tuple(part.members[at] for at in there)
