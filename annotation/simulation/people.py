"""Simulated people: each with a bias and a noise of their own, some careless in one of three ways. No Django."""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from annotation.answers import Answer, Circumstances
from annotation.simulation.truth import World


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

    def answer(self, kind: str, item: Mapping[str, Any], world: World, scale: tuple[float, float] | None) -> Answer:
        match kind:
            case "slider":
                return Answer(number=self._number(world.similarity(item), scale or (0, 100)))
            case "sliders":
                shares = world.shares(item)
                top = max(shares)
                return Answer(
                    numbers={
                        label: self._number(share / top * 0.95, scale or (0, 100))
                        for label, share in zip(world.labels, shares, strict=True)
                    }
                )
            case "choice" | "verify":
                return Answer(label=self._label(item, world))
            case "choices":
                return Answer(labels=sorted({self._label(item, world), self._label(item, world)}))
            case "list":
                return Answer(properties=self._properties(item, world))
            case "text":
                return Answer(text=f"It {self._properties(item, world)[0]}.")
        raise ValueError(f"'{kind}' is not a kind of question")

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

    def _number(self, truth: float, scale: tuple[float, float]) -> float:
        """On the log-odds of the truth, so that bias and noise shrink towards the ends, as they do on real sliders."""
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

    def _label(self, item: Mapping[str, Any], world: World) -> str:
        labels = list(world.labels)
        if self._looks():
            return self.rng.choices(labels, weights=[float(share) for share in world.shares(item)])[0]
        if self.vice in {Vice.SAYS_THE_SAME, Vice.KEEPS_TO_THE_MIDDLE}:
            return labels[int(self.habit * len(labels))]
        return self.rng.choice(labels)

    def _properties(self, item: Mapping[str, Any], world: World) -> list[str]:
        pool = world.common_properties
        if not self._looks():
            return [pool[int(self.habit * len(pool))]]
        first = int(world.similarity(item) * len(pool))
        near = [pool[(first + int(self.rng.expovariate(0.4))) % len(pool)] for _ in range(4)]
        return sorted(set(near))
