"""Figures of terms: how similar each two of them are, with the tree that orders them, and their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd

from ..scoring.similarity_matrices import (
    Clustering,
    MadeVectors,
    PairMatrix,
    SimilarityMatrix,
    cluster_terms,
    cosine_distances,
    in_order,
)
from ..scoring.vectors import TermVectors, Transform, transform_vectors
from .figure import INK, ROOM, Figure, Vega

SIZE = 420  # pixels of the map's sides, if the cells are neither too small nor too large for their labels
LEAST_CELL, LARGEST_CELL = 11, 34
MOST_WITH_NUMBERS = 14  # terms whose cells have room for a number
MOST_CELLS = 40_000
MOST_MODELS = 8  # of a report; the others' matrices are files all the same
TREE = 90
HOW = "Average linkage, leaves in optimal order"


def draw_similarity_matrices(matrices: Sequence[SimilarityMatrix]) -> list[Figure]:
    """People's matrix and the first models'."""
    figures: list[Figure] = []
    for number, one in enumerate(matrices[: 1 + MOST_MODELS]):
        figure = draw_similarity_matrix(
            one.matrix,
            whose=one.whose,
            measure=one.measure,
            distance=one.distance,
            name=f"similarity-matrix-{number}" if number else "similarity-matrix",
            scale=one.scale,
        )
        figures += [] if figure is None else [figure]
    return figures


def draw_similarity_matrix(
    matrix: PairMatrix,
    *,
    whose: str,
    measure: str,
    distance: str,
    name: str = "similarity-matrix",
    scale: Sequence[float] | None = None,
) -> Figure | None:
    """`whose` similarities they are (people, a model), `measure` is a cell's, and the tree is made of `distance`.

    `scale` are the ends of the colours; without it the smallest and the largest number. None for more terms than
    anybody could see.
    """
    if len(matrix.terms) ** 2 > MOST_CELLS:
        return None
    known = matrix.without_unknown_terms()
    tree = cluster_terms(known.distances())
    order = in_order(known.terms, tree)
    rows = pd.DataFrame(
        [
            (known.terms[a], known.terms[b], float(known.values[a, b]))
            for a in range(len(known.terms))
            for b in range(len(known.terms))
        ],
        columns=["term", "other", "similarity"],
    )
    place = {term: position for position, term in enumerate(order)}
    rows = rows.sort_values(["term", "other"], key=lambda names: names.map(place.__getitem__), ignore_index=True)
    summary = f"{measure}; {known.known} of {known.pairs} pairs of {len(known.terms)} terms."
    without = sorted(set(matrix.terms) - set(known.terms))
    summary += f" Without {', '.join(without)}." if without else ""
    return Figure(
        name=name,
        title=f"Similarity of terms: {whose}",
        caption=f"{summary} {_order_sentence(tree, distance, known)}",
        description=f"A heat map of {len(known.terms)} by {len(known.terms)} terms. {summary} Numbers in the table.",
        rows=rows,
        specification=heat_map(
            order,
            order,
            field=("similarity", "Similarity"),
            axes=("term", "other"),
            scale={"domain": list(scale)} if scale is not None else {"zero": False},
            tree=tree,
            distance=distance,
            with_numbers=len(order) <= MOST_WITH_NUMBERS,
        ),
    )


def _order_sentence(tree: Clustering | None, distance: str, known: PairMatrix) -> str:
    if tree is not None:
        return f"{HOW}, on {distance}."
    missing = known.pairs - known.known
    return f"In alphabetical order: {missing} of {known.pairs} pairs have no value, so that nothing is clustered."


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    field: tuple[str, str],
    axes: tuple[str, str],
    scale: Vega,
    tree: Clustering | None = None,
    distance: str = "",
    with_numbers: bool = False,
) -> Vega:
    """Cells of `rows` x `columns` in these orders, coloured by `field` (its name and title), and a tree beside them."""
    cell = min(max(SIZE / max(len(rows), len(columns)), LEAST_CELL), LARGEST_CELL)
    width, height = cell * len(columns), cell * len(rows)
    band = {"paddingInner": 0, "paddingOuter": 0}
    encoding = {
        "y": {"field": axes[0], "type": "nominal", "sort": list(rows), "title": None, "scale": band},
        "x": {
            "field": axes[1],
            "type": "nominal",
            "sort": list(columns),
            "title": None,
            "scale": band,
            "axis": {"labelAngle": -90},
        },
    }
    shown = {"filter": f"isValid(datum['{field[0]}'])"}
    colour = {"field": field[0], "type": "quantitative", "title": field[1], "scale": {"scheme": "viridis", **scale}}
    layers: list[Vega] = [{"mark": "rect", "transform": [shown], "encoding": {**encoding, "color": colour}}]
    if with_numbers:
        number = {"field": field[0], "type": "quantitative", "format": ".2~g"}
        layers.append(
            {
                "mark": {"type": "text", "fontSize": 9},
                "transform": [shown, {"joinaggregate": [_end("min", field[0]), _end("max", field[0])]}],
                "encoding": {**encoding, "text": number, "color": _readable(field[0], scale.get("domain"))},
            }
        )
    heat: Vega = {"layer": layers, "width": width, "height": height, "view": {"stroke": None}}
    room = {**ROOM, "bottom": ROOM["left"]}  # the columns' names end there
    if tree is None:
        return {**heat, "padding": room}
    return {"hconcat": [heat, _tree(tree, len(rows), height, distance)], "spacing": 4, "padding": room}


def _end(op: str, field: str) -> dict[str, str]:
    return {"op": op, "field": field, "as": op}


def _readable(field: str, domain: Sequence[float] | None) -> Vega:
    """Black on the light half of the colours, white on the dark one."""
    middle = "(datum.min + datum.max) / 2" if domain is None else str(sum(domain) / 2)
    return {"condition": {"test": f"datum['{field}'] > {middle}", "value": "black"}, "value": "white"}


def _tree(tree: Clustering, leaves: int, height: float, distance: str) -> Vega:
    points = [
        {"join": join, "point": point, "along": along, "distance": join_distance}
        for join, line in enumerate(tree.joins)
        for point, (along, join_distance) in enumerate(line)
    ]
    along = {"domain": [0, leaves], "reverse": True, "nice": False, "zero": False}
    return {
        "data": {"values": points},
        "mark": {"type": "line", "strokeWidth": 1, "color": INK},
        "encoding": {
            "x": {
                "field": "distance",
                "type": "quantitative",
                "title": distance,
                "axis": {"tickCount": 3, "grid": False},
            },
            "y": {"field": "along", "type": "quantitative", "axis": None, "scale": along},
            "detail": {"field": "join", "type": "nominal"},
            "order": {"field": "point", "type": "quantitative"},
        },
        "width": TREE,
        "height": height,
    }


# Vectors of terms as they came or were made: each term's number in each context, as a heat map.

Order = Literal["alphabetical", "clustered"]


def draw_all_p_vectors(vector_sets: Sequence[MadeVectors]) -> list[Figure]:
    """The first models' matrices."""
    drawn = (
        draw_p_vectors(
            one.vectors, name=f"p-vectors-{number}" if len(vector_sets) > 1 else "p-vectors", whose=one.whose
        )
        for number, one in enumerate(vector_sets[:MOST_MODELS], start=1)
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
    values = transform_vectors(vectors.values, transform)
    tree = cluster_terms(cosine_distances(values)) if order == "clustered" else None
    across = cluster_terms(cosine_distances(values.T)) if order == "clustered" else None
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
    order_in_words = "Alphabetical order"
    if tree is not None or across is not None:
        order_in_words = f"{HOW}, on 1 - cosine of terms and of contexts ({transform})"
    summary = f"{len(terms)} terms (rows) in {len(contexts)} contexts (columns)."
    return Figure(
        name=name,
        title=f"Terms in contexts: {whose}" if whose else "Terms in contexts",
        caption=f"{summary} {order_in_words}.{' Colours by the logarithm.' if is_positive else ''}",
        description=f"A heat map. {summary} Numbers in the table.",
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
