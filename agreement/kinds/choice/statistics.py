"""The statistics of kind `choice`, and its words: one label of a few."""

from functools import partial

from ...cleaning.check_items import label_by_chance
from ...cleaning.rules.check import labels_break
from ...cleaning.rules.disagreement import right_about_the_label
from ...cleaning.rules.straight_lining import array_codes
from ...figures.judgment_distribution import label_distribution
from ...gold.annotator_models import MODELS
from ...gold.gold_columns import BESIDE_THE_MAJORITY, ITEM_ID, LABELS, OF_ORDER
from ...gold.gold_table import label_gold_table
from ...gold.label_gold import label_weights
from ...people.agreement_without_each_worker import alpha_of_labels
from ...people.answers_to_an_item import commonest_label, share_against_the_majority
from ...people.label_reports import label_report
from ...people.person_metrics import OF_ONE_LABEL
from ...people.reference_gold import LABEL_AGAINST_SETS
from ...scoring.score_gold import gold_from_labels
from ...warnings.about_accounts import identical_accounts
from ...warnings.about_labels import labels_alike, one_item, several_in_one, unused_order
from ...warnings.about_workers import warnings_on_labels
from ..statistics import ALWAYS_ONE_LABEL, COHEN, KAPPA, LABEL_GOLD, NO_ORDER, NOMINAL, OWN_LABELS, Statistics, Words

STATISTICS = Statistics(
    breaks=labels_break,
    chance_to_pass=label_by_chance,
    answer_codes=array_codes,
    agrees=right_about_the_label,
    gold_columns=(ITEM_ID, *LABELS, *BESIDE_THE_MAJORITY, *OF_ORDER),
    gold_table=partial(label_gold_table, weights=label_weights),
    read_gold=partial(gold_from_labels, has_one_label=True),
    annotator_models=MODELS,
    agreement=label_report,
    influence=alpha_of_labels,
    contested=share_against_the_majority,
    in_words=commonest_label,
    contested_in="Share not of the commonest label",
    answer_is_a_label=True,
    distribution=label_distribution,
    warnings=(one_item, labels_alike, several_in_one, unused_order, identical_accounts, warnings_on_labels),
    person=OF_ONE_LABEL,
    takes="labels",
    first_metric="people_who_agree",
    reference=LABEL_AGAINST_SETS,
)


WORDS = Words(
    answer="one of {n_labels} labels",
    answer_of_one_label=ALWAYS_ONE_LABEL,
    gold=LABEL_GOLD,
    figures=(KAPPA, NOMINAL, COHEN),
    figures_if_defined=(OWN_LABELS,),
    no_other_alpha=NO_ORDER,
    reference_metric="R-Acc",
    verdict_by="decided",
)
