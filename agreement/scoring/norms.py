"""Property norms: how many people named each feature of a concept, from elsewhere, as gold of concept and relation."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ..files.cell_texts import normalised_name
from ..files.numbers import decimal_of
from ..files.problems import Problems, quote_cell, refuse_if_any
from ..files.reading import required_table
from ..files.table import Table
from ..gold.gold_columns import CODED
from ..gold.label_gold import THRESHOLDS, production_frequencies
from ..judgments.crowd import Crowd, Properties, Sample
from ..judgments.property_coding import TYPES, Code, name_of_relation, proposed_code
from ..kinds.kind import QuestionKind
from .probe import StudyItems
from .score_gold import Gold

COLUMNS = ("concept", "relation", "feature", "type", "pf")
NEEDED = ("concept", "relation", "feature", "pf")
RELATIONS = ("has", "has a", "made of", "is")
ALL = "all"


@dataclass(frozen=True, slots=True)
class Norm:
    """One line: `pf` people named the feature of the concept, under that relation."""

    concept: str
    relation: str
    feature: str
    type: str
    pf: int


@dataclass(frozen=True, slots=True)
class Norms:
    """The lines of a table of norms, in its order; `source` names it."""

    source: str
    lines: tuple[Norm, ...]

    def queries(self) -> dict[tuple[str, str], dict[str, int]]:
        """By concept and relation, how many people named each feature."""
        by_query: dict[tuple[str, str], dict[str, int]] = {}
        for line in self.lines:
            by_query.setdefault((line.concept, line.relation), {})[line.feature] = line.pf
        return by_query

    def gold(self, kind: QuestionKind) -> Gold:
        """Each concept and relation as an item, which scores are broken down by relation of."""
        queries = self.queries()
        columns = [np.array(column, dtype=object) for column in zip(*queries, strict=True)] or [np.empty(0, object)] * 2
        ids = np.array([query_id(*query) for query in queries], dtype=object)
        fields = dict(zip(("concept", "relation"), columns, strict=True))
        return Gold(kind, ids, properties=tuple(queries.values()), fields=fields)

    def items(self, kind: QuestionKind) -> StudyItems:
        """The same items, for probes to be read on."""
        return StudyItems(kind, np.array([query_id(*query) for query in self.queries()], dtype=object))


def query_id(concept: str, relation: str) -> str:
    """The id of a concept and a relation where no file of items gives one.

    >>> query_id("polar bear", "has a")
    'polar-bear--has-a'
    """
    return "--".join(part.replace(" ", "-") for part in (concept, relation))


def name_of_concept(text: str) -> str:
    """A concept as norms and items are matched by it.

    >>> name_of_concept(" Polar_bear")
    'polar bear'
    """
    return normalised_name(text.replace("_", " "))


def read_norms(path: Path, *, relations: Sequence[str] = RELATIONS, types: Collection[str] = ()) -> Norms:
    """The norms in a file, `Refused` with every bad row; `types` are those that count, none: all of them."""
    problems = Problems(path.name)
    table = required_table(path, problems)
    norms = norms_of_table(table, problems, relations)
    refuse_if_any(problems)
    kept = tuple(line for line in norms.lines if not types or line.type in types)
    if not kept:
        problems.whole(f"no line is of type {' or '.join(sorted(types))}" if norms.lines else "it has no lines")
    refuse_if_any(problems)
    return Norms(norms.source, kept)


def norms_of_table(table: Table, problems: Problems, relations: Collection[str] = RELATIONS) -> Norms:
    """The lines of a table; what is wrong goes to `problems`, row by row."""
    missing = [name for name in NEEDED if name not in table.columns]
    if missing:
        problems.whole(f"there is no column {' and no column '.join(missing)}; norms are {','.join(COLUMNS)}")
        return Norms(table.name, ())
    texts = {name: table.columns[name].text().tolist() for name in COLUMNS if name in table.columns}
    lines: list[Norm] = []
    first: dict[tuple[str, str, str], int] = {}
    known = {name_of_relation(relation) for relation in relations}
    for index, row in enumerate(table.rows.tolist()):
        cells = {name: str(values[index]) for name, values in texts.items()}
        line = _line(cells, row, problems, known)
        if line is None:
            continue
        key = (line.concept, line.relation, line.feature)
        if key in first:
            problems.row(row, f"'{' '.join(key)}' stands in row {first[key]} already")
        first.setdefault(key, row)
        lines.append(line)
    return Norms(table.name, tuple(lines))


def _line(cells: Mapping[str, str], row: int, problems: Problems, relations: Collection[str]) -> Norm | None:
    """One row, or None where something is wrong with it."""
    concept, feature = name_of_concept(cells["concept"]), normalised_name(cells["feature"].replace("_", " "))
    relation, kind = name_of_relation(cells["relation"]), normalised_name(cells.get("type", "")).replace("-", " ")
    wrong = [f"column {name}: it is blank" for name, text in (("concept", concept), ("feature", feature)) if not text]
    if relation not in relations:
        listed = ", ".join(sorted(relations))
        reason = f"is none of the relations {listed}; score_norms takes others by --relations"
        wrong.append(f"column relation: {quote_cell(cells['relation'])} {reason}")
    if kind and kind not in TYPES:
        wrong.append(f"column type: {quote_cell(cells['type'])} is none of {', '.join(TYPES)}")
    pf = decimal_of(cells["pf"])
    if pf is None or pf < 1 or pf != int(pf):
        wrong.append(f"column pf: {quote_cell(cells['pf'])} is not a whole number of people, 1 or more")
    for message in wrong:
        problems.row(row, message)
    return None if wrong or pf is None else Norm(concept, relation, feature, kind, int(pf))


def entries_by_relation(named: Iterable[tuple[str, int]], thresholds: Sequence[int] = THRESHOLDS) -> pd.DataFrame:
    """How many entries there are of each relation that so many people named, from each entry's relation and frequency.

    >>> entries_by_relation([("is", 29), ("has a", 17), ("is", 2)]).values.tolist()[:2]
    [[2, 3, 1, 2], [5, 2, 1, 1]]
    """
    entries = list(named)
    used_relations = {relation for relation, _ in entries if relation}
    relations = [*(each for each in RELATIONS if each in used_relations), *sorted(used_relations - {*RELATIONS})]
    rows = [
        {
            "pf": threshold,
            ALL: sum(count >= threshold for _, count in entries),
            **{each: sum(count >= threshold for of, count in entries if of == each) for each in relations},
        }
        for threshold in thresholds
    ]
    return pd.DataFrame(rows, columns=["pf", ALL, *relations])


def norms_of_gold(columns: Sequence[str], lines: Iterable[Sequence[str]]) -> list[tuple[str, ...]]:
    """The lines of a list's gold.csv as norms. The relation is the item's, or else that of the property as it is coded
    or proposed; the concept is the item's, or else its id.

    >>> norms_of_gold(["item_id", "property", "frequency", "n"], [["fern", "is green", "29", "30"]])
    [('fern', 'is', 'green', '', '29')]
    """
    norms: dict[tuple[str, str, str], tuple[str, int]] = {}
    for line in lines:
        cells = dict(zip(columns, line, strict=True))
        code = proposed_code(cells["property"])
        if CODED[0].name in cells:
            relation, feature, kind = (cells[column.name] for column in CODED)
            code = Code(relation, feature, kind)
        if cells.get("relation", "").strip():
            code = Code(name_of_relation(cells["relation"]), cells["property"], code.type)
        key = (name_of_concept(cells.get("concept") or cells["item_id"]), code.relation, code.feature)
        pf = int(cells["frequency"])
        if key not in norms or norms[key][1] < pf:
            norms[key] = (code.type, pf)
    return [(*key, kind, str(pf)) for key, (kind, pf) in norms.items()]


def entries_of_crowd(crowd: Crowd, kept: Sample) -> tuple[dict[str, int], ...]:
    """`property_entries` of a report: by the least number of people how many properties of items there are, and of each
    relation where the items or a coding say it.
    """
    if not isinstance(kept.answers, Properties):
        raise TypeError("entries are counted of answers that are Properties")
    _, table = production_frequencies(kept.item, kept.worker, kept.answers, crowd.n_items)
    of_item = [name_of_relation(str(text)) for text in crowd.items["relation"]] if "relation" in crowd.items else None
    coding = crowd.coding
    named = []
    for row, name, count in zip(table["item"], table["property"], table["frequency"], strict=True):
        relation = coding.parts(str(name)).relation if coding is not None else ""
        named.append(((of_item[row] if of_item is not None else "") or relation, int(count)))
    counted = entries_by_relation(named)
    return tuple(dict(zip(counted.columns, line, strict=True)) for line in counted.to_numpy().tolist())
