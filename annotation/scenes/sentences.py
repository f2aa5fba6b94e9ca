"""Sentences about one shape of a scene, made and read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from annotation.scenes.shapes import COLOURS, KINDS

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
