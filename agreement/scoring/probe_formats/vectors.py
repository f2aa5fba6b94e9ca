"""Vectors of terms, as they come (`term,<context>,...`) and held against a study's pairs of terms."""

from collections.abc import Sequence
from typing import get_args

import numpy as np
import numpy.typing as npt

from ...files.numbers import numbers
from ..probe import Probe, Run
from ..probe_format import Option, ProbeFormat, unreadable
from ..probe_layout import ProbeRows
from ..vectors import (
    Similarity,
    TermVectors,
    Transform,
    similarities,
    transform_vectors,
    undefined_terms,
)

TRANSFORM: Option[Transform] = Option(
    name="transform",
    default="raw",
    choices=get_args(Transform),
    help="of a probe's vectors",
    label="Vectors as they are, or",
)
SIMILARITY: Option[Similarity] = Option(
    name="similarity",
    default="cosine",
    choices=get_args(Similarity),
    help="of two vectors",
    label="Similarity of two vectors",
)
MOST_NAMED = 10


def probe_of_vectors(
    rows: ProbeRows, name: str, runs: Sequence[tuple[dict[str, str], TermVectors]], notes: Sequence[str] = ()
) -> Probe:
    """A similarity of each item's two terms in every run. Terms are found by their own name, else by their alias."""
    similarity, transform, study = rows.options[SIMILARITY], rows.options[TRANSFORM], rows.study
    if study.left is None or study.right is None:
        rows.problems.whole("vectors of terms score items with the fields left and right, which this study has not")
        return unreadable(name)
    if len(rows.problems):
        return unreadable(name)
    scored: list[Run] = []
    all_notes = list(notes)
    for keys, vectors in runs:
        where = f"{' '.join('='.join(pair) for pair in keys.items())}: " if keys and len(runs) > 1 else ""
        values = transform_vectors(vectors.values, transform)
        place_of = {term: number for number, term in enumerate(vectors.terms)}
        left, left_names = _places(study.left, study.left_alias, place_of)
        right, right_names = _places(study.right, study.right_alias, place_of)
        scored.append(Run(keys, similarities(values, left, right, similarity), vectors=vectors))
        all_notes.append(f"{where}{similarity} of vectors of {len(vectors.contexts)} numbers, {transform}")
        if undefined := int(undefined_terms(values).sum()):
            all_notes.append(f"{where}{undefined} of {len(values)} terms have a constant or undefined vector")
        if aliases := {**left_names, **right_names}:
            listed = ", ".join(f"{term} as {alias}" for term, alias in sorted(aliases.items()))
            all_notes.append(f"{where}terms found by their alias: {listed}")
        asked = np.ones(len(left), dtype=np.bool_) if study.is_target is None else study.is_target
        if absent := int(np.sum(asked & ((left < 0) | (right < 0)))):
            without = {*study.left[asked & (left < 0)].tolist(), *study.right[asked & (right < 0)].tolist()}
            all_notes.append(
                f"{where}{absent} of {asked.sum()} items have a term without a vector: {_term_list(without)}"
            )
    return Probe(name, "numbers", tuple(scored), notes=tuple(all_notes), similarity=similarity)


def _places(
    terms: npt.NDArray[np.object_], aliases: npt.NDArray[np.object_] | None, place_of: dict[str, int]
) -> tuple[npt.NDArray[np.int64], dict[str, str]]:
    """[N] the place of each item's term among the vectors, -1 where there is none; and the terms found by an alias."""
    by_alias: dict[str, str] = {}
    places = np.full(len(terms), -1, dtype=np.int64)
    for position, term in enumerate(terms.tolist()):
        own = str(term).strip()
        other = "" if aliases is None else str(aliases[position]).strip()
        if own in place_of:
            places[position] = place_of[own]
        elif other and other in place_of:
            places[position] = place_of[other]
            by_alias[own] = other
    return places, by_alias


def _term_list(terms: set[str]) -> str:
    names = sorted(map(str, terms))
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


# `term,<context>,...`: one vector per term, made into a similarity of each item's two terms.


def vectors_of_table(rows: ProbeRows) -> TermVectors | None:
    """The file's matrix; what is wrong with it goes to the problems."""
    table = rows.table
    terms = table.columns["term"].mapped(str.strip)
    rows.refuse_again(terms.codes.astype(np.int64), "term", "the term")
    contexts = [column for column in table.columns if column != "term"]
    if not contexts:
        rows.problems.whole("there is no column beside term: a vector needs its numbers")
        return None
    columns = [numbers(table.columns[column], column, table.rows, rows.problems, None) for column in contexts]
    if rows.options[TRANSFORM] == "column-share":
        for column, values in zip(contexts, columns, strict=True):
            cells, below = table.columns[column], np.flatnonzero(values < 0)
            limit = "is below 0: column-share divides by the sum of a column of amounts, such as perplexities"
            rows.problems.cells(table.rows[below], column, cells.codes[below], cells.values, limit)
            if not len(below) and not values.any():
                rows.problems.whole(f"column {column} sums to 0, which column-share can't divide by")
    return TermVectors(tuple(terms.text().tolist()), tuple(contexts), np.stack(columns, axis=1))


def read(rows: ProbeRows, name: str) -> Probe:
    vectors = vectors_of_table(rows)
    return probe_of_vectors(rows, name, [] if vectors is None else [({}, vectors)])


ROW_PER_TERM = ProbeFormat(
    order=6,
    tried=2,
    columns="term,<context>,…",
    example="term,v1,v2,…",
    row_meaning="one vector per term, for pairs of terms",
    told_by=lambda columns: "term" in columns and not {"item_id", "logprob"} & columns,
    key="term",
    key_says="term, for vectors",
    read=read,
    options=(TRANSFORM, SIMILARITY),
)

FORMATS = (ROW_PER_TERM,)
