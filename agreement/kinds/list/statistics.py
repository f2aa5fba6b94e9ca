"""The statistics of kind `list`, and its words: properties in people's own words."""

from ...cleaning.check_items import words_by_chance
from ...cleaning.rules.check import properties_break
from ...cleaning.rules.straight_lining import property_codes
from ...figures.judgment_distribution import property_distribution
from ...gold.gold_columns import CODED, ITEM_ID, PROPERTIES, PROPERTY
from ...gold.gold_table import property_gold_table
from ...gold.label_gold import spelt_answer
from ...people.agreement_without_each_worker import alpha_of_properties
from ...people.answers_to_an_item import commonest_properties, share_named_once
from ...people.label_reports import property_report
from ...people.person_metrics import OF_LISTS
from ...people.reference_gold import LISTS_AGAINST_NORMS
from ...scoring.norms import entries_of_crowd
from ...scoring.score_gold import gold_from_properties
from ..statistics import KAPPA, Quoting, Statistics, Words

STATISTICS = Statistics(
    breaks=properties_break,
    chance_to_pass=words_by_chance,
    answer_codes=property_codes,
    agrees=None,
    gold_columns=(ITEM_ID, *PROPERTIES, *CODED),
    gold_table=property_gold_table,
    read_gold=gold_from_properties,
    quoting=Quoting(PROPERTY, spelt_answer, line_is_one_persons=False),
    agreement=property_report,
    influence=alpha_of_properties,
    contested=share_named_once,
    in_words=commonest_properties,
    contested_in="Share of properties that one person named",
    distribution=property_distribution,
    warnings=(),
    property_entries=entries_of_crowd,
    person=OF_LISTS,
    takes="ranking",
    also_takes=("spans",),
    first_metric="reciprocal_rank_of_named",
    reference=LISTS_AGAINST_NORMS,
)


WORDS = Words(
    answer="a list of properties",
    gold="The gold of an item is how many people named each normalised property.",
    figures_if_defined=(KAPPA,),
    no_other_alpha="lists of properties are neither labels nor numbers; see the properties one by one",
    reference_metric="average precision at 2",
    verdict_by="people",
)
