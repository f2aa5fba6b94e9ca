"""The heat maps of similarities and of vectors: their order, their tree, what they say of what is missing."""

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np

from agreement.figures.figure import Figure
from agreement.figures.rendering import render
from agreement.figures.similarity_matrix import Order, draw_p_vectors, draw_similarity_matrix
from agreement.scoring.similarity_matrices import PairMatrix, pair_matrix
from agreement.scoring.vectors import TermVectors

TERMS = ("above", "over", "below", "under", "far from")


def sides(pairs: Iterable[tuple[str, ...]]) -> tuple[list[str], list[str]]:
    left, right = zip(*pairs, strict=True)
    return list(left), list(right)


def similarities(missing: tuple[str, ...] = ()) -> PairMatrix:
    near = {("above", "over"): 80.0, ("below", "under"): 75.0}
    pairs = list(combinations(TERMS, 2))
    values = np.array([np.nan if set(pair) & set(missing) else near.get(pair, 10.0) for pair in pairs])
    found = pair_matrix(*sides(pairs), values, most=100.0, unit=100.0)
    assert found is not None
    return found


def drawn(matrix: PairMatrix) -> Figure:
    found = draw_similarity_matrix(matrix, whose="people", measure="Mean", distance="1 - similarity", scale=(0, 100))
    assert found is not None
    return found


def test_similar_terms_are_neighbours_and_every_cell_is_in_the_table() -> None:
    figure = drawn(similarities())

    order = list(dict.fromkeys(figure.rows["term"]))
    assert abs(order.index("above") - order.index("over")) == abs(order.index("below") - order.index("under")) == 1
    assert len(figure.rows) == 25
    assert figure.rows["similarity"].isna().sum() == 5
    assert "10 of 10 pairs of 5 terms" in figure.caption
    assert "Average linkage, leaves in optimal order, on 1 - similarity." in figure.caption
    assert "hconcat" in figure.specification


def test_terms_without_a_value_are_left_out_and_named() -> None:
    figure = drawn(similarities(missing=("far from",)))

    assert "far from" not in set(figure.rows["term"])
    assert "6 of 6 pairs of 4 terms. Without far from." in figure.caption


def test_where_a_pair_is_missing_nothing_is_clustered_and_that_is_said() -> None:
    matrix = similarities()
    matrix.values[0, 1] = matrix.values[1, 0] = np.nan
    figure = drawn(matrix)

    assert list(dict.fromkeys(figure.rows["term"])) == sorted(TERMS)
    assert "In alphabetical order: 1 of 10 pairs have no value" in figure.caption
    assert "hconcat" not in figure.specification


def vectors() -> TermVectors:
    values = np.array([[1.0, 2.0, 9.0], [8.0, 9.0, 1.0], [1.0, 3.0, 8.0]])
    return TermVectors(("over", "below", "above"), ("x", "z", "y"), values)


def drawn_vectors(order: Order) -> Figure:
    found = draw_p_vectors(vectors(), order=order)
    assert found is not None
    return found


def test_vectors_stand_in_alphabetical_order_or_clustered() -> None:
    alphabetical, clustered = drawn_vectors("alphabetical"), drawn_vectors("clustered")

    assert list(dict.fromkeys(alphabetical.rows["term"])) == ["above", "below", "over"]
    assert alphabetical.rows["value"].tolist()[:3] == [1.0, 8.0, 3.0]
    assert list(dict.fromkeys(clustered.rows["term"])).index("below") != 1
    assert "on 1 - cosine of terms and of contexts (raw)" in clustered.caption
    said = "3 terms (rows) in 3 contexts (columns). Alphabetical order. Colours by the logarithm."
    assert alphabetical.caption == said


def test_what_nobody_could_see_is_not_drawn() -> None:
    terms = [f"t{at}" for at in range(201)]
    pairs = list(combinations(terms, 2))
    matrix = pair_matrix(*sides(pairs), np.ones(len(pairs)))
    assert matrix is not None
    assert draw_similarity_matrix(matrix, whose="m", measure="Score", distance="d") is None
    assert draw_p_vectors(TermVectors(tuple(terms), tuple(terms), np.ones((201, 201)))) is None


def test_both_are_drawn(tmp_path: Path) -> None:
    people = drawn(similarities())

    warnings = render([people, drawn_vectors("clustered")], tmp_path, formats=["svg"])

    assert warnings == []
    for name, cells in (("similarity-matrix", 20), ("p-vectors", 9)):
        svg = ET.parse(tmp_path / f"{name}.svg")  # noqa: S314 - our own file
        texts = {element.text for element in svg.iter() if element.text}
        assert {"above", "over", "below"} <= texts
        colours = [element for element in svg.iter() if element.get("fill", "").startswith("rgb")]
        assert len(colours) >= cells
