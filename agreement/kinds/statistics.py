"""What every kind of question declares for its statistics, and in words: cleaning, gold, agreement, people and models.

The formulas know of no kind: they take numbers, labels, sets of labels, numbers by label, properties or texts, and a
kind points to those that suit its answers. Nothing here knows of Django, and nothing heavy is loaded before a kind is
asked for, since a form needs none of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from .kind import QuestionKind
from .registry import declaration

if TYPE_CHECKING:
    from decimal import Decimal

    import numpy as np
    import numpy.typing as npt

    from ..cleaning.rules.check import Bounds
    from ..cleaning.rules.disagreement import SharedJudgments
    from ..estimation.estimate import Undefined
    from ..figures.judgment_distribution import Counted
    from ..gold.annotator_models import Models
    from ..gold.gold_columns import GoldColumn
    from ..gold.gold_table import GoldTable
    from ..judgments.crowd import Answers, Crowd, Mask, Sample
    from ..people.agreement_report import AgreementReport, Measures
    from ..people.agreement_without_each_worker import StatisticWithout
    from ..people.answers_to_an_item import Contested, InWords
    from ..people.person_metrics import PersonMetrics
    from ..people.reference_gold import ReferenceMetric
    from ..people.size_adjectives import SizeThreshold
    from ..scoring.probe import Shape
    from ..scoring.score_gold import GoldReader
    from ..warnings import AnalysisWarning

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
    ("reliability of the gold as released", ("gold_reliability",)),
    ("split-half reliability, stepped up", ("split_half",)),
)
OWN_LABELS: Figure = ("Kappa against 1/k of each item's own labels", ("own_label_kappa",))
NO_ORDER = "labels have no order and no distance, so that alpha is nominal alone"
LABEL_GOLD = "The gold of an item is the share of each label and the label of the majority; ties stay ties."
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
    verdict_by: str  # which row of `MEASURES` in report/verdict.py says how good the gold is

    def gold_in(self, cleaned: AgreementReport) -> str:
        return self.gold if isinstance(self.gold, str) else self.gold(cleaned)


def words_of(kind: QuestionKind) -> Words:
    """What the folder of that kind declares; KeyError for a kind that there isn't."""
    words: Words = declaration(kind, "statistics", "WORDS")
    return words


@dataclass(frozen=True, slots=True)
class Quoting:
    """A column of gold.csv in people's own words, which a release seals."""

    column: GoldColumn
    texts_of: Callable[[Answers, int], list[str]]  # what one judgment says, as gold.csv spells it
    line_is_one_persons: bool  # else it is of all who said the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """One kind of question, as its folder's `statistics.py` declares it."""

    # Cleaning
    breaks: Callable[[Crowd, npt.NDArray[np.intp], Bounds], Mask]  # which of some answers to a check break its bounds
    chance_to_pass: Callable[[Decimal | None, Decimal | None, int, int], float]  # low, high, labels wanted, labels
    answer_codes: Callable[[Answers], npt.NDArray[np.int64]]  # equal for equal answers: straight-lining
    agrees: Callable[[SharedJudgments], npt.NDArray[np.float64]] | None  # [W] each worker with the others
    agrees_by: Literal["correlation", "hits"] = "hits"  # what that figure is
    label_weights: Callable[[Answers], npt.NDArray[np.float64]] | None = (
        None  # [J, L] where an answer orders the labels
    )
    expected_joined_by: str = " or "  # how several expected labels stand in the evidence of a check

    # Gold
    gold_columns: tuple[GoldColumn, ...]  # all that gold.csv has beside the item's own fields
    gold_table: GoldTable
    read_gold: GoldReader  # the same table, as scores need it
    annotator_models: Models = field(default_factory=dict)  # beside the majority
    quoting: Quoting | None = None

    # Agreement
    agreement: Measures
    answer_is_a_label: bool = False  # each answer is one of the labels
    influence: StatisticWithout | None  # the figure that is computed without each worker; None: there is none
    contested: Contested  # [N] how far people differ on each item, which orders the list of items
    in_words: InWords  # what several people answered to one item, for a page
    contested_in: str  # what that figure is, as the heading of its column
    warnings: tuple[Callable[[Crowd, Sample], Iterable[AnalysisWarning]], ...]
    distribution: Counted  # of the answers, as a report draws it
    size_threshold: Callable[[Crowd, Sample, int], SizeThreshold | Undefined | None] | None = None  # from a seed
    property_entries: Callable[[Crowd, Sample], tuple[dict[str, int], ...]] | None = None

    # People and models against gold
    person: PersonMetrics | None  # None: nothing scores one person against the others
    takes: Shape  # the shape of the probes that are scored
    also_takes: tuple[Shape, ...] = ()  # others that gold can be held against
    first_metric: str  # by which probes are compared first
    reference: ReferenceMetric | None  # labels or numbers from elsewhere; None: there can be none

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """All shapes of probes that are scored."""
        return (self.takes, *self.also_takes)


def statistics_of(kind: QuestionKind) -> Statistics:
    """What the folder of that kind declares; KeyError for a kind that there isn't."""
    statistics: Statistics = declaration(kind, "statistics", "STATISTICS")
    return statistics
