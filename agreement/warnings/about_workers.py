"""Warnings about workers: reversed, unlike all others, or on another scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, divide
from ..files.numbers import in_digits
from ..judgments.crowd import Crowd, Sample
from ..kinds.options import has_own_labels
from .warning import AnalysisWarning, named

# Each worker's numbers beside the mean of the others' on the same items.

LEAST_ITEMS = 10


@dataclass(frozen=True, slots=True, eq=False)
class BesideOthers:
    """By worker [W]: `n` answers to items that others answered too, and of these the mean, sd, least and largest of
    their own (`x`) and of the others' means (`y`), and their correlation; nan where there is none.
    """

    n: Floats
    mean_x: Floats
    mean_y: Floats
    sd_x: Floats
    sd_y: Floats
    low_x: Floats
    high_x: Floats
    low_y: Floats
    high_y: Floats
    r: Floats

    @property
    def enough(self) -> Bools:
        return self.n >= LEAST_ITEMS

    def correlations(self, crowd: Crowd, workers: npt.NDArray[np.intp]) -> list[str]:
        """Each of these workers with the correlation and how many items it is over, in words."""
        return [f"{crowd.workers[who]} ({self.r[who]:.2f} over {int(self.n[who])} items)" for who in workers.tolist()]


def beside_others(crowd: Crowd, sample: Sample, value: Floats) -> BesideOthers:
    """One pass over the judgments [J], of which there are some, whose values are given."""
    W, N = crowd.n_workers, crowd.n_items
    shift = float(value.mean())
    x = value - shift  # of large numbers with small differences no digit is lost
    total, count = np.bincount(sample.item, weights=x, minlength=N), np.bincount(sample.item, minlength=N)
    several = count[sample.item] > 1
    item, worker, x = sample.item[several], sample.worker[several], x[several]
    y = (total[item] - x) / (count[item] - 1)
    n = np.bincount(worker, minlength=W).astype(np.float64)

    def mean(values: Floats) -> Floats:
        return divide(np.bincount(worker, weights=values, minlength=W), n)

    mean_x, mean_y = mean(x), mean(y)
    dx, dy = x - mean_x[worker], y - mean_y[worker]
    var_x, var_y = mean(dx * dx), mean(dy * dy)
    order = np.argsort(worker, kind="stable")
    there = np.flatnonzero(n)
    starts = (np.cumsum(n) - n)[there].astype(np.intp)

    def extreme(values: Floats, of: np.ufunc) -> Floats:
        each = np.full(W, np.nan)
        if len(starts):
            each[there] = of.reduceat(values[order], starts)
        return each + shift

    product = np.sqrt(var_x * var_y)
    tiny = 1e-12 * float(np.ptp(value)) ** 2
    return BesideOthers(
        n=n,
        mean_x=mean_x + shift,
        mean_y=mean_y + shift,
        sd_x=np.sqrt(var_x),
        sd_y=np.sqrt(var_y),
        low_x=extreme(x, np.minimum),
        high_x=extreme(x, np.maximum),
        low_y=extreme(y, np.minimum),
        high_y=extreme(y, np.maximum),
        r=np.where(product > tiny, divide(mean(dx * dy), product), np.nan),
    )


def warnings_on_numbers(crowd: Crowd, sample: Sample) -> Iterator[AnalysisWarning]:
    """All that can be said of workers whose answers are numbers on a scale."""
    if len(sample.item):
        beside = beside_others(crowd, sample, np.asarray(sample.answers))
        yield from reversed_workers(crowd, beside)
        yield from unlike_the_others(crowd, beside)
        yield from mixed_scales(crowd, beside)


def warnings_on_labels(crowd: Crowd, sample: Sample) -> Iterator[AnalysisWarning]:
    """Who answers the other way round, where two labels or ordered ones have another way round."""
    if len(sample.item) and (len(crowd.labels) == 2 or crowd.ordered) and not has_own_labels(crowd.labels):
        yield from reversed_workers(crowd, beside_others(crowd, sample, np.asarray(sample.answers, dtype=np.float64)))


# Workers who answer the other way round: their answers fall where those of the others rise.

AT_MOST = -0.5
TELLING = 3.3  # standard errors of Fisher's z below 0: one worker in 2,000 by chance alone


def reversed_workers(crowd: Crowd, beside: BesideOthers) -> Iterator[AnalysisWarning]:
    """A correlation with the others' mean of -.5 or less over ten or more items, and clearly below 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.arctanh(np.clip(beside.r, -1 + 1e-12, 1)) * np.sqrt(np.maximum(beside.n - 3, 0))
        found = np.flatnonzero(beside.enough & (beside.r <= AT_MOST) & (z <= -TELLING))
    if not len(found):
        return
    read = "read the scale backwards" if crowd.scale is not None else "taken the labels the wrong way round"
    if crowd.n_workers == 2 and len(found) == 2:
        first, second = map(str, crowd.workers)
        yield AnalysisWarning(
            "reversed-worker",
            f"Workers {first} and {second} answer in opposite directions (correlation {beside.r[found[0]]:.2f} over"
            f" {int(beside.n[found[0]])} items): one of them may have {read}.",
        )
        return
    worst = found[np.argsort(beside.r[found], kind="stable")]
    each = beside.correlations(crowd, worst)
    yield AnalysisWarning(
        "reversed-worker",
        f"Workers who answer in the opposite direction, by their correlation with the mean of the others: "
        f"{named(each)}."
        f" They may have {read}, and lower every figure of agreement.",
    )


# Workers whose answers have next to nothing in common with those of the others, who agree well among themselves.

USUAL = 0.5  # the correlation with the others that half of the workers have or exceed
SHARE = 0.5  # of the usual one: who is clearly below it is named
LEAST_WORKERS = 4


def unlike_the_others(crowd: Crowd, beside: BesideOthers) -> Iterator[AnalysisWarning]:
    """Half of the workers correlate at .5 or more with the mean of the others, and this one clearly below half of that.

    Clearly: by 3.3 standard errors of Fisher's z. Who answers the other way round is spoken of elsewhere.
    """
    usable = beside.enough & np.isfinite(beside.r)
    if int(usable.sum()) < LEAST_WORKERS:
        return
    usual = float(np.median(beside.r[usable]))
    if usual < USUAL:
        return
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.arctanh(np.clip(beside.r, -1 + 1e-12, 1 - 1e-12))
        upper = z + TELLING / np.sqrt(np.maximum(beside.n - 3, 1))
    found = np.flatnonzero(usable & (upper < np.arctanh(SHARE * min(usual, 1 - 1e-12))) & (beside.r > AT_MOST))
    if not len(found):
        return
    worst = found[np.argsort(beside.r[found], kind="stable")]
    each = beside.correlations(crowd, worst)
    yield AnalysisWarning(
        "unlike-the-others",
        f"Workers whose answers hardly follow those of the others, by their correlation with the others' mean, which is"
        f" {usual:.2f} for the median worker: {named(each)}. They lower every figure of agreement.",
    )


# Workers who seem to have answered on another scale than the others.

TIMES = 10.0  # a spread so many times larger or smaller than that of the others' means on the same items
APART = 0.25  # of the scale, between the means of two ranges that don't meet


def mixed_scales(crowd: Crowd, beside: BesideOthers) -> Iterator[AnalysisWarning]:
    """A tenth or less of the others' spread, ten times it or more, or a range that theirs doesn't meet.

    Who gives one number to everything uses no other scale. Rounding leaves a deviation of equal numbers above 0, so
    that their least and largest tell.
    """
    width = float(crowd.scale.high - crowd.scale.low) if crowd.scale is not None else np.inf
    varies = beside.enough & (beside.low_x < beside.high_x) & (beside.sd_y > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = beside.sd_x / beside.sd_y
        apart = (beside.low_x > beside.high_y) | (beside.high_x < beside.low_y)
        far = np.abs(beside.mean_x - beside.mean_y) >= APART * width
        usual = np.median(beside.sd_x[varies]) if varies.any() else np.inf
        wide = (ratio >= TIMES) & (beside.sd_x >= TIMES * usual)  # a mean of many varies less than any one person
        narrow = ratio <= 1 / TIMES
    found = np.flatnonzero(varies & (narrow | wide | (apart & far)))
    if not len(found):
        return
    each = [
        f"{crowd.workers[who]} ({in_digits(beside.low_x[who])} to {in_digits(beside.high_x[who])},"
        f" where the others' means go from {_short(beside.low_y[who])} to {_short(beside.high_y[who])})"
        for who in found.tolist()
    ]
    yield AnalysisWarning(
        "mixed-scales",
        f"Workers who use another part of the scale than the others on the same items: {named(each, 3)}."
        " If they saw another scale, convert their numbers to the same scale first.",
    )


def _short(mean: float) -> str:
    """A mean in four digits, or with one place where that would take off whole ones.

    >>> _short(12.3456), _short(1000000012.3456)
    ('12.35', '1000000012.3')
    """
    return f"{mean:.4g}" if abs(mean) < 10_000 else in_digits(round(mean, 1))
