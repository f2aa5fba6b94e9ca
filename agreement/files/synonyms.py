"""Spellings that stand for labels, such as grey for gray, and how texts with them are read.

Where answers may be several labels a spelling may stand for several too (beige is yellow and brown).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from .cell_texts import join_bars, split_bars

Synonyms: TypeAlias = Mapping[str, Sequence[str]]  # a spelling, and the labels that it stands for


def lines_of_synonyms(synonyms: Synonyms) -> str:
    """The lines that `synonyms_of_lines` reads.

    >>> lines_of_synonyms({"beige": ["yellow", "brown"]})
    'beige = yellow | brown'
    """
    return "\n".join(f"{spelling} = {' | '.join(labels)}" for spelling, labels in synonyms.items())


def synonyms_in_words(synonyms: Synonyms) -> str:
    """As a sentence lists them.

    >>> synonyms_in_words({"grey": ["gray"], "beige": ["yellow", "brown"]})
    'grey for gray, beige for yellow and brown'
    """
    return ", ".join(f"{spelling} for {' and '.join(labels)}" for spelling, labels in synonyms.items())


def meant(label: str, synonyms: Synonyms) -> Sequence[str]:
    """The labels that a text stands for: itself, unless it is a synonym."""
    return synonyms.get(label, (label,))


def in_labels(cell: str, synonyms: Synonyms) -> str:
    """A cell of labels with each synonym replaced; a label that comes up twice stays once.

    >>> in_labels("beige|yellow", {"beige": ["yellow", "brown"]})
    'yellow|brown'
    """
    if not synonyms or not cell.strip():
        return cell
    parts = split_bars(cell)
    if not any(part in synonyms for part in parts):
        return cell
    return join_bars(dict.fromkeys(label for part in parts for label in meant(part, synonyms)))
