"""One scene with its sentence: what the pictures and both files are made of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from annotation.scenes.sentences import Sentence
from annotation.scenes.shapes import COLOURS, KINDS, Ints, area_of
from annotation.scenes.tasks import BIG, SMALL, Task
from annotation.scenes.threshold import K_MEAN, Compared, compared, is_big, threshold


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
    def among(self) -> Compared:
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
