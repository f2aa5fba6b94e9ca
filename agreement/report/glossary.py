"""Each term of statistics that pages show, and what it means in one plain sentence."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """What it is called, and one sentence that needs no other term."""

    name: str
    sentence: str


GLOSSARY: Mapping[str, Term] = {
    "ceiling": Term(
        "The most a model can reach",
        "The correlation with this gold that a perfect model would have: the gold's own noise leaves no room for more.",
    ),
    "person": Term(
        "A typical person",
        "How well one person does, on average, when scored like a model against the gold of all others.",
    ),
    "agreement": Term(
        "Agreement",
        "How often people give the same answer to an item, beyond chance: 1 is always, 0 is as often as by chance.",
    ),
    "careless": Term("People out", "Whose answers don't count: excluded by a rule, or by hand."),
}


def meaning_of(key: str) -> str:
    """The sentence of that term."""
    return GLOSSARY[key].sentence
