"""Item replicates without moving a judgment: each replicate is a weighted sum of the items' rows of moments."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy import sparse

from agreement.stats.estimate import Floats

WEIGHTS_AT_A_TIME = 16  # replicates of few kinds of row, multiplied together
STRETCH = 131_072  # items whose counts are drawn together
WEIGHTS_AT_ONCE = 1_000_000  # replicates x items held at a time
SMALL_PRODUCT = 200_000  # multiplications; OpenBLAS starts threads from 262,144
FEW_KINDS = 8  # items a distinct row, from which the rows are drawn by multinomial instead of the items one by one


def totals(
    rows: Floats | sparse.csr_array,
    replicates: int,
    rng: np.random.Generator,
    same_row: npt.NDArray[np.int64] | None = None,
) -> Floats:
    """[B, K] the rows [N, K] summed over N items drawn with replacement, B times.

    `same_row` [N] is equal for two items only if their rows are; with few kinds of row, how often each kind is drawn is
    multinomial, and N no longer counts.
    """
    items = rows.shape[0]
    if same_row is not None:
        _, first, counts = np.unique(same_row, return_index=True, return_counts=True)
        if len(counts) * FEW_KINDS <= items:
            drawn = rng.multinomial(items, counts / items, size=replicates).astype(np.float64)
            few = np.array_split(drawn, max(1, len(drawn) // WEIGHTS_AT_A_TIME))
            return np.concatenate([product(part, rows[first]) for part in few])
    return np.concatenate([product(weights, rows) for weights in item_weights(items, replicates, rng)])


def product(weights: Floats, rows: Floats | sparse.csr_array) -> Floats:
    """The product of weights [b, N] and rows [N, K], in pieces too small for BLAS to start threads for.

    Its threads wait for each other by spinning: where another process wants the cores too, that takes a hundred times
    as long. In pieces the sums have the same digits on any number of cores, too.
    """
    if not isinstance(rows, np.ndarray):
        return np.asarray(weights @ rows)
    (b, items), columns = weights.shape, rows.shape[1]
    length = max(1, SMALL_PRODUCT // max(b * columns, 1))
    whole = items // length * length
    pieces = weights[:, :whole].reshape(b, -1, length).transpose(1, 0, 2) @ rows[:whole].reshape(-1, length, columns)
    return np.asarray(pieces.sum(axis=0) + weights[:, whole:] @ rows[whole:])


def item_weights(items: int, replicates: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Blocks [b, N] of how often each item is drawn in each replicate; one stream draws alike for every statistic."""
    step = max(1, min(replicates, WEIGHTS_AT_ONCE // max(items, 1)))
    for start in range(0, replicates, step):
        weights = np.empty((min(step, replicates - start), items))
        for row in weights:
            _draw(row, rng)
        yield weights


def _draw(row: Floats, rng: np.random.Generator) -> None:
    """How often each item is drawn in one replicate, into `row`; many items by stretches that the cache holds.

    How many draws fall on each stretch is multinomial, and within it each item is as likely as any other.
    """
    starts = np.arange(0, len(row), STRETCH)
    stretches = [row[start : start + STRETCH] for start in starts]
    draws = [len(row)]
    if len(stretches) > 1:
        draws = rng.multinomial(len(row), [len(stretch) / len(row) for stretch in stretches]).tolist()
    for stretch, count in zip(stretches, draws, strict=True):
        stretch[:] = np.bincount(rng.integers(0, len(stretch), count, dtype=np.int32), minlength=len(stretch))
