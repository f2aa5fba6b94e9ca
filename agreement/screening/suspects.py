"""Whom the indices speak against, and of what kind: agreement with others and of own halves decide, the rest describes.

A worker is suspected whose answers agree with the others no better than chance, and clearly less than is usual; or
whose agreement ends or begins in the middle; or who answers the other way round; or who gave one answer to everything
that the others told apart. Longest run, spread and time say what it looks like. With rare labels half of all careful
people answer "no" throughout: a run or a pattern counts only where it is improbable given the others' answers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log

import numpy as np

from ..arrays import Bools
from .halves import agrees_with_somebody
from .indices import LARGE_PART, Indices, Judged, OwnIndices, indices_of, own_indices, with_others_of
from .robust import usual_value

FEWEST_ITEMS = 10  # that others judged too
FEWEST_WORKERS = 5  # with so many: of fewer nobody knows what is usual
BEYOND = 3.0  # robust z
BELOW = 0.5  # of the usual agreement
CHANCE = 1.65  # standard deviations above it that chance still gives
CLEARLY_BELOW = -2.5  # the same below it: the other way round
REVERSED = -0.3  # a correlation
CHANGE = 3.3  # standard errors between the agreement before and after
IMPROBABLE = log(0.001)
ECHO = 0.7
LEAST_USUAL = 0.2  # agreement, below which there is nothing that somebody could fall short of
HARDLY = 0.05  # of the scale: a standard deviation of who hardly moves
AMONG_FEW = 2.0  # standard deviations above chance, by which people of another taste than most agree with each other


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """[W] by kind who is suspected of it; `usual` is the agreement of the median worker, nan where too few have one.
    `by_agreement` marks whom agreement alone speaks against, not time as well.
    """

    indices: Indices
    usual: float
    kinds: dict[str, Bools]
    by_agreement: Bools

    @property
    def can_tell(self) -> bool:
        """Whether people agree beyond chance, so that somebody can be told from them."""
        return bool(self.usual > LEAST_USUAL)

    @property
    def named(self) -> Bools:
        """[W] who is suspected of anything."""
        return np.asarray(np.logical_or.reduce(list(self.kinds.values())))


KINDS = ("constant", "pattern", "reversed", "wrong", "half-random", "random", "too-fast")


def found_in(judged: Judged, beyond: float = BEYOND) -> Found:
    """Twice where somebody is suspected: the second time nobody is held against those people's answers."""
    own = own_indices(judged)
    found = _found_among(judged, own, judged.rows.others, beyond)
    others = judged.rows.others & ~found.named
    if not found.named.any() or 2 * others.sum() < judged.rows.others.sum():
        return found
    parts, rows = (replace(answers, others=others) for answers in (judged.parts, judged.rows))
    return _found_among(replace(judged, parts=parts, rows=rows), own, others, beyond)


def _found_among(judged: Judged, own: OwnIndices, usual_workers: Bools, beyond: float) -> Found:
    indices = indices_of(judged, own, usual_workers)
    others, z = indices.with_others, indices.z
    enough = others.n >= FEWEST_ITEMS * judged.parts.parts
    comparable = usual_workers & enough & np.isfinite(others.above_chance)
    usual = usual_value(others.agreement, comparable) if comparable.sum() >= FEWEST_WORKERS else np.nan
    with np.errstate(invalid="ignore"):
        low = enough & (others.agreement < BELOW * usual) & (usual > LEAST_USUAL)
        unlike = (z["agreement"] < -beyond) | (z["plain"] < -beyond)
        by_chance = low & unlike & (others.above_chance < CHANCE)
        opposite = low & (others.above_chance < CLEARLY_BELOW)
        if not judged.is_of_labels:
            opposite &= others.agreement < REVERSED
        quick = z["log_time"] < -BEYOND
        hurried = low & quick & (z["agreement"] < -2)
        patterned = _patterned(indices)
        run = enough & (indices.run_probability < IMPROBABLE)
        constant = run & own.constant & (usual > LEAST_USUAL)
        stuck = _hardly_moves(indices, judged) | (run & (own.longest_run.length >= LARGE_PART * own.judgments))
        changed = _changed(indices, usual) & enough & (usual > LEAST_USUAL)
    suspected = by_chance & ~opposite & ~constant
    partners = ~(constant | opposite | (suspected & (patterned | stuck)))
    plain = suspected & ~patterned & ~stuck
    own_way = agrees_with_somebody(judged.parts, judged.value, judged.n_labels, plain, partners & enough)
    own_way |= plain & _agree_among_themselves(judged, partners & enough & (others.agreement < 0.75 * usual))
    plain &= ~own_way
    kinds = {
        "constant": constant | (suspected & stuck & ~patterned),
        "pattern": suspected & patterned,
        "reversed": opposite & (not judged.is_of_labels),
        "wrong": opposite & judged.is_of_labels,
        "half-random": changed & ~(constant | opposite | plain | (suspected & (patterned | stuck))),
        "random": plain,
    }
    named = np.logical_or.reduce(list(kinds.values()))
    return Found(indices, usual, kinds | {"too-fast": (quick & named) | (hurried & ~own_way)}, named)


def _agree_among_themselves(judged: Judged, few: Bools) -> Bools:
    """Who of some people agrees with the others of them better than chance."""
    if few.sum() < 2:
        return np.zeros(len(few), dtype=np.bool_)
    rows = few[judged.parts.worker]
    found = with_others_of(judged, judged.parts.of_workers(few), judged.value[rows], fewest_others=1)
    return np.asarray((found.n >= FEWEST_ITEMS * judged.parts.parts) & (found.above_chance > AMONG_FEW))


def _patterned(indices: Indices) -> Bools:
    """Whose answers mostly repeat 2, 3 or 4 of them, exactly or on a scale nearly."""
    own = indices.own
    long = own.pattern.length >= LARGE_PART * own.judgments
    return np.asarray((long & (indices.pattern_probability < IMPROBABLE)) | (own.echo > ECHO))


def _hardly_moves(indices: Indices, judged: Judged) -> Bools:
    """Whose numbers vary far less than other people's, and by no more than a twentieth of the scale."""
    if judged.scale is None:
        return np.zeros(len(indices.own.spread), dtype=np.bool_)
    return np.asarray((indices.own.spread <= HARDLY * judged.scale) & (indices.z["spread"] < -BEYOND))


def _changed(indices: Indices, usual: float) -> Bools:
    """Who agrees as is usual in one part of their answers, and in the other no better than chance."""
    change = indices.with_others.change
    good = np.maximum(change.before, change.behind)
    return np.asarray(
        (change.z > CHANGE) & (good > 0.75 * usual) & (change.low < BELOW * usual) & (change.low_above_chance < CHANCE)
    )
