"""The four kinds of shapes: which pixels each covers on the canvas, and how many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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
