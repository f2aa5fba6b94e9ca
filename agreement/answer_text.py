"""Answers as the text of a cell: what judgments.csv, evidence and exports show."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from agreement.crowd import Crowd, Properties
from tables.cell_texts import join_bars
from tables.table import Column, encode

NOTHING_CHOSEN = "|"  # the set of no label: a blank cell would be no answer to our own readers


def number_text(number: float) -> str:
    """A number in the fewest digits that give it back.

    >>> number_text(57.0), number_text(4.6)
    ('57', '4.6')
    """
    return repr(number).removesuffix(".0")


def number_column(numbers: npt.NDArray[np.float64]) -> Column:
    """[J] numbers as texts, blank for nan."""
    distinct, codes = np.unique(numbers + 0.0, return_inverse=True)  # -0.0 is 0
    texts = [number_text(number) if number == number else "" for number in distinct.tolist()]  # noqa: PLR0124 - not nan
    return Column(codes.astype(np.int32), texts, is_plain=True)


def answer_columns(crowd: Crowd) -> dict[str, Column]:
    """The answers as the columns that hold them: `value`, or `v:<label>` for kind sliders."""
    answers = crowd.answers
    if isinstance(answers, Properties):
        texts = [join_bars(answers.of(j)) for j in range(len(answers))]
        return {"value": encode(texts, len(texts))}
    if crowd.kind == "slider":
        return {"value": number_column(answers)}
    if crowd.kind == "sliders":
        return {f"v:{label}": number_column(answers[:, at]) for at, label in enumerate(crowd.labels)}
    if crowd.kind == "choices":
        first, which = _distinct_sets(answers)
        sets = ["|".join(np.array(crowd.labels, dtype=object)[row]) or NOTHING_CHOSEN for row in answers[first]]
        return {"value": Column(which.astype(np.int32), sets)}
    if crowd.kind == "text":
        return {"value": encode(answers, len(answers))}
    return {"value": Column(answers.astype(np.int32), list(crowd.labels))}


def _distinct_sets(answers: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """[S] where each distinct set of labels stands first, and [J] which of them each answer is.

    Sets are compared by a 64-bit mark, which is far faster than row by row; row by row where two sets share one.
    """
    packed = np.packbits(answers, axis=1)
    _, first, which = np.unique(_marks(packed), return_index=True, return_inverse=True)
    if not np.array_equal(packed[first][which], packed):
        _, first, which = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    return first, which.reshape(-1)


def _marks(packed: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """[J] the sum over the bytes of a random number times the byte."""
    of_byte = np.random.default_rng(0).integers(0, 2**64, packed.shape[1], dtype=np.uint64)
    return np.asarray(packed.astype(np.uint64) @ of_byte)


def answer_texts(crowd: Crowd, which: npt.NDArray[np.intp]) -> list[str]:
    """The answers of some judgments, one text each; sliders as label=number."""
    chosen = np.zeros(crowd.n_judgments, dtype=np.bool_)
    chosen[which] = True
    columns = answer_columns(crowd.take(chosen))
    if crowd.kind != "sliders":
        given = columns["value"].text()
    else:
        shown = [[f"{name.removeprefix('v:')}={text}" for text in column.text()] for name, column in columns.items()]
        given = np.array([" ".join(row) for row in zip(*shown, strict=True)], dtype=object)
    place = np.cumsum(chosen) - 1
    return [str(given[at]) for at in place[which]]
