"""Sizes that follow from others: from A > B and B > C follows A > C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotation.errors import Refused
from annotation.relations.size_table import Relation


@dataclass(frozen=True, slots=True)
class DerivedRelations:
    """The relations that follow and aren't known, sorted; and what was left out.

    `chains` is how many chains A > B > C there are, `contradicting` how many of them end in a pair whose reverse is
    known. `both_ways` counts the pairs that follow in both directions, each direction by itself.
    """

    relations: tuple[Relation, ...]
    chains: int
    contradicting: int
    both_ways: int


def derived_from(known: Sequence[Relation]) -> DerivedRelations:
    """All relations that follow in one step.

    >>> known = [Relation("house", "dog"), Relation("dog", "flea"), Relation("tree", "dog"), Relation("tree", "flea")]
    >>> derived_from(known).relations
    (Relation(large='house', small='flea'),)
    """
    smaller: dict[str, list[str]] = {}
    for relation in known:
        smaller.setdefault(relation.large, []).append(relation.small)
    there = {(relation.large, relation.small) for relation in known}
    found: set[tuple[str, str]] = set()
    chains = contradicting = 0
    for large, middles in smaller.items():
        for middle in middles:
            for small in smaller.get(middle, ()):
                chains += 1
                if (small, large) in there:
                    contradicting += 1
                elif (large, small) not in there and large != small:
                    found.add((large, small))
    both = {pair for pair in found if pair[::-1] in found}
    relations = tuple(sorted(Relation(*pair) for pair in found - both))
    return DerivedRelations(relations, chains, contradicting, len(both))


def draw(derived: DerivedRelations, pairs: int, seed: int) -> list[Relation]:
    """So many of them at random."""
    there = derived.relations
    if not 1 <= pairs <= len(there):
        raise Refused(f"{len(there):,} pairs follow from the table: draw 1 to {len(there):,} of them, not {pairs:,}.")
    chosen = np.sort(np.random.default_rng(seed).choice(len(there), pairs, replace=False))
    return [there[at] for at in chosen.tolist()]
