"""One scene with its sentence: its shapes, and which of them a sentence may be about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from agreement.kinds.verify.data import BIG, K_MEAN, K_SD
from studies.scenes.sentences import SMALL, Sentence, Task
from studies.scenes.shapes import (
    CANVAS,
    CIRCLE,
    COLOURS,
    K_DIGITS,
    KINDS,
    RADII,
    SQUARE,
    Bools,
    Floats,
    Ints,
    ReferenceAreas,
    area_of,
    compared,
    is_big,
    overlapping,
    reach_of,
    threshold,
)

# Scenes drawn at random, and what is thrown away: those that license no sentence, and those with any overlap.

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


# One scene with its sentence: what the pictures and both files are made of.


@dataclass(frozen=True, eq=False)
class Scene:
    """Its n shapes as whole numbers [n], the k of its thresholds, and which shape the sentence is about.

    `says_big` is what the sentence says of that shape. `row` and `column` are pixels of the canvas.
    """

    scene_id: str
    task: Task
    kind: Ints
    colour: Ints
    radius: Ints
    turned: Ints
    row: Ints
    column: Ints
    k: float
    queried: int
    says_big: bool
    split: str = "test"  # "" for a check

    def named(self, scene_id: str, split: str) -> Scene:
        return replace(self, scene_id=scene_id, split=split)

    @property
    def shape(self) -> str:
        """The kind of shape that the sentence is about."""
        return KINDS[int(self.kind[self.queried])]

    @property
    def colour_name(self) -> str:
        return list(COLOURS)[int(self.colour[self.queried])]

    @cached_property
    def area(self) -> Ints:
        return area_of(self.kind, self.radius)

    @cached_property
    def among(self) -> ReferenceAreas:
        """The reference set of each shape, [1, n] or [1, 1]."""
        there = np.ones((1, len(self.kind)), dtype=np.bool_)
        return compared(self.area[None, :], self.kind[None, :], there, by_shape=self.task.by_shape)

    @cached_property
    def extremes(self) -> tuple[int, int]:
        """The largest and the smallest area of what the sentence compares its shape with."""
        largest, smallest = (
            int(np.broadcast_to(each[0], len(self.kind))[self.queried])
            for each in (self.among.largest, self.among.smallest)
        )
        return largest, smallest

    @property
    def is_check(self) -> bool:
        return not self.split

    @property
    def spans(self) -> list[int]:
        """[n] how far the areas of each shape's reference set lie apart."""
        return [int(span) for span in np.broadcast_to(self.among.span[0], len(self.kind))]

    @cached_property
    def thresholds(self) -> list[float]:
        """[n] the threshold of each shape's reference set."""
        return [float(found) for found in np.broadcast_to(threshold(self.among, np.array([self.k]))[0], len(self.kind))]

    def sizes_at(self, k: float) -> list[str]:
        """[n] big or small, by the rule with that k."""
        return [BIG if big else SMALL for big in is_big(self.area[None, :], self.among, np.array([k]))[0]]

    @property
    def is_largest(self) -> bool:
        """Whether nothing that the shape is compared with is larger."""
        return int(self.area[self.queried]) == self.extremes[0]

    @property
    def is_true(self) -> bool:
        """Whether the sentence is; what is the biggest is so by its area alone."""
        if self.task.is_superlative:
            return self.is_largest == self.says_big
        return (self.sizes_at(self.k)[self.queried] == BIG) == self.says_big

    @property
    def is_same_at_mean(self) -> bool:
        """Whether the k of the literature would make the sentence just as true."""
        return self.task.is_superlative or self.sizes_at(K_MEAN)[self.queried] == self.sizes_at(self.k)[self.queried]

    @property
    def distance(self) -> float:
        """|area - T| / (max - min): how far the shape is from the threshold."""
        largest, smallest = self.extremes
        return float(abs(self.area[self.queried] - self.thresholds[self.queried]) / (largest - smallest))

    @property
    def sentence(self) -> Sentence:
        word = self.task.words[0 if self.says_big else 1]
        return Sentence(self.colour_name, self.shape, word, self.task.noun or self.shape)


# Which of a scene's shapes a sentence may be about.

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


def _is_between(area: Ints, among: ReferenceAreas) -> Bools:
    return np.asarray((area > among.smallest) & (area < among.largest))


def _is_the_only_extreme(area: Ints, among: ReferenceAreas, there: Bools) -> Bools:
    """The scene has exactly one largest and exactly one smallest, and the shape is one of the two."""
    is_largest, is_smallest = (area == among.largest) & there, (area == among.smallest) & there
    has_both = (is_largest.sum(axis=1) == 1) & (is_smallest.sum(axis=1) == 1)
    return np.asarray((is_largest | is_smallest) & has_both[:, None])
