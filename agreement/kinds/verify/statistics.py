"""The statistics of kind `verify`, and its words: those of a choice of two labels; sizes imply a threshold."""

from dataclasses import replace

from ...gold.gold_columns import BESIDE_THE_MAJORITY, ITEM_ID, LABELS
from ...people.size_adjectives import size_threshold
from ...warnings.about_accounts import identical_accounts
from ...warnings.about_labels import labels_alike, one_item, several_in_one
from ...warnings.about_workers import warnings_on_labels
from ..choice import statistics as choice

STATISTICS = replace(
    choice.STATISTICS,
    gold_columns=(ITEM_ID, *LABELS, *BESIDE_THE_MAJORITY),
    warnings=(one_item, labels_alike, several_in_one, identical_accounts, warnings_on_labels),
    size_threshold=size_threshold,
)

WORDS = replace(choice.WORDS, answer="one of {n_labels} verdicts")
