"""Simulated people with a bias, a noise and vices of their own. No Django."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

from ..assignment_order import generator, shuffled
from ..errors import Refused
from ..kinds.answers import Answer, Circumstances
from ..kinds.kind import QuestionKind
from ..kinds.registry import declaration
from .world import KnownItem, World

# The logarithm of the milliseconds that an answer takes: three and a third seconds, one second.
READS, CLICKS = 8.1, 6.9
# How often somebody says that they don't know, where they may, and passes over what they may leave empty.
NOT_KNOWN, LEFT_EMPTY = 0.05, 0.4


class Vice:
    """This one is none: the person looks at every question and answers as well as they can.

    `spoils` says whether the answers are worse than none, so that cleaning should find the person. `pace` is the mean
    logarithm of their milliseconds per answer.
    """

    name: ClassVar[str] = "careful"
    spoils: ClassVar[bool] = False
    pace: ClassVar[float] = READS
    signs: ClassVar[Mapping[str, int]] = MappingProxyType(
        {}
    )  # beside each answer, where a study counts them; else none

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
        answer = self.vice.answer(self, kind, item, world, scale)
        world.answers_by_person.setdefault(self.number, {})[item.name] = answer
        return answer

    def by_kind(self, kind: QuestionKind, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:
        """What a kind's own `data.py` has them say, whether they look or not."""
        self.is_looking = self.vice.looks(self, item) and self.rng.random() >= self.slip
        answer: Answer = declaration(kind, "data", "simulated_answer")(self, item, world, scale)
        return answer

    def circumstances(self) -> Circumstances:
        response_ms = round(self.pace * self.rng.lognormvariate(0, 0.35))
        return Circumstances(
            response_ms=response_ms,
            first_touch_ms=round(response_ms * self.rng.uniform(0.3, 0.8)),
            moves=1 + int(self.rng.expovariate(0.8)),
            input_kind="simulated",
        )

    def leaves_empty(self) -> bool:
        """Whether they pass over a question that nobody has to answer."""
        return self.rng.random() < LEFT_EMPTY

    def doesnt_know(self) -> bool:
        return self.rng.random() < NOT_KNOWN

    def confidence(self) -> int:
        """How sure they say they are, from 1 to 5: each has a level of their own."""
        return min(max(round(self.rng.gauss(3.5 + 0.8 * self.trait("confidence"), 0.7)), 1), 5)

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
        if self.is_looking:
            return self.rng.choices(list(world.labels), weights=[float(share) for share in world.shares(item)])[0]
        labels = [label for label in item.offered if label in world.labels] or list(world.labels)
        return labels[min(max(int(self.vice.clicks(self) * len(labels)), 0), len(labels) - 1)]

    def one_of(self, things: list[str]) -> str:
        """Always the same one, for this person: what those say who don't look and have to write something."""
        return things[int(self.habit * len(things))]


# The vices of simulated people, each a class: how somebody answers who doesn't do what is asked.

READ = 0.5  # of the questions that somebody who hurries is asked
ANEW = 0.1  # of the answers differ from what the language model mostly says


class RandomClicks(Careless):
    """Clicks anywhere, without reading: every answer is drawn anew."""

    name: ClassVar[str] = "random"


class Middle(Careless):
    """Keeps to the middle of every scale, and to the middle label."""

    name: ClassVar[str] = "middle"

    def clicks(self, person: Person) -> float:
        return person.rng.gauss(0.5, 0.06)


class StraightLine(Careless):
    """Says the same to everything: one place of the scale, one label.

    The place is the person's own; on a scale the hand isn't quite steady.
    """

    name: ClassVar[str] = "straight-line"

    def clicks(self, person: Person) -> float:
        return person.rng.gauss(person.habit, 0.01)


class Speeder(Vice):
    """Hurries: reads every other question, and takes under half a second for each."""

    name: ClassVar[str] = "speeder"
    spoils: ClassVar[bool] = True
    pace: ClassVar[float] = 6.0

    def looks(self, person: Person, item: KnownItem) -> bool:  # noqa: ARG002
        return person.rng.random() < READ


class Slip(Vice):
    """Slips at one check, the first, and is careful otherwise: whose answers are lost if a rule tolerates nothing."""

    name: ClassVar[str] = "slip"

    def looks(self, person: Person, item: KnownItem) -> bool:
        return not (item.is_check and person.checks_met == 1)


class PassesChecks(Vice):
    """Recognises checks, answers those, and clicks anywhere on everything else.

    Takes two seconds per answer: long enough to see whether it is a check.
    """

    name: ClassVar[str] = "passes-checks"
    spoils: ClassVar[bool] = True
    pace: ClassVar[float] = 7.6

    def looks(self, person: Person, item: KnownItem) -> bool:  # noqa: ARG002
        return item.is_check


class Copies(Careless):
    """Copies what somebody says who took part before.

    Has one person's answers; to what that one wasn't asked, says what anybody said; clicks where nobody has yet.
    """

    name: ClassVar[str] = "copies"
    pace: ClassVar[float] = READS

    def answer(
        self, person: Person, kind: QuestionKind, item: KnownItem, world: World, scale: tuple[float, float] | None
    ) -> Answer:
        others = [number for number in world.answers_by_person if number != person.number]
        if others:
            source = others[int(person.habit * len(others))] if person.copied is None else person.copied
            person.copied = source
            for number in (source, *others):
                if item.name in world.answers_by_person[number]:
                    return world.answers_by_person[number][item.name]
        return person.by_kind(kind, item, world, scale)


class DropsOut(Vice):
    """Careful, and gone before the assignment is done.

    Leaves after a fifth to four fifths of the questions, and hands nothing in.
    """

    name: ClassVar[str] = "drops-out"

    def stays(self, person: Person, questions: int) -> float:
        return max(1, int(person.rng.uniform(0.2, 0.8) * questions))


class LanguageModel(Vice):
    """Has a language model answer: as right as a careful person, and all of them say the same.

    The answer to an item is one careful person's, drawn once for all of them: their errors don't average out.
    """

    name: ClassVar[str] = "language-model"
    signs: ClassVar[Mapping[str, int]] = MappingProxyType({"hidden_ms": 20_000, "copied_and_left": 1})
    spoils: ClassVar[bool] = True

    def answer(
        self, person: Person, kind: QuestionKind, item: KnownItem, world: World, scale: tuple[float, float] | None
    ) -> Answer:
        purpose = f"language model, {item.name}"
        if person.rng.random() < ANEW:
            purpose = f"{purpose}, {person.rng.random()}"
        return Person(generator(world.seed, purpose), slip=0).by_kind(kind, item, world, scale)


ALL = (
    Copies(), DropsOut(), LanguageModel(), Middle(), PassesChecks(), RandomClicks(), Slip(), Speeder(), StraightLine(),
)  # fmt: skip
VICES: Mapping[str, Vice] = MappingProxyType({vice.name: vice for vice in ALL})

# The vices of those who are careless without anything said about how, in turn.
USUAL = ("random", "middle", "straight-line")


def crowd_of(*, workers: int, careless: int = 0, vices: Mapping[str, int] | None = None) -> list[Vice]:
    """The vice of each: so many `careless` with the usual ones in turn, so many of each that is named, others none."""
    vices_of_people = [VICES[USUAL[k % len(USUAL)]] for k in range(careless)]
    for name, count in (vices or {}).items():
        if name not in VICES:
            raise Refused(f"There is no vice '{name}': there are {', '.join(VICES)}.")
        vices_of_people += [VICES[name]] * count
    if len(vices_of_people) > workers:
        raise Refused(f"{len(vices_of_people)} of {workers} people would have a vice: give smaller shares.")
    return [*vices_of_people, *[CAREFUL] * (workers - len(vices_of_people))]


def people(vices: Sequence[Vice], *, seed: int) -> Iterable[Person]:
    """People with these vices in a random order."""
    for number, vice in enumerate(shuffled(vices, generator(seed, "people"))):
        yield Person(generator(seed, f"person {number}"), vice, number=number)
