"""Gold of labels and of listed properties: proportions, entropy, the majority with its ties, typical labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, assert_never

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..arrays import Bools, Floats, Ints, count_by, divide, exact_sum_by, sum_by
from ..errors import Refused
from ..files.cell_texts import normalised_name
from ..judgments.crowd import Answers, Properties
from ..typical_filters import Filter

SMALLEST_SHARE = {2: 0.30, 3: 0.20}  # by how many labels remain; 0.10 for four and more
SHARE_OF_MANY = 0.10
SAME_SHARE = 1e-12  # a share this close to p_min is p_min, whatever order its parts were added in


def typical(weights: Floats) -> Bools:
    """[N, L] the labels that stay, from [N, L] counts or proportions (docs/statistics.md, section 2).

    Keep c with p_c > p_min, p_min by the number of labels that remain; renormalise; repeat until nothing falls. One
    label left stays; if none would be left, nothing falls. Shares are taken anew from the weights in each round, so a
    share of exactly p_min falls whatever came before it.

    >>> typical(np.array([[222.0, 34.0, 152.0], [70.0, 30.0, 0.0], [26.0, 47.0, 146.0]])).tolist()
    [[True, False, True], [True, False, False], [False, False, True]]
    """
    stays = weights > 0
    while True:
        remain = stays.sum(axis=1, keepdims=True)
        kept = np.where(stays, weights, 0.0)
        above = stays & (divide(kept, kept.sum(axis=1, keepdims=True)) > _smallest(remain) + SAME_SHARE)
        above = np.where((remain <= 1) | ~above.any(axis=1, keepdims=True), stays, above)
        if np.array_equal(above, stays):
            return stays
        stays = above


def typical_viphy(weights: Floats) -> Bools:
    """[N, L] the labels that ViPhy's released code keeps, from [N, L] counts or proportions.

    Start with p >= 0.10 (nothing left: the input); renormalise; if nothing fell, stop; else p >= p_min by the number
    left, stopping at one, and again. Proportions are in single precision and renormalised one after the other: a share
    of .3 that stands on 126 of 420 so falls by its last digit, one of 30 of 100 doesn't, and the released labels say
    both. For a study of three labels or two the start is that number's p_min: so all 5,256 released spatial labels
    come out.

    >>> typical_viphy(np.array([[222.0, 34.0, 152.0], [70.0, 30.0, 0.0], [126.0, 23.0, 294.0]])).tolist()
    [[True, False, True], [True, True, False], [False, False, True]]
    """
    p = _renormalised(weights.astype(np.float32))
    stays = np.ones(weights.shape, dtype=np.bool_)
    going = np.ones(len(weights), dtype=np.bool_)
    smallest = _smallest(np.full((len(weights), 1), weights.shape[1])).astype(np.float32)
    while going.any():
        left = stays & (p >= smallest)
        moves = going & (left != stays).any(axis=1) & left.any(axis=1)
        stays = np.where(moves[:, None], left, stays)
        p = np.where(moves[:, None], _renormalised(np.where(stays, p, np.float32(0))), p)
        remain = stays.sum(axis=1, keepdims=True)
        smallest = _smallest(remain).astype(np.float32)
        going = moves & (remain[:, 0] > 1)
    return stays & (weights > 0)


def filtered_sets(weights: Floats, typical_filter: Filter) -> Bools:
    """[N, L] the label sets by the filter of that name."""
    match typical_filter:
        case "typical":
            return typical(weights)
        case "typical-viphy":
            return typical_viphy(weights)
    assert_never(typical_filter)


def _renormalised(p: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    total = p.sum(axis=1, keepdims=True)
    out = np.zeros_like(p)
    np.divide(p, total, out=out, where=total > 0)
    return out


def _smallest(remain: npt.NDArray[np.int64]) -> Floats:
    return np.select([remain == 2, remain == 3], [SMALLEST_SHARE[2], SMALLEST_SHARE[3]], SHARE_OF_MANY)


# Gold of labels: weights, proportions, entropy, the majority with its ties, and sets of labels as text.

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


def label_gold(n: npt.NDArray[np.int64], weights: Floats, typical_filter: Filter = "typical") -> LabelGold:
    """Gold from [N] people and [N, L] weights.

    >>> gold = label_gold(np.array([4, 4]), np.array([[2.0, 2.0], [3.0, 1.0]]))
    >>> gold.tied.tolist(), gold.entropy.round(4).tolist()
    ([True, False], [1.0, 0.8113])
    """
    p = divide(weights, weights.sum(axis=1, keepdims=True))
    is_used = np.nan_to_num(p) > 0
    bits = np.zeros_like(p)
    np.log2(p, out=bits, where=is_used)
    entropy = np.where(is_used.any(axis=1), 0.0 - np.sum(np.where(is_used, p, 0.0) * bits, axis=1), np.nan)
    return LabelGold(n, weights, p, entropy, leading(np.nan_to_num(p)), filtered_sets(weights, typical_filter))


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
    order = sorted(range(len(labels)), key=lambda code: labels[code])
    packed = np.packbits(sets[:, order], axis=1)
    patterns, which = np.unique(packed, axis=0, return_inverse=True)
    bits = np.unpackbits(patterns, axis=1, count=len(labels)).astype(np.bool_)
    names = [labels[code] for code in order]
    texts = ["|".join(name for name, is_member in zip(names, row, strict=True) if is_member) for row in bits.tolist()]
    return np.array(texts, dtype=object)[which.reshape(-1)]


def median_labels(weights: Floats, labels: Sequence[str]) -> npt.NDArray[Any]:
    """[N] the median of people's labels, from [N, L] how many gave each label of a scale; "" without people. Where an
    even number of people leaves it between two labels it is both, with `|` between, the lower one first.

    >>> median_labels(np.array([[2.0, 1, 0], [1, 0, 1], [0, 0, 0]]), ["low", "mid", "high"]).tolist()
    ['low', 'low|high', '']
    """
    n = weights.sum(axis=1, keepdims=True)
    reached = np.cumsum(weights, axis=1)
    lower, upper = (np.argmax(reached >= place, axis=1) for place in (np.floor((n + 1) / 2), np.floor(n / 2) + 1))
    pairs = zip(lower.tolist(), upper.tolist(), strict=True)
    texts = [labels[low] if low == high else f"{labels[low]}|{labels[high]}" for low, high in pairs]
    return np.where(n[:, 0] > 0, np.array(texts, dtype=object), "")


# Gold of lists: how many people named each property of an item, and which properties pass a frequency
# threshold.

THRESHOLDS = (2, 5, 10, 20, 30)


def distinct_spellings(properties: Sequence[str]) -> list[str]:
    """The distinct properties of one answer, as gold.csv spells them.

    >>> distinct_spellings(["Is green.", "is  green", " "])
    ['is green']
    """
    return [name for name in dict.fromkeys(map(normalised_name, properties)) if name]


def spelt_answer(answers: Answers, judgment: int) -> list[str]:
    """The same of the answer of one judgment."""
    if not isinstance(answers, Properties):
        raise TypeError("answers that are spelt as properties are Properties")
    return distinct_spellings(answers.of(judgment))


def production_frequencies(
    item: Ints, worker: Ints, answers: Properties, n_items: int
) -> tuple[npt.NDArray[np.int64], pd.DataFrame]:
    """[N] people, and a row an item and property: `item` (code), `property`, `frequency` = people who named it.

    A person who names a property twice, or in two spellings, counts once. By frequency within an item, then by name.
    """
    names, spelling = _one_spelling(answers.names)
    lengths = np.diff(answers.offsets)
    of = np.repeat(np.arange(len(item)), lengths)
    named = spelling[answers.property]
    rows = pd.DataFrame({"item": item[of].astype(np.int64), "worker": worker[of], "code": named})
    rows = rows[rows["code"] >= 0].drop_duplicates()
    table = rows.groupby(["item", "code"], sort=True).size().rename("frequency").reset_index()
    table = table.sort_values(["item", "frequency", "code"], ascending=[True, False, True], ignore_index=True)
    table["property"] = np.array([*names, ""], dtype=object)[table["code"].to_numpy()]
    people = pd.DataFrame({"item": item, "worker": worker}).drop_duplicates()
    return count_by(people["item"].to_numpy(), n_items), table[["item", "property", "frequency"]]


def _one_spelling(names: Sequence[str]) -> tuple[list[str], npt.NDArray[np.int64]]:
    """The distinct normalised names, sorted, and [len(names)] the code of each; -1 for a name with nothing in it."""
    spelt = [normalised_name(name) for name in names]
    distinct = sorted({name for name in spelt if name})
    code = {name: number for number, name in enumerate(distinct)}
    return distinct, np.array([code.get(name, -1) for name in spelt], dtype=np.int64)
