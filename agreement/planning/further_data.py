"""The components of variance of a crowd's own judgments, which a plan starts from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats
from ..estimation.estimate import Undefined
from ..files.numbers import count_text
from ..judgments.crowd import Crowd
from ..kinds.registry import KINDS
from ..people.people_distributions import leader_is_commonest, people_of_counts, with_most_answers
from ..scoring.alternative_annotator import items_for
from ..typed_json import ABSENT
from .advice import OF_MODELS, Advice
from .pilot_bootstrap import MOST_JUDGMENTS, drawn_components
from .precision import ASSURANCE, JUDGMENTS_PER_ITEM, Codes, Components, Goal, Point, Z, components_of, first_within


def of_crowd(crowd: Crowd) -> Components | Undefined:
    mine = crowd.on_target
    y = values_of(crowd.answers, len(crowd.labels))
    if y is None:
        return own_words()
    if not mine.any():
        return Undefined("nothing has been judged yet")
    return components_of_kind(crowd.kind, crowd.item[mine], crowd.worker[mine], y[mine])


def components_of_kind(kind: str, item: Codes, worker: Codes, y: Floats) -> Components | Undefined:
    """Those that a plan starts from, with those of other pilots that might have been."""
    is_one_label = KINDS[kind].column == "label"
    found = components_of(item, worker, y, parts_of(kind, y), is_one_label=is_one_label)
    if isinstance(found, Undefined) or len(y) > MOST_JUDGMENTS:
        return found
    return replace(found, drawn=tuple(drawn_components(item, worker, y)))


def own_words() -> Undefined:
    return Undefined("answers in people's own words have no variance to plan by")


def parts_of(kind: str, y: Floats) -> float:
    """Of one label out of several, two compete: the share of each has half of the variance. Else one of D numbers."""
    return 2.0 if KINDS[kind].column == "label" else float(y.shape[1])


def values_of(answers: object, labels: int) -> Floats | None:
    """[J, D] answers as numbers: labels as zeros and ones, sets and places of labels as they are."""
    if not isinstance(answers, np.ndarray) or answers.dtype == object:
        return None
    if answers.ndim == 2:
        return np.asarray(answers, dtype=np.float64)
    if np.issubdtype(answers.dtype, np.integer):
        return np.eye(labels, dtype=np.float64)[answers]
    return np.asarray(answers, dtype=np.float64)[:, None]


# How much further data a figure takes whose interval is too wide, and a plan in a sentence.

NEARLY = 1e-9  # what rounding may add to a number that is whole


@dataclass(frozen=True, slots=True)
class Further:
    """Either would do: judgments per item by further workers, or further items with as many more workers, judged as
    often as those that are there. None: no number would.
    """

    judgments_per_item: int | None
    items: int | None


def further_for_width(
    half: float, target: float, *, over_items: float | None, items: int, judgments_per_item: float
) -> Further:
    """What brings half the width of an interval down to `target`, which is less.

    `over_items` is half the width over items alone; None where that isn't known.

    >>> further_for_width(0.2, 0.1, over_items=0.05, items=100, judgments_per_item=5)
    Further(judgments_per_item=20, items=300)
    >>> further_for_width(0.2, 0.1, over_items=0.15, items=100, judgments_per_item=5)
    Further(judgments_per_item=None, items=300)
    """
    further_items = _whole(items * ((half / target) ** 2 - 1))
    if over_items is None or over_items >= target:
        return Further(None, further_items)
    of_workers = max(half**2 - over_items**2, 0.0)
    times = of_workers / (target**2 - over_items**2)
    return Further(_whole(judgments_per_item * (times - 1)), further_items)


def _whole(number: float) -> int:
    return max(ceil(number - NEARLY * max(number, 1.0)), 1)


SURE = 0.9  # of the posterior that an item's leading label is the commonest
MOST_COLLECTED = 100  # further judgments of an item: nobody would collect more
MOST_TIMES = 100  # as many items as there are, likewise
LIKE_PEOPLE = 20.0  # what all other items say of one is worth so many judgments of it at most
UNKNOWN = 2.0  # and where nothing says how far people agree


def further_for_lead(counts: Floats, *, are_labels: bool) -> Floats:
    """[N] how many further judgments make it sure that the label with most, of counts [N, L], is the item's commonest,
    if shares stay as they are: 0 where that is sure, NaN where labels tie or a hundred would not do.

    Items' distributions of answers are Dirichlet, with a concentration from Fleiss' kappa where answers are one label
    each (`are_labels`).

    >>> further_for_lead(np.array([[3.0, 0], [0, 3], [2, 1], [1, 1], [5, 0]]), are_labels=True)
    array([ 0.,  1., 10., nan,  0.])
    """
    judged = counts.sum(axis=1) > 0
    found = np.full(len(counts), np.nan)
    if not judged.any() or counts.shape[1] < 2:
        found[judged] = 0.0
        return found
    rows, which = np.unique(counts[judged], axis=0, return_inverse=True)
    found[judged] = _further_of_rows(*with_most_answers(rows, _prior(counts, are_labels=are_labels)))[which.reshape(-1)]
    return found


def _prior(counts: Floats, *, are_labels: bool) -> Floats:
    """[L] how much the other items say of one."""
    if are_labels and (counts.sum(axis=1) >= 2).any():
        people = people_of_counts(counts)
        return np.asarray(np.maximum(min(people.c, LIKE_PEOPLE) * people.p, 1e-6))
    weights = counts.sum(axis=0)
    return np.asarray(np.maximum(UNKNOWN * weights / weights.sum(), 1e-6))


def _further_of_rows(counts: Floats, prior: Floats) -> Floats:
    """The least number that does, by halving the range."""
    leads = counts >= counts.max(axis=1, keepdims=True) - NEARLY
    n = counts.sum(axis=1)

    def sure(rows: npt.NDArray[np.intp], further: Floats) -> Bools:
        alpha = counts[rows] * ((n[rows] + further) / n[rows])[:, None] + prior
        return np.asarray(leader_is_commonest(alpha, leads[rows]) >= SURE)

    found = np.full(len(counts), np.nan)
    alone = np.flatnonzero(leads.sum(axis=1) == 1)
    is_sure = sure(alone, np.zeros(len(alone)))
    found[alone[is_sure]] = 0.0
    rest = alone[~is_sure]
    rest = rest[sure(rest, np.full(len(rest), float(MOST_COLLECTED)))]
    low, high = np.zeros(len(rest)), np.full(len(rest), float(MOST_COLLECTED))
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        does = sure(rest, middle)
        low, high = np.where(does, low, middle), np.where(does, middle, high)
    found[rest] = high
    return found


def further_for_mean(n: Floats, half: Floats, target: float, needed: float) -> Floats:
    """[N] how many further judgments bring half the width of an item's interval down to `target`, which falls with the
    root of n: 0 where it is as narrow. An item without an interval has `needed` judgments less those it has.

    >>> further_for_mean(np.array([5.0, 5, 2]), np.array([20.0, 10, np.nan]), 10.0, 15.0).tolist()
    [15.0, 0.0, 13.0]
    """
    wanted = np.where(np.isnan(half), needed, n * (half / target) ** 2)
    return np.maximum(np.ceil(wanted - n - NEARLY), 0.0)


def items_for_share(within: float) -> int:
    """The fewest items of which any share is known within that much, at its worst: z^2 / (4 d^2).

    >>> items_for_share(0.2)
    25
    """
    return ceil(Z**2 / (4 * within**2))


# Claims that have too few data, as a report holds them.


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """`judgments_per_item` and `items` are further ones, either of which would do; None, and `note` says why. Of items
    that need different numbers `judgments_per_item` is the median, and `judgments` what all of them need together.
    """

    claim: str
    now: str
    enough: str
    judgments_per_item: int | None = None
    judgments: int | None = None
    items: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsureItem:
    """An item whose label or mean is unsure, and how many further judgments it needs; None: nobody can say."""

    item_id: str
    n: int
    judgments: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsureItems:
    """How many items, of how many that have gold, have an unsure label or mean; `items` are the first thousand."""

    count: int
    of: int
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """What was looked at, and the claims that have too few data."""

    how: str
    looked_at: tuple[str, ...]
    too_few: tuple[Claim, ...]
    items: tuple[UnsureItem, ...]
    unsure: UnsureItems | None = field(default=None, metadata=ABSENT)


# A plan in a sentence: what it takes, or why it can't be reached and what would help.

BY_FORMULA = {
    Goal.GOLD: "the interval of one item's mean",
    Goal.ALT_TEST: "the power of a t test for each person",
}
WANTED = {
    Goal.ALPHA: "alpha within ±{}",
    Goal.GOLD: "each item's gold within ±{}",
    Goal.MODELS: "telling two models apart that differ by {}",
    Goal.RELIABILITY: "gold with a reliability of {}",
    Goal.ALT_TEST: "an alternative annotator test with epsilon {}",
}
PROMISED = {
    Goal.ALPHA: "In {share} of such studies the printed interval is within ±{precision}.",
    Goal.GOLD: "Of such items' printed intervals {share} are within ±{precision}.",
    Goal.MODELS: "A difference of {precision} between their correlations is found in 80% of such studies.",
    Goal.RELIABILITY: "In {share} of such studies the printed reliability is {precision} or more.",
    Goal.ALT_TEST: "The formula reaches {precision}.",
}
WHAT_HELPS = {
    Goal.ALPHA: "More items make it more precise.",
    Goal.GOLD: "More people would; or ask for less precision.",
    Goal.MODELS: "More items make smaller differences visible.",
    Goal.RELIABILITY: "More people would; or ask for less.",
    Goal.ALT_TEST: "More items per person would.",
}


def said_plan(
    goal: Goal,
    target: float,
    size: Mapping[str, int],
    most: int | None,
    components: Components,
    points: Sequence[Point],
    price: Callable[[int], str],
    advice: Advice | None = None,
    assurance: float = ASSURANCE,
) -> str:
    """`size` are the items and the items per worker, `most` the people that there are at most; `price` says after a
    comma what so many cost, or nothing. `advice` is what other pilots of the same people would say.
    """
    best = first_within(points, target, most, goal)
    wanted = WANTED[goal].format(f"{target:.12g}")
    if best is None:
        said = _out_of_reach(goal, wanted, size["items"], most, points)
    else:
        said = (
            f"For {wanted}: {best.judgments_per_item} judgments per item,"
            f" {count_text(best.workers, 'person', 'people')}{price(best.workers)}."
            f" {PROMISED[goal].format(share=f'{assurance:.0%}', precision=f'{best.precision:.3g}')}"
        )
    said = " ".join(filter(None, [said, OF_MODELS if goal == Goal.MODELS else "", said_advice(advice)]))
    if goal != Goal.ALT_TEST:
        return said
    point = best or points[0]
    needed = items_for(components.ties, point.judgments_per_item, point.workers, target)
    return (
        f"{said} With {point.judgments_per_item} judgments per item and {point.workers:,} people the test takes"
        f" {needed:,} items of each person, for a model that answers as one more person would."
    )


def said_advice(advice: Advice | None) -> str:
    """What the pilot leaves open.

    >>> said_advice(Advice(5, 20, 10, 40))
    'Another pilot like this one might have said 5 to 20 judgments per item (10 to 40 people).'
    >>> said_advice(Advice(10, None, 20, None))
    'Another pilot like this one might have said 10 judgments per item (20 people), or more than 60.'
    """
    if advice is None:
        return ""
    least, most = advice.least, advice.most
    if least is None:
        return "Another pilot like this one would have said the same."
    if most is None:
        said = f"{least} judgments per item ({advice.fewest_people:,} people), or more than {JUDGMENTS_PER_ITEM[-1]}"
    elif least == most:
        return "Nine in ten other pilots like this one would have said the same."
    else:
        said = f"{least} to {most} judgments per item ({advice.fewest_people:,} to {advice.most_people:,} people)"
    return f"Another pilot like this one might have said {said}."


def said_exclusions(excluded: int, people: int, needed: int | None, price: Callable[[int], str]) -> str:
    """What exclusions so far mean for the people whom the plan needs; nothing where nobody is excluded.

    >>> said_exclusions(8, 66, 33, lambda people: "")
    '8 of 66 people so far are excluded. The plan needs 33 who remain: if as many are excluded again, ask 38.'
    """
    if not excluded:
        return ""
    said = f"{excluded:,} of {people:,} people so far {'is' if excluded == 1 else 'are'} excluded."
    if needed is None or excluded >= people:
        return said
    ask = ceil(needed * people / (people - excluded))
    return f"{said} The plan needs {needed:,} who remain: if as many are excluded again, ask {ask:,}{price(ask)}."


def _out_of_reach(goal: Goal, wanted: str, items: int, most: int | None, points: Sequence[Point]) -> str:
    within = [point for point in points if most is None or point.workers <= most]
    if not within:
        return (
            f"{most:,} people can't even give two judgments to each of {items:,} items: that takes"
            f" {points[0].workers:,}. Ask fewer items, or more of each person."
        )
    last = within[-1]
    limit = f"{most:,} people" if most is not None and len(within) < len(points) else "60 judgments per item"
    return (
        f"{wanted[:1].upper()}{wanted[1:]} can't be reached with {limit}: {last.judgments_per_item} judgments per item"
        f" reach {last.precision:.3g}. {WHAT_HELPS[goal]}"
    )
