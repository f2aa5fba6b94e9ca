"""Kind `verify` in words."""

from questions.words import ALWAYS_ONE_LABEL, COHEN, KAPPA, LABEL_GOLD, NO_ORDER, NOMINAL, Words

WORDS = Words(
    answer="one of {n_labels} verdicts",
    answer_of_one_label=ALWAYS_ONE_LABEL,
    gold=LABEL_GOLD,
    figures=(KAPPA, NOMINAL, COHEN),
    no_other_alpha=NO_ORDER,
    reference_metric="R-Acc",
)
