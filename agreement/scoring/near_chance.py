"""Annotators who agree with the others hardly better than by chance, by their answers to the items that others judged.

Of labels kappa_w = (o_w - e_w) / (1 - e_w): o_w is the share of the others who agree, the mean over w's items, and e_w
what w's own label shares and the others' shares on these items let expect. Of numbers the correlation with the mean of
the others. Whoever is named lies below half of the upper quartile of all, isn't above chance by a one-sided
test over items, lies a standard error or more below that half, and 3.3 below the quartile: without the last condition
up to a tenth of careful people were named in crowds who agree little. One and the same label throughout says
nothing where the others mostly give it too: then only what is improbable, given the others' answers, is named.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, divide, sum_by
from .alternative_annotator import Annotators

LEAST = 10  # items that others judged too
HALF = 0.5
ABOVE_CHANCE = 1.645  # standard errors
BELOW_HALF, BELOW_USUAL = 1.0, 3.3  # likewise
IMPROBABLE = 1e-3
WORTH = 0.15  # where even the best agree less, nobody can be told from chance


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """[W] each annotator's agreement with the others, beyond chance; its standard errors from 0, from half of what is
    usual and from that itself; NaN for whoever has too few items. `is_improbable` marks one label throughout that the
    others hardly give.
    """

    kappa: Floats
    from_chance: Floats
    to_half: Floats
    to_usual: Floats
    is_constant: Bools
    is_improbable: Bools


def near_chance(people: Annotators) -> npt.NDArray[np.intp]:
    """The codes of the annotators who are near chance, in order."""
    figures = _of_labels(people) if people.n_labels else _of_numbers(people)
    known = figures.kappa[np.isfinite(figures.kappa)]
    if not len(known) or _usual(known) < WORTH:
        return np.zeros(0, dtype=np.intp)
    low = figures.kappa < HALF * _usual(known)
    far_below = (figures.to_half > BELOW_HALF) & (figures.to_usual > BELOW_USUAL)
    named = low & far_below & (figures.from_chance < ABOVE_CHANCE) & ~figures.is_constant
    return np.flatnonzero(named | (figures.is_constant & figures.is_improbable))


def _usual(kappa: Floats) -> float:
    return float(np.quantile(kappa, 0.75))


def _of_labels(people: Annotators) -> Agreement:
    L, W = people.n_labels, int(people.worker.max(initial=-1)) + 1
    code = people.answer.astype(np.int64)
    table = np.bincount(people.item * np.int64(L) + code, minlength=people.n_items * L).reshape(-1, L)
    others = table.sum(axis=1)[people.item] - 1.0
    seen = others > 0
    worker, item, code, others = people.worker[seen], people.item[seen], code[seen], others[seen]
    n = sum_by(worker, np.ones(len(worker)), W)
    own = np.stack([sum_by(worker, code == label, W) for label in range(L)], axis=1) / np.maximum(n, 1)[:, None]
    agree = (table[item, code] - 1) / others
    expected = np.zeros(len(worker))
    for label in range(L):
        expected += own[worker, label] * (table[item, label] - (code == label)) / others
    d = agree - expected
    mean, se = _mean_and_se(worker, d, n, W)
    room = 1 - divide(sum_by(worker, expected, W), n)
    is_enough = n >= LEAST
    kappa = np.where(is_enough, divide(mean, room, by_zero=0.0), np.nan)
    known = kappa[np.isfinite(kappa)]
    usual = _usual(known) if len(known) else np.nan
    is_constant = is_enough & ((own > 0).sum(axis=1) == 1)
    chance = np.exp(sum_by(worker, np.log(np.maximum(agree, 0.5 / (others + 1))), W))
    return Agreement(
        kappa,
        divide(mean, se, by_zero=0.0),
        divide(HALF * usual * room - mean, se, by_zero=0.0),
        divide(usual * room - mean, se, by_zero=0.0),
        is_constant,
        is_constant & (chance < IMPROBABLE),
    )


def _of_numbers(people: Annotators) -> Agreement:
    W = int(people.worker.max(initial=-1)) + 1
    n_item = sum_by(people.item, np.ones(len(people.item)), people.n_items)[people.item]
    seen = n_item > 1
    worker, x = people.worker[seen], people.answer[seen]
    total = sum_by(people.item, people.answer, people.n_items)[people.item]
    y = ((total - people.answer)[seen]) / (n_item[seen] - 1)
    n = sum_by(worker, np.ones(len(worker)), W)
    dx, dy = (side - divide(sum_by(worker, side, W), n)[worker] for side in (x, y))
    sxx, syy, sxy = (sum_by(worker, part, W) for part in (dx * dx, dy * dy, dx * dy))
    r = np.clip(divide(sxy, np.sqrt(sxx * syy), by_zero=0.0), -0.999999, 0.999999)
    is_enough = n >= LEAST
    kappa = np.where(is_enough, r, np.nan)
    known = kappa[np.isfinite(kappa)]
    usual = min(_usual(known), 0.999999) if len(known) else np.nan
    root = np.sqrt(np.maximum(n - 3, 1.0))
    is_constant = is_enough & (sxx <= 1e-12)
    to_half, to_usual = ((np.arctanh(share * usual) - np.arctanh(r)) * root for share in (HALF, 1.0))
    return Agreement(kappa, np.arctanh(r) * root, to_half, to_usual, is_constant, is_constant)


def _mean_and_se(worker: npt.NDArray[np.integer], d: Floats, n: Floats, W: int) -> tuple[Floats, Floats]:
    mean = divide(sum_by(worker, d, W), n)
    square = divide(sum_by(worker, d * d, W), n)
    return mean, np.sqrt(np.maximum(square - mean * mean, 0.0) / np.maximum(n - 1, 1))
