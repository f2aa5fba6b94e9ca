"""Claims of a report that rest on too few data, and how many more judgments or items each of them takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil

import numpy as np
import pandas as pd

from ..arrays import Bools, Floats
from ..cleaning.cleaning_run import Counts
from ..estimation.estimate import Estimate, Undefined
from ..gold.label_gold import leading
from ..judgments.crowd import Crowd, Sample
from ..kinds.options import has_own_labels
from ..kinds.statistics import statistics_of
from ..people.agreement_report import AgreementReport, Statistic
from ..planning.further_data import (
    MOST_COLLECTED,
    MOST_TIMES,
    SURE,
    Claim,
    Claims,
    UnsureItem,
    UnsureItems,
    further_for_lead,
    further_for_mean,
    further_for_width,
    items_for_share,
)
from ..planning.precision import Components, Z, components_of
from ..scoring.metrics import METRICS, smaller_is_better, title_of
from ..scoring.paired_tests import ALPHA
from .agreement_words import said_figure
from .figure_rows import statistic_name
from .people_and_models import Ceiling, ComparedProbes
from .report import Results

WIDE = 0.1  # half the width of an interval of agreement or of a ceiling, beyond which it is wide
WIDE_OF_SCALE = 0.1  # the same of an item's mean, as a part of the scale
SHARE_WITHIN = 0.2  # how precisely a share of the items of one label should be known
MOST_LABELS = 20  # that have a row of their own
MOST_ITEMS = 1_000  # that are named
TOO_MANY = "It takes more judgments of these items than anybody would collect."
HOW = (
    f"The interval of agreement or of a ceiling is called wide beyond ±{WIDE:g}, that of an item's mean beyond"
    f" ±{WIDE_OF_SCALE * 100:g} % of the scale. An item's label is sure if the posterior probability that it is the"
    f" commonest in the population is {SURE:g} or more (items' distributions are Dirichlet, with a concentration from"
    " Fleiss' kappa; workers are taken as alike). What is said of a label by itself (its recall, precision, F1) needs"
    f" {items_for_share(SHARE_WITHIN)} items on which it leads: a share of them is then known within"
    f" ±{SHARE_WITHIN:g}. Two models that stand next to each other by the first metric are compared by a test with"
    " Holm's correction; the number of items is what one such test needs for a power of .8. Every number assumes that"
    " further data are like those so far, with labels in the same shares. If a number of judgments per item and a"
    " number of items stand side by side, either is enough: further items are judged as often as the present ones, by"
    " as many more workers."
)


@dataclass(frozen=True, slots=True, eq=False)
class _Uncertainty:
    """[N] further judgments of each item, NaN where no number can be said; `is_unsure` [N]."""

    further: Floats
    is_unsure: Bools


NO_CLAIMS = Claims(how=HOW, looked_at=(), too_few=(), items=())


def claims_of(crowd: Crowd, kept: Sample, gold: pd.DataFrame, counts: Counts, results: Results) -> Claims:
    """What was looked at, and the claims that have too few data."""
    unsure = _unsure_items(crowd, kept, gold)
    reference = results.against_reference
    of_reference = () if isinstance(reference, Undefined) else reference.comparisons
    looked_at: list[str] = []
    too_few: list[Claim] = []
    for claims, subject in (
        (_agreement(results.agreement.cleaned, counts), "agreement"),
        (_ceilings(results.ceiling, counts), "ceilings"),
        (_gold(crowd, gold, unsure), "items' gold"),
        (_labels(crowd, gold), "labels"),
        (_models(results.comparisons, "the gold"), "models against the gold"),
        (_models(of_reference, "the reference"), "models and reference"),
    ):
        rows = list(claims)
        too_few += [row for row in rows if row is not None]
        looked_at += [subject] if rows else []
    items = tuple(_items(gold, unsure))
    return Claims(
        how=HOW,
        looked_at=tuple(looked_at),
        too_few=tuple(too_few),
        items=items,
        unsure=None if unsure is None else _counted(unsure, items),
    )


def _counted(unsure: _Uncertainty, items: Sequence[UnsureItem]) -> UnsureItems:
    named = tuple(item.item_id for item in items)
    return UnsureItems(count=int(unsure.is_unsure.sum()), of=len(unsure.is_unsure), items=named)


def _agreement(cleaned: AgreementReport, counts: Counts) -> Iterator[Claim | None]:
    """Of the statistic that suits the kind of question."""
    if cleaned.headline is not None:
        yield _of_figure(statistic_name(cleaned.first), cleaned.headline, counts)


def _ceilings(ceiling: Ceiling, counts: Counts) -> Iterator[Claim | None]:
    """One row for each ceiling that has a width; None where it is narrow."""
    left_out = ceiling.leave_one_out
    if left_out.metric and _is_share(left_out.metric):
        person = Statistic(left_out.person)
        yield _of_figure(f"A person against the others ({title_of(left_out.metric)})", person, counts)
    if isinstance(ceiling.upper_bound, Estimate):
        yield _of_figure("The most that a model can correlate with the gold", Statistic(ceiling.upper_bound), counts)


def _is_share(metric: str) -> bool:
    """Whether the metric lies between -1 and 1, where a stated width means the same everywhere."""
    within = METRICS[metric].within
    return within.low >= -1 and within.high <= 1


def _of_figure(name: str, statistic: Statistic, counts: Counts) -> Claim | None:
    """A claim whose interval is wider than ± WIDE, or that has none."""
    enough, figure = f"±{WIDE:g}", statistic.headline
    if isinstance(figure, Undefined):
        return Claim(claim=name, now="undefined", enough=enough, note=f"{figure.why}.")
    if figure.low is None or figure.high is None:
        return Claim(claim=name, now=said_figure(figure), enough=enough, note="It has no interval that could narrow.")
    half = (figure.high - figure.low) / 2
    if half <= WIDE:
        return None
    of_both = figure.over == "items and workers"
    alone = _half_width(statistic.item_bca or statistic.item_percentile) if of_both else None
    further = further_for_width(
        half, WIDE, over_items=alone, items=counts.items, judgments_per_item=counts.judgments_per_item
    )
    note = ""
    if (further.items or 0) > MOST_TIMES * counts.items:
        further = replace(further, items=None)
    if (further.judgments_per_item or 0) > MOST_COLLECTED:
        further, note = replace(further, judgments_per_item=None), TOO_MANY
    elif not of_both:
        note = "The interval is over items, for these workers: more items narrow it."
    elif alone is None:
        note = "How much is due to items and how much to workers is unknown: only the size of a larger study is."
    elif further.judgments_per_item is None:
        note = "More judgments of these items would not do: over items alone it is too wide already."
    return Claim(
        claim=name,
        now=said_figure(figure),
        enough=enough,
        judgments_per_item=further.judgments_per_item,
        judgments=None if further.judgments_per_item is None else further.judgments_per_item * counts.items,
        items=further.items,
        note=note,
    )


def _half_width(figure: Estimate | None) -> float | None:
    if figure is None or figure.low is None or figure.high is None:
        return None
    return (figure.high - figure.low) / 2


# Items' gold: labels whose lead may be chance, means with wide intervals.


def _unsure_items(crowd: Crowd, kept: Sample, gold: pd.DataFrame) -> _Uncertainty | None:
    if not len(gold):
        return None
    n = gold["n"].to_numpy(dtype=np.float64)
    if "tied" in gold and crowd.labels:
        are_labels = statistics_of(crowd.kind).answer_is_a_label
        further = further_for_lead(_weights(crowd, gold), are_labels=are_labels)
        return _Uncertainty(further, ~(further == 0))
    if "ci_low" in gold and crowd.scale is not None:
        half = (gold["ci_high"] - gold["ci_low"]).to_numpy(dtype=np.float64) / 2
        target = WIDE_OF_SCALE * float(crowd.scale.high - crowd.scale.low)
        needed = _needed(kept, target) if np.isnan(half).any() else float("nan")
        further = further_for_mean(n, half, target, needed)
        return _Uncertainty(further, ~(further == 0))
    return None


def _weights(crowd: Crowd, gold: pd.DataFrame) -> Floats:
    """[N, L] what each label got."""
    return gold[[f"n:{label}" for label in crowd.labels]].to_numpy(dtype=np.float64)


def _needed(kept: Sample, target: float) -> float:
    """Judgments with which the mean of an item like the study's is within the target; NaN where that can't be said."""
    components = components_of(kept.item, kept.worker, np.asarray(kept.answers, dtype=np.float64)[:, None])
    return Z**2 * components.within / target**2 if isinstance(components, Components) else float("nan")


def _gold(crowd: Crowd, gold: pd.DataFrame, unsure: _Uncertainty | None) -> Iterator[Claim | None]:
    if unsure is None:
        return
    many, known = int(unsure.is_unsure.sum()), unsure.further[unsure.is_unsure]
    if not many:
        yield None
        return
    of_labels = "tied" in gold
    known = known[np.isfinite(known)]
    notes = []
    if of_labels:
        nobody = int((gold["n"].to_numpy() == 0).sum())
        notes = [
            *_never_decided(many, many - nobody - len(known)),
            *([f"{nobody:,} have no judgment."] if nobody else []),
        ]
    elif len(known) < many:
        notes.append(f"{many - len(known):,} of them have too few judgments to say how many they need.")
    now = "another label may be the commonest" if of_labels else "a wider interval"
    scale = "" if crowd.scale is None else f"±{WIDE_OF_SCALE * float(crowd.scale.high - crowd.scale.low):g}"
    yield Claim(
        claim=f"The {'most chosen label' if of_labels else 'mean'} of {many:,} of {len(gold):,} items",
        now=now,
        enough=f"a posterior of {SURE:g}" if of_labels else scale,
        judgments_per_item=ceil(float(np.median(known))) if len(known) else None,
        judgments=int(known.sum()) if len(known) else None,
        note=" ".join(notes),
    )


def _never_decided(unsure: int, never: int) -> Iterator[str]:
    """What is said of items for which no number of judgments can be asked."""
    if never:
        which = "These items" if never == unsure else f"{never:,} of these items"
        yield f"{which} can't be decided by more judgments: two labels are equally likely."


def _items(gold: pd.DataFrame, unsure: _Uncertainty | None) -> list[UnsureItem]:
    """The items that need fewest first, those of which no number can be said last."""
    if unsure is None:
        return []
    at = np.flatnonzero(unsure.is_unsure)
    wanted = np.where(np.isnan(unsure.further[at]), np.inf, unsure.further[at])
    chosen = at[np.argsort(wanted, kind="stable")][:MOST_ITEMS]
    ids, n = gold["item_id"].to_numpy(), gold["n"].to_numpy()
    return [
        UnsureItem(
            item_id=str(ids[one]),
            n=int(n[one]),
            judgments=int(unsure.further[one]) if np.isfinite(unsure.further[one]) else None,
        )
        for one in chosen.tolist()
    ]


# Labels with few items, and models that can't be told apart.


def _labels(crowd: Crowd, gold: pd.DataFrame) -> Iterator[Claim | None]:
    is_of_labels = "tied" in gold and crowd.labels and not has_own_labels(crowd.labels)
    if not is_of_labels or statistics_of(crowd.kind).person is None:
        return
    wanted, leads = items_for_share(SHARE_WITHIN), leading(_weights(crowd, gold)).sum(axis=0).tolist()
    few = [(label, items) for label, items in zip(crowd.labels, leads, strict=True) if items < wanted]
    if not few:
        yield None
    for label, items in few[:MOST_LABELS]:
        further = ceil((wanted - items) / (items / len(gold))) if items else None
        yield Claim(
            claim=f"Label {label} by itself",
            now=f"leads on {items:,} item{'' if items == 1 else 's'}",
            enough=f"{wanted} items",
            items=further,
            note="" if items else "It leads on no item, so that nothing says how many it takes.",
        )
    if len(few) > MOST_LABELS:
        yield Claim(
            claim=f"{len(few) - MOST_LABELS:,} more labels by themselves",
            now=f"lead on fewer than {wanted} items",
            enough=f"{wanted} items each",
            note="gold.csv says on which items each leads.",
        )


def _models(comparisons: Sequence[ComparedProbes], against: str) -> Iterator[Claim | None]:
    """Each two models that stand next to each other by the first metric and can't be told apart."""
    metric = comparisons[0].metric if comparisons else ""
    pairs = {(row.first, row.second): row for row in comparisons if row.metric == metric}
    for better, worse in _neighbours(pairs, metric):
        row = pairs.get((better, worse)) or pairs[worse, better]
        name = f"{better} above {worse}, by {title_of(metric)} against {against}"
        enough = "to find this difference"
        if row.p is None or row.p_holm_all_pairs is None:
            yield Claim(claim=name, now="no test", enough=enough, note=_sentence(row.in_words))
        elif row.p_holm_all_pairs >= ALPHA and isinstance(row.figure, Estimate):
            yield _between(row, row.figure, name, enough)
        else:
            yield None


def _between(row: ComparedProbes, figure: Estimate, name: str, enough: str) -> Claim:
    now = f"{abs(figure.estimate):.3f} apart, p = {row.p_holm_all_pairs:.3f} after Holm"
    times = row.times_needed
    if times is None:
        note = "They score the same, so that no number of items would tell them apart."
    elif times > MOST_TIMES:
        note = "They are so close that nobody would collect enough items."
    elif times <= 1:
        note = "A single test would find it; with so many tests Holm's correction hides it."
    else:
        return Claim(claim=name, now=now, enough=enough, items=ceil(figure.n * (times - 1)))
    return Claim(claim=name, now=now, enough=enough, note=note)


def _neighbours(pairs: Mapping[tuple[str, str], ComparedProbes], metric: str) -> Iterator[tuple[str, str]]:
    """The models from the best to the worst, each with the next one; `first` less `second` is in every row."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    against = names[0] if names else ""
    height = {against: 0.0}
    for (first, second), row in pairs.items():
        if against in {first, second} and isinstance(row.figure, Estimate):
            height[second if first == against else first] = row.figure.estimate * (-1 if first == against else 1)
    sign = 1 if metric and smaller_is_better(metric) else -1
    order = sorted(height, key=lambda name: sign * height[name])
    yield from pairwise(order)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
