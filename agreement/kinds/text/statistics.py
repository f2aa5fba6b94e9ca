"""The statistics of kind `text`, and its words: one free text, on which people neither agree nor disagree."""

from ...cleaning.check_items import words_by_chance
from ...cleaning.rules.check import texts_break
from ...cleaning.rules.straight_lining import text_codes
from ...figures.judgment_distribution import text_length_distribution
from ...gold.gold_columns import ITEM_ID, TEXT, TEXTS
from ...gold.gold_table import text_gold_table
from ...judgments.crowd import Answers, Properties
from ...people.answers_to_an_item import number_of_texts, share_of_different_texts
from ...people.label_reports import text_report
from ...people.person_metrics import OF_TEXTS
from ...scoring.score_gold import gold_from_texts
from ...warnings.about_accounts import identical_accounts
from ..statistics import Quoting, Statistics, Words


def _text(answers: Answers, judgment: int) -> list[str]:
    if isinstance(answers, Properties):
        raise TypeError("answers of kind text are texts")
    return [str(answers[judgment])]


STATISTICS = Statistics(
    breaks=texts_break,
    chance_to_pass=words_by_chance,
    answer_codes=text_codes,
    agrees=None,
    gold_columns=(ITEM_ID, *TEXTS),
    gold_table=text_gold_table,
    read_gold=gold_from_texts,
    quoting=Quoting(TEXT, _text, line_is_one_persons=True),
    agreement=text_report,
    influence=None,
    contested=share_of_different_texts,
    in_words=number_of_texts,
    contested_in="Different texts per judgment",
    distribution=text_length_distribution,
    warnings=(identical_accounts,),
    person=OF_TEXTS,
    takes="texts",
    first_metric="mean_of_four_without_one",
    reference=None,
)


WORDS = Words(
    answer="a text",
    gold="The gold of an item is all of its texts.",
    no_other_alpha="free texts are neither labels nor numbers",
    reference_metric="",
    verdict_by="references",
)
