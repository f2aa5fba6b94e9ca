"""The four kinds of shapes: the pixels each covers, whether two overlap, and when one is big among others."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

# The four kinds of shapes: which pixels each covers on the canvas, and how many.

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

CANVAS = 1024  # pixels a side; rows, columns and areas are counted on it, whatever the size of the picture
KINDS = ("circle", "rectangle", "square", "triangle")
CIRCLE, RECTANGLE, SQUARE, TRIANGLE = range(4)
COLOURS = {
    "red": (255, 0, 0),
    "blue": (0, 0, 255),
    "white": (255, 255, 255),
    "yellow": (255, 255, 0),
    "green": (0, 128, 0),
}
RADII = np.arange(30, 121, 10)
# Pixels of a disc: whole numbers x, y with x^2 + y^2 < r^2, for each of `RADII`.
CIRCLE_AREAS = np.array([2809, 5013, 7825, 11277, 15361, 20069, 25433, 31397, 37969, 45213])


def area_of(kind: Ints, radius: Ints) -> Ints:
    """How many pixels a shape covers: 4 r^2, and for circles the pixels of the disc.

    >>> area_of(np.array([CIRCLE, SQUARE]), np.array([30, 30])).tolist()
    [2809, 3600]
    """
    return np.where(kind == CIRCLE, CIRCLE_AREAS[(radius - 30) // 10], 4 * radius * radius)


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """How many pixels a shape reaches from its own row and column to each side."""

    left: Ints
    right: Ints
    up: Ints
    down: Ints


def reach_of(kind: Ints, radius: Ints, turned: Ints) -> Reach:
    """A square has sides of 2r, a rectangle 4r x r, a triangle a base of 4r - 1 and a height of 2r.

    `turned` is 1 for a rectangle that stands and for a triangle whose point is below.
    """
    r, wide = radius, np.where(turned == 1, radius // 2, 2 * radius)
    high = np.where(turned == 1, 2 * radius, radius // 2)
    which = [kind == CIRCLE, kind == RECTANGLE, kind == SQUARE]
    return Reach(
        left=np.select(which, [r - 1, wide, r], 2 * r - 1),
        right=np.select(which, [r - 1, wide - 1, r - 1], 2 * r - 1),
        up=np.select(which, [r - 1, high, r], r),
        down=np.select(which, [r - 1, high - 1, r - 1], r - 1),
    )


def corners_of(kind: Ints, radius: Ints, turned: Ints, row: Ints, column: Ints) -> tuple[Ints, Ints]:
    """[..., 4] the columns and [..., 4] the rows of the outermost pixels; a triangle has its point twice."""
    reach = reach_of(kind, radius, turned)
    left, right, top, bottom = column - reach.left, column + reach.right, row - reach.up, row + reach.down
    is_up, is_down = (kind == TRIANGLE) & (turned == 0), (kind == TRIANGLE) & (turned == 1)
    columns = np.stack(
        [np.where(is_up, column, left), np.where(is_up, column, right), right, left],
        axis=-1,
    )
    columns[..., 2] = np.where(is_down, column, right)
    columns[..., 3] = np.where(is_down, column, left)
    return columns, np.stack([top, top, bottom, bottom], axis=-1)


def covers(kind: int, radius: int, turned: int, across: Floats, down: Floats) -> Bools:
    """[R, C] whether the shape covers points that lie `down` [R] rows and `across` [C] columns from its own."""
    x, y = across[None, :], down[:, None]
    if kind == CIRCLE:
        return np.asarray(x * x + y * y < radius * radius)
    if kind == TRIANGLE:
        from_point = (radius - 1 - y) if turned else (y + radius)
        return np.asarray((np.abs(x) < from_point + 0.5) & (from_point > -0.5) & (from_point < 2 * radius - 0.5))
    lying = (radius, radius) if kind == SQUARE else (2 * radius, radius // 2)
    wide, high = lying[::-1] if turned else lying
    return np.asarray((x > -wide - 0.5) & (x < wide - 0.5) & (y > -high - 0.5) & (y < high - 0.5))


# Whether any two shapes of a scene overlap. Two that touch don't.


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


# When a shape is big: its area is above a threshold between the smallest and the largest of those it is among.

K_DIGITS = 4  # k as files hold it, so that every label follows from them


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceAreas:
    """The largest and the smallest area of the shapes that each shape is compared with, and how many they are.

    [B, n], or [B, 1] where all of a scene are compared with the same.
    """

    largest: Ints
    smallest: Ints
    count: Ints

    @property
    def span(self) -> Ints:
        return self.largest - self.smallest


def compared(area: Ints, kind: Ints, there: Bools, *, by_shape: bool) -> ReferenceAreas:
    """The reference set of each shape [B, n]: the whole scene, or its shapes of the same kind."""
    if not by_shape:
        return ReferenceAreas(*_extremes(area, there))
    parts = [_extremes(area, there & (kind == of)) for of in range(len(KINDS))]
    largest, smallest, count = (np.choose(kind, each) for each in zip(*parts, strict=True))
    return ReferenceAreas(largest, smallest, count)


def _extremes(area: Ints, among: Bools) -> tuple[Ints, Ints, Ints]:
    """[B, 1] the largest and the smallest area of a set, and how many are in it."""
    largest = np.where(among, area, -1).max(axis=1, keepdims=True)
    smallest = np.where(among, area, np.iinfo(np.int64).max).min(axis=1, keepdims=True)
    return largest, smallest, among.sum(axis=1, keepdims=True)


def threshold(among: ReferenceAreas, k: Floats) -> Floats:
    """T = max - k (max - min); `k` [B] is each scene's."""
    return np.asarray(among.largest - k[:, None] * among.span)


def is_big(area: Ints, among: ReferenceAreas, k: Floats) -> Bools:
    """[B, n] whether area > int(T), the rule of the released data.

    >>> area, all_ = np.array([[100, 71, 70, 0]]), np.ones((1, 4), dtype=bool)
    >>> is_big(area, compared(area, area, all_, by_shape=False), np.array([0.29])).tolist()
    [[True, False, False, False]]
    """
    return np.asarray(area > np.trunc(threshold(among, k)))
