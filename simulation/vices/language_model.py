"""Has a language model answer: as right as a careful person, and all of them say the same."""

from typing import ClassVar

from annotation.randomisation import generator
from questions.answers import Answer
from questions.kind import QuestionKind
from simulation.known import KnownItem
from simulation.people import Person
from simulation.vice import Vice
from simulation.world import World

ANEW = 0.1  # of the answers differ from what the model mostly says


class LanguageModel(Vice):
    """The answer to an item is one careful person's, drawn once for all of them: their errors don't average out."""

    name: ClassVar[str] = "language-model"
    spoils: ClassVar[bool] = True

    def answer(
        self, person: Person, kind: QuestionKind, item: KnownItem, world: World, scale: tuple[float, float] | None
    ) -> Answer:
        purpose = f"language model, {item.name}"
        if person.rng.random() < ANEW:
            purpose = f"{purpose}, {person.rng.random()}"
        return Person(generator(world.seed, purpose), slip=0).by_kind(kind, item, world, scale)


VICE = LanguageModel()
