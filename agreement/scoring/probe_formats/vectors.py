"""`term,<context>,...`: a vector a term, made into a similarity of each item's two terms."""

from typing import get_args

import numpy as np

from agreement.scoring.probe import Probe, Run
from agreement.scoring.probe_format import Option, ProbeFormat, unreadable
from agreement.scoring.probe_layout import ProbeRows
from agreement.scoring.vectors import Similarity, Transform, similarities, transformed, undefined_terms
from tables.numbers import numbers

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


def read(rows: ProbeRows, name: str) -> Probe:
    table, study, how = rows.table, rows.study, rows.options[SIMILARITY]
    terms = table.columns["term"].mapped(str.strip)
    rows.refuse_again(terms.codes.astype(np.int64), "term", "the term")
    contexts = [column for column in table.columns if column != "term"]
    if study.left is None or study.right is None:
        rows.problems.whole("vectors of terms score items with the fields left and right, which this study has not")
        return unreadable(name)
    if not contexts:
        rows.problems.whole("there is no column beside term: a vector needs its numbers")
        return unreadable(name)
    given = [numbers(table.columns[column], column, table.rows, rows.problems, None) for column in contexts]
    vectors = transformed(np.stack(given, axis=1), rows.options[TRANSFORM])
    place = np.full(len(terms.values), -1, dtype=np.int64)
    place[terms.codes] = np.arange(len(terms.codes))
    of = {value: int(at) for value, at in zip(terms.values, place, strict=True)}
    left, right = (
        np.array([of.get(str(term).strip(), -1) for term in side], dtype=np.int64) for side in (study.left, study.right)
    )
    score = similarities(vectors, left, right, how)
    undefined = int(undefined_terms(vectors).sum())
    absent = int(np.sum((left < 0) | (right < 0)))
    notes = [f"{how} of vectors of {len(contexts)} numbers, {rows.options[TRANSFORM]}"]
    if undefined:
        notes.append(f"{undefined} of {len(vectors)} terms have a constant or undefined vector")
    if absent:
        notes.append(f"{absent} of {len(score)} items have a term without a vector")
    return Probe(name, "numbers", (Run({}, score),), notes=tuple(notes))


FORMAT = ProbeFormat(
    order=6,
    tried=2,
    columns="term,<context>,…",
    example="term,v1,v2,…",
    what="one vector per term, for pairs of terms",
    told_by=lambda columns: "term" in columns and "item_id" not in columns,
    key="term",
    key_says="term, for vectors",
    read=read,
    options=(TRANSFORM, SIMILARITY),
)
