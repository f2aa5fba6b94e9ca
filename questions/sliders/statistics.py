"""The statistics of kind `sliders`, and its words: a number for each label, taken as shares of the answer."""

from functools import partial

from agreement.analysis.warnings_of.about_accounts import identical_accounts, similar_accounts
from agreement.analysis.warnings_of.about_labels import labels_alike, one_item
from agreement.cleaning.check_costs import numbers_by_chance
from agreement.cleaning.rules.check import numbers_by_label_break
from agreement.cleaning.rules.disagreement import correlation_with_the_mean
from agreement.cleaning.rules.row_disagreement import numbers_by_label
from agreement.cleaning.rules.straight_lining import array_codes
from agreement.figures.judgment_distribution import number_by_label_distribution
from agreement.gold.answers_in_words import mean_numbers
from agreement.gold.gold_columns import ITEM_ID, LABELS
from agreement.gold.gold_table import label_gold_table
from agreement.gold.label_gold import share_weights
from agreement.scoring.contested import spread_of_numbers_by_label
from agreement.scoring.influence import alpha_of_numbers_by_label
from agreement.scoring.person_metrics import OF_SHARES
from agreement.scoring.reference_gold import SETS_AGAINST_SETS
from agreement.scoring.score_gold import gold_from_labels
from agreement.stats.numeric_reports import number_by_label_report
from questions.statistics import Statistics
from questions.words import INTERVAL, KAPPA_OF_BINS, RELIABILITY, Words

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
    first_metric="kendall_of_shares",
    reference=SETS_AGAINST_SETS,
)


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
