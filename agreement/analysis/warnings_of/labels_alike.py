"""Labels that differ in capitals or punctuation alone, and are counted as different ones."""

from __future__ import annotations

from collections.abc import Iterator

from agreement.analysis.warnings_of.warning import Warned, named
from agreement.crowd import Crowd


def labels_alike(crowd: Crowd) -> Iterator[Warned]:
    groups: dict[str, list[str]] = {}
    for label in crowd.labels:
        groups.setdefault(_as_meant(label), []).append(label)
    for alike in groups.values():
        if len(alike) > 1:
            yield Warned(
                "labels-alike",
                f"The labels {named(alike)} are counted as {len(alike)} different labels: if they mean the same, write"
                " them in one way, for gold and agreement take them for disagreement.",
            )


def _as_meant(label: str) -> str:
    """A label without capitals and punctuation at its ends; a label of punctuation alone (`+`, `-`) stays itself.

    >>> _as_meant("Not Sure."), _as_meant("not_sure"), _as_meant("-")
    ('not sure', 'not sure', '-')
    """
    return " ".join(label.casefold().replace("_", " ").split()).strip(" .,;:!") or label
