"""Scenes drawn at random, and what is thrown away: those that license no sentence, and those with any overlap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

from annotation.scenes.overlap import overlapping
from annotation.scenes.shapes import (
    CANVAS,
    CIRCLE,
    COLOURS,
    KINDS,
    RADII,
    SQUARE,
    Bools,
    Floats,
    Ints,
    area_of,
    reach_of,
)
from annotation.scenes.tasks import Task
from annotation.scenes.threshold import K_DIGITS, K_MEAN, K_SD, compared, is_big

FEWEST, MOST = 5, 9  # shapes in a scene

# Which shapes a sentence may be about: of the task, and of kinds, colours, sizes and whether they are there [B, n].
Licence = Callable[[Task, Ints, Ints, Ints, Bools], Bools]


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """B scenes of up to n shapes [B, n], those that are `there`; the k [B] of each and the shape it is about [B]."""

    kind: Ints
    colour: Ints
    radius: Ints
    turned: Ints
    there: Bools
    k: Floats
    queried: Ints

    def take(self, keep: Bools) -> Candidates:
        return Candidates(*(getattr(self, field.name)[keep] for field in fields(self)))

    def __len__(self) -> int:
        return len(self.k)

    def of_queried(self, values: Ints) -> Ints:
        """[B] what `values` [B, n] holds for the shape that a sentence is about."""
        return np.asarray(values[np.arange(len(self)), self.queried])

    def is_big(self, task: Task) -> Ints:
        """[B] whether the shape is big, or the biggest, as 1 or 0."""
        area = area_of(self.kind, self.radius)
        among = compared(area, self.kind, self.there, by_shape=task.by_shape)
        big = area == among.largest if task.is_superlative else is_big(area, among, self.k)
        return self.of_queried(big.astype(np.int64))


def draw(task: Task, rng: np.random.Generator, size: int, *, licence: Licence, fewest: int, most: int) -> Candidates:
    """Candidates that license a sentence, about one of the shapes that they license; they have no places yet.

    Size, kind, colour and number are drawn uniformly. What a sentence may be about doesn't depend on places, so scenes
    without such a shape go before the places are drawn, which takes longest.
    """
    shape = (size, most)
    kinds = (size, 1) if task.one_kind else shape
    kind = np.broadcast_to(rng.integers(len(KINDS), size=kinds), shape)
    colour = rng.integers(len(COLOURS), size=shape)
    radius = RADII[rng.integers(len(RADII), size=shape)].astype(np.int64)
    turned = np.where((kind == CIRCLE) | (kind == SQUARE), 0, rng.integers(2, size=shape))
    there = np.arange(most) < rng.integers(fewest, most + 1, size=(size, 1))
    k = np.round(rng.normal(K_MEAN, K_SD, size=size), K_DIGITS)
    may = licence(task, kind, colour, radius, there)
    queried = np.where(may, rng.random(shape), -1.0).argmax(axis=1)
    return Candidates(kind, colour, radius, turned, there, k, queried).take(np.asarray(may.any(axis=1)))


def place(found: Candidates, rng: np.random.Generator, *, gap: int = 0) -> tuple[Ints, Ints, Bools]:
    """[B, n] rows and [B, n] columns, uniform within the canvas, and [B] whether nothing overlaps.

    A scene with an overlap goes as a whole: to place again only the shape that overlaps would favour large ones.
    """
    reach = reach_of(found.kind, found.radius, found.turned)
    row = rng.integers(reach.up, CANVAS - reach.down)
    column = rng.integers(reach.left, CANVAS - reach.right)
    return row, column, ~overlapping(found.kind, found.radius, found.turned, row, column, found.there, gap=gap)
