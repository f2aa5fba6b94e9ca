"""A statistic as computed, before it is put into words: its figure, its deletions and its item replicates."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ..estimation import resampling
from ..estimation.design import Codes, Design, sums
from ..estimation.estimate import Estimate, Figure, Floats, Undefined
from ..estimation.intervals import FIXED, RELIABILITY, Deletions, Range, two_way
from ..estimation.simulated_coverage import careless_note, coverage_note
from ..estimation.two_way_jackknife import most_influential, said_of
from .agreement_report import Statistic

# Statistics that are functions of sums over items: each item, worker or judgment left out by differences of sums.
#
# An item enters as a row of K moments made from its n, sum of x and sum of x^2; the statistic is a function of the
# rows' totals. ICC and the expected split-half correlation are such statistics, and a new one needs the two methods
# alone.

AT_ONCE = 65_536  # judgments whose moments are held at a time, few enough for the processor's cache


class Moments(Protocol):
    """A statistic of numbers as a function of totals."""

    def rows(self, n: Floats, s: Floats, ss: Floats) -> Floats:
        """[K, G] the moments of items with n judgments whose sum is s and whose sum of squares is ss; 0 where n = 0."""
        ...

    def values(self, totals: Floats) -> tuple[Floats, ...]:
        """[K, ...] -> the statistics that share these moments, each [...]; NaN where undefined."""
        ...


def centre_values(value: Floats) -> Floats:
    """The values less their mean and by a power of two brought near 1: the statistics don't see it, their digits do."""
    if len(value) == 0:
        return value
    x = value - value.mean()
    _, power = np.frexp(np.abs(x).max())
    return np.asarray(np.ldexp(x, -power))


def item_rows(statistic: Moments, design: Design, x: Floats) -> Floats:
    """[K, N] the moments of each item."""
    return statistic.rows(design.n, design.by_item(x), design.by_item(x * x))


def sums_without(design: Design, x: Floats, worker: int) -> tuple[Floats, Floats, Floats]:
    """[N] each item's n, sum and sum of squares without the judgments of a worker, by the caller's code."""
    own = np.flatnonzero(design.worker == np.searchsorted(design.worker_codes, worker))
    item, mine = design.item[own], x[own]
    gone = (sums(item, weights, design.items) for weights in (None, mine, mine * mine))
    n, s, ss = (
        total - part for total, part in zip((design.n, design.by_item(x), design.by_item(x * x)), gone, strict=True)
    )
    return n, s, ss


def deletions(statistic: Moments, design: Design, x: Floats) -> tuple[Deletions, ...]:
    """Each of the statistics with each item, worker and judgment left out; `x` [J] centred."""
    n, s, ss = design.n, design.by_item(x), design.by_item(x * x)
    rows = statistic.rows(n, s, ss)
    totals = rows.sum(axis=1)[:, None]

    def changes(i: slice, item: np.ndarray, size: Floats, cell_x: Floats, cell_xx: Floats) -> Floats:
        """[K, slice] how the totals change when those cells leave."""
        i_item = item[i]
        return np.asarray(
            statistic.rows(n[i_item] - size[i], s[i_item] - cell_x[i], ss[i_item] - cell_xx[i]) - rows[:, i_item]
        )

    xx = x * x
    ones = np.ones(design.judgments)
    by_judgment: list[tuple[Floats, ...]] = []
    for start in range(0, design.judgments, AT_ONCE):
        part = slice(start, start + AT_ONCE)
        by_judgment.append(statistic.values(totals + changes(part, design.item, ones, x, xx)))
    by_worker = np.repeat(totals, design.workers, axis=1)
    cell_x, cell_xx = design.by_cell(x), design.by_cell(xx)
    for start in range(0, len(design.cell_item), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        change = changes(part, design.cell_item, design.cell_size, cell_x, cell_xx)
        by_worker += np.stack([sums(design.cell_worker[part], column, design.workers) for column in change])
    of_item, of_worker = statistic.values(totals - rows), statistic.values(by_worker)
    of_judgment = [np.concatenate(parts) for parts in zip(*by_judgment, strict=True)]
    return tuple(Deletions(*three) for three in zip(of_item, of_worker, of_judgment, strict=True))


# The figure with its deletions and replicates, and its shape in the report.


@dataclass(frozen=True, slots=True, eq=False)
class RawStatistic:
    """One statistic of one question; `replicates` [B] is None, and `no_replicates` says why, where none were drawn.

    `n` counts the items that it rests on, and `within` is the range that it can't leave.
    """

    theta: float
    deletions: Deletions
    n: int
    method: str
    without_busiest: float
    within: Range = RELIABILITY
    replicates: Floats | None = None
    no_replicates: str = ""
    nu_w: float | None = None  # where workers are left out in groups
    fixed_workers: bool = False
    workers: Codes | None = None  # [W] the caller's code of each worker left out; None where they are groups
    simulated: str = ""  # by which name docs/coverage.md knows the statistic
    judgments: int = 0  # behind it
    notes: tuple[str, ...] = ()
    notes_on_bootstrap: tuple[str, ...] = ()  # said where there is an interval over items alone
    notes_on_interval: tuple[str, ...] = ()  # said where there is an interval
    least_width: tuple[float, float] | None = None  # how far below and above the figure its limits are at least
    lowest: float | None = None  # what the limit below is cut at: a squared correlation isn't negative
    commonest: float | None = None  # the share of the answers that are the commonest label


def report_statistic(raw: RawStatistic | Undefined, notes: tuple[str, ...] = ()) -> Statistic:
    """The statistic in the report's shape: its interval first, bootstrapped ones and the busiest worker beside it."""
    if isinstance(raw, Undefined):
        return Statistic(raw, notes=notes)
    fixed = raw.fixed_workers
    interval = two_way(raw.theta, raw.deletions, within=raw.within, n_items=raw.n, nu_w=raw.nu_w, fixed_workers=fixed)
    method = f"{raw.method}; {interval.method}"
    if raw.least_width and interval.low is not None and interval.high is not None:
        below, above = raw.least_width
        low, high = min(interval.low, raw.theta - below), max(interval.high, raw.theta + above)
        interval = replace(interval, low=max(low, raw.within.low), high=min(high, raw.within.high))
        method = f"{method}; no narrower than the rarer labels' own agreement leaves open"
    if raw.lowest is not None and interval.low is not None and interval.low < raw.lowest < raw.theta:
        interval = replace(interval, low=raw.lowest)
        method = f"{method}, cut at {raw.lowest:g} below"
    influential = None if fixed else most_influential(raw.deletions.worker, raw.workers)
    headline = Estimate(raw.theta, interval.low, interval.high, raw.n, method, interval.over, influential)
    percentile = bca = None
    if raw.replicates is not None:
        percentile = resampling.percentile(raw.theta, raw.replicates, n=raw.n)
        bca = resampling.bca(raw.theta, raw.replicates, raw.deletions.item, n=raw.n)
    coverage = ""
    if interval.over == "items and workers":
        coverage = coverage_note(raw.simulated, raw.judgments / raw.n, raw.n, raw.commonest)
        coverage = "" if raw.notes_on_interval else coverage
    on_bootstrap = raw.notes_on_bootstrap if any(one and one.low is not None for one in (percentile, bca)) else ()
    half_width = 0.0 if interval.low is None or interval.high is None else (interval.high - interval.low) / 2
    carried = "" if influential is None else said_of(influential, raw.theta, half_width)
    beside = (sentence for sentence in (carried, coverage, raw.no_replicates) if sentence)
    on_interval = () if interval.low is None else raw.notes_on_interval
    if interval.low is not None and interval.over == "items and workers" and raw.simulated:
        on_interval = (*on_interval, *filter(None, [careless_note(len(raw.deletions.worker), held=not coverage)]))
    all_notes = (*notes, *raw.notes, *on_interval, *on_bootstrap, *beside)
    return Statistic(headline, percentile, bca, _without_busiest(raw), interval.nu_w, all_notes)


def mean_of(parts: dict[str, RawStatistic | Undefined], noun: str) -> RawStatistic | Undefined:
    """The mean of a statistic over labels, deletions and replicates meant alike.

    A label that a deletion or replicate leaves undefined keeps its full figure there: leaving it out would move the
    mean by a change of labels and not of agreement.
    """
    defined = {label: part for label, part in parts.items() if isinstance(part, RawStatistic)}
    if not defined:
        whys = list(dict.fromkeys(part.why for part in parts.values() if isinstance(part, Undefined)))
        which = (
            f"for the only {_singular(noun)}, " if len(parts) == 1 else f"none of the {len(parts)} {noun} has a figure"
        )
        if len(parts) == 1:
            return Undefined(which + whys[0])
        return Undefined(f"{which}: {whys[0]}" if len(whys) == 1 else which)
    all_made = list(defined.values())
    held = sum(_is_lost(part.deletions) for part in all_made)
    notes = []
    if len(defined) < len(parts):
        without = ", ".join(label for label in parts if label not in defined)
        notes.append(f"mean over {len(defined)} of {len(parts)} {noun}; undefined and left out: {without}")
    if held:
        have, keep, one = ("have", "keep their", noun) if held > 1 else ("has", "keeps its", _singular(noun))
        notes.append(f"{held} {one} {have} no figure where one item or worker is left out, and {keep} full one there")
    deletions = Deletions(
        _mean(_fill_undefined(part.deletions.item, part.theta) for part in all_made),
        _mean(_fill_undefined(part.deletions.worker, part.theta) for part in all_made),
        _mean(_of_judgments(part) for part in all_made),
    )
    replicates = None
    if all(part.replicates is not None for part in all_made):
        replicates = _mean(_fill_undefined(part.replicates, part.theta) for part in all_made)
    first = all_made[0]
    return replace(
        first,
        theta=float(np.mean([part.theta for part in all_made])),
        deletions=deletions,
        n=max(part.n for part in all_made),
        method=f"mean over {len(defined)} {noun if len(defined) > 1 else _singular(noun)} of {first.method}",
        without_busiest=float(
            np.mean([_fill_undefined(np.array(part.without_busiest), part.theta) for part in all_made])
        ),
        replicates=replicates,
        notes=tuple(notes),
        notes_on_bootstrap=(),
        notes_on_interval=(),
        least_width=None,
        commonest=None,
        simulated="",
    )


def _singular(plural: str) -> str:
    """One of the things whose plural this is.

    >>> _singular("labels"), _singular("properties")
    ('label', 'property')
    """
    return f"{plural[:-3]}y" if plural.endswith("ies") else plural[:-1]


def _is_lost(left: Deletions) -> bool:
    """Whether a figure is undefined without some item, or worker; two workers are never left out."""
    of_workers = len(left.worker) != FIXED and bool(np.isnan(left.worker).any())
    return of_workers or bool(np.isnan(left.item).any())


def _mean(rows: Iterable[Floats]) -> Floats:
    """The mean of the rows, of which one is held at a time: 200 labels of 10^5 judgments are 160 MB at once."""
    total, count = np.zeros(1), 0
    for row in rows:
        total, count = (total + row, count + 1)
    return np.asarray(total / count)


def _fill_undefined(values: Floats | None, theta: float) -> Floats:
    return np.where(np.isnan(values), theta, values) if values is not None else np.array([theta])


def _of_judgments(part: RawStatistic) -> Floats:
    """[J] the figure without each judgment, where they are of few kinds too."""
    which, held = part.deletions.which, _fill_undefined(part.deletions.judgment, part.theta)
    return held if which is None else held[which()]


def _without_busiest(raw: RawStatistic) -> Figure:
    if np.isnan(raw.without_busiest):
        return Undefined("it is undefined without the worker who gave most judgments")
    return Estimate(raw.without_busiest, None, None, raw.n, "without the worker who gave most judgments")
