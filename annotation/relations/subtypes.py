"""Sizes of subtypes: each thing of a pair replaced by one of its subtypes, such as a sink by a kitchen sink."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from annotation.relations.size_table import Relation
from tables.cell_texts import is_blank
from tables.problems import Problems, refuse_if_any, shown
from tables.reading import required_table

COLUMNS = ("object", "subtype")
FEWEST = 2  # a thing with one subtype has no choice


def read_subtypes(path: Path) -> dict[str, list[str]]:
    """A table `object,subtype`; refused by row where a subtype is blank, given twice, or the thing's own name."""
    problems = Problems(path.name)
    table = required_table(path, problems, COLUMNS, "a row is an object and one of its subtypes")
    found: dict[str, list[str]] = {}
    cells = zip(*(table.columns[name].text().tolist() for name in COLUMNS), strict=True)
    for row, (thing, subtype) in zip(table.rows.tolist(), cells, strict=True):
        if is_blank(thing) or is_blank(subtype):
            problems.row(row, "object and subtype each need a name")
        elif subtype == thing:
            problems.row(row, f"{shown(thing)} is given as a subtype of itself")
        elif subtype in found.get(thing, []):
            problems.row(row, f"{shown(subtype)} is a subtype of {shown(thing)} already")
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
    usable = [one for one in known if all(len(subtypes.get(thing, ())) >= FEWEST for thing in (one.large, one.small))]
    return [Relation(*(_drawn(subtypes[thing], rng) for thing in (one.large, one.small))) for one in usable]


def _drawn(names: Sequence[str], rng: np.random.Generator) -> str:
    return names[int(rng.integers(len(names)))]
