"""Which of a scene's shapes a sentence may be about."""

from __future__ import annotations

import numpy as np

from annotation.scenes.shapes import COLOURS, Bools, Ints, area_of
from annotation.scenes.tasks import Task
from annotation.scenes.threshold import Compared, compared

SMALLEST_RADIUS, LARGEST_RADIUS = 40, 110  # shapes of the outermost sizes are never asked about
TINY, HUGE = 50, 90  # the sizes of checks: one shape of at least the one among others of at most the other
LEAST_OF_A_SHAPE = 3  # SET+POS: how many of its shape there are, itself included


def licensed(task: Task, kind: Ints, colour: Ints, radius: Ints, there: Bools, *, hard: bool) -> Bools:
    """[B, n] whether a sentence of the task may be about a shape.

    It is the only one of its colour and shape, of a middle size, and its reference set isn't all of one area. SUP1: it
    is the one largest or the one smallest. SET+POS: it is neither the largest nor the smallest of the scene, ties
    counted, and has two more of its shape beside it. Hard sets: it is neither extreme of its reference set.
    """
    area = area_of(kind, radius)
    among = compared(area, kind, there, by_shape=task.by_shape)
    fine = there & _is_unique(kind, colour, there) & (among.span > 0)
    fine &= (radius >= SMALLEST_RADIUS) & (radius <= LARGEST_RADIUS)
    if task.is_superlative:
        return fine & _is_the_only_extreme(area, among, there)
    if task.by_shape:
        whole = compared(area, kind, there, by_shape=False)
        fine &= _is_between(area, whole) & (among.count >= LEAST_OF_A_SHAPE)
    return fine & _is_between(area, among) if hard else fine


def obvious(task: Task, kind: Ints, colour: Ints, radius: Ints, there: Bools) -> Bools:
    """[B, n] which shapes are so much larger, or smaller, than all others of their scene that nobody can differ.

    These are for checks: whoever compares with the whole scene and not with one shape says the same.
    """
    among = compared(radius, kind, there, by_shape=False)
    fine = there & _is_unique(kind, colour, there)
    if task.by_shape:
        fine &= compared(radius, kind, there, by_shape=True).count >= LEAST_OF_A_SHAPE
    n_small, n_large = ((there & each).sum(axis=1, keepdims=True) for each in (radius <= TINY, radius >= HUGE))
    others = among.count - 1
    is_huge = (radius == among.largest) & (radius >= HUGE) & (n_small == others)
    is_tiny = (radius == among.smallest) & (radius <= TINY) & (n_large == others)
    return np.asarray(fine & (is_huge | is_tiny))


def _is_unique(kind: Ints, colour: Ints, there: Bools) -> Bools:
    look = kind * len(COLOURS) + colour
    same = (look[:, :, None] == look[:, None, :]) & there[:, None, :]
    return np.asarray(same.sum(axis=2) == 1)


def _is_between(area: Ints, among: Compared) -> Bools:
    return np.asarray((area > among.smallest) & (area < among.largest))


def _is_the_only_extreme(area: Ints, among: Compared, there: Bools) -> Bools:
    """The scene has exactly one largest and exactly one smallest, and the shape is one of the two."""
    is_largest, is_smallest = (area == among.largest) & there, (area == among.smallest) & there
    has_both = (is_largest.sum(axis=1) == 1) & (is_smallest.sum(axis=1) == 1)
    return np.asarray((is_largest | is_smallest) & has_both[:, None])
