"""The statistics of kind `choices`, and its words: a set of labels."""

from functools import partial

from ...cleaning.check_items import set_by_chance
from ...cleaning.rules.check import sets_break
from ...cleaning.rules.disagreement import right_about_each_label
from ...cleaning.rules.straight_lining import array_codes
from ...figures.judgment_distribution import label_set_distribution
from ...gold.gold_columns import ITEM_ID, LABELS
from ...gold.gold_table import label_gold_table
from ...gold.label_gold import label_set_weights
from ...people.agreement_without_each_worker import alpha_of_label_sets
from ...people.answers_to_an_item import commonest_labels, share_against_each_label
from ...people.label_reports import label_set_report
from ...people.person_metrics import OF_LABEL_SETS
from ...people.reference_gold import SETS_AGAINST_SETS
from ...scoring.score_gold import gold_from_labels
from ...warnings.about_accounts import identical_accounts
from ...warnings.about_labels import labels_alike, one_item
from ..statistics import ALWAYS_ONE_LABEL, KAPPA, LABEL_GOLD, NO_ORDER, NOMINAL, Statistics, Words

STATISTICS = Statistics(
    breaks=sets_break,
    chance_to_pass=set_by_chance,
    answer_codes=array_codes,
    agrees=right_about_each_label,
    gold_columns=(ITEM_ID, *LABELS),
    gold_table=partial(label_gold_table, weights=label_set_weights),
    read_gold=partial(gold_from_labels, has_one_label=False, has_sets=True),
    agreement=label_set_report,
    influence=alpha_of_label_sets,
    contested=share_against_each_label,
    in_words=commonest_labels,
    contested_in="Share in the minority, mean over labels",
    distribution=label_set_distribution,
    warnings=(one_item, labels_alike, identical_accounts),
    person=OF_LABEL_SETS,
    takes="labels",
    first_metric="people_who_agree",
    reference=SETS_AGAINST_SETS,
)


WORDS = Words(
    answer="one or more of {n_labels} labels",
    answer_of_one_label=ALWAYS_ONE_LABEL,
    gold=LABEL_GOLD,
    figures=(KAPPA, NOMINAL),
    no_other_alpha=NO_ORDER,
    reference_metric="R-Acc",
    verdict_by="decided",
)
