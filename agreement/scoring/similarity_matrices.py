"""What people and models say of a study's pairs, as matrices of terms x terms, in the order that a clustering gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

from ..arrays import Floats, divide, sum_by
from ..files.numbers import Scale, number_text
from ..files.writing import csv_cell
from .probe import Probe, StudyItems
from .score import in_words
from .score_gold import Gold
from .vectors import TO_ITSELF, Similarity, TermVectors

Texts = npt.NDArray[np.object_]
FEWEST_TERMS = 3
KNOWN_SHARE = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class PairMatrix:
    """`values` [T, T], symmetric: the mean over a pair's items, NaN for a pair without any and for a term with itself.

    `most` is how similar a term is to itself, and `unit` what counts as one, so that the distance of two terms is
    (most - value) / unit: 1 - similarity for people, 1 - cosine for vectors.
    """

    terms: tuple[str, ...]
    values: Floats
    most: float
    unit: float = 1.0

    @property
    def pairs(self) -> int:
        return len(self.terms) * (len(self.terms) - 1) // 2

    @property
    def known(self) -> int:
        """How many pairs of two terms have a value."""
        return int(np.isfinite(self.values[np.triu_indices(len(self.terms), 1)]).sum())

    def without_unknown_terms(self) -> PairMatrix:
        """Without the terms of which no pair has a value."""
        stay = np.flatnonzero(np.isfinite(self.values).any(axis=1))
        terms = tuple(self.terms[index] for index in stay.tolist())
        return PairMatrix(terms, self.values[np.ix_(stay, stay)], self.most, self.unit)

    def distances(self) -> Floats:
        """[T, T] with 0 on the diagonal."""
        distances = (self.most - self.values) / self.unit
        np.fill_diagonal(distances, 0.0)
        return distances

    def csv(self) -> bytes:
        """`term,<term>,...`, the terms in alphabetical order; blank where a pair has no value."""
        lines = [["term", *self.terms]]
        for term, row in zip(self.terms, self.values.tolist(), strict=True):
            lines.append([term, *("" if value != value else number_text(value) for value in row)])  # noqa: PLR0124 - NaN
        return "".join(",".join(map(csv_cell, line)) + "\n" for line in lines).encode()


def pair_matrix(
    left: Sequence[str] | Texts,
    right: Sequence[str] | Texts,
    values: Floats,
    *,
    most: float | None = None,
    unit: float = 1.0,
) -> PairMatrix | None:
    """Of items with two terms and a number each, NaN for none; without `most` it is the largest of the numbers.

    None where less than half of all pairs of these terms have a number: items of terms of their own are no matrix.

    >>> found = pair_matrix(["on", "over", "on"], ["over", "by", "by"], np.array([3.0, 1.0, 2.0]))
    >>> print(found.csv().decode())
    term,by,on,over
    by,,2,1
    on,2,,3
    over,1,3,
    <BLANKLINE>
    """
    sides = np.array([[str(term).strip() for term in side] for side in (left, right)], dtype=object)
    terms, codes = np.unique(sides.astype(str), return_inverse=True)
    codes, n = codes.reshape(sides.shape), len(terms)
    if n < FEWEST_TERMS or len(values) < KNOWN_SHARE * n * (n - 1) / 2:
        return None
    counted = np.flatnonzero(np.isfinite(values) & (codes[0] != codes[1]))
    cells = codes[:, counted].min(axis=0) * n + codes[:, counted].max(axis=0)
    half = divide(
        sum_by(cells, values[counted], n * n), np.bincount(cells, minlength=n * n).astype(np.float64)
    ).reshape(n, n)
    known = values[np.isfinite(values)]
    largest = float(known.max()) if len(known) else 0.0
    matrix = PairMatrix(tuple(terms.tolist()), np.fmax(half, half.T), largest if most is None else most, unit)
    return matrix if matrix.known >= KNOWN_SHARE * matrix.pairs else None


# The order of the terms, and the tree that puts them in it.


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    """`order` [T] are the terms' places from one end of the drawing to the other; `joins` the tree's U-shaped lines.

    A line has four points: along the terms (the first term's middle is at .5, the next one's at 1.5) and the distance.
    """

    order: npt.NDArray[np.int64]
    joins: tuple[tuple[tuple[float, float], ...], ...]


def cluster_terms(distances: Floats) -> Clustering | None:
    """Average linkage with the leaves in optimal order (Bar-Joseph et al. 2001); None where a distance is unknown."""
    if len(distances) < FEWEST_TERMS or not np.isfinite(distances).all():
        return None
    condensed = squareform(np.maximum((distances + distances.T) / 2, 0.0), checks=False)
    tree = hierarchy.linkage(condensed, "average", optimal_ordering=True)
    drawn = hierarchy.dendrogram(tree, no_plot=True)
    joins = tuple(
        tuple((float(along) / 10, float(height)) for along, height in zip(*line, strict=True))
        for line in zip(drawn["icoord"], drawn["dcoord"], strict=True)
    )
    return Clustering(np.array(drawn["leaves"], dtype=np.int64), joins)


def cosine_distances(rows: Floats) -> Floats:
    """[T, T] 1 - cosine of each two rows."""
    unit = divide(rows, np.sqrt(np.sum(rows**2, axis=1, keepdims=True)))
    distances = 1.0 - np.clip(unit @ unit.T, -1.0, 1.0)
    np.fill_diagonal(distances, 0.0)
    return np.asarray(distances)


def in_order(names: Sequence[str], clustering: Clustering | None) -> list[str]:
    """As a clustering has them, else in alphabetical order."""
    return sorted(names) if clustering is None else [names[index] for index in clustering.order.tolist()]


# What people and models say of a study's pairs, as matrices of terms x terms; and vectors that were made
# here.

PEOPLE = "people"
FILE = "similarity-matrix.csv"
FOLDER = "matrices"  # of the models' matrices
# What the cells of a model's matrix are, and the distance that follows from them.
WORDS: Mapping[Similarity | None, tuple[str, str]] = {
    "cosine": ("Cosine of two vectors", "1 - cosine"),
    "euclidean": ("Euclidean distance of two vectors with its sign turned", "Euclidean distance"),
    "spearman": ("Spearman's correlation of two vectors", "1 - correlation"),
    None: ("Score", "the highest score less the score"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityAbout:
    """Of the terms of a study of pairs: how many, how many pairs they make, and of how many something is known."""

    terms: int
    pairs: int
    known: int


@dataclass(frozen=True, slots=True, eq=False)
class SimilarityMatrix:
    """`whose` it is: people's, or a model's by its name. `scale` are the ends of people's answers.

    `measure` is what a cell is, and which `distance` of two terms follows from it.
    """

    whose: str
    matrix: PairMatrix
    measure: str
    distance: str
    scale: tuple[float, float] | None = None

    @property
    def is_peoples(self) -> bool:
        return self.scale is not None

    def about(self) -> SimilarityAbout:
        """How many terms it has, how many pairs of two they make, and of how many of these something is known."""
        return SimilarityAbout(terms=len(self.matrix.terms), pairs=self.matrix.pairs, known=self.matrix.known)

    @property
    def file(self) -> str:
        return FILE if self.is_peoples else f"{FOLDER}/{self.whose}-{FILE}"


@dataclass(frozen=True, slots=True, eq=False)
class MadeVectors:
    """Vectors that were made of a model's log probabilities."""

    whose: str
    vectors: TermVectors

    @property
    def file(self) -> str:
        return f"{FOLDER}/{self.whose}-p-vectors.csv"


def matrix_of_people(gold: Gold, scale: Scale | None) -> SimilarityMatrix | None:
    """Of gold that is a mean per pair of terms; None where it isn't, or where hardly two pairs share a term."""
    if gold.numbers is None or scale is None or not {"left", "right"} <= gold.fields.keys():
        return None
    ends = float(scale.low), float(scale.high)
    sides = gold.fields["left"], gold.fields["right"]
    matrix = pair_matrix(*sides, gold.numbers, most=ends[1], unit=ends[1] - ends[0])
    if matrix is None:
        return None
    measure = f"Mean of the judgments that are kept, {scale.low:f} to {scale.high:f}"
    return SimilarityMatrix(PEOPLE, matrix, measure, "1 - similarity", ends)


def _matrices_of_models(gold: Gold, study: StudyItems, probes: Sequence[Probe]) -> list[SimilarityMatrix]:
    """Of models that give a number per pair, on gold's own pairs: per setting the mean over templates or runs."""
    sides, rows = (gold.fields["left"], gold.fields["right"]), study.rows_of(gold.ids)
    matrices: list[SimilarityMatrix] = []
    for probe in (each for each in probes if each.shape == "numbers"):
        for setting in probe.settings:
            values: Floats = np.mean([run.values[rows] for run in probe.runs_of(setting)], axis=0)
            most = None if probe.similarity is None else TO_ITSELF[probe.similarity]
            matrix = pair_matrix(*sides, values, most=most)
            if matrix is not None:
                matrices.append(
                    SimilarityMatrix(_matrix_name(probe, in_words(setting)), matrix, *WORDS[probe.similarity])
                )
    return matrices


def similarity_matrices(
    gold: Gold, scale: Scale | None, study: StudyItems, probes: Sequence[Probe]
) -> list[SimilarityMatrix]:
    """People's, then the models'; none where people's is none."""
    peoples = matrix_of_people(gold, scale)
    return [] if peoples is None else [peoples, *_matrices_of_models(gold, study, probes)]


def made_vectors(probes: Sequence[Probe]) -> list[MadeVectors]:
    """One matrix of terms x contexts for each template, run and setting of log probabilities."""
    return [
        MadeVectors(_matrix_name(probe, in_words(list(run.keys.items()))), run.vectors)
        for probe in probes
        for run in probe.runs
        if run.vectors is not None and run.vectors.is_made_here
    ]


def _matrix_name(probe: Probe, setting: str) -> str:
    """Whose it is, as a part of a file's name too."""
    return f"{probe.name} {setting}".strip().replace("/", "-")
