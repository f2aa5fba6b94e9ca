"""How often simple rules are right about sentences: what a model has to beat before its figure means much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.scenes.scene import Scene
from annotation.scenes.shapes import Bools, Floats
from annotation.scenes.tasks import Task
from annotation.scenes.threshold import K_MEAN

STRATEGIES = {
    "sharp": f"the threshold at k = {K_MEAN} in every scene",
    "superlative": "big if it is the largest of its reference set",
    "whole_scene": f"the threshold at k = {K_MEAN}, but of the whole scene and not of the shapes of its kind",
    "constant": "the same verdict always, whichever is right more often",
}


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """J sentences: the area of the shape that each is about, the extremes of its reference set and of its scene."""

    area: Floats
    largest: Floats
    smallest: Floats
    scene_largest: Floats
    scene_smallest: Floats
    says_big: Bools
    is_true: Bools

    @classmethod
    def of(cls, scenes: Sequence[Scene]) -> Asked:
        """Each scene's sentence."""
        extremes = np.array([scene.extremes for scene in scenes], dtype=np.float64)
        return cls(
            np.array([scene.area[scene.queried] for scene in scenes], dtype=np.float64),
            extremes[:, 0],
            extremes[:, 1],
            np.array([scene.area.max() for scene in scenes], dtype=np.float64),
            np.array([scene.area.min() for scene in scenes], dtype=np.float64),
            np.array([scene.says_big for scene in scenes]),
            np.array([scene.is_true for scene in scenes]),
        )


def ceilings(task: Task, asked: Asked) -> dict[str, float]:
    """The accuracy of each strategy; one that means nothing for the task is left out.

    A superlative has no threshold, and where the reference set is the whole scene anyway, that strategy is `sharp`.
    """
    found = {
        name: float(np.mean((said_big == asked.says_big) == asked.is_true)) for name, said_big in _said_big(task, asked)
    }
    share = float(asked.is_true.mean())
    return {**found, "constant": max(share, 1 - share)}


def _said_big(task: Task, asked: Asked) -> Iterator[tuple[str, Bools]]:
    """Each strategy, and [J] which shapes it calls big."""
    if not task.is_superlative:
        yield "sharp", _above(asked.area, asked.largest, asked.smallest)
    yield "superlative", np.asarray(asked.area == asked.largest)
    if task.by_shape:
        yield "whole_scene", _above(asked.area, asked.scene_largest, asked.scene_smallest)


def _above(area: Floats, largest: Floats, smallest: Floats) -> Bools:
    return np.asarray(area > np.trunc(largest - K_MEAN * (largest - smallest)))


def in_lines(found: Mapping[str, float]) -> Iterator[str]:
    """A line for each strategy."""
    yield "Right by a simple rule:"
    for name, accuracy in found.items():
        yield f"  {accuracy:.4f}  {name.replace('_', ' ')}: {STRATEGIES[name]}"
