"""Spearman and Brown's formula: how reliable the gold of orders is, and how many more judgments gold needs."""

from dataclasses import replace
from math import ceil

from ..estimation.estimate import Figure, Undefined
from .agreement_report import AgreementReport


def of_orders(cleaned: AgreementReport) -> Figure:
    """The reliability of mean ranks: of Kendall's W with n people R = (n - 1 / W) / (n - 1), which is Spearman and
    Brown's formula on the mean correlation (n W - 1) / (n - 1) of two people.
    """
    w, n = cleaned.kendall_w, cleaned.counts.judgments_per_item
    if w is None or isinstance(w.headline, Undefined):
        return Undefined("orders agree by no figure") if w is None else w.headline
    if n <= 1 or w.headline.estimate <= 0:
        return Undefined("orders of one person can't be compared")

    def stepped_up(value: float) -> float:
        return max((n - 1 / value) / (n - 1), -1.0) if value > 0 else -1.0

    low, high = (None if end is None else stepped_up(end) for end in (w.headline.low, w.headline.high))
    return replace(w.headline, estimate=stepped_up(w.headline.estimate), low=low, high=high)


def further_judgments(reliability: float, wanted: float, judgments_per_item: float, most: int = 100) -> int:
    """How many more judgments each item needs by Spearman and Brown's formula; 0: more than `most`.

    >>> further_judgments(0.6, 0.8, 3), further_judgments(-0.1, 0.8, 3)
    (5, 0)
    """
    if reliability <= 0:
        return 0
    times = wanted * (1 - reliability) / (reliability * (1 - wanted))
    further = ceil(judgments_per_item * (times - 1) - 1e-9)
    return further if further <= most else 0
