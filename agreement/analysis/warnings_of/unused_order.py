"""Labels that look ordered in an analysis that knows of no order."""

from __future__ import annotations

from collections.abc import Iterator

from agreement.analysis.warnings_of.warning import Warned, named
from agreement.crowd import Crowd
from annotation.files.numbers import decimal_of

LEAST = 3  # two labels are the same in any order
ORDERS = (
    ("never", "almost never", "rarely", "seldom", "occasionally", "sometimes", "often", "frequently", "usually",
     "almost always", "always"),
    ("strongly disagree", "disagree", "somewhat disagree", "slightly disagree", "neither", "neutral", "undecided",
     "neither agree nor disagree", "slightly agree", "somewhat agree", "agree", "strongly agree"),
    ("very negative", "negative", "somewhat negative", "neutral", "mixed", "somewhat positive", "positive",
     "very positive"),
    ("very low", "low", "medium", "moderate", "high", "very high"),
    ("tiny", "very small", "small", "medium", "large", "big", "very large", "huge"),
    ("terrible", "very bad", "bad", "very poor", "poor", "fair", "average", "okay", "ok", "good", "very good",
     "excellent", "great"),
    ("none", "mild", "moderate", "severe", "extreme"),
    ("not at all", "none", "a little", "slightly", "somewhat", "moderately", "very", "very much", "extremely"),
    ("very unlikely", "unlikely", "neutral", "possible", "likely", "very likely"),
)  # fmt: skip


def unused_order(crowd: Crowd) -> Iterator[Warned]:
    if crowd.kind != "choice" or crowd.ordered or len(crowd.labels) < LEAST:
        return
    in_order = order_of(crowd.labels)
    if in_order:
        yield Warned(
            "unused-order",
            f"The labels look ordered ({named(in_order, 12)}), and no figure here uses an order: a neighbour counts as"
            f" wrong as the far end. If they are, analyse_file takes --labels '{'|'.join(in_order)}' --ordered.",
        )


def order_of(labels: tuple[str, ...]) -> list[str]:
    """The labels in the order that they seem to have; none where they seem to have none.

    >>> order_of(("often", "never", "Sometimes")), order_of(("10", "9", "2")), order_of(("red", "low", "high"))
    (['never', 'Sometimes', 'often'], ['2', '9', '10'], [])
    """
    numbers = {label: decimal_of(label) for label in labels}
    if all(number is not None for number in numbers.values()):
        return sorted(labels, key=lambda label: numbers[label] or 0)
    for order in ORDERS:
        places = {label: order.index(label.casefold()) for label in labels if label.casefold() in order}
        if len(places) == len(labels):
            return sorted(labels, key=places.__getitem__)
    return []
