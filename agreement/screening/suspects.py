"""Whom the indices speak against, and of what kind: agreement with others and of own halves decide, the rest describes.

A worker is suspected whose answers agree with the others no better than chance, and clearly less than is usual; or
whose agreement ends or begins in the middle; or who answers the other way round; or who gave one answer to everything
that the others told apart. Longest run, spread and time say what it looks like. With rare labels half of all careful
people answer "no" throughout: a run or a pattern counts only where it is improbable given the others' answers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log
from statistics import NormalDist

import numpy as np

from ..arrays import Bools, Floats, Ints, divide, order_by, sum_by
from .indices import (
    LARGE_PART,
    Indices,
    Judged,
    OwnIndices,
    agreement_z,
    indices_of,
    own_indices,
    usual_value,
    with_others_of,
)
from .own_answers import log_probability
from .with_others import ALMOST_ONE, Answers, WithOthers

FEWEST_ITEMS = 10  # that others judged too
FEWEST_WORKERS = 5  # with so many: of fewer nobody knows what is usual
BEYOND = 3.0  # robust z
BELOW = 0.5  # of the usual agreement
CHANCE = 1.65  # standard deviations above it that chance still gives
SELDOM = 1.5  # standard deviations below half the usual agreement: one in fifteen who has that much falls lower
MANY_TIMES = 3  # as many who look random as who are between chance and most people
FEW = 0.75  # of the usual agreement: less than most people have
CLEARLY_BELOW = -2.5  # the same below it: the other way round
REVERSED = -0.3  # a correlation
WORSE = 3.1  # standard errors between the agreement before and after, of who got worse
PERHAPS = 2.0  # of who may have got either, so that they are no sign that tastes differ
BETTER = 3.3  # of who got better, which who learns the task does too
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
    """Agreement is computed twice where it speaks against somebody: the second time nobody is held against them."""
    own, everybody = own_indices(judged), judged.rows.others
    first = _by_agreement(judged, with_others_of(judged, judged.parts, judged.value).with_others, everybody, beyond)
    others = everybody & ~(first.by_chance | first.opposite | _constant(judged, own, first))
    if 2 * others.sum() >= everybody.sum():
        parts, rows = (replace(answers, others=others) for answers in (judged.parts, judged.rows))
        judged = replace(judged, parts=parts, rows=rows)
    return _found_among(judged, own, beyond)


@dataclass(frozen=True, slots=True, eq=False)
class _ByAgreement:
    """[W] who is compared on `enough` items, and whose agreement is `low`, no better than chance, or opposite."""

    usual: float
    enough: Bools
    low: Bools
    by_chance: Bools
    opposite: Bools

    @property
    def can_tell(self) -> bool:
        return bool(self.usual > LEAST_USUAL)


def _by_agreement(judged: Judged, others: WithOthers, usual_workers: Bools, beyond: float) -> _ByAgreement:
    enough = others.n >= FEWEST_ITEMS * judged.parts.parts
    comparable = usual_workers & enough & np.isfinite(others.above_chance)
    usual = usual_value(others.agreement, comparable) if comparable.sum() >= FEWEST_WORKERS else np.nan
    z = agreement_z(others, usual_workers)
    with np.errstate(invalid="ignore"):
        low = enough & (others.agreement < BELOW * usual) & (usual > LEAST_USUAL)
        unlike = (z["agreement"] < -beyond) | (z["plain"] < -beyond)
        opposite = low & (others.above_chance < CLEARLY_BELOW)
        if not judged.is_of_labels:
            opposite &= others.agreement < REVERSED
        return _ByAgreement(usual, enough, low, low & unlike & (others.above_chance < CHANCE), opposite)


def _constant(judged: Judged, own: OwnIndices, found: _ByAgreement) -> Bools:
    """Who gave one answer to everything, which is improbable given the others' answers."""
    asked = own.constant & found.enough & found.can_tell
    whole = np.zeros_like(own.judgments)
    return asked & (log_probability(judged.rows, judged.code, own.longest_run, whole, asked) < IMPROBABLE)


def _found_among(judged: Judged, own: OwnIndices, beyond: float) -> Found:
    """Everybody beside the others, who are usual."""
    indices = indices_of(judged, own, judged.rows.others)
    others, z = indices.with_others, indices.z
    found = _by_agreement(judged, others, judged.rows.others, beyond)
    with np.errstate(invalid="ignore"):
        quick = z["log_time"] < -BEYOND
        hurried = found.low & quick & (z["agreement"] < -2)
        patterned = _patterned(indices)
        run = found.enough & (indices.run_probability < IMPROBABLE)
        constant = run & own.constant & found.can_tell
        stuck = _hardly_moves(indices, judged) | (run & (own.longest_run.length >= LARGE_PART * own.judgments))
        changed = _changed(indices, found.usual) & found.enough & found.can_tell
        few = found.enough & (others.agreement < FEW * found.usual)
        between = _may_be_between(indices, found, few & judged.rows.others)
    suspected = found.by_chance & ~found.opposite & ~constant
    looks_so = constant | found.opposite | (suspected & (patterned | stuck))
    plain = suspected & ~looks_so
    partners = ~looks_so & found.enough
    own_way = agrees_with_somebody(judged.parts, judged.value, judged.n_labels, plain, partners)
    if plain.any():
        own_way |= plain & _agree_among_themselves(judged, partners & few)
    plain &= ~own_way & ~between
    kinds = {
        "constant": constant | (suspected & stuck & ~patterned),
        "pattern": suspected & patterned,
        "reversed": found.opposite & (not judged.is_of_labels),
        "wrong": found.opposite & judged.is_of_labels,
        "half-random": changed & ~looks_so & ~plain,
        "random": plain,
    }
    named = np.logical_or.reduce(list(kinds.values()))
    return Found(indices, found.usual, kinds | {"too-fast": (quick & named) | (hurried & ~own_way)}, named)


def _may_be_between(indices: Indices, found: _ByAgreement, few: Bools) -> Bools:
    """Whose answers are so few that half of the usual agreement would often come out as low as theirs, in a crowd where
    people stand between chance and what is usual: of 20 answers each some of these come out no better than chance.
    """
    others, unchanged = indices.with_others, ~(indices.change.z > PERHAPS)
    between = few & unchanged & (others.above_chance >= CHANCE) & (others.above_chance < 2 * CHANCE)
    if (found.by_chance & ~found.opposite).sum() >= MANY_TIMES * between.sum():
        return np.zeros(len(few), dtype=np.bool_)
    deviations = divide(others.above_chance, others.agreement)  # in one of agreement
    return np.asarray(others.above_chance >= BELOW * found.usual * deviations - SELDOM)


def _agree_among_themselves(judged: Judged, few: Bools) -> Bools:
    """Who of some people agrees with the others of them better than chance."""
    if few.sum() < 2:
        return np.zeros(len(few), dtype=np.bool_)
    rows = few[judged.parts.worker]
    found = with_others_of(judged, judged.parts.of_workers(few), judged.value[rows], fewest_others=1).with_others
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
    change = indices.change
    good = np.maximum(change.before, change.behind)
    clear = change.z > np.where(change.before > change.behind, WORSE, BETTER)
    return np.asarray(clear & (good > FEW * usual) & (change.low < BELOW * usual) & (change.low_above_chance < CHANCE))


# Some people agree with few others and well with those: their taste is not most people's, and they are not careless.

MOST_PAIRS = 20_000_000  # judgments of two people of one item
FEWEST_SHARED = 10
BY_CHANCE = 0.01  # that one of all others agrees so well by chance


def agrees_with_somebody(answers: Answers, value: Floats, of_labels: int, candidates: Bools, partners: Bools) -> Bools:
    """[W] of the candidates, who agrees with at least one of the partners clearly beyond chance.

    Clearly: chance gives as much to one of all the partners in 1 % of cases. `value` are numbers, or codes of labels.
    """
    W, agrees = answers.n_workers, np.zeros(answers.n_workers, dtype=np.bool_)
    who, left, right = _pairs(answers, candidates, partners)
    if not len(left):
        return agrees
    pair, n = np.unique(who * W + answers.worker[right], return_counts=True)
    code = np.searchsorted(pair, who * W + answers.worker[right])
    if of_labels:
        z = _z_of_labels(answers, value, of_labels, (left, right), code, n)
    else:
        x, y = value[left], value[right]
        dx, dy = (each - (sum_by(code, each, len(n)) / n)[code] for each in (x, y))
        xx, yy, xy = (sum_by(code, product, len(n)) for product in (dx * dx, dy * dy, dx * dy))
        r = np.clip(np.nan_to_num(divide(xy, np.sqrt(xx * yy))), -ALMOST_ONE, ALMOST_ONE)
        z = np.arctanh(r) * np.sqrt(np.maximum(n / answers.parts - 3, 0))
    enough = n >= FEWEST_SHARED * answers.parts
    candidate = pair // W
    others = np.maximum(np.bincount(candidate[enough], minlength=W), 1)
    bounds = {count: NormalDist().inv_cdf(1 - BY_CHANCE / count) for count in np.unique(others).tolist()}
    bound = np.array([bounds[count] for count in others.tolist()])
    agrees[candidate[enough & (z > bound[candidate])]] = True
    return agrees


def _pairs(answers: Answers, candidates: Bools, partners: Bools) -> tuple[Ints, Ints, Ints]:
    """The candidate and the two judgments of each pair of judgments of one item by a candidate and a partner."""
    mine = np.flatnonzero(candidates[answers.worker])
    near = np.zeros(answers.n_items, dtype=np.bool_)
    near[answers.item[mine]] = True
    theirs = np.flatnonzero(partners[answers.worker] & near[answers.item])
    theirs = theirs[order_by(answers.item[theirs])]
    per_item = np.bincount(answers.item[theirs], minlength=answers.n_items)
    times = per_item[answers.item[mine]]
    if times.sum() > MOST_PAIRS:
        none = np.zeros(0, dtype=np.int64)
        return none, none, none
    left = np.repeat(mine, times)
    within = np.arange(len(left)) - np.repeat(np.cumsum(times) - times, times)
    right = theirs[(np.cumsum(per_item) - per_item)[answers.item[left]] + within]
    differ = answers.worker[left] != answers.worker[right]
    return answers.worker[left[differ]].astype(np.int64), left[differ], right[differ]


def _z_of_labels(
    answers: Answers, code: Floats, n_labels: int, sides: tuple[Ints, Ints], pair: Ints, n: Ints
) -> Floats:
    """[pairs] equal labels beyond what both people's shares of labels give."""
    left, right = sides
    key = answers.worker.astype(np.int64) * n_labels + code.astype(np.int64)
    counts = np.bincount(key, minlength=answers.n_workers * n_labels).reshape(answers.n_workers, n_labels)
    shares = divide(counts, counts.sum(axis=1, keepdims=True))
    equal = sum_by(pair, code[left] == code[right], len(n))
    first = np.zeros(len(n), dtype=np.int64)
    first[pair] = np.arange(len(pair))
    e = np.sum(shares[answers.worker[left[first]]] * shares[answers.worker[right[first]]], axis=1)
    return np.nan_to_num(divide(equal - n * e, np.sqrt(n * e * (1 - e))))
