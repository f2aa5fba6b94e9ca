"""What was asked of a crowd, and the report with every statistic that its kind of question doesn't have in words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from agreement.stats.design import Design
from agreement.stats.estimate import Floats, Undefined
from agreement.stats.notes import counts_of, notes_of
from agreement.stats.results import AgreementReport, Comparison, DoubleEntry, Kappa, Kind, Statistic
from agreement.stats.seeds import stream
from annotation.files.kinds import Scale

NOT_NUMBERS = "answers of kind {kind} are not numbers on a scale"
NO_LABELS = "answers of kind {kind} have no labels to agree on"


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question's judgments without their answers, and how its statistics are to be made."""

    kind: Kind
    design: Design
    labels: tuple[str, ...]
    scale: Scale
    seed: int
    replicates: int
    ordered: bool = False  # whether the order of `labels` means something

    def stream(self, name: str) -> np.random.Generator:
        return stream(self.seed, name)

    def report(self, disagreement: Floats | None = None, **given: Any) -> AgreementReport:
        """The report with `given` in place of what is undefined for this kind; `disagreement` [N] is each item's."""
        no_number = Statistic(Undefined(NOT_NUMBERS.format(kind=self.kind)))
        bare = AgreementReport(
            kind=self.kind,
            first="",
            counts=counts_of(self.design),
            fleiss_kappa=Kappa(Statistic(Undefined(NO_LABELS.format(kind=self.kind)))),
            krippendorff_alpha={},
            icc1=no_number,
            icc1k=no_number,
            split_half=no_number,
            split_half_spearman=no_number,
            notes=notes_of(self.design, disagreement),
        )
        return replace(bare, **given)


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """A report as computations that don't need each other, and how it is made of their answers, in their order."""

    calls: tuple[Callable[[], Any], ...]
    joined: Callable[[Sequence[Any]], AgreementReport]


def entered(results: list[Comparison | str]) -> DoubleEntry:
    """The comparisons made, and in words those that could not be."""
    return DoubleEntry(
        tuple(result for result in results if isinstance(result, Comparison)),
        tuple(result for result in results if isinstance(result, str)),
    )
