"""Simulated people with a bias, a noise and vices of their own, and what a vice is. No Django."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import ClassVar

from ..kinds.answers import Answer, Circumstances
from ..kinds.kind import QuestionKind
from ..kinds.registry import declared
from .world import KnownItem, World

# The logarithm of the milliseconds that an answer takes: three and a third seconds, one second.
READS, CLICKS = 8.1, 6.9


class Vice:
    """This one is none: the person looks at every question and answers as well as they can.

    `spoils` says whether the answers are worse than none, so that cleaning should find the person. `pace` is the mean
    logarithm of their milliseconds per answer.
    """

    name: ClassVar[str] = "careful"
    spoils: ClassVar[bool] = False
    pace: ClassVar[float] = READS

    def answer(
        self, person: Person, kind: QuestionKind, item: KnownItem, world: World, scale: tuple[float, float] | None
    ) -> Answer:
        """What such a person says; most vices only change whether the person looks, and where they click if not."""
        return person.by_kind(kind, item, world, scale)

    def looks(self, person: Person, item: KnownItem) -> bool:  # noqa: ARG002  vices ask for them
        """Whether the person reads this question."""
        return True

    def clicks(self, person: Person) -> float:
        """Who doesn't look: how far along the scale, or down the labels, they click, from 0 to 1."""
        return person.rng.random()

    def stays(self, person: Person, questions: int) -> float:  # noqa: ARG002  vices ask for them
        """After how many of an assignment's questions the person leaves."""
        return math.inf


class Careless(Vice):
    """Never looks, and takes a second per answer."""

    spoils: ClassVar[bool] = True
    pace: ClassVar[float] = CLICKS

    def looks(self, person: Person, item: KnownItem) -> bool:  # noqa: ARG002
        return False


CAREFUL = Vice()


# Simulated people with a bias, a noise and vices of their own. No Django.


@dataclass
class Person:
    """`slip` is how often a careful person answers without looking; `number` tells the people of a crowd apart."""

    rng: random.Random
    vice: Vice = CAREFUL
    slip: float = 0.002
    number: int = 0
    is_looking: bool = field(default=True, init=False)  # at the question that is being answered
    bias: float = field(init=False)
    noise: float = field(init=False)
    pace: float = field(init=False)
    habit: float = field(init=False)  # where on a scale, or down the labels, they click when nothing else decides
    checks_met: int = field(default=0, init=False)
    copied: int | None = field(default=None, init=False)  # whose answers they give, if they copy
    _traits: dict[str, float] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.bias = self.rng.gauss(0, 0.35)
        self.noise = self.rng.uniform(0.45, 0.9)
        self.pace = self.rng.lognormvariate(self.vice.pace, 0.3)
        self.habit = self.rng.random()

    def answer(self, kind: QuestionKind, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:
        """What they say to a question of this kind, which those who copy hear of."""
        self.checks_met += item.is_check
        given = self.vice.answer(self, kind, item, world, scale)
        world.said.setdefault(self.number, {})[item.name] = given
        return given

    def by_kind(self, kind: QuestionKind, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:
        """What a kind's own `simulation.py` has them say, whether they look or not."""
        self.is_looking = self.vice.looks(self, item) and self.rng.random() >= self.slip
        given: Answer = declared(kind, "data", "simulated_answer")(self, item, world, scale)
        return given

    def circumstances(self) -> Circumstances:
        response_ms = round(self.pace * self.rng.lognormvariate(0, 0.35))
        return Circumstances(
            response_ms=response_ms,
            first_touch_ms=round(response_ms * self.rng.uniform(0.3, 0.8)),
            moves=1 + int(self.rng.expovariate(0.8)),
            input_kind="simulated",
        )

    def trait(self, name: str) -> float:
        """How this person differs from others in something that one kind of question asks: standard normal."""
        if name not in self._traits:
            self._traits[name] = self.rng.gauss(0, 1)
        return self._traits[name]

    def on_scale(self, truth: float, scale: tuple[float, float], within: tuple[float, float] | None = None) -> float:
        """A point of the scale for a truth from 0 to 1; who looks at a check answers `within` its bounds.

        On the log-odds, so that bias and noise shrink towards the ends, as they do on real sliders.
        """
        low, high = scale
        if self.is_looking:
            truth = min(max(truth, 0.003), 0.997)
            log_odds = math.log(truth / (1 - truth)) + self.bias + self.rng.gauss(0, self.noise)
            least, most = within or (0.0, 1.0)
            share = min(max(1 / (1 + math.exp(-log_odds)), least), most)
        else:
            share = min(max(self.vice.clicks(self), 0.0), 1.0)
        return low + (high - low) * round(share * 100) / 100

    def label(self, item: KnownItem, world: World) -> str:
        labels = list(world.labels)
        if self.is_looking:
            return self.rng.choices(labels, weights=[float(share) for share in world.shares(item)])[0]
        return labels[min(max(int(self.vice.clicks(self) * len(labels)), 0), len(labels) - 1)]

    def one_of(self, things: list[str]) -> str:
        """Always the same one, for this person: what those say who don't look and have to write something."""
        return things[int(self.habit * len(things))]
