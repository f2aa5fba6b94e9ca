"""The statistics of kind `ranking`, and its words: all labels in order, by their places."""

from ...cleaning.rules.disagreement import correlation_with_the_mean
from ...cleaning.rules.straight_lining import array_codes
from ...figures.judgment_distribution import place_distribution
from ...gold.gold_columns import ITEM_ID
from ...people.answers_to_an_item import mean_order
from ...warnings.about_accounts import identical_accounts
from ...warnings.about_labels import labels_alike
from ..statistics import Statistics, Words
from .concordance import (
    COLUMNS,
    OF_ORDERS,
    ORDERS_AGAINST_ORDERS,
    gold_from_orders,
    one_less_w,
    order_by_chance,
    order_gold_table,
    order_report,
    orders_break,
    points,
    w_left_out,
)

STATISTICS = Statistics(
    breaks=orders_break,
    chance_to_pass=order_by_chance,
    expected_joined_by=", then ",
    answer_codes=array_codes,
    agrees=correlation_with_the_mean,
    agrees_by="correlation",
    label_weights=points,
    gold_columns=(ITEM_ID, *COLUMNS),
    gold_table=order_gold_table,
    read_gold=gold_from_orders,
    agreement=order_report,
    influence=w_left_out,
    contested=one_less_w,
    in_words=mean_order,
    contested_in="1 − Kendall's W",
    distribution=place_distribution,
    warnings=(labels_alike, identical_accounts),
    person=OF_ORDERS,
    takes="labels",
    first_metric="rho_with_people",
    reference=ORDERS_AGAINST_ORDERS,
)


WORDS = Words(
    answer="an order of {n_labels} labels",
    gold="The gold of an item is each label's mean rank, 1 being the first place.",
    figures=(
        ("Kendall's W", ("kendall_w",)),
        ("Kendall distance of two people's orders", ("kendall_distance",)),
    ),
    no_other_alpha="an answer is an order of all labels, and Kendall's W says how far orders agree",
    reference_metric="Kendall's tau",
    verdict_by="order",
)
