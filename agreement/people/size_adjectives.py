"""Size adjectives: when is an object big among its like, by rule, and what threshold people's verdicts imply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from ..arrays import Bools, Floats, Ints
from ..estimation.estimate import Estimate, Figure, Undefined, stream
from ..estimation.intervals import AMOUNT, ANY, GROUPS, Range
from ..estimation.two_way_jackknife import grouped_estimate, leave_groups_out
from ..files.numbers import decimal_of
from ..judgments.crowd import Crowd, Sample
from ..kinds.verify.data import BIG
from ..scoring.groups import Groups

SHARP = 1e-3  # a fitted sigma below this is a sharp threshold, and is called so
MOST_LAPSE = 0.5
WIDEST = 10.0


def threshold(sizes: Groups, size: Floats, k: Floats | float) -> Floats:
    """[J] T = max - k (max - min) of each object's reference set; the sets are groups that lie one after the other.

    Pezzelle and Fernandez (2019): what is big depends on the sizes of the things it is among.
    """
    high, low = (sizes.spread(extreme) for extreme in _extremes(sizes, size))
    return np.asarray(high - np.asarray(k) * (high - low))


def is_big(sizes: Groups, size: Floats, k: Floats | float) -> Bools:
    """[J] whether size > int(T).

    >>> is_big(Groups.one(3), np.array([100.0, 60.0, 20.0]), 0.29).tolist()
    [True, False, False]
    """
    return np.asarray(size > np.trunc(threshold(sizes, size, k)))


def distance(sizes: Groups, size: Floats) -> Floats:
    """[J] d = (max - size) / (max - min): 0 for the largest of its set, 1 for the smallest, NaN where all are equal."""
    high, low = (sizes.spread(extreme) for extreme in _extremes(sizes, size))
    span = high - low
    return np.where(span > 0, (high - size) / np.where(span > 0, span, 1.0), np.nan)


@dataclass(frozen=True, slots=True)
class ThresholdFit:
    """k ~ Normal(mu, sigma) with its lapse; `sharp` is the share of verdicts that the rule at k = mu gets right.

    `informative` verdicts are those off the extremes: the largest and the smallest of a set carry nothing about k.
    """

    mu: Figure
    sigma: Figure
    lapse: Figure
    sharp: Figure
    verdicts: int
    informative: int


def fit_threshold(d: Floats, big: Bools, item: Ints, worker: Ints, rng: np.random.Generator | None) -> ThresholdFit:
    """Pr(big) = lapse / 2 + (1 - lapse) Phi((mu - d) / sigma), by maximum likelihood over verdicts [J].

    The interval is the two-way jackknife with groups of items, workers and verdicts left out, fitted anew; no `rng`,
    no interval. Verdicts that a sharp threshold parts have no sigma: the range that k lies in is then said.
    """
    inside = np.isfinite(d) & (d > 0) & (d < 1)
    d, big, item, worker = d[inside], big[inside], item[inside], worker[inside]
    total, n = len(inside), len(d)
    why = _why_no_fit(d, big)
    if why:
        none = Undefined(why)
        return ThresholdFit(_separated(d, big, n) or none, none, none, none, total, n)
    theta = _fit(d, big)
    if theta[1] > 0.99 * WIDEST:
        none = Undefined(f"no threshold: the {n} verdicts off the extremes don't turn from big to small as size falls")
        return ThresholdFit(none, none, none, none, total, n)
    sharp = float(np.mean((d < theta[0]) == big))
    if theta[1] < SHARP:
        mu = Estimate(
            float(theta[0]), None, None, n, "maximum likelihood; no interval: sigma -> 0, the threshold is sharp"
        )
        none = Undefined(f"sigma -> 0 ({theta[1]:.1e}): the verdicts fit one sharp threshold with lapses")
        lapse = Estimate(float(theta[2]), None, None, n, "maximum likelihood; no interval at sigma -> 0")
        return ThresholdFit(mu, none, lapse, Estimate(sharp, None, None, n, "rule at k = mu"), total, n)
    methods = ("k: mean, maximum likelihood", "k: sd, maximum likelihood", "lapse, maximum likelihood")
    deleted = None
    if rng is not None:
        deleted = leave_groups_out(item, worker, rng, lambda keep: _fit_or_nan(d[keep], big[keep], theta), most=GROUPS)

    def figure(index: int) -> Estimate:
        if deleted is None:
            return Estimate(float(theta[index]), None, None, n, f"{methods[index]}; no interval asked for")
        return grouped_estimate(
            float(theta[index]),
            deleted,
            index,
            None,
            n=n,
            within=(ANY, AMOUNT, Range(0.0, MOST_LAPSE))[index],
            what=methods[index],
        )

    rule = Estimate(sharp, None, None, n, "rule at k = mu, off the extremes")
    return ThresholdFit(figure(0), figure(1), figure(2), rule, total, n)


def _extremes(sizes: Groups, size: Floats) -> tuple[Floats, Floats]:
    """[G] the largest and [G] the smallest of each set."""
    out = []
    for ufunc in (np.maximum, np.minimum):
        each = np.full(len(sizes), np.nan)
        filled = sizes.sizes > 0
        each[filled] = ufunc.reduceat(size, sizes.starts[:-1][filled]) if filled.any() else each[filled]
        out.append(each)
    return out[0], out[1]


def _why_no_fit(d: Floats, big: Bools) -> str:
    if not len(d):
        return "there is no verdict on an object that is neither the largest nor the smallest of its set"
    if big.all() or not big.any():
        return f"all {len(d)} verdicts off the extremes are {'big' if big.all() else 'small'}: any k beyond them fits"
    low, high = float(d[big].max()), float(d[~big].min())
    if low < high:
        return f"the verdicts are separated: any sharp k from {low:.4f} to {high:.4f} fits them all, so sigma -> 0"
    return ""


def _separated(d: Floats, big: Bools, n: int) -> Estimate | None:
    """The middle of the range of thresholds that part the verdicts without an error, and the range."""
    if not big.any() or big.all():
        return None
    low, high = float(d[big].max()), float(d[~big].min())
    method = "middle and ends of the range of k that parts the verdicts without an error; not a sampling interval"
    return Estimate((low + high) / 2, low, high, n, method)


def _fit(d: Floats, big: Bools, start: npt.NDArray[np.float64] | None = None) -> npt.NDArray[np.float64]:
    """[3] mu, sigma, lapse that make the verdicts most likely; the best of several starts."""
    from scipy import optimize  # a tenth of a second, which most analyses have no use for

    sign = np.where(big, 1.0, -1.0)

    def loss(raw: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        mu, sigma, lapse = raw[0], np.exp(raw[1]), raw[2]
        z = sign * (mu - d) / sigma
        phi, density = special.ndtr(z), np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
        likely = np.maximum(lapse / 2 + (1 - lapse) * phi, 1e-300)
        slope = (1 - lapse) * density / likely
        by_mu = -np.sum(slope * sign) / sigma
        return float(-np.sum(np.log(likely))), np.array([by_mu, np.sum(slope * z), np.sum((phi - 0.5) / likely)])

    starts = [start] if start is not None else [np.array([m, s, 0.02]) for m in _middles(d, big) for s in (0.05, 0.3)]
    bounds = [(-1.0, 2.0), (np.log(1e-5), np.log(WIDEST)), (0.0, MOST_LAPSE)]
    fits = [
        optimize.minimize(loss, [one[0], np.log(one[1]), one[2]], jac=True, method="L-BFGS-B", bounds=bounds)
        for one in starts
    ]
    best = min(fits, key=lambda one: float(one.fun))
    return np.array([best.x[0], np.exp(best.x[1]), best.x[2]])


def _middles(d: Floats, big: Bools) -> tuple[float, float]:
    return (float(d[big].mean() + d[~big].mean()) / 2, float(np.quantile(d, big.mean())))


def _fit_or_nan(d: Floats, big: Bools, start: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.full(3, np.nan) if _why_no_fit(d, big) else _fit(d, big, start)


# What k people's own verdicts on size imply, where the items say how large each shape is among its like.

SAYS, AREAS = "says", ("area", "set_max", "set_min")
TRUE, FALSE, SMALL = "true", "false", "small"


@dataclass(frozen=True, slots=True)
class Literature:
    """What others found: the mean and the standard deviation of k."""

    k: float
    sd: float
    source: str


LITERATURE = Literature(0.29, 0.066, "Schmidt et al. 2009; Pezzelle and Fernandez 2019")


@dataclass(frozen=True, slots=True)
class SizeThreshold:
    """k ~ Normal, fitted to people's verdicts on size, of which those off the extremes are `informative`."""

    k: Figure
    sd: Figure
    lapse: Figure  # the share of verdicts given without regard to size
    sharp_right: Figure  # the share of verdicts that a sharp threshold at people's k gives
    verdicts: int
    informative: int
    items: int
    literature: Literature


def size_threshold(crowd: Crowd, kept: Sample, seed: int) -> SizeThreshold | Undefined | None:
    """K ~ Normal fitted to people's verdicts on size; None where the items have no such columns.

    An item needs `area`, `set_max` and `set_min` (the shape's own and the extremes of what it is compared with) and
    `says`, big or small. Items on what is the biggest or the smallest have a `task` that says so, and no threshold.
    """
    if not {SAYS, *AREAS} <= set(crowd.items.columns):
        return None
    if not {TRUE, FALSE} <= set(crowd.labels):
        return Undefined(f"verdicts are read from the labels {TRUE} and {FALSE}, and these aren't among the labels")
    d, says_big = _relative(crowd)
    answers: Any = kept.answers
    is_true, is_false = (answers == crowd.labels.index(label) for label in (TRUE, FALSE))
    usable = np.isfinite(d[kept.item]) & (is_true | is_false)
    item, worker = kept.item[usable], kept.worker[usable]
    if not len(item):
        return Undefined(f"no judged item has numbers in {', '.join(AREAS)} and big or small in {SAYS}")
    said_big = is_true[usable] == says_big[item]
    fit = fit_threshold(d[item], said_big, item, worker, stream(seed, "size_threshold"))
    return SizeThreshold(
        k=fit.mu,
        sd=fit.sigma,
        lapse=fit.lapse,
        sharp_right=fit.sharp,
        verdicts=fit.verdicts,
        informative=fit.informative,
        items=len(np.unique(item)),
        literature=LITERATURE,
    )


def _relative(crowd: Crowd) -> tuple[Floats, Bools]:
    """[N] d = (max - area) / (max - min), the k at which a shape stops being big, and [N] whether its item says big.

    NaN where a cell is no number, the set is all of one size, or the sentence has no threshold.
    """
    area, largest, smallest = (_numbers(crowd, name) for name in AREAS)
    span = largest - smallest
    d = np.where(span > 0, (largest - area) / np.where(span > 0, span, 1.0), np.nan)
    says = crowd.items[SAYS].astype(str).str.strip().str.lower().to_numpy(dtype=object)
    fine = (says == BIG) | (says == SMALL)
    if "task" in crowd.items.columns:
        fine &= ~crowd.items["task"].astype(str).str.startswith("SUP").to_numpy(dtype=np.bool_)
    return np.where(fine, d, np.nan), np.asarray(says == BIG, dtype=np.bool_)


def _numbers(crowd: Crowd, name: str) -> Floats:
    numbers = (decimal_of(str(text)) for text in crowd.items[name])
    return np.array([np.nan if number is None else float(number) for number in numbers])
