"""Item replicates, and the intervals over items alone that follow from them, without moving a judgment."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse, special

from .estimate import Estimate, Floats
from .intervals import SAME

# Item replicates without moving a judgment: each replicate is a weighted sum of the items' rows of moments.

WEIGHTS_AT_A_TIME = 16  # replicates of few kinds of row, multiplied together
STRETCH = 65_536  # items whose counts are drawn together: as many as two random bytes tell apart
WEIGHTS_AT_ONCE = 1_000_000  # replicates x items held at a time
AT_LEAST = 8  # replicates, however many items: the rows are read once for all of them
SMALL_PRODUCT = 200_000  # multiplications; OpenBLAS starts threads from 262,144
LENGTH = 64  # items at least whose products are summed in one piece
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
    if not isinstance(rows, np.ndarray):
        return np.concatenate([product(weights, rows) for weights in item_weights(items, replicates, rng)])
    varies = np.ptp(rows, axis=0) > 0  # what all items have alike, as n where it is equal, every replicate has too
    drawn = np.repeat(items * rows[:1], replicates, axis=0)
    some = np.ascontiguousarray(rows[:, varies])
    if varies.any():
        drawn[:, varies] = np.concatenate([product(weights, some) for weights in item_weights(items, replicates, rng)])
    return drawn


def few_kinds(same_row: npt.NDArray[np.int64]) -> bool:
    """Whether items share their rows so much that the kinds are drawn and not the items."""
    return len(np.unique(same_row)) * FEW_KINDS <= len(same_row)


def totals_of_many(blocks: Sequence[Floats], replicates: int, rng: np.random.Generator) -> Floats:
    """[B, K] the same of K columns in many blocks.

    Of hundreds of labels an item gets a few: what most items have alike is in every replicate as it is, and only the
    places that differ are held and summed.
    """
    common = [np.asarray(np.median(rows, axis=0), dtype=np.float64) for rows in blocks]
    rest = sparse.hstack([sparse.csr_array(rows - alike) for rows, alike in zip(blocks, common, strict=True)], "csr")
    drawn = [product(weights, rest) for weights in item_weights(len(blocks[0]), replicates, rng)]
    return np.asarray(len(blocks[0]) * np.concatenate(common) + np.concatenate(drawn))


def product(weights: Floats, rows: Floats | sparse.csr_array) -> Floats:
    """The product of weights [b, N] and rows [N, K], in pieces too small for BLAS to start threads for.

    Its threads wait for each other by spinning: where another process wants the cores too, that takes a hundred times
    as long. In pieces the sums have the same digits on any number of cores, too.
    """
    if not isinstance(rows, np.ndarray):
        return np.asarray(weights @ rows)
    (b, items), columns = weights.shape, rows.shape[1]
    together = max(1, SMALL_PRODUCT // (b * LENGTH))
    if columns > together:
        parts = (rows[:, start : start + together] for start in range(0, columns, together))
        return np.concatenate([product(weights, part) for part in parts], axis=1)
    length = max(1, SMALL_PRODUCT // max(b * columns, 1))
    whole = items // length * length
    pieces = weights[:, :whole].reshape(b, -1, length).transpose(1, 0, 2) @ rows[:whole].reshape(-1, length, columns)
    return np.asarray(pieces.sum(axis=0) + weights[:, whole:] @ rows[whole:])


def item_weights(items: int, replicates: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Blocks [b, N] of how often each item is drawn in each replicate; one stream draws alike for every statistic."""
    step = max(AT_LEAST, min(replicates, WEIGHTS_AT_ONCE // max(items, 1)))
    stretches = _stretches(items)
    for start in range(0, replicates, step):
        weights = np.empty((min(step, replicates - start), items))
        for row in weights:
            _draw(row, stretches, rng)
        yield weights


def _draw(row: Floats, stretches: Sequence[int], rng: np.random.Generator) -> None:
    """How often each item is drawn in one replicate, into `row`.

    How many draws fall on each stretch of items is multinomial, and within it each item is as likely as any other.
    """
    shares = np.array(stretches) / max(len(row), 1)
    words = rng.bit_generator.random_raw(len(row) // 4 + 1)  # of 64 random bits, four draws each
    place = words.astype("<u8", copy=False).view("<u2")
    start = drawn = 0
    for length, count in zip(stretches, rng.multinomial(len(row), shares).tolist(), strict=True):
        within = place[drawn : drawn + count] & (length - 1)
        row[start : start + length] = np.bincount(within, minlength=length)
        start, drawn = start + length, drawn + count


def _stretches(items: int) -> list[int]:
    """Lengths that add up to the number of items, each a power of two, the longest first.

    >>> _stretches(150_000)
    [65536, 65536, 16384, 2048, 256, 128, 64, 32, 16]
    """
    whole, rest = divmod(items, STRETCH)
    return [STRETCH] * whole + [1 << bit for bit in reversed(range(rest.bit_length())) if rest >> bit & 1]


# Intervals over items alone, "for these workers": percentile and BCa from seeded bootstrap replicates.

LEVEL = 0.95


def percentile(theta: float, replicates: Floats, *, n: int) -> Estimate:
    """The 2.5 and 97.5 % points of the replicates; `replicates` [B], NaN where a replicate is undefined."""
    defined = replicates[np.isfinite(replicates)]
    how = _how("percentile", len(defined), len(replicates))
    why = _why_not(defined, len(replicates))
    if why:
        return Estimate(theta, None, None, n, f"no item interval: {why}; {how}")
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(theta, float(low), float(high), n, how)


def bca(theta: float, replicates: Floats, by_item: Floats, *, n: int) -> Estimate:
    """Bias-corrected and accelerated limits (Efron 1987); `by_item` is theta with each item left out.

    z0 = Phi^-1(share of replicates below theta, ties by half); a from the third moment of the deletions.
    """
    defined = replicates[np.isfinite(replicates)]
    how = _how("BCa", len(defined), len(replicates))
    why = _why_not(defined, len(replicates))
    if why:
        return Estimate(theta, None, None, n, f"no item interval: {why}; {how}")
    below = float(np.mean(defined < theta) + np.mean(defined == theta) / 2)
    if not 0 < below < 1:
        return Estimate(theta, None, None, n, f"no BCa interval: all replicates lie on one side of the figure; {how}")
    z0 = float(special.ndtri(below))
    a = _acceleration(by_item)
    z = z0 + special.ndtri(np.array([(1 - LEVEL) / 2, (1 + LEVEL) / 2]))
    low, high = np.quantile(defined, np.asarray(special.ndtr(z0 + z / (1 - a * z))))
    return Estimate(theta, float(low), float(high), n, how)


def _acceleration(by_item: Floats) -> float:
    d = by_item[np.isfinite(by_item)]
    d = d.mean() - d if len(d) else d
    squares = d * d
    spread = float(np.sum(squares))
    return float(np.sum(squares * d) / (6 * spread**1.5)) if spread > 0 else 0.0


def _why_not(defined: Floats, drawn: int) -> str:
    if len(defined) * 2 <= drawn or len(defined) == 0:
        return "undefined in half of the replicates or more"
    return "every replicate gives the same figure" if np.ptp(defined) < SAME else ""


def _how(name: str, defined: int, drawn: int) -> str:
    lost = "" if defined == drawn else f", undefined in {drawn - defined:,} of them"
    return f"{name} bootstrap over items, for these workers, {drawn:,} replicates{lost}"
