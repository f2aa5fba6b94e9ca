"""What every kind of question declares for sentences about it: in methods.md, report.json and on the terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from .kind import QuestionKind
from .registry import declared

if TYPE_CHECKING:
    from ..people.agreement_report import AgreementReport

Path: TypeAlias = tuple[str, ...]
Figure: TypeAlias = tuple[str, Path]  # what people call it, and where it is in a report of agreement

KAPPA: Figure = ("Fleiss' kappa", ("fleiss_kappa",))
KAPPA_OF_BINS: Figure = ("Fleiss' kappa of bins", ("fleiss_kappa",))
NOMINAL: Figure = ("Krippendorff's alpha (nominal)", ("krippendorff_alpha", "nominal"))
ORDINAL: Figure = ("Krippendorff's alpha (ordinal)", ("krippendorff_alpha", "ordinal"))
INTERVAL: Figure = ("Krippendorff's alpha (interval)", ("krippendorff_alpha", "interval"))
COHEN: Figure = ("Cohen's kappa", ("cohen_kappa",))
WEIGHTED: tuple[Figure, ...] = (
    ("Cohen's kappa, linear weights", ("weighted_kappa", "linear")),
    ("Cohen's kappa, quadratic weights", ("weighted_kappa", "quadratic")),
)
RELIABILITY: tuple[Figure, ...] = (
    ("ICC(1,1)", ("icc1",)),
    ("ICC(1,k)", ("icc1k",)),
    ("split-half reliability, stepped up", ("split_half",)),
)
NO_ORDER = "labels have no order and no distance, so that alpha is nominal alone"
LABEL_GOLD = "The gold of an item is its labels' proportions and its majority label, ties kept as ties."
ALWAYS_ONE_LABEL = "always the label {label}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """One kind of question in words, as its folder's `statistics.py` declares it."""

    answer: str  # "an answer is ..."; {low}, {high} and {n_labels} are filled in
    answer_of_one_label: str = ""  # the same where the crowd used a single label, {label}
    # what the gold of an item is, where need be by how far people agree
    gold: str | Callable[[AgreementReport], str]
    figures: tuple[Figure, ...] = ()  # of agreement, in order; report.json says of the others why they are undefined
    figures_if_defined: tuple[Figure, ...] = ()
    no_other_alpha: str  # why alpha has no other level
    reference_metric: str  # by which workers are held against labels or numbers from elsewhere

    def gold_in(self, cleaned: AgreementReport) -> str:
        return self.gold if isinstance(self.gold, str) else self.gold(cleaned)


def words_of(kind: QuestionKind) -> Words:
    """What the folder of that kind declares; KeyError for a kind that there isn't."""
    found: Words = declared(kind, "statistics", "WORDS")
    return found
