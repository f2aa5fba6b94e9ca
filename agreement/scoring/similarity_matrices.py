"""What people and models say of a study's pairs, as matrices of terms x terms; and vectors that were made here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..files.numbers import Scale
from .pair_matrix import PairMatrix, pair_matrix
from .probe import Probe, StudyItems
from .score import in_words
from .score_gold import Gold
from .vectors import TO_ITSELF, Similarity, TermVectors

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

    `what` a cell is, and which `distance` of two terms follows from it.
    """

    whose: str
    matrix: PairMatrix
    what: str
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
    found = pair_matrix(*sides, gold.numbers, most=ends[1], unit=ends[1] - ends[0])
    if found is None:
        return None
    what = f"Mean of the judgments that are kept, {scale.low:f} to {scale.high:f}"
    return SimilarityMatrix(PEOPLE, found, what, "1 - similarity", ends)


def _matrices_of_models(gold: Gold, study: StudyItems, probes: Sequence[Probe]) -> list[SimilarityMatrix]:
    """Of models that give a number per pair, on gold's own pairs: per setting the mean over templates or runs."""
    sides, rows = (gold.fields["left"], gold.fields["right"]), study.rows_of(gold.ids)
    found: list[SimilarityMatrix] = []
    for probe in (each for each in probes if each.shape == "numbers"):
        for setting in probe.settings:
            values: Floats = np.mean([run.values[rows] for run in probe.runs_of(setting)], axis=0)
            most = None if probe.similarity is None else TO_ITSELF[probe.similarity]
            matrix = pair_matrix(*sides, values, most=most)
            if matrix is not None:
                found.append(SimilarityMatrix(_called(probe, in_words(setting)), matrix, *WORDS[probe.similarity]))
    return found


def similarity_matrices(
    gold: Gold, scale: Scale | None, study: StudyItems, probes: Sequence[Probe]
) -> list[SimilarityMatrix]:
    """People's, then the models'; none where people's is none."""
    peoples = matrix_of_people(gold, scale)
    return [] if peoples is None else [peoples, *_matrices_of_models(gold, study, probes)]


def made_vectors(probes: Sequence[Probe]) -> list[MadeVectors]:
    """One matrix of terms x contexts for each template, run and setting of log probabilities."""
    return [
        MadeVectors(_called(probe, in_words(list(run.keys.items()))), run.vectors)
        for probe in probes
        for run in probe.runs
        if run.vectors is not None and run.vectors.is_made_here
    ]


def _called(probe: Probe, setting: str) -> str:
    """Whose it is, as a part of a file's name too."""
    return f"{probe.name} {setting}".strip().replace("/", "-")
