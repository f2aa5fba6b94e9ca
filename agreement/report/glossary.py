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
ALPHA = "How much less people disagree than by chance: 1 is not at all, 0 is as much as by chance"
# What each row of the tables of agreement and of ceilings means, by its name there.
MEANINGS: Mapping[str, str] = {
    "Krippendorff's alpha, interval": f"{ALPHA}; answers that are further apart disagree more.",
    "Krippendorff's alpha, ordinal": f"{ALPHA}; answers that more others lie between disagree more.",
    "Krippendorff's alpha, nominal": f"{ALPHA}; any two different answers disagree alike.",
    "Krippendorff's alpha, ratio": f"{ALPHA}; answers disagree by how many times one is the other.",
    "Fleiss' kappa": "How often two people give an item the same label, beyond chance: 1 is always, 0 as by chance.",
    "Gwet's AC1": "The same as kappa with another idea of chance, which suffers less where one label is frequent.",
    "Kappa against 1/k of each item's own labels": "How often two people agree, beyond drawing a label of the item.",
    "ICC(1,1), one judgment": "The share of the variance of single answers that comes from the items, not from people.",
    "ICC(1,k), the mean of an item": "The same of the mean of an item's answers, at the usual number of them.",
    "Reliability of the gold as released": "How closely the gold's means follow those of infinitely many people.",
    "Split-half reliability, stepped up": "The correlation of two halves of the people, as of all of them.",
    "Cohen's kappa": "How often these two people give the same label, beyond chance, averaged over pairs of people.",
    "Cohen's kappa, linear weights": "The same for ordered labels: a step apart counts half as wrong as two steps.",
    "Cohen's kappa, quadratic weights": "The same for ordered labels: two steps apart count four times as much as one.",
    "Kendall's W": "How far people put things in the same order: 1 is the same order, 0 is none in common.",
    "Kendall distance of two people's orders": "The share of pairs that two people put the other way round.",
    "A person against the others' gold (leave-one-out, mean)": (
        "How well one person does, on average, when scored like a model against the gold of all others."
    ),
    "The same, weighted by judgments": "People who answered more count more.",
    "The same, pooled over all judgments": "All answers are scored together, as if one person had given them.",
    "The most that any model can correlate with this gold": (
        "What a perfect model would have: the gold's own noise leaves no room for more."
    ),
    "Pairs of workers, on average": "How well one person's answers match another's, over all pairs of people.",
    "Noise ceiling, lower": "How well one person matches the mean of the others: a good model reaches at least this.",
    "Noise ceiling, upper": "How well one person matches the mean of all: no model can do better.",
    "Inclusive agreement, not a bound": "How well one person matches a mean that has them in it: too high.",
}


def meaning_of(key: str) -> str:
    """The sentence of that term."""
    return GLOSSARY[key].sentence


def sentence_on(name: str) -> str:
    """What a term of this name means; nothing of one that isn't explained.

    >>> sentence_on("A typical person")[:24]
    'How well one person does'
    """
    return next((term.sentence for term in GLOSSARY.values() if term.name == name), MEANINGS.get(name, ""))
