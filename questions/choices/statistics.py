"""The statistics of kind `choices`, and its words: a set of labels."""

from functools import partial

from agreement.analysis.warnings_of.about_accounts import identical_accounts
from agreement.analysis.warnings_of.about_labels import labels_alike, one_item
from agreement.cleaning.check_costs import set_by_chance
from agreement.cleaning.rules.check import sets_break
from agreement.cleaning.rules.disagreement import right_about_each_label
from agreement.cleaning.rules.straight_lining import array_codes
from agreement.figures.judgment_distribution import label_set_distribution
from agreement.gold.answers_in_words import commonest_labels
from agreement.gold.gold_columns import ITEM_ID, LABELS
from agreement.gold.gold_table import label_gold_table
from agreement.gold.label_gold import label_set_weights
from agreement.scoring.contested import share_against_each_label
from agreement.scoring.influence import alpha_of_label_sets
from agreement.scoring.person_metrics import OF_LABEL_SETS
from agreement.scoring.reference_gold import SETS_AGAINST_SETS
from agreement.scoring.score_gold import gold_from_labels
from agreement.stats.label_reports import label_set_report
from questions.statistics import Statistics
from questions.words import ALWAYS_ONE_LABEL, KAPPA, LABEL_GOLD, NO_ORDER, NOMINAL, Words

STATISTICS = Statistics(
    breaks=sets_break,
    chance_to_pass=set_by_chance,
    answer_codes=array_codes,
    agrees=right_about_each_label,
    gold_columns=(ITEM_ID, *LABELS),
    gold_table=partial(label_gold_table, weights=label_set_weights),
    read_gold=partial(gold_from_labels, has_one_label=False),
    agreement=label_set_report,
    influence=alpha_of_label_sets,
    contested=share_against_each_label,
    in_words=commonest_labels,
    contested_in="Share in the minority, mean over labels",
    distribution=label_set_distribution,
    warnings=(one_item, labels_alike, identical_accounts),
    person=OF_LABEL_SETS,
    takes="labels",
    first_metric="r_acc",
    reference=SETS_AGAINST_SETS,
)


WORDS = Words(
    answer="one or more of {n_labels} labels",
    answer_of_one_label=ALWAYS_ONE_LABEL,
    gold=LABEL_GOLD,
    figures=(KAPPA, NOMINAL),
    no_other_alpha=NO_ORDER,
    reference_metric="R-Acc",
)
