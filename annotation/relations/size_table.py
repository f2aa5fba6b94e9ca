"""A table of sizes: which of two things is larger, read row by row and held against itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tables.cell_texts import is_blank
from tables.problems import Problems, refuse_if_any, shown
from tables.reading import required_table
from tables.table import encode
from tables.writing import csv_chunks

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
            said = f"{shown(one)} is {label.strip()} than {shown(other)}"
            problems.row(row, f"{said}, and row {opposite} says the opposite")
        found.setdefault(relation, row)
    refuse_if_any(problems)
    return list(found)


def _wrong(one: str, other: str, label: str) -> str:
    if is_blank(one) or is_blank(other):
        return "object and other each need a name"
    if one == other:
        return f"{shown(one)} is compared with itself"
    if label.strip() not in OPPOSITE:
        return f"the reference {shown(label)} is neither smaller nor larger"
    return ""


def items_of(relations: Iterable[Relation], name: str) -> list[tuple[str, ...]]:
    """Rows of an items file, each relation with its complement, so that a constant answer is right on half of them."""
    rows = (row for relation in relations for row in relation.rows())
    return [(f"{name}-{number}", *row, name) for number, row in enumerate(rows, start=1)]


def items_bytes(rows: Sequence[Sequence[str]], columns: Sequence[str] = WRITTEN) -> bytes:
    table = {name: encode([row[at] for row in rows], len(rows)) for at, name in enumerate(columns)}
    return b"".join(csv_chunks(table))
