"""Kind `choices` in words."""

from questions.words import ALWAYS_ONE_LABEL, KAPPA, LABEL_GOLD, NO_ORDER, NOMINAL, Words

WORDS = Words(
    answer="one or more of {n_labels} labels",
    answer_of_one_label=ALWAYS_ONE_LABEL,
    gold=LABEL_GOLD,
    figures=(KAPPA, NOMINAL),
    no_other_alpha=NO_ORDER,
    reference_metric="R-Acc",
)
