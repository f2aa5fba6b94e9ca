"""The four tasks, and sentences about one shape of a scene, made and read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agreement.errors import Refused
from agreement.kinds.verify.data import BIG
from studies.scenes.shapes import COLOURS, KINDS

# The four tasks: what a sentence says, and which shapes its object is compared with.

SMALL = "small"


@dataclass(frozen=True, slots=True)
class Task:
    """`words` stand for large and for small; `noun` is what a sentence calls the thing, or "" for its own shape."""

    name: str
    words: tuple[str, str]
    one_kind: bool  # every shape of a scene is of one kind
    by_shape: bool  # compared with the shapes of its own kind, and not with the whole scene
    noun: str = ""

    @property
    def is_superlative(self) -> bool:
        return self.words != (BIG, SMALL)

    @property
    def slug(self) -> str:
        """The name as ids and file names have it."""
        return self.name.lower().replace("+", "-")

    @property
    def has_hard_set(self) -> bool:
        return not self.one_kind


TASKS = {
    task.name: task
    for task in (
        Task("SUP1", ("biggest", "smallest"), one_kind=True, by_shape=False),
        Task("POS1", (BIG, SMALL), one_kind=True, by_shape=False),
        Task("POS", (BIG, SMALL), one_kind=False, by_shape=False, noun="object"),
        Task("SET+POS", (BIG, SMALL), one_kind=False, by_shape=True),
    )
}


def task_named(name: str) -> Task:
    if name not in TASKS:
        raise Refused(f"--task {name}: there is no such task; there are {', '.join(TASKS)}.")
    return TASKS[name]


# Sentences about one shape of a scene, made and read.

_SENTENCE = re.compile(
    rf"(?i)^the (?P<colour>{'|'.join(COLOURS)}) (?P<shape>{'|'.join(KINDS)}) is (?:a|the) "
    rf"(?P<word>big|small|biggest|smallest) (?P<noun>object|{'|'.join(KINDS)})\.?$"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a sentence says: that the shape of a colour is big, small, the biggest or the smallest of its like."""

    colour: str
    shape: str
    word: str
    noun: str

    @property
    def says_big(self) -> bool:
        return self.word.startswith("big")

    def __str__(self) -> str:
        article = "the" if self.word.endswith("est") else "a"
        return f"The {self.colour} {self.shape} is {article} {self.word} {self.noun}"


def read_sentence(text: str) -> Sentence | None:
    """The parts of a sentence; None where it is of another form.

    >>> read_sentence("The red square is a big square")
    Sentence(colour='red', shape='square', word='big', noun='square')
    >>> str(read_sentence("The blue circle is the smallest circle."))
    'The blue circle is the smallest circle'
    """
    found = _SENTENCE.match(" ".join(text.split()))
    return Sentence(**{name: part.lower() for name, part in found.groupdict().items()}) if found else None
