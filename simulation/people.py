"""Simulated people with a bias, a noise and vices of their own, and what is true in their world. No Django."""

import hashlib
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from questions.answers import Answer, Circumstances
from questions.kind import QuestionKind
from questions.registry import declared

# What is true in a simulated world: a similarity per pair, a distribution of labels per item.

# Points in so many dimensions give similarities from nothing in common to nearly the same, as relations do.
DIMENSIONS = 3
# No two different terms are quite the same, and none quite without anything in common.
MOST_ALIKE, LEAST_ALIKE = 0.93, 0.02


@dataclass(frozen=True)
class World:
    """The truth behind one simulated study; the same seed is the same world, whatever the order of the questions."""

    seed: int
    labels: Sequence[str] = ()

    def similarity(self, item: Mapping[str, Any]) -> float:
        """From 0 to 1: of two terms by their distance in a latent space; of other items by a draw of their own."""
        if "left" not in item or "right" not in item:
            return float(self._draw(_name(item)).beta(1.2, 1.2))
        if item["left"] == item["right"]:
            return 0.995
        distance = float(np.linalg.norm(self._point(str(item["left"])) - self._point(str(item["right"]))))
        return LEAST_ALIKE + (MOST_ALIKE - LEAST_ALIKE) * math.exp(-(distance**2) / 3)

    def shares(self, item: Mapping[str, Any]) -> npt.NDArray[np.float64]:
        """How the crowd's labels would be distributed over this item: mostly one of them."""
        return self._draw(_name(item)).dirichlet([0.25] * max(len(self.labels), 1))

    @cached_property
    def common_properties(self) -> list[str]:
        kinds = ("is {}", "has {}", "can be {}", "is often {}")
        words = ("small", "large", "green", "round", "hard", "soft", "heavy", "light", "old", "bright")
        return [kind.format(word) for kind in kinds for word in words]

    def _point(self, term: str) -> npt.NDArray[np.float64]:
        """A term's place. A colour named among relations lies far from all of them: that is what makes it a check."""
        point = self._draw(f"term {term}").normal(size=DIMENSIONS)
        return point + 10.0 if term == "green" else point

    def _draw(self, name: str) -> np.random.Generator:
        digest = hashlib.sha256(f"{self.seed}:{name}".encode()).digest()
        return np.random.default_rng(int.from_bytes(digest[:8], "big"))


def _name(item: Mapping[str, Any]) -> str:
    return "item " + " ".join(f"{key}={item[key]}" for key in sorted(item))


# Simulated people: each with a bias and a noise of their own, some careless in one of three ways.


class Vice(StrEnum):
    NONE = "careful"
    CLICKS_ANYWHERE = "clicks anywhere"
    KEEPS_TO_THE_MIDDLE = "keeps to the middle"
    SAYS_THE_SAME = "says the same to everything"


@dataclass
class Person:
    """`slip` is how often a careful person answers without looking."""

    rng: random.Random
    vice: Vice = Vice.NONE
    slip: float = 0.002
    bias: float = field(init=False)
    noise: float = field(init=False)
    pace: float = field(init=False)
    habit: float = field(init=False)

    def __post_init__(self) -> None:
        self.bias = self.rng.gauss(0, 0.35)
        self.noise = self.rng.uniform(0.45, 0.9)
        self.pace = self.rng.lognormvariate(8.1 if self.vice is Vice.NONE else 6.9, 0.3)
        self.habit = self.rng.random()

    def answer(
        self, kind: QuestionKind, item: Mapping[str, Any], world: World, scale: tuple[float, float] | None
    ) -> Answer:
        """What they say to a question of this kind, as its `simulation.py` has it."""
        given: Answer = declared(kind, "simulation", "answer")(self, item, world, scale)
        return given

    def circumstances(self) -> Circumstances:
        response_ms = round(self.pace * self.rng.lognormvariate(0, 0.35))
        return Circumstances(
            response_ms=response_ms,
            first_touch_ms=round(response_ms * self.rng.uniform(0.3, 0.8)),
            moves=1 + int(self.rng.expovariate(0.8)),
            input_kind="simulated",
        )

    def _looks(self) -> bool:
        return self.vice is Vice.NONE and self.rng.random() >= self.slip

    def number(self, truth: float, scale: tuple[float, float]) -> float:
        """A point of the scale for a truth from 0 to 1.

        On the log-odds, so that bias and noise shrink towards the ends, as they do on real sliders.
        """
        low, high = scale
        if self._looks():
            truth = min(max(truth, 0.003), 0.997)
            log_odds = math.log(truth / (1 - truth)) + self.bias + self.rng.gauss(0, self.noise)
            share = 1 / (1 + math.exp(-log_odds))
        elif self.vice is Vice.KEEPS_TO_THE_MIDDLE:
            share = min(max(self.rng.gauss(0.5, 0.06), 0), 1)
        elif self.vice is Vice.SAYS_THE_SAME:
            share = min(max(self.rng.gauss(self.habit, 0.01), 0), 1)
        else:
            share = self.rng.random()
        return low + (high - low) * round(share * 100) / 100

    def label(self, item: Mapping[str, Any], world: World) -> str:
        labels = list(world.labels)
        if self._looks():
            return self.rng.choices(labels, weights=[float(share) for share in world.shares(item)])[0]
        if self.vice in {Vice.SAYS_THE_SAME, Vice.KEEPS_TO_THE_MIDDLE}:
            return labels[int(self.habit * len(labels))]
        return self.rng.choice(labels)

    def properties(self, item: Mapping[str, Any], world: World) -> list[str]:
        pool = world.common_properties
        if not self._looks():
            return [pool[int(self.habit * len(pool))]]
        first = int(world.similarity(item) * len(pool))
        near = [pool[(first + int(self.rng.expovariate(0.4))) % len(pool)] for _ in range(4)]
        return sorted(set(near))
