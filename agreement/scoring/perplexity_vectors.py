"""P-vectors: the perplexity of each term in each context's sentences, as a matrix of terms x contexts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints, divide, sum_by
from .vectors import TermVectors

PerplexityForm = Literal["token", "sentence"]
FORMULAS: dict[PerplexityForm, str] = {
    "token": "2^(-1/T sum log2 q) over the T tokens of a cell",
    "sentence": "2^(-1/S sum log2 P(s)) over the S sentences of a cell",
}
LARGEST = float(np.finfo(np.float64).maxexp - 1)
FEW_SENTENCES = 100  # Ghanimifard and Dobnik (2019) leave contexts out that have fewer


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Sums over the tokens of each term [T] in each context [C]: their bits, -log2 q, their number, their sentences."""

    terms: tuple[str, ...]
    contexts: tuple[str, ...]
    bits: Floats
    tokens: Floats
    sentences: Floats

    @property
    def is_there(self) -> npt.NDArray[np.bool_]:
        return self.sentences > 0

    def vectors(self, form: PerplexityForm) -> TermVectors:
        """PP_ij of each cell; infinite where a token has probability 0 or the number is too large to write.

        >>> ones = np.ones((1, 1))
        >>> Cells(("on",), ("over",), bits=6 * ones, tokens=3 * ones, sentences=ones).vectors("token").values.tolist()
        [[4.0]]
        """
        exponents = divide(self.bits, self.tokens if form == "token" else self.sentences)
        values = np.where(exponents > LARGEST, np.inf, np.exp2(np.minimum(exponents, LARGEST)))
        return TermVectors(self.terms, self.contexts, values, is_made_here=True)


def cells_of(
    terms: Sequence[str],
    term: Ints,
    contexts: Sequence[str],
    context: Ints,
    sentence: Ints,
    bits: Floats,
    counts: Bools | None = None,
) -> Cells:
    """From tokens [R]: their term and context as codes, their sentence's code, their bits, and whether they count.

    One sentence of a cell is all tokens of the cell that share its id. Terms and contexts stand in alphabetical order.
    """
    rows, row_names = _alphabetical(terms, term)
    columns, column_names = _alphabetical(contexts, context)
    shape = len(row_names), len(column_names)
    cell = rows * shape[1] + columns
    size = shape[0] * shape[1]
    if counts is not None:
        cell, sentence, bits = cell[counts], sentence[counts], bits[counts]
    n_sentences = int(sentence.max(initial=0)) + 1
    of_sentences = np.unique(cell * n_sentences + sentence) // n_sentences
    return Cells(
        row_names,
        column_names,
        sum_by(cell, bits, size).reshape(shape),
        np.bincount(cell, minlength=size).astype(np.float64).reshape(shape),
        np.bincount(of_sentences, minlength=size).astype(np.float64).reshape(shape),
    )


def _alphabetical(names: Sequence[str], codes: Ints) -> tuple[npt.NDArray[np.int64], tuple[str, ...]]:
    """[R] the place of each row's name among those in use, in alphabetical order, and these names."""
    used = np.unique(codes)
    ordered = sorted(used.tolist(), key=lambda code: names[code])
    place = np.zeros(len(names), dtype=np.int64)
    place[ordered] = np.arange(len(ordered))
    return place[codes], tuple(names[code] for code in ordered)


def said_of_sentences(cells: Cells) -> list[str]:
    """What a reader should know of the contexts' sizes."""
    n = len(cells.contexts)
    few, uneven = ((cells.sentences.min(axis=0) < FEW_SENTENCES).sum(), (np.ptp(cells.sentences, axis=0) > 0).sum())
    said = []
    if few:
        said.append(f"{few} of {n} contexts have fewer than {FEW_SENTENCES} sentences for some term")
    if uneven:
        said.append(f"in {uneven} of {n} contexts the terms differ in how many sentences they have")
    return said
