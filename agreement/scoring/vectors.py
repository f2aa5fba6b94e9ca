"""Scores of pairs of terms from one vector per term: perplexities made comparable, then a similarity of the vectors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints, divide
from ..files.numbers import number_column
from ..files.table import encode
from ..files.writing import csv_chunks
from .groups import Groups, ranks_within

Transform = Literal["raw", "log", "inverse", "column-z", "column-share"]
Similarity = Literal["cosine", "euclidean", "spearman"]
TO_ITSELF: Mapping[Similarity, float] = {"cosine": 1.0, "euclidean": 0.0, "spearman": 1.0}


@dataclass(frozen=True, slots=True, eq=False)
class TermVectors:
    """`values` [T, C]: of each term its numbers in each context, before any transform.

    `is_made_here`: of log probabilities, not read from a file of vectors.
    """

    terms: tuple[str, ...]
    contexts: tuple[str, ...]
    values: Floats
    is_made_here: bool = False

    def csv(self) -> bytes:
        """`term,<context>,...`, which is read as a model's vectors again.

        >>> print(TermVectors(("on",), ("over", "by"), np.array([[1.5, 2.0]])).csv().decode())
        term,over,by
        on,1.5,2
        <BLANKLINE>
        """
        columns = {"term": encode(self.terms, len(self.terms))}
        columns |= {context: number_column(self.values[:, number]) for number, context in enumerate(self.contexts)}
        return b"".join(csv_chunks(columns))


def transform_vectors(vectors: Floats, transform: Transform) -> Floats:
    """[T, C] raw, log, 1 / x, or each context's z over the terms (n - 1); a context that never varies gives 0.

    Column-share is m_ij = x_ij / sum_i x_ij, then each term's row at length 1 (Ghanimifard and Dobnik 2019). Log and
    inverse need positive numbers, column-share none below 0: elsewhere NaN, and such a term's vector is then undefined.

    >>> transform_vectors(np.array([[3.0, 1.0], [1.0, 1.0]]), "column-share").round(3).tolist()
    [[0.832, 0.555], [0.447, 0.894]]
    """
    if transform == "raw":
        return vectors
    if transform == "column-share":
        amounts = np.where(vectors >= 0, vectors, np.nan)
        shares = divide(amounts, np.broadcast_to(amounts.sum(axis=0), vectors.shape))
        return divide(shares, np.sqrt(np.sum(shares**2, axis=1, keepdims=True)))
    if transform == "column-z":
        sd = vectors.std(axis=0, ddof=1) if len(vectors) > 1 else np.zeros(vectors.shape[1])
        flat = np.ptp(vectors, axis=0) == 0 if len(vectors) else np.ones(vectors.shape[1], dtype=np.bool_)
        centred = vectors - vectors.mean(axis=0)
        return np.where(flat, 0.0, divide(centred, np.broadcast_to(sd, vectors.shape)))
    positive = np.where(vectors > 0, vectors, np.nan)
    return np.log(positive) if transform == "log" else 1 / positive


def undefined_terms(vectors: Floats) -> Bools:
    """[T] terms whose vector is constant or holds a NaN: no similarity with them is defined."""
    return np.asarray(~np.isfinite(vectors).all(axis=1) | (np.ptp(vectors, axis=1) == 0))


def similarities(vectors: Floats, left: Ints, right: Ints, similarity: Similarity) -> Floats:
    """[N] similarity of the vectors of terms left[i] and right[i]; NaN for an undefined or absent (-1) term.

    Cosine; Euclidean distance with its sign turned, so that more is more alike; Spearman of the two vectors.

    >>> similarities(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]]), np.array([0]), np.array([2]), "cosine").tolist()
    [0.0]
    """
    bad = undefined_terms(vectors) if len(vectors) else np.zeros(0, dtype=np.bool_)
    known = (left >= 0) & (right >= 0)
    known[known] &= ~(bad[left[known]] | bad[right[known]])
    out = np.full(len(left), np.nan)
    a, b = vectors[left[known]], vectors[right[known]]
    if similarity == "euclidean":
        out[known] = -np.sqrt(np.sum((a - b) ** 2, axis=1))
        return out
    if similarity == "spearman":
        groups = Groups.equal(len(vectors), vectors.shape[1])
        safe = np.where(bad[:, None], 0.0, vectors)
        ranks = ranks_within(groups, safe.reshape(-1)).reshape(vectors.shape) - (vectors.shape[1] + 1) / 2
        a, b = ranks[left[known]], ranks[right[known]]
    out[known] = np.clip(_cosine(a, b), -1.0, 1.0)
    return out


def _cosine(a: Floats, b: Floats) -> npt.NDArray[np.float64]:
    return np.asarray(np.sum(a * b, axis=1) / np.sqrt(np.sum(a * a, axis=1) * np.sum(b * b, axis=1)))
