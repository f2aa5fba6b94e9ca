"""Vectors of terms as they came or were made: each term's number in each context, as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd

from ..scoring.similarity_matrices import MadeVectors, clustered, cosine_distances, in_order
from ..scoring.vectors import TermVectors, Transform, transformed
from .figure import Figure
from .similarity_matrix import HOW, MOST_CELLS, MOST_MODELS, heat_map

Order = Literal["alphabetical", "clustered"]


def draw_all_p_vectors(made: Sequence[MadeVectors]) -> list[Figure]:
    """The first models' matrices."""
    drawn = (
        draw_p_vectors(one.vectors, name=f"p-vectors-{at}" if len(made) > 1 else "p-vectors", whose=one.whose)
        for at, one in enumerate(made[:MOST_MODELS], start=1)
    )
    return [figure for figure in drawn if figure is not None]


def draw_p_vectors(
    vectors: TermVectors,
    *,
    order: Order = "alphabetical",
    transform: Transform = "raw",
    name: str = "p-vectors",
    whose: str = "",
) -> Figure | None:
    """Colours on a logarithmic scale where all numbers are above 0, as perplexities are.

    Clustered by the cosine of terms and of contexts, both after `transform`. None for more cells than can be seen.
    """
    if vectors.values.size > MOST_CELLS:
        return None
    made = transformed(vectors.values, transform)
    tree = clustered(cosine_distances(made)) if order == "clustered" else None
    across = clustered(cosine_distances(made.T)) if order == "clustered" else None
    terms, contexts = in_order(vectors.terms, tree), in_order(vectors.contexts, across)
    row, column = ([names.index(one) for one in wanted] for names, wanted in (
        (vectors.terms, terms), (vectors.contexts, contexts),
    ))  # fmt: skip
    ordered = vectors.values[np.ix_(row, column)]
    rows = pd.DataFrame(
        {
            "term": np.repeat(np.array(terms, dtype=object), len(contexts)),
            "context": np.tile(np.array(contexts, dtype=object), len(terms)),
            "value": ordered.reshape(-1),
        }
    )
    is_positive = bool((ordered > 0).all())
    how = "Alphabetical order"
    if tree is not None or across is not None:
        how = f"{HOW}, on 1 - cosine of terms and of contexts ({transform})"
    said = f"{len(terms)} terms (rows) in {len(contexts)} contexts (columns)."
    return Figure(
        name=name,
        title=f"Terms in contexts: {whose}" if whose else "Terms in contexts",
        caption=f"{said} {how}.{' Colours by the logarithm.' if is_positive else ''}",
        description=f"A heat map. {said} Numbers in the table.",
        rows=rows,
        specification=heat_map(
            terms,
            contexts,
            field=("value", "Perplexity" if is_positive else "Value"),
            axes=("term", "context"),
            scale={"type": "log"} if is_positive else {"zero": False},
            tree=tree,
            distance="1 - cosine",
        ),
    )
