"""Sizes of things in pairs: a table of them, the sizes that follow from it, and those of subtypes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agreement.errors import Refused
from agreement.files.cell_texts import is_blank
from agreement.files.problems import Problems, quote_cell, refuse_if_any
from agreement.files.reading import required_table
from agreement.files.table import encode
from agreement.files.writing import csv_chunks

SMALLER, LARGER = "smaller", "larger"
OPPOSITE = {SMALLER: LARGER, LARGER: SMALLER}
COLUMNS = ("object", "other", "reference")
WRITTEN = ("item_id", *COLUMNS, "set")


@dataclass(frozen=True, slots=True, order=True)
class Relation:
    """`large` is larger than `small`."""

    large: str
    small: str

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Object, other and label, and the complement."""
        yield self.large, self.small, LARGER
        yield self.small, self.large, SMALLER


def read_sizes(path: Path) -> list[Relation]:
    """The relations of a table `object,other,reference`, each once, whichever of the two ways it is written.

    Refused by row: a thing beside itself, another label, and a pair of which an earlier row says the opposite.
    """
    problems = Problems(path.name)
    table = required_table(path, problems, COLUMNS, "a row is object, other, and smaller or larger")
    cells = zip(*(table.columns[name].text().tolist() for name in COLUMNS), strict=True)
    found: dict[Relation, int] = {}
    for row, (one, other, label) in zip(table.rows.tolist(), cells, strict=True):
        why = _wrong(one, other, label)
        if why:
            problems.row(row, why)
            continue
        relation = Relation(one, other) if label.strip() == LARGER else Relation(other, one)
        opposite = found.get(Relation(relation.small, relation.large))
        if opposite is not None:
            said = f"{quote_cell(one)} is {label.strip()} than {quote_cell(other)}"
            problems.row(row, f"{said}, and row {opposite} says the opposite")
        found.setdefault(relation, row)
    refuse_if_any(problems)
    return list(found)


def _wrong(one: str, other: str, label: str) -> str:
    if is_blank(one) or is_blank(other):
        return "object and other each need a name"
    if one == other:
        return f"{quote_cell(one)} is compared with itself"
    if label.strip() not in OPPOSITE:
        return f"the reference {quote_cell(label)} is neither smaller nor larger"
    return ""


def items_of(relations: Iterable[Relation], name: str) -> list[tuple[str, ...]]:
    """Rows of an items file, each relation with its complement, so that a constant answer is right on half of them."""
    rows = (row for relation in relations for row in relation.rows())
    return [(f"{name}-{number}", *row, name) for number, row in enumerate(rows, start=1)]


def items_bytes(rows: Sequence[Sequence[str]], columns: Sequence[str] = WRITTEN) -> bytes:
    table = {name: encode([row[at] for row in rows], len(rows)) for at, name in enumerate(columns)}
    return b"".join(csv_chunks(table))


# Sizes that follow from others: from A > B and B > C follows A > C.


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


# Sizes of subtypes: each thing of a pair replaced by one of its subtypes, such as a sink by a kitchen sink.

SUBTYPE_COLUMNS = ("object", "subtype")
FEWEST_SUBTYPES = 2  # a thing with one subtype has no choice


def read_subtypes(path: Path) -> dict[str, list[str]]:
    """A table `object,subtype`; refused by row where a subtype is blank, given twice, or the thing's own name."""
    problems = Problems(path.name)
    table = required_table(path, problems, SUBTYPE_COLUMNS, "a row is an object and one of its subtypes")
    found: dict[str, list[str]] = {}
    cells = zip(*(table.columns[name].text().tolist() for name in SUBTYPE_COLUMNS), strict=True)
    for row, (thing, subtype) in zip(table.rows.tolist(), cells, strict=True):
        if is_blank(thing) or is_blank(subtype):
            problems.row(row, "object and subtype each need a name")
        elif subtype == thing:
            problems.row(row, f"{quote_cell(thing)} is given as a subtype of itself")
        elif subtype in found.get(thing, []):
            problems.row(row, f"{quote_cell(subtype)} is a subtype of {quote_cell(thing)} already")
        else:
            found.setdefault(thing, []).append(subtype)
    refuse_if_any(problems)
    return found


def with_subtypes(known: Sequence[Relation], subtypes: Mapping[str, Sequence[str]], seed: int) -> list[Relation]:
    """The relations both of whose things have more than one subtype, each thing replaced by one at random.

    >>> table = {"sink": ["kitchen sink", "steel sink"], "tree": ["oak tree", "bare tree"], "bed": ["bunk bed"]}
    >>> made = with_subtypes([Relation("tree", "sink"), Relation("bed", "sink")], table, seed=1)
    >>> [(one.large in table["tree"], one.small in table["sink"]) for one in made]
    [(True, True)]
    """
    rng = np.random.default_rng(seed)
    usable = [
        one for one in known if all(len(subtypes.get(thing, ())) >= FEWEST_SUBTYPES for thing in (one.large, one.small))
    ]
    return [Relation(*(_drawn(subtypes[thing], rng) for thing in (one.large, one.small))) for one in usable]


def _drawn(names: Sequence[str], rng: np.random.Generator) -> str:
    return names[int(rng.integers(len(names)))]
