"""Kind `slider` in words."""

from questions.words import INTERVAL, KAPPA_OF_BINS, ORDINAL, RELIABILITY, Words

WORDS = Words(
    answer="a number on a scale from {low:g} to {high:g}",
    gold="The gold of an item is the mean of its judgments, with a 95 % interval that stays on the scale.",
    figures=(INTERVAL, ORDINAL, *RELIABILITY, KAPPA_OF_BINS),
    no_other_alpha="numbers on a scale have alpha at all four levels",
    reference_metric="Spearman correlation",
)
