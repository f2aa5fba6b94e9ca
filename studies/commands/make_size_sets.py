"""`touchstone make_size_sets sizes.csv --out DIR`: transitive and subtype sets of sizes, half of them smaller."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agreement.cli.arguments import Progress, seed
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


HELP = "Makes items of sizes that follow from others, and of subtypes, each pair with its complement."


def add_arguments(parser: ArgumentParser) -> None:
    table = "a CSV with object, other, reference (smaller or larger)"
    parser.add_argument("sizes", type=Path, metavar="sizes.csv", help=table)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write")
    transitive = "how many of the pairs that follow (A > B > C) to draw; without it, all of them"
    parser.add_argument("--transitive", type=int, metavar="PAIRS", help=transitive)
    subtypes = "a CSV with object, subtype: also write the pairs whose things both have several, by subtypes"
    parser.add_argument("--subtypes", type=Path, metavar="subtypes.csv", help=subtypes)
    parser.add_argument("--seed", type=seed, default=0, metavar="S", help="decides what is drawn (default: 0)")


def run(options: Namespace, _progress: Progress) -> dict[str, object]:
    known = read_sizes(options.sizes)
    subtypes = None if options.subtypes is None else read_subtypes(options.subtypes)
    derived, seed = derived_from(known), options.seed
    wanted = options.transitive
    drawn = list(derived.relations) if wanted is None else draw(derived, wanted, seed)
    sets = {"standard": known, "transitive": drawn}
    if subtypes is not None:
        sets["subtype"] = with_subtypes(known, subtypes, seed)
    rows = {name: items_of(relations, name) for name, relations in sets.items()}
    _write(options.out, {f"{name}.csv": items_bytes(made) for name, made in rows.items()})
    return {
        "relations": len(known),
        "chains": derived.chains,
        "contradicting": derived.contradicting,
        "pairs": len(derived.relations) + derived.both_ways,
        "both_ways": derived.both_ways,
        "items": {name: len(made) for name, made in rows.items()},
        "seed": seed,
    }


def say(answer: dict[str, Any]) -> str:
    items = ", ".join(f"{count:,} in {name}.csv" for name, count in answer["items"].items())
    dropped = f"{answer['contradicting']:,} of {answer['chains']:,} chains that contradict a relation"
    return "\n".join(
        [
            f"{answer['relations']:,} relations give {answer['pairs']:,} pairs that follow from two of them.",
            f"{answer['both_ways']:,} of these follow in both directions and were dropped, as were {dropped}.",
            f"Items, half of them smaller: {items} (seed {answer['seed']}).",
        ]
    )


def _write(out: Path, files: dict[str, bytes]) -> None:
    if there := [name for name in files if (out / name).exists()]:
        raise Refused(f"{out / there[0]} is there already: name another folder, or remove it.")
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (out / name).write_bytes(content)
    except OSError as error:
        raise Refused(f"--out {out}: it can't be written ({error.strerror})") from error
