"""Leave-one-out, "a typical person": each worker scored, by the code that scores models, against the others' gold."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints
from ..estimation.estimate import Estimate, Figure, Undefined
from ..estimation.intervals import Range
from ..estimation.two_way_jackknife import DeletedGroups, grouped_estimate, leave_groups_out
from ..scoring.metric import ShareMetric
from ..typical_filters import Filter
from .leave_one_out_own_words import ListedPeople, text_people
from .leave_one_out_round import people_of
from .person_metrics import AnyPeople, PersonMetrics, Round

LEAST_ITEMS = 10
# In a deletion, or fewer where fewer count: the workers who count stay the same people, so that none jumps in or out at
# the limit.
STILL_ENOUGH = 2


@dataclass(frozen=True, slots=True, eq=False)
class LeaveOneOut:
    """How well a typical person does on `metric` against the gold of the others.

    `mean` over workers is the headline; `weighted` by judgments; `pooled` is one metric over all pairs of an answer
    and the others' gold. `workers`, `n_items` and `values` [K] are the workers who count, with m_w and r_w;
    `left_out` gives the others, each with its reason. `n_others` is the mean number of others behind a gold.
    """

    metric: str
    mean: Figure
    weighted: Figure
    pooled: Figure
    workers: Ints
    n_items: npt.NDArray[np.int64]
    values: Floats
    left_out: dict[int, str]
    n_others: float

    @property
    def items_per_worker(self) -> dict[str, float]:
        """The distribution of m_w: smallest, quartiles, largest."""
        if not len(self.n_items):
            return {}
        points = np.quantile(self.n_items, [0, 0.25, 0.5, 0.75, 1])
        return dict(zip(("least", "lower quartile", "median", "upper quartile", "most"), points.tolist(), strict=True))


def leave_one_out(
    metrics: PersonMetrics,
    item: Ints,
    worker: Ints,
    answers: npt.NDArray[np.generic],
    n_items: int,
    labels: Sequence[str] = (),
    *,
    rng: np.random.Generator | None,
    metric: str | None = None,
    typical_filter: Filter = "typical",
    least_items: int = LEAST_ITEMS,
    processes: int | None = None,
    common_n: int | None = None,
) -> LeaveOneOut:
    """Score every worker against the gold of the others; kept judgments of target items only.

    item, worker [J] codes; answers as in `Crowd`. A worker counts with `least_items` or more items that others judged
    too, and with both sides varying where the metric is a correlation. The interval is the two-way jackknife, items,
    workers and judgments left out and everyone's gold made again; no `rng`, no interval.
    `processes` forks at most so many, None as many as there are processors; it changes no digit. With `common_n`,
    which needs an `rng`, every item is cut at random to so many judgments and items with fewer are left out: the
    typical filter keeps other labels at another n, so that crowds are comparable only at one.
    Raises KeyError for a metric that isn't among `metrics`.
    """
    name = metric or metrics.default
    if common_n is not None:
        if rng is None:
            raise ValueError("cutting items to a common n draws at random and needs an rng")
        kept = at_common_n(item, common_n, rng)
        item, worker, answers = item[kept], worker[kept], answers[kept]
    if metrics.of_texts:
        return typical_person(text_people(metrics, item, worker, answers, name), rng=rng, least_items=least_items)
    people = people_of(
        metrics, item, worker, answers, n_items, len(labels), name, typical_filter, for_people_alone=True
    )
    return typical_person(people, rng=rng, least_items=least_items, processes=processes)


def at_common_n(item: Ints, n: int, rng: np.random.Generator) -> Bools:
    """[J] n judgments of each item that has as many, drawn at random.

    >>> at_common_n(np.array([0, 1, 1, 1]), 2, np.random.default_rng(1)).sum()
    np.int64(2)
    """
    order = rng.permutation(len(item))
    order = order[np.argsort(item[order], kind="stable")]
    counts = np.bincount(item)
    place = np.arange(len(item)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = np.zeros(len(item), dtype=np.bool_)
    kept[order] = (place < n) & (counts[item[order]] >= n)
    return kept


def against_reference(
    metrics: PersonMetrics,
    item: Ints,
    worker: Ints,
    answers: npt.NDArray[np.generic],
    n_items: int,
    labels: Sequence[str] = (),
    *,
    reference: Floats | Bools,
    rng: np.random.Generator | None,
    metric: str | None = None,
    typical_filter: Filter = "typical",
    least_items: int = LEAST_ITEMS,
    processes: int | None = None,
    most: int | None = None,
) -> LeaveOneOut:
    """Score every worker as a probe against a reference from elsewhere: numbers [N], or label sets [N, L].

    Judgments of items without a reference (NaN, or the empty set) count nowhere. Otherwise as `leave_one_out`, with
    n_others 0; labels by a metric of sets, where none is named by the first that `metrics` has against a reference.
    """
    name = metric or metrics.against_reference.person
    of_shares = [declared.person for declared in metrics.declared if isinstance(declared, ShareMetric)]
    if name in of_shares:
        others = ", ".join(each for each in metrics.metrics if each not in of_shares)
        raise KeyError(f"{name} needs proportions, and a reference gives sets; choose one of {others}")
    known: Bools = np.asarray(np.isfinite(reference) if reference.ndim == 1 else reference.any(axis=1))
    has_reference = known[item]
    people = people_of(
        metrics,
        item[has_reference],
        worker[has_reference],
        answers[has_reference],
        n_items,
        len(labels),
        name,
        typical_filter,
        reference,
    )
    return typical_person(people, rng=rng, least_items=least_items, processes=processes, most=most)


def typical_person(
    people: AnyPeople,
    *,
    rng: np.random.Generator | None,
    least_items: int = LEAST_ITEMS,
    processes: int | None = None,
    most: int | None = None,
    fixed_workers: bool = False,
) -> LeaveOneOut:
    """The scores of all workers, summed up, with who doesn't count and why. Of `fixed_workers` over items alone.

    Items, workers and judgments are left out in `most` random groups of each, where that is said.
    """
    name = people.metric
    full_round = people.round()
    counts = (full_round.n_items >= least_items) & np.isfinite(full_round.values)
    why = _reasons_left_out(people, full_round, counts, least_items)
    nobody = None if counts.any() else Undefined(_nobody_scored_text(why, least_items))
    if nobody is not None and not (people.pools and np.isfinite(full_round.pooled)):
        empty = np.zeros(0, dtype=np.int64)
        none = Undefined(f"leave-one-out: {people.why_undefined}") if people.pools else nobody
        return LeaveOneOut(name, nobody, nobody, none, empty, empty, np.zeros(0), why, people.n_others)
    enough = min(STILL_ENOUGH, least_items)
    theta = _three_means(full_round, counts, enough)
    deleted = None
    if rng is not None:
        figures, without_items = (
            partial(_figures_without, people, counts, enough, whole_items=of_items) for of_items in (False, True)
        )
        deleted = leave_groups_out(
            people.item, people.worker, rng, figures, processes, without_items=without_items, most=most
        )
        deleted = replace(deleted, fixed_workers=fixed_workers)
    within = people.scored_by.within
    mean, weighted = (nobody or _figure(index, theta, deleted, full_round, counts, within) for index in (0, 1))
    in_pool = np.isfinite(full_round.values) if people.pools else counts
    pooled = _figure(2, theta, deleted, full_round, in_pool, within)
    who = np.flatnonzero(counts)
    return LeaveOneOut(
        name, mean, weighted, pooled, who, full_round.n_items[who], full_round.values[who], why, people.n_others
    )


def _figures_without(people: AnyPeople, counts: Bools, enough: int, keep: Bools, *, whole_items: bool) -> Floats:
    return _three_means(people.round(keep, whole_items=whole_items), counts, enough)


def _three_means(part: Round, counts: Bools, enough: int) -> Floats:
    """Mean over workers with enough items, mean weighted by judgments, pooled."""
    is_counted = counts & np.isfinite(part.values) & (part.n_items >= enough)
    if not is_counted.any():
        return np.array([np.nan, np.nan, part.pooled])
    values, weights = part.values[is_counted], part.n_items[is_counted]
    return np.array([values.mean(), values @ weights / weights.sum(), part.pooled])


def _figure(
    index: int, theta: Floats, deleted: DeletedGroups | None, full_round: Round, counts: Bools, within: Range
) -> Figure:
    name = ("mean over workers", "mean over workers weighted by judgments", "pooled over all answers")[index]
    n = int(full_round.n_items.sum()) if index == 2 else int(counts.sum())
    if not np.isfinite(theta[index]):
        return Undefined(f"leave-one-out, {name}: all answers are the same, or the gold of the others is")
    if deleted is None:
        return Estimate(float(theta[index]), None, None, n, f"{name}; no interval asked for")
    values, weights = full_round.values[counts], full_round.n_items[counts].astype(np.float64)
    share = np.ones_like(values) if index == 0 else weights
    influence = share * (values - np.average(values, weights=share))
    return grouped_estimate(float(theta[index]), deleted, index, influence, n=n, within=within, what=name)


def _reasons_left_out(people: AnyPeople, full_round: Round, counts: Bools, least_items: int) -> dict[int, str]:
    reasons: dict[int, str] = {}
    never_vary = people.never_vary
    for who in np.flatnonzero(~counts & people.has_judged).tolist():
        m = int(full_round.n_items[who])
        if m < least_items:
            which = "that others judged too" if people.reference is None else "that have a reference"
            reasons[who] = f"judged {m} items {which}, fewer than {least_items}"
        elif isinstance(people, ListedPeople):
            reasons[who] = f"none of their {m} items has a property that enough others name"
        elif never_vary[who]:
            reasons[who] = f"gave the same answer to all {m} items"
        else:
            reasons[who] = f"the gold that they are held against is the same for all {m} items"
    return reasons


def _nobody_scored_text(why: dict[int, str], least_items: int) -> str:
    if not why:
        return "there are no judgments to score a person by"
    few = sum("fewer than" in reason for reason in why.values())
    unnamed = sum("enough others" in reason for reason in why.values())
    constant = len(why) - few - unnamed
    never = "never varies" if constant == 1 else "never vary"
    reasons = [
        f"{few} of {len(why)} judged fewer than {least_items} items that have a gold" if few else "",
        f"{unnamed} of {len(why)} judged no item with a property that enough others name" if unnamed else "",
        f"{constant} of {len(why)} have answers or a gold of the others that {never}" if constant else "",
    ]
    return f"no worker can be scored: {', '.join(filter(None, reasons))}"
