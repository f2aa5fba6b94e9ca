"""Vectors of terms held against a study's pairs: which term each item means, and how similar its two vectors are."""

from collections.abc import Sequence
from typing import get_args

import numpy as np
import numpy.typing as npt

from .probe import Probe, Run
from .probe_format import Option, unreadable
from .probe_layout import ProbeRows
from .vectors import (
    Similarity,
    TermVectors,
    Transform,
    similarities,
    transformed,
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
    how, transform, study = rows.options[SIMILARITY], rows.options[TRANSFORM], rows.study
    if study.left is None or study.right is None:
        rows.problems.whole("vectors of terms score items with the fields left and right, which this study has not")
        return unreadable(name)
    if len(rows.problems):
        return unreadable(name)
    scored: list[Run] = []
    said = list(notes)
    for keys, vectors in runs:
        where = f"{' '.join('='.join(pair) for pair in keys.items())}: " if keys and len(runs) > 1 else ""
        made = transformed(vectors.values, transform)
        place_of = {term: at for at, term in enumerate(vectors.terms)}
        left, left_names = _places(study.left, study.left_alias, place_of)
        right, right_names = _places(study.right, study.right_alias, place_of)
        scored.append(Run(keys, similarities(made, left, right, how), vectors=vectors))
        said.append(f"{where}{how} of vectors of {len(vectors.contexts)} numbers, {transform}")
        if undefined := int(undefined_terms(made).sum()):
            said.append(f"{where}{undefined} of {len(made)} terms have a constant or undefined vector")
        if aliases := {**left_names, **right_names}:
            listed = ", ".join(f"{term} as {alias}" for term, alias in sorted(aliases.items()))
            said.append(f"{where}terms found by their alias: {listed}")
        asked = np.ones(len(left), dtype=np.bool_) if study.is_target is None else study.is_target
        if absent := int(np.sum(asked & ((left < 0) | (right < 0)))):
            without = {*study.left[asked & (left < 0)].tolist(), *study.right[asked & (right < 0)].tolist()}
            said.append(f"{where}{absent} of {asked.sum()} items have a term without a vector: {_listed(without)}")
    return Probe(name, "numbers", tuple(scored), notes=tuple(said), similarity=how)


def _places(
    terms: npt.NDArray[np.object_], aliases: npt.NDArray[np.object_] | None, place_of: dict[str, int]
) -> tuple[npt.NDArray[np.int64], dict[str, str]]:
    """[N] the place of each item's term among the vectors, -1 where there is none; and the terms found by an alias."""
    by_alias: dict[str, str] = {}
    places = np.full(len(terms), -1, dtype=np.int64)
    for at, term in enumerate(terms.tolist()):
        own = str(term).strip()
        other = "" if aliases is None else str(aliases[at]).strip()
        if own in place_of:
            places[at] = place_of[own]
        elif other and other in place_of:
            places[at] = place_of[other]
            by_alias[own] = other
    return places, by_alias


def _listed(terms: set[str]) -> str:
    names = sorted(map(str, terms))
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more
