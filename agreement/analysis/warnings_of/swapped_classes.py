"""Dawid and Skene's classes that came to mean something else than the label they are named after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from agreement.analysis.warnings_of.warning import Warned, named
from agreement.gold.dawid_skene import Consensus


def warnings_on_models(models: Mapping[str, Consensus], labels: Sequence[str]) -> Iterator[Warned]:
    """A class in which another label than its own is the commonest answer: its labels are left blank in gold.csv."""
    for name, model in models.items():
        if model.swapped:
            each = [f"what it calls {labels[truth]} mostly got {labels[vote]}" for truth, vote in model.swapped]
            yield Warned(
                "swapped-classes",
                f"The Dawid-Skene model's classes don't mean their labels: {named(each)}. Its labels and accuracies"
                f" are left blank in gold.csv and workers.csv (columns {name}, {name}_p and {name}_accuracy); the"
                " majority stands.",
            )
