"""The statistics of kind `sliders`, and its words: a number for each label, taken as shares of the answer."""

from functools import partial

from ...cleaning.check_items import numbers_by_chance
from ...cleaning.rules.check import numbers_by_label_break
from ...cleaning.rules.disagreement import correlation_with_the_mean
from ...cleaning.rules.row_disagreement import numbers_by_label
from ...cleaning.rules.straight_lining import array_codes
from ...figures.judgment_distribution import number_by_label_distribution
from ...gold.gold_columns import ITEM_ID, LABELS
from ...gold.gold_table import label_gold_table
from ...gold.label_gold import share_weights
from ...people.agreement_without_each_worker import alpha_of_numbers_by_label
from ...people.answers_to_an_item import mean_numbers, spread_of_numbers_by_label
from ...people.numeric_reports import number_by_label_report
from ...people.person_metrics import OF_SHARES
from ...people.reference_gold import SETS_AGAINST_SETS
from ...scoring.score_gold import gold_from_labels
from ...warnings.about_accounts import identical_accounts, similar_accounts
from ...warnings.about_labels import labels_alike, one_item
from ..statistics import INTERVAL, KAPPA_OF_BINS, RELIABILITY, Statistics, Words

STATISTICS = Statistics(
    breaks=numbers_by_label_break,
    chance_to_pass=numbers_by_chance,
    answer_codes=array_codes,
    agrees=correlation_with_the_mean,
    agrees_by="correlation",
    label_weights=numbers_by_label,
    gold_columns=(ITEM_ID, *LABELS),
    gold_table=partial(label_gold_table, weights=share_weights),
    read_gold=partial(gold_from_labels, has_one_label=False),
    agreement=number_by_label_report,
    influence=alpha_of_numbers_by_label,
    contested=spread_of_numbers_by_label,
    in_words=mean_numbers,
    contested_in="Standard deviation, mean over labels",
    distribution=number_by_label_distribution,
    warnings=(one_item, labels_alike, identical_accounts, similar_accounts),
    person=OF_SHARES,
    takes="labels",
    first_metric="brier_of_shares",
    reference=SETS_AGAINST_SETS,
)


WORDS = Words(
    answer="a number from {low} to {high} for each of {n_labels} labels",
    gold=(
        "Each answer was converted to proportions, and the gold of an item is their mean over workers; its label is the"
        " one of largest share; ties stay ties."
    ),
    figures=(INTERVAL, *RELIABILITY, KAPPA_OF_BINS),
    no_other_alpha="for kind sliders alpha is given at the interval level, by label and as the mean over labels",
    reference_metric="R-Acc",
    verdict_by="reliability",
)
