"""The statistics of kind `slider`, and its words: one number on a scale."""

from ...cleaning.check_items import number_by_chance
from ...cleaning.rules.check import numbers_break
from ...cleaning.rules.disagreement import correlation_with_the_mean
from ...cleaning.rules.straight_lining import array_codes
from ...estimation.estimate import Undefined
from ...estimation.intervals import SAME
from ...figures.judgment_distribution import number_distribution
from ...gold.gold_columns import ITEM_ID, NUMBERS, SIDES
from ...gold.gold_table import number_gold_table
from ...gold.slider_gold import FEWEST
from ...people.agreement_report import AgreementReport
from ...people.agreement_without_each_worker import alpha_of_numbers
from ...people.answers_to_an_item import mean_number, spread_of_numbers
from ...people.numeric_reports import number_report
from ...people.person_metrics import OF_NUMBERS
from ...people.reference_gold import NUMBER_AGAINST_NUMBERS
from ...scoring.score_gold import gold_from_numbers
from ...warnings.about_accounts import identical_accounts, similar_accounts
from ...warnings.about_labels import one_item
from ...warnings.about_workers import warnings_on_numbers
from ..statistics import INTERVAL, KAPPA_OF_BINS, ORDINAL, RELIABILITY, Statistics, Words

STATISTICS = Statistics(
    breaks=numbers_break,
    chance_to_pass=number_by_chance,
    answer_codes=array_codes,
    agrees=correlation_with_the_mean,
    agrees_by="correlation",
    gold_columns=(ITEM_ID, *SIDES, *NUMBERS),
    gold_table=number_gold_table,
    read_gold=gold_from_numbers,
    agreement=number_report,
    influence=alpha_of_numbers,
    contested=spread_of_numbers,
    in_words=mean_number,
    contested_in="Standard deviation",
    distribution=number_distribution,
    warnings=(one_item, identical_accounts, similar_accounts, warnings_on_numbers),
    person=OF_NUMBERS,
    takes="numbers",
    first_metric="spearman",
    reference=NUMBER_AGAINST_NUMBERS,
)


def _gold(cleaned: AgreementReport) -> str:
    """The mean with its interval, which needs three judgments and that some of an item differ."""
    mean, counts = "The gold of an item is the mean of its judgments", cleaned.counts
    alpha = cleaned.krippendorff_alpha["interval"].headline
    if isinstance(alpha, Undefined) or alpha.estimate > 1.0 - SAME:
        return f"{mean}, without an interval, for no two judgments of an item differ."
    if counts.workers < FEWEST and not counts.repeated:
        return f"{mean}, without an interval, which needs {FEWEST} judgments."
    return f"{mean}, with a 95 % interval within the scale where there are {FEWEST} or more."


WORDS = Words(
    answer="a number on a scale from {low} to {high}",
    gold=_gold,
    figures=(INTERVAL, ORDINAL, *RELIABILITY, KAPPA_OF_BINS),
    no_other_alpha="numbers on a scale have alpha at all four levels",
    reference_metric="Spearman correlation",
    verdict_by="reliability",
)
