"""What item replicates need of each statistic: a row of sums an item, and the statistic as a function of totals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..estimation.design import Design, counts
from ..estimation.estimate import Floats
from ..estimation.resampling import few_kinds, totals, totals_of_many
from .alpha import NOTHING_LEFT, Distance, Pairable, Ratio
from .chance_corrected import Tally, from_totals
from .chosen_labels import LabelChoices
from .raw_statistic import Moments, item_rows

MANY_BLOCKS = 32


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Rows [N, K] over the items of one design, and the statistics of totals [B, K]."""

    rows: Floats | sparse.csr_array
    values: Callable[[Floats], tuple[Floats, ...]]


def replicates_of(
    blocks: Sequence[Block],
    count: int,
    rng: np.random.Generator,
    same_row: npt.NDArray[np.int64] | None = None,
) -> list[tuple[Floats, ...]]:
    """The statistics of each block [B] under the same draws of items."""
    rows = [block.rows for block in blocks]
    many = len(blocks) > MANY_BLOCKS and same_row is not None and not few_kinds(same_row)
    dense = [part for part in rows if isinstance(part, np.ndarray)]
    if many and len(dense) == len(rows):
        drawn = totals_of_many(dense, count, rng)
    else:
        drawn = totals(_stack_columns(*rows), count, rng, same_row)
    edges = np.cumsum([0, *(part.shape[1] for part in rows)])
    return [block.values(drawn[:, low:high]) for block, low, high in zip(blocks, edges[:-1], edges[1:], strict=True)]


def kappa_block(t: Tally) -> Block:
    """P_i, whether n_i >= 2, 1, and n_ij / n_i."""
    design = t.design
    scalars = np.column_stack([t.P_i, design.n >= 2, np.ones(design.items)])
    return Block(_stack_columns(scalars, counts(design, t.code, t.labels, 1 / design.n)), _kappa)


def chosen_blocks(x: LabelChoices, t: Tally, part: LabelChoices | None) -> list[Block]:
    """The rows of `kappa_block`, and of `alpha_block` for `part`, the items with two judgments or more."""
    design = x.design
    q = x.c_i / design.n
    blocks = [Block(np.column_stack([t.P_i, design.n >= 2, np.ones(design.items), 1 - q, q]), _kappa)]
    if part is not None:
        row = np.column_stack([part.o_i, part.design.n - part.c_i, part.c_i])
        blocks.append(Block(_place_rows(row, part.design, design), _nominal))
    return blocks


def alpha_block(data: Pairable, delta: Distance, design: Design) -> Block:
    """o_i / (n_i - 1) and an item's counts of each value, from which both D_e and M follow; nominal or ratio."""
    part = data.design
    observed = part.by_item(delta.to_item(part)) / (part.n - 1)
    row = counts(part, data.code, len(data.domain), np.ones(part.items))

    values = _of_ratio(delta) if isinstance(delta, Ratio) else _nominal
    return Block(_place_rows(_stack_columns(observed[:, None], row), part, design), values)


def interval_block(data: Pairable, delta: Distance, x: Floats, design: Design) -> Block:
    """o_i / (n_i - 1), n_i, and the sums of x and x^2; `x` [M] centred."""
    part = data.design
    observed = part.by_item(delta.to_item(part)) / (part.n - 1)
    rows = np.column_stack([observed, part.n, part.by_item(x), part.by_item(x * x)])

    def values(total: Floats) -> tuple[Floats, ...]:
        D_o, M, S, SS = total.T
        return (_alpha(D_o, 2 * (M * SS - S * S), M),)

    return Block(_place_rows(rows, part, design), values)


def moments_block(statistic: Moments, design: Design, x: Floats) -> Block:
    """Any statistic of moments."""
    return Block(item_rows(statistic, design, x).T, lambda total: statistic.values(total.T))


def same_counts(tallies: Sequence[Tally]) -> npt.NDArray[np.int64]:
    """[N] a 64-bit mark of all counts n_ij of an item: different counts share one with a chance of 2^-62 or so."""
    rng = np.random.default_rng(0)  # marks of labels, not a sample: they decide nothing but what is equal
    mark = np.zeros(tallies[0].design.items, dtype=np.uint64)
    for t in tallies:
        for _ in range(2):
            weight = rng.integers(0, 2**31, t.labels).astype(np.float64)
            part = t.design.by_item(weight[t.code]).astype(np.uint64)
            mark = mark * np.uint64(6364136223846793005) + part
    return mark.view(np.int64)


def _kappa(total: Floats) -> tuple[Floats, ...]:
    return (from_totals(total[:, 0], total[:, 1], np.sum(total[:, 3:] ** 2, axis=1), total[:, 2]),)


def _nominal(total: Floats) -> tuple[Floats, ...]:
    m = total[:, 1:]
    M = m.sum(axis=1)
    return (_alpha(total[:, 0], M**2 - np.sum(m**2, axis=1), M),)


def _of_ratio(delta: Ratio) -> Callable[[Floats], tuple[Floats, ...]]:
    def values(total: Floats) -> tuple[Floats, ...]:
        m = total[:, 1:]
        return (_alpha(total[:, 0], np.sum((m @ delta.delta) * m, axis=1), m.sum(axis=1)),)

    return values


def _alpha(D_o: Floats, D_e: Floats, M: Floats) -> Floats:
    defined = D_e > NOTHING_LEFT * np.max(D_e, initial=0.0)
    return np.asarray(1 - np.divide((M - 1) * D_o, D_e, out=np.full(len(M), np.nan), where=defined))


def _stack_columns(*parts: Floats | sparse.csr_array) -> Floats | sparse.csr_array:
    full = [part for part in parts if isinstance(part, np.ndarray)]
    if len(full) == len(parts):
        return np.hstack(full)
    return sparse.csr_array(sparse.hstack([sparse.csr_array(part) for part in parts], format="csr"))


def _place_rows(rows: Floats | sparse.csr_array, part: Design, design: Design) -> Floats | sparse.csr_array:
    """Rows of some of the items put at their places among all, the others 0."""
    if part is design:
        return rows
    place = np.searchsorted(design.item_codes, part.item_codes)
    put = sparse.csr_array((np.ones(len(place)), (place, np.arange(len(place)))), shape=(design.items, part.items))
    return np.asarray(put @ rows) if isinstance(rows, np.ndarray) else sparse.csr_array(put @ rows)
