"""Mid-ranks of values given as codes, and ordinal alpha, which ranks again for every deletion and replicate."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..estimation.design import Codes, Design, sums
from ..estimation.estimate import Floats

PLACES = 4_000_000  # places of the tables of codes by groups, and of items by groups, that are held at once


def mid_ranks(code: Codes, codes: int) -> Floats:
    """[K] the average rank of each element among all, ties sharing theirs; `code` orders the values."""
    return np.asarray(_rank_of_code(sums(code, None, codes))[code])


def average_ranks(value: Floats) -> Floats:
    """[..., K] the same of values that have no codes, in each row by itself."""
    order = np.argsort(value, axis=-1)
    ordered = np.take_along_axis(value, order, axis=-1)
    is_first = np.ones(value.shape, dtype=bool)
    is_first[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    first = np.flatnonzero(is_first)
    after = np.append(first[1:], value.size)
    places = np.repeat((first + after + 1) / 2, after - first).reshape(-1, value.shape[-1])
    ranks = np.empty(value.shape)
    row = np.arange(len(places))[:, None] * value.shape[-1]  # places go on from row to row
    np.put_along_axis(ranks, order, (places - row).reshape(value.shape), axis=-1)
    return ranks


def ordinal_alpha_of(design: Design, code: Codes, codes: int, kept: npt.NDArray[np.bool_]) -> float:
    """Ordinal alpha of the judgments kept, ranked among themselves; NaN where undefined."""
    n = design.by_item(kept.astype(np.float64))
    if n.min() < 2:
        kept = kept & (n >= 2)[design.item]
        n = np.where(n >= 2, n, 0.0)
    code = np.where(kept, code, codes)  # a code of its own for what is left out, with rank 0
    counts = sums(code, None, codes + 1)[:codes]
    rank, M, D_e = _expected(counts)
    r = np.append(rank, 0.0)[code]
    return float(_alpha(counts, _observed(n, design.by_item(r), design.by_item(r * r)).sum(), M, D_e))


def ordinal_alpha_without(design: Design, code: Codes, codes: int, group: Codes, groups: int) -> Floats:
    """[G] ordinal alpha with each group of judgments left out and the rest ranked again; NaN where undefined.

    `group` [J] is the group of each judgment. No judgment is ranked: an item's sums of ranks are its counts of each
    code times the rank that the code has without the group, less the ranks of the group's own judgments.
    """
    order = np.argsort(design.item, kind="stable") if design.start is None else slice(None)
    item, code, group = design.item[order], code[order], group[order]
    edge = np.concatenate([[0], np.cumsum(design.n)]).astype(np.int64)
    together = max(1, PLACES // codes)
    alphas = []
    for first in range(0, groups, together):
        here = slice(None) if together >= groups else (group >= first) & (group < first + together)
        left_out = (item[here], group[here] - first, code[here])
        alphas.append(_alphas_without_groups(design.n, edge, code, codes, left_out, min(together, groups - first)))
    return np.concatenate(alphas)


def _alphas_without_groups(
    n: Floats, edge: Codes, code: Codes, codes: int, left_out: tuple[Codes, Codes, Codes], groups: int
) -> Floats:
    """`left_out`: item, group and code of the groups' judgments. All is in order of items."""
    _, own_group, own_code = left_out
    counts = sums(code, None, codes) - _table(own_group * codes + own_code, None, groups, codes)
    for first, last, own, key, left in _stretches(n, left_out, groups):
        item, of_group = np.nonzero((left == 1) & (n[first:last, None] > 1))
        if len(item):  # what stays alone on its item is pairable no more, and leaves the ranks
            everyone = np.add.reduceat(code[edge[first] : edge[last]], edge[first:last] - edge[first])
            gone = _table(key, own_code[own].astype(np.float64), last - first, groups)
            np.subtract.at(counts, (of_group, everyone[item] - gone[item, of_group].astype(np.int64)), 1)
    rank, M, D_e = _expected(counts)
    by_code, squared = np.ascontiguousarray(rank.T), np.ascontiguousarray(rank.T**2)
    D_o = np.zeros(groups)
    for first, last, own, key, left in _stretches(n, left_out, groups):
        r = rank[own_group[own], own_code[own]]
        span = slice(edge[first], edge[last])
        row_edge, shape = edge[first : last + 1] - edge[first], (last - first, codes)
        counted = sparse.csr_array((np.ones(span.stop - span.start), code[span], row_edge), shape=shape)
        s = counted @ by_code - _table(key, r, last - first, groups)
        ss = counted @ squared - _table(key, r * r, last - first, groups)
        D_o += _observed(left, s, ss).sum(axis=0)
    return _alpha(counts, D_o, M, D_e)


def _stretches(
    n: Floats, left_out: tuple[Codes, Codes, Codes], groups: int
) -> Iterator[tuple[int, int, slice, Codes, Floats]]:
    """Some items at a time: the first and the last of them, their judgments that are left out, the place of each of
    those in a table of items by groups, and that table of how many judgments are left.
    """
    item, group, _ = left_out
    step = max(1, PLACES // groups)
    for first in range(0, len(n), step):
        last = min(first + step, len(n))
        own = slice(*np.searchsorted(item, [first, last]))
        key = (item[own] - first) * groups + group[own]
        yield first, last, own, key, n[first:last, None] - _table(key, None, last - first, groups)


def ordinal_alpha_weighted(design: Design, code: Codes, codes: int, weight: Floats) -> float:
    """Ordinal alpha with each item counted `weight` [N] times, as in a replicate; NaN where undefined."""
    counts = sums(code, weight[design.item], codes)
    rank, M, D_e = _expected(counts)
    r = rank[code]
    D_o = np.sum(weight * _observed(design.n, design.by_item(r), design.by_item(r * r)))
    return float(_alpha(counts, D_o, M, D_e))


def _rank_of_code(counts: Floats) -> Floats:
    return np.asarray(np.cumsum(counts, axis=-1) - (counts - 1) / 2)


def _expected(counts: Floats) -> tuple[Floats, Floats, Floats]:
    """[..., V] the centred rank of each code, [...] M and D_e."""
    M = counts.sum(axis=-1)
    rank = _rank_of_code(counts) - (M[..., None] + 1) / 2
    S, SS = np.sum(counts * rank, axis=-1), np.sum(counts * rank * rank, axis=-1)
    return rank, M, 2 * (M * SS - S * S)


def _observed(n: Floats, s: Floats, ss: Floats) -> Floats:
    """o_i / (n_i - 1) from the sums of an item's ranks and of their squares; 0 where there is no pair."""
    return np.where(n >= 2, 2 * (n * ss - s * s) / np.maximum(n - 1, 1), 0.0)


def _alpha(counts: Floats, D_o: Floats | np.float64, M: Floats, D_e: Floats) -> Floats:
    """[...] alpha; NaN where fewer than two codes [..., V] are left."""
    defined = np.count_nonzero(counts, axis=-1) > 1
    return np.asarray(np.where(defined, 1 - (M - 1) * D_o / np.where(defined, D_e, 1.0), np.nan))


def _table(key: Codes, weights: Floats | None, rows: int, columns: int) -> Floats:
    return sums(key, weights, rows * columns).reshape(rows, columns)
