"""Whether any two shapes of a scene overlap. Two that touch don't."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from annotation.scenes.shapes import CIRCLE, Bools, Floats, Ints, corners_of


def overlapping(
    kind: Ints, radius: Ints, turned: Ints, row: Ints, column: Ints, there: Bools, *, gap: int = 0
) -> Bools:
    """[B] whether any two of a scene's shapes [B, n] share a pixel; those that aren't `there` are passed over.

    With a `gap` shapes also overlap that have fewer empty pixels between them.

    Convex shapes are apart exactly where some straight line parts them. The sides of these lie along a row, a column
    or a diagonal, so four directions are enough for those with corners; a circle needs one more towards each other.
    """
    pairs = np.array(list(combinations(range(kind.shape[1]), 2)))
    first, second = pairs.T
    low, high = _shadows(kind, radius, turned, row, column)
    between = gap * np.array([1, 1, np.sqrt(2), np.sqrt(2)])
    apart = (low[:, first] > high[:, second] + between) | (low[:, second] > high[:, first] + between)
    together = ~apart.any(axis=2) & there[:, first] & there[:, second]
    scene, pair = np.nonzero(together)
    shapes = tuple(np.stack([values[scene, at[pair]] for at in (first, second)]) for values in (kind, radius, turned))
    places = tuple(np.stack([values[scene, at[pair]] for at in (first, second)]) for values in (row, column))
    share = ~_apart_by_circle(*shapes, *places, gap=gap)
    found = np.zeros(len(kind), dtype=np.bool_)
    found[scene[share]] = True
    return found


def _shadows(kind: Ints, radius: Ints, turned: Ints, row: Ints, column: Ints) -> tuple[Floats, Floats]:
    """[B, n, 4] where each shape begins and ends along columns, rows and both diagonals."""
    x, y = corners_of(kind, radius, turned, row, column)
    along = np.stack([x, y, x + y, x - y], axis=-2).astype(np.float64)
    low, high = along.min(axis=-1), along.max(axis=-1)
    round_ = kind == CIRCLE
    # On the diagonals a circle reaches less far than the square around it.
    for at, middle in ((2, column + row), (3, column - row)):
        low[..., at] = np.where(round_, middle - radius * np.sqrt(2), low[..., at])
        high[..., at] = np.where(round_, middle + radius * np.sqrt(2), high[..., at])
    return low, high


def _apart_by_circle(kind: Ints, radius: Ints, turned: Ints, row: Ints, column: Ints, *, gap: int) -> Bools:
    """[P] whether a line across the way from a circle to the other shape parts the two; all arrays are [2, P]."""
    x, y = corners_of(kind, radius, turned, row, column)
    is_circle = kind == CIRCLE
    far = np.hypot(row[0] - row[1], column[0] - column[1])
    apart = is_circle.all(axis=0) & (far >= radius.sum(axis=0) + gap)
    for circle, other in ((0, 1), (1, 0)):
        across = x[other] - column[circle][:, None]
        down = y[other] - row[circle][:, None]
        length = np.maximum(np.hypot(across, down), 1e-9)
        # [P, 4, 4] each corner's place along the way to each corner
        along = (across[:, :, None] * across[:, None, :] + down[:, :, None] * down[:, None, :]) / length[:, :, None]
        parted = (along.min(axis=2) >= radius[circle][:, None] + gap).any(axis=1)
        apart |= is_circle[circle] & ~is_circle[other] & parted
    return np.asarray(apart)
