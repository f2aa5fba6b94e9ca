"""Scores of pairs of terms from a vector a term: perplexities made comparable, then a similarity of the vectors."""

from typing import Literal

import numpy as np
import numpy.typing as npt

from agreement.arrays import Bools, Floats, Ints, divide
from agreement.scoring.groups import Groups, ranks_within

Transform = Literal["raw", "log", "inverse", "column-z"]
Similarity = Literal["cosine", "euclidean", "spearman"]


def transformed(vectors: Floats, how: Transform) -> Floats:
    """[T, C] raw, log, 1 / x, or each context's z over the terms (n - 1); a context that never varies gives 0.

    Log and inverse need positive numbers: elsewhere NaN, and such a term's vector is then undefined.
    """
    if how == "raw":
        return vectors
    if how == "column-z":
        sd = vectors.std(axis=0, ddof=1) if len(vectors) > 1 else np.zeros(vectors.shape[1])
        flat = np.ptp(vectors, axis=0) == 0 if len(vectors) else np.ones(vectors.shape[1], dtype=np.bool_)
        centred = vectors - vectors.mean(axis=0)
        return np.where(flat, 0.0, divide(centred, np.broadcast_to(sd, vectors.shape)))
    positive = np.where(vectors > 0, vectors, np.nan)
    return np.log(positive) if how == "log" else 1 / positive


def undefined_terms(vectors: Floats) -> Bools:
    """[T] terms whose vector is constant or holds a NaN: no similarity with them is defined."""
    return np.asarray(~np.isfinite(vectors).all(axis=1) | (np.ptp(vectors, axis=1) == 0))


def similarities(vectors: Floats, left: Ints, right: Ints, how: Similarity) -> Floats:
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
    if how == "euclidean":
        out[known] = -np.sqrt(np.sum((a - b) ** 2, axis=1))
        return out
    if how == "spearman":
        groups = Groups.equal(len(vectors), vectors.shape[1])
        safe = np.where(bad[:, None], 0.0, vectors)
        ranks = ranks_within(groups, safe.reshape(-1)).reshape(vectors.shape) - (vectors.shape[1] + 1) / 2
        a, b = ranks[left[known]], ranks[right[known]]
    out[known] = np.clip(_cosine(a, b), -1.0, 1.0)
    return out


def _cosine(a: Floats, b: Floats) -> npt.NDArray[np.float64]:
    return np.asarray(np.sum(a * b, axis=1) / np.sqrt(np.sum(a * a, axis=1) * np.sum(b * b, axis=1)))
