"""A statistic as computed, before it is put into words: its figure, its deletions and its item replicates."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from agreement.stats import item_intervals
from agreement.stats.estimate import Estimate, Figure, Floats, Undefined
from agreement.stats.jackknife import Deletions, two_way
from agreement.stats.ranges import RELIABILITY, Range
from agreement.stats.results import Statistic
from agreement.stats.worth import worth_of


@dataclass(frozen=True, slots=True, eq=False)
class Made:
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
    simulated: str = ""  # by which name docs/coverage.md knows the statistic
    judgments: int = 0  # behind it
    notes: tuple[str, ...] = ()


def present(made: Made | Undefined, notes: tuple[str, ...] = ()) -> Statistic:
    """The statistic in the report's shape: its interval first, bootstrapped ones and the busiest worker beside it."""
    if isinstance(made, Undefined):
        return Statistic(made, notes=notes)
    interval = two_way(made.theta, made.deletions, within=made.within, n_items=made.n, nu_w=made.nu_w)
    method = f"{made.method}; {interval.method}"
    headline = Estimate(made.theta, interval.low, interval.high, made.n, method, interval.over)
    percentile = bca = None
    if made.replicates is not None:
        percentile = item_intervals.percentile(made.theta, made.replicates, n=made.n)
        bca = item_intervals.bca(made.theta, made.replicates, made.deletions.item, n=made.n)
    worth = ""
    if interval.over == "items and workers":
        worth = worth_of(made.simulated, made.judgments / made.n, made.n)
    said = (*notes, *made.notes, *(sentence for sentence in (worth, made.no_replicates) if sentence))
    return Statistic(headline, percentile, bca, _without_busiest(made), interval.nu_w, said)


def mean_of(parts: dict[str, Made | Undefined], what: str) -> Made | Undefined:
    """The mean of a statistic over labels, deletions and replicates meant alike.

    A label that a deletion or replicate leaves undefined keeps its full figure there: leaving it out would move the
    mean by a change of labels and not of agreement.
    """
    made = {label: part for label, part in parts.items() if isinstance(part, Made)}
    if not made:
        return Undefined(f"it is undefined for every one of the {len(parts)} labels")
    all_made = list(made.values())
    held = sum(int(np.isnan(part.deletions.worker).any() or np.isnan(part.deletions.item).any()) for part in all_made)
    notes = []
    if len(made) < len(parts):
        without = ", ".join(label for label in parts if label not in made)
        notes.append(f"mean over {len(made)} of {len(parts)} {what}; undefined and left out: {without}")
    if held:
        notes.append(f"{held} of them rest on one item or worker and keep their figure where that one is left out")
    deletions = Deletions(
        _mean(_held(part.deletions.item, part.theta) for part in all_made),
        _mean(_held(part.deletions.worker, part.theta) for part in all_made),
        _mean(_of_judgments(part) for part in all_made),
    )
    replicates = None
    if all(part.replicates is not None for part in all_made):
        replicates = _mean(_held(part.replicates, part.theta) for part in all_made)
    first = all_made[0]
    return replace(
        first,
        theta=float(np.mean([part.theta for part in all_made])),
        deletions=deletions,
        n=max(part.n for part in all_made),
        method=f"mean over {len(made)} {what} of {first.method}",
        without_busiest=float(np.mean([_held(np.array(part.without_busiest), part.theta) for part in all_made])),
        replicates=replicates,
        notes=tuple(notes),
        simulated="",
    )


def _mean(rows: Iterable[Floats]) -> Floats:
    """The mean of the rows, of which one is held at a time: 200 labels of 10^5 judgments are 160 MB at once."""
    total, count = np.zeros(1), 0
    for row in rows:
        total, count = (total + row, count + 1)
    return np.asarray(total / count)


def _held(values: Floats | None, theta: float) -> Floats:
    return np.where(np.isnan(values), theta, values) if values is not None else np.array([theta])


def _of_judgments(part: Made) -> Floats:
    """[J] the figure without each judgment, where they are of few kinds too."""
    which, held = part.deletions.which, _held(part.deletions.judgment, part.theta)
    return held if which is None else held[which()]


def _without_busiest(made: Made) -> Figure:
    if np.isnan(made.without_busiest):
        return Undefined("it is undefined without the worker who gave most judgments")
    return Estimate(made.without_busiest, None, None, made.n, "without the worker who gave most judgments")
