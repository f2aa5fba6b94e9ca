"""Kind `sliders` in words."""

from questions.words import INTERVAL, KAPPA_OF_BINS, RELIABILITY, Words

WORDS = Words(
    answer="a number from {low} to {high} for each of {n_labels} labels",
    gold=(
        "Each answer was converted to proportions, and the gold of an item is their mean over workers; its label is the"
        " one of largest share, ties kept as ties."
    ),
    figures=(INTERVAL, *RELIABILITY, KAPPA_OF_BINS),
    no_other_alpha="for kind sliders alpha is given at the interval level, by label and as the mean over labels",
    reference_metric="R-Acc",
)
