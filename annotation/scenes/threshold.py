"""When a shape is big: its area is above a threshold between the smallest and the largest of those it is among."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotation.scenes.shapes import KINDS, Bools, Floats, Ints

K_MEAN, K_SD = 0.29, 0.066  # Schmidt et al. (2009) found .29 for "tall"; one k a scene, not cut
K_DIGITS = 4  # k as files hold it, so that every label follows from them


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The largest and the smallest area of the shapes that each shape is compared with, and how many they are.

    [B, n], or [B, 1] where all of a scene are compared with the same.
    """

    largest: Ints
    smallest: Ints
    count: Ints

    @property
    def span(self) -> Ints:
        return self.largest - self.smallest


def compared(area: Ints, kind: Ints, there: Bools, *, by_shape: bool) -> Compared:
    """The reference set of each shape [B, n]: the whole scene, or its shapes of the same kind."""
    if not by_shape:
        return Compared(*_extremes(area, there))
    parts = [_extremes(area, there & (kind == of)) for of in range(len(KINDS))]
    largest, smallest, count = (np.choose(kind, each) for each in zip(*parts, strict=True))
    return Compared(largest, smallest, count)


def _extremes(area: Ints, among: Bools) -> tuple[Ints, Ints, Ints]:
    """[B, 1] the largest and the smallest area of a set, and how many are in it."""
    largest = np.where(among, area, -1).max(axis=1, keepdims=True)
    smallest = np.where(among, area, np.iinfo(np.int64).max).min(axis=1, keepdims=True)
    return largest, smallest, among.sum(axis=1, keepdims=True)


def threshold(among: Compared, k: Floats) -> Floats:
    """T = max - k (max - min); `k` [B] is each scene's."""
    return np.asarray(among.largest - k[:, None] * among.span)


def is_big(area: Ints, among: Compared, k: Floats) -> Bools:
    """[B, n] whether area > int(T), the rule of the released data.

    >>> area, all_ = np.array([[100, 71, 70, 0]]), np.ones((1, 4), dtype=bool)
    >>> is_big(area, compared(area, area, all_, by_shape=False), np.array([0.29])).tolist()
    [[True, False, False, False]]
    """
    return np.asarray(area > np.trunc(threshold(among, k)))
