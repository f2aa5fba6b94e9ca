"""Kind `slider` in words."""

from agreement.gold.slider_gold import FEWEST
from agreement.stats.intervals import SAME
from questions.words import INTERVAL, KAPPA_OF_BINS, ORDINAL, RELIABILITY, Report, Words


def _gold(report: Report) -> str:
    """The mean with its interval, which needs three judgments and that some of an item differ."""
    mean, cleaned = "The gold of an item is the mean of its judgments", report["agreement"]["cleaned"]
    alpha, counts = cleaned["krippendorff_alpha"]["interval"], cleaned["counts"]
    if alpha.get("estimate", 1.0) > 1.0 - SAME:
        return f"{mean}, without an interval, for no two judgments of an item differ."
    if counts["workers"] < FEWEST and not counts["repeated"]:
        return f"{mean}, without an interval, which needs {FEWEST} judgments."
    return f"{mean}; from {FEWEST} judgments on it has a 95 % interval that stays on the scale."


WORDS = Words(
    answer="a number on a scale from {low} to {high}",
    gold=_gold,
    figures=(INTERVAL, ORDINAL, *RELIABILITY, KAPPA_OF_BINS),
    no_other_alpha="numbers on a scale have alpha at all four levels",
    reference_metric="Spearman correlation",
)
