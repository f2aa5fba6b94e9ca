"""Gold of labels: weights, proportions, entropy, the majority with its ties, and sets of labels as text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints, count_by, divide, exact_sum_by, sum_by
from ..errors import Refused
from ..typical_filters import Filter
from .typical_labels import filtered

SAME = 1e-12  # proportions closer than this are a tie that differs by rounding only


@dataclass(frozen=True, slots=True, eq=False)
class LabelGold:
    """`n` [N] people; `weights` [N, L] what each label got; `p` [N, L] their proportions, NaN where n is 0;
    `majority` and `typical` [N, L] sets; `entropy` [N] in bits.
    """

    n: npt.NDArray[np.int64]
    weights: Floats
    p: Floats
    entropy: Floats
    majority: Bools
    typical: Bools

    @property
    def tied(self) -> Bools:
        """[N] whether more than one label leads."""
        return np.asarray(self.majority.sum(axis=1) > 1)


def label_gold(n: npt.NDArray[np.int64], weights: Floats, how: Filter = "typical") -> LabelGold:
    """Gold from [N] people and [N, L] weights.

    >>> gold = label_gold(np.array([4, 4]), np.array([[2.0, 2.0], [3.0, 1.0]]))
    >>> gold.tied.tolist(), gold.entropy.round(4).tolist()
    ([True, False], [1.0, 0.8113])
    """
    p = divide(weights, weights.sum(axis=1, keepdims=True))
    there = np.nan_to_num(p) > 0
    bits = np.zeros_like(p)
    np.log2(p, out=bits, where=there)
    entropy = np.where(there.any(axis=1), 0.0 - np.sum(np.where(there, p, 0.0) * bits, axis=1), np.nan)
    return LabelGold(n, weights, p, entropy, leading(np.nan_to_num(p)), filtered(weights, how))


def leading(p: Floats) -> Bools:
    """[N, L] the labels with the largest share, all of them where they tie; none where every share is 0."""
    if p.shape[1] == 0:
        return np.zeros(p.shape, dtype=np.bool_)
    return np.asarray((p >= p.max(axis=1, keepdims=True) - SAME) & (p > 0))


def label_weights(item: Ints, code: Ints, n_items: int, n_labels: int) -> tuple[npt.NDArray[np.int64], Floats]:
    """[N] people and [N, L] how many of them gave each label, from one label a judgment."""
    cells = count_by(item.astype(np.int64) * n_labels + code, n_items * n_labels)
    weights = cells.reshape(n_items, n_labels).astype(np.float64)
    return count_by(item, n_items), weights


def label_set_weights(item: Ints, chosen: Bools, n_items: int, n_labels: int) -> tuple[npt.NDArray[np.int64], Floats]:
    """[N] people and [N, L] how many of them chose each label, from a set of labels a judgment [J, L]."""
    weights = [sum_by(item, chosen[:, label], n_items) for label in range(n_labels)]
    return count_by(item, n_items), np.stack(weights, axis=1) if weights else np.zeros((n_items, 0))


def share_weights(item: Ints, values: Floats, n_items: int, n_labels: int) -> tuple[npt.NDArray[np.int64], Floats]:
    """[N] people and [N, L] the sum over them of row / row sum (CoDa), from a number a label a judgment [J, L].

    A row of zeros says nothing about proportions: it counts neither in n nor in the weights.
    """
    values = values.astype(np.float64, copy=False)
    if (values < 0).any():
        raise Refused(
            "sliders: proportions need numbers of 0 or more, and the answers hold a negative one. Give a scale whose "
            "low end is 0 or more."
        )
    sums = values.sum(axis=1)
    says = sums > 0
    shares = values[says] / sums[says, None]
    weights = [exact_sum_by(item[says], shares[:, label], n_items) for label in range(n_labels)]
    return count_by(item[says], n_items), np.stack(weights, axis=1) if weights else np.zeros((n_items, 0))


def as_text(sets: Bools, labels: Sequence[str]) -> npt.NDArray[Any]:
    """[N] each set as its labels, sorted, with `|` between them; "" for the empty set."""
    if not len(sets) or not labels:
        return np.full(len(sets), "", dtype=object)
    order = sorted(range(len(labels)), key=lambda at: labels[at])
    packed = np.packbits(sets[:, order], axis=1)
    patterns, which = np.unique(packed, axis=0, return_inverse=True)
    bits = np.unpackbits(patterns, axis=1, count=len(labels)).astype(np.bool_)
    names = [labels[at] for at in order]
    texts = ["|".join(name for name, there in zip(names, row, strict=True) if there) for row in bits.tolist()]
    return np.array(texts, dtype=object)[which.reshape(-1)]
