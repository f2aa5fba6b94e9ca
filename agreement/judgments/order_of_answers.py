"""Judgments in an order that their answers alone decide: random draws then don't hang on what anybody is called.

An item is told from others by the answers that it got and from whom, a worker by the answers they gave and to what.
Each gets a 64-bit mark, the sum of its judgments' marks, in turns until no more of them are told apart. What nothing
tells apart stands in the order of ids.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..arrays import Ints, sum_by
from ..files.table import Mask
from .crowd import Answers, Crowd, Properties, Sample, coded_answers, take_answers

Marks: TypeAlias = npt.NDArray[np.uint64]
Places: TypeAlias = npt.NDArray[np.int32]

PIECE = np.uint64(26)  # bits of a mark that are summed at a time, exactly up to 2^27 judgments


def in_order_of_answers(crowd: Crowd, which: Mask) -> tuple[Crowd, Sample]:
    """The judgments that `which` marks by item, then by worker; and the crowd with its workers in that order.

    Codes of items stay. The sample's workers are those of the crowd that is given back.
    """
    marked = np.flatnonzero(which)
    item, worker, mark = crowd.item[marked], crowd.worker[marked], marks_of(take_answers(crowd.answers, marked))
    item_place, worker_place = places(item, worker, mark, crowd.n_items, crowd.n_workers)
    was = np.argsort(worker_place)
    fields = crowd.worker_fields
    ordered = replace(
        crowd,
        workers=crowd.workers[was],
        worker=worker_place[crowd.worker],
        unseen=None if crowd.unseen is None else crowd.unseen[was],
        worker_fields=None if fields is None else fields.iloc[was].reset_index(drop=True),
    )
    worker = ordered.worker[marked]
    key = item_place[item].astype(np.int64) * max(crowd.n_workers, 1) + worker
    # Of several answers of a worker to an item their marks decide; keys that are all different have one order.
    order = np.lexsort((mark, key)) if crowd.repeats == "keep" else np.argsort(key)
    answers = coded_answers(crowd)
    return ordered, Sample(item[order], worker[order], take_answers(answers, marked[order]))


def places(item: Ints, worker: Ints, mark: Marks, n_items: int, n_workers: int) -> tuple[Places, Places]:
    """[N] and [W] the place of each item and each worker, from the marks [J] of the judgments' answers.

    >>> item, worker = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> mark = marks_of(np.array([7.0, 7.0, 8.0, 9.0]))
    >>> one, other = places(item, worker, mark, 2, 2), places(1 - item, 1 - worker, mark, 2, 2)
    >>> [place[::-1].tolist() == renamed.tolist() for place, renamed in zip(one, other, strict=True)]
    [True, True]
    """
    of_worker, told = np.zeros(n_workers, dtype=np.uint64), 0
    while True:
        of_item = _sums(item, _mixed(mark + of_worker[worker]), n_items)
        of_worker = _sums(worker, _mixed(mark + of_item[item]), n_workers)
        now = len(np.unique(of_item)) + len(np.unique(of_worker))
        if now in (told, n_items + n_workers):
            return _places(of_item), _places(of_worker)
        told = now


def marks_of(answers: Answers) -> Marks:
    """[J] a mark of each answer: equal answers have equal ones, and different answers different ones."""
    if isinstance(answers, Properties):
        of_name = _mixed(_of_texts(answers.names))
        total = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(of_name[answers.property], dtype=np.uint64)])
        return np.asarray(total[answers.offsets[1:]] - total[answers.offsets[:-1]])
    mark = np.zeros(len(answers), dtype=np.uint64)
    for column in _columns(answers):
        mark = _mixed(mark + column)
    return mark


def _columns(answers: npt.NDArray[Any]) -> Iterator[Marks]:
    """Everything that an answer has, 64 bits of it at a time."""
    if answers.dtype == object:
        yield _of_texts(answers.tolist())
    elif answers.dtype == np.bool_ and answers.ndim == 2:
        packed = np.packbits(answers, axis=1)
        wide = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
        wide[:, : packed.shape[1]] = packed
        yield from wide.view(np.uint64).T
    else:
        for column in answers.reshape(len(answers), -1).T:
            yield np.ascontiguousarray(column.astype(np.float64) + 0.0).view(np.uint64)  # + 0.0: -0.0 is 0


def _of_texts(texts: npt.ArrayLike) -> Marks:
    encoded = [str(text).encode() for text in np.asarray(texts, dtype=object)]
    return np.array([zlib.crc32(text) << 32 | zlib.adler32(text) for text in encoded], dtype=np.uint64)


def _mixed(x: Marks) -> Marks:
    """Each bit of x moves all bits of the mark (the finaliser of SplitMix64: Steele, Lea and Flood 2014)."""
    x = (x + np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64, copy=False)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ (x >> np.uint64(31)))


def _sums(codes: Ints, marks: Marks, size: int) -> Marks:
    """[size] a mark of the marks of each code, whatever their order: of the sums of 26 bits of them and 26 others."""
    few = (np.uint64(1) << PIECE) - np.uint64(1)
    high, low = (sum_by(codes, (part & few).astype(np.float64), size) for part in (marks >> PIECE, marks))
    return _mixed(_mixed(high.astype(np.uint64)) + low.astype(np.uint64))


def _places(marks: Marks) -> Places:
    places = np.empty(len(marks), dtype=np.int32)
    places[np.argsort(marks, kind="stable")] = np.arange(len(marks), dtype=np.int32)
    return places
