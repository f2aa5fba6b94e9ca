"""Whether a worker's own answers agree with each other: halves of them, and whom else they agree with."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from ..arrays import Bools, Floats, Ints, divide, sum_by
from .with_others import ALMOST_ONE, Answers, WithOthers

FEWEST_GROUPS = 4
MOST_CELLS = 20_000_000


def even_odd(worker: Ints, found: WithOthers) -> Floats:
    """[W] the correlation of a worker's even and odd answers over groups of items that the others answered alike.

    The index of `careless::evenodd`, not stepped up, for questions without scales of several items: of numbers a group
    is a tenth of the worker's items by the mean of the others, four of them or more; of labels it is the items with the
    same majority, and what is correlated is how often each label was given. Who follows the items gives both halves
    alike, also on another part of the scale and the other way round; who doesn't look, doesn't.
    """
    W, (group, G) = len(found.n), found.find_groups()
    if W * G * len(found.profile) > MOST_CELLS:
        return np.full(W, np.nan)
    who = worker[found.compared]
    place = np.arange(len(who)) - np.repeat(np.cumsum(found.n) - found.n, found.n)
    key = (who.astype(np.int64) * G + group) * 2 + place % 2
    count = sum_by(key, np.ones(len(key)), W * G * 2).reshape(W, G, 2)
    both = (count > 0).all(axis=2)
    halves = [np.nan_to_num(divide(sum_by(key, each, W * G * 2).reshape(W, G, 2), count)) for each in found.profile]
    cells = np.concatenate(halves, axis=1)  # [W, G x labels, 2]
    weight = np.tile(both, (1, len(halves))).astype(np.float64)
    n = weight.sum(axis=1)
    mean = divide((cells * weight[:, :, None]).sum(axis=1), n[:, None])
    away = (cells - mean[:, None, :]) * weight[:, :, None]
    xx, yy = (away * away).sum(axis=1).T
    r = divide((away[:, :, 0] * away[:, :, 1]).sum(axis=1), np.sqrt(xx * yy))
    return np.where(n >= FEWEST_GROUPS, r, np.nan)


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
    theirs = np.flatnonzero(partners[answers.worker])
    theirs = theirs[np.argsort(answers.item[theirs], kind="stable")]
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
