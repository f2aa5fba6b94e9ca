"""Warnings about labels and items: spellings, unused orders, swapped classes, one item, sets with no common worker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from ..errors import remedy
from ..files.numbers import decimal_of
from ..gold.annotator_models import Consensus
from ..judgments.crowd import Crowd, Sample
from ..kinds.options import has_own_labels
from .warning import AnalysisWarning, named

# Labels that differ in capitals or punctuation alone, and are counted as different ones.


def labels_alike(crowd: Crowd, _: Sample) -> Iterator[AnalysisWarning]:
    groups: dict[str, list[str]] = {}
    for label in crowd.labels:
        groups.setdefault(_as_meant(label), []).append(label)
    for alike in groups.values():
        if len(alike) > 1:
            yield AnalysisWarning(
                "labels-alike",
                f"The labels {named(alike)} are counted as {len(alike)} different labels: if they mean the same, write"
                " them in one way, for gold and agreement take them for disagreement.",
            )


def _as_meant(label: str) -> str:
    """A label without capitals and punctuation at its ends; a label of punctuation alone (`+`, `-`) stays itself.

    >>> _as_meant("Not Sure."), _as_meant("not_sure"), _as_meant("-")
    ('not sure', 'not sure', '-')
    """
    return " ".join(label.casefold().replace("_", " ").split()).strip(" .,;:!") or label


# Labels that are several of the others in one answer.

APART = re.compile(r"\s*(?:[,;/+&]|\band\b)\s*")


def several_in_one(crowd: Crowd, sample: Sample) -> Iterator[AnalysisWarning]:
    """Such as "red, blue" beside red and blue: people could choose several, and the kind takes one."""
    own = {label.casefold() for label in crowd.labels}
    found = [at for at, label in enumerate(crowd.labels) if _is_several(label, own)]
    count = int(np.isin(np.asarray(sample.answers), found).sum()) if found else 0
    if count:
        labels = named([repr(crowd.labels[at]) for at in found])
        many = len(found) > 1
        which = f"labels {labels} look like several of the others in one answer, and count as different labels"
        one = f"label {labels} looks like several of the others in one answer, and counts as a label of its own"
        yield AnalysisWarning(
            "several-in-one",
            f"The {which if many else one} ({count:,} judgment{'' if count == 1 else 's'}): if people could choose"
            " several, write them with | between, for kind choices.",
        )


def _is_several(label: str, own: set[str]) -> bool:
    """Whether its parts are two or more other labels.

    >>> _is_several("red, blue", {"red", "blue", "red, blue"}), _is_several("black and white", {"black", "grey"})
    (True, False)
    """
    parts = [part.casefold() for part in APART.split(label.strip())]
    return len(parts) > 1 and all(part in own and part != label.casefold() for part in parts)


# Labels that look ordered in an analysis that knows of no order.

LEAST = 3  # two labels are the same in any order
ORDERS = (
    ("never", "almost never", "rarely", "seldom", "occasionally", "sometimes", "often", "frequently", "usually",
     "almost always", "always"),
    ("strongly disagree", "disagree", "somewhat disagree", "slightly disagree", "neither", "neutral", "undecided",
     "neither agree nor disagree", "slightly agree", "somewhat agree", "agree", "strongly agree"),
    ("very negative", "negative", "somewhat negative", "neutral", "mixed", "somewhat positive", "positive",
     "very positive"),
    ("very low", "low", "medium", "moderate", "high", "very high"),
    ("tiny", "very small", "small", "medium", "large", "big", "very large", "huge"),
    ("terrible", "very bad", "bad", "very poor", "poor", "fair", "average", "okay", "ok", "good", "very good",
     "excellent", "great"),
    ("none", "mild", "moderate", "severe", "extreme"),
    ("not at all", "none", "a little", "slightly", "somewhat", "moderately", "very", "very much", "extremely"),
    ("very unlikely", "unlikely", "neutral", "possible", "likely", "very likely"),
)  # fmt: skip


def unused_order(crowd: Crowd, _: Sample) -> Iterator[AnalysisWarning]:
    if crowd.ordered or len(crowd.labels) < LEAST or has_own_labels(crowd.labels):
        return
    in_order = order_of(crowd.labels)
    if in_order:
        yield AnalysisWarning(
            "unused-order",
            f"The labels look ordered ({named(in_order, 12)}), but no figure here uses an order: a neighbouring label"
            f" counts as just as wrong as the most distant one. If they are ordered, {_ordered(in_order)}.",
        )


def _ordered(labels: Sequence[str]) -> str:
    return remedy(
        command=f"analyse_file takes --labels '{'|'.join(labels)}' --ordered",
        python=f"analyse takes labels={list(labels)!r}, ordered=True",
        page="tick “Labels are ordered” under Answer in Setup",
    )


def order_of(labels: tuple[str, ...]) -> list[str]:
    """The labels in the order that they seem to have; none where they seem to have none.

    >>> order_of(("often", "never", "Sometimes")), order_of(("10", "9", "2")), order_of(("red", "low", "high"))
    (['never', 'Sometimes', 'often'], ['2', '9', '10'], [])
    """
    numbers = {label: decimal_of(label) for label in labels}
    if all(number is not None for number in numbers.values()):
        return sorted(labels, key=lambda label: numbers[label] or 0)
    for order in ORDERS:
        places = {label: order.index(label.casefold()) for label in labels if label.casefold() in order}
        if len(places) == len(labels):
            return sorted(labels, key=places.__getitem__)
    return []


# Dawid and Skene's classes that came to mean something else than the label they are named after.


def warnings_on_models(models: Mapping[str, Consensus], labels: Sequence[str]) -> Iterator[AnalysisWarning]:
    """A class in which another label than its own is the commonest answer: its labels are left blank in gold.csv."""
    for name, model in models.items():
        if model.swapped:
            each = [
                f"items of the class {labels[truth]} were mostly labelled {labels[vote]}"
                for truth, vote in model.swapped
            ]
            yield AnalysisWarning(
                "swapped-classes",
                f"The classes of the Dawid-Skene model don't correspond to their labels: {named(each)}. Its "
                f"labels and accuracies"
                f" are left blank in gold.csv and workers.csv (columns {name}, {name}_p and {name}_accuracy); the"
                " majority stands.",
            )


# Agreement on a single item: the formulas give a figure, which the formula alone decides.


def one_item(crowd: Crowd, sample: Sample) -> Iterator[AnalysisWarning]:
    """Of n judgments of one item alpha is 0 and kappa -1 / (n - 1); kappa knows items with one judgment too."""
    n = np.bincount(sample.item, minlength=crowd.n_items)
    if int(np.sum(n >= 2)) != 1:
        return
    what = "agreement compares how answers differ within items and between them"
    if int(np.sum(n >= 1)) == 1:
        text = f"There is only one item: {what}, so that of n judgments alpha is 0 and kappa -1 / (n - 1)"
    else:
        rests = "Only one item has two or more judgments, and every figure of agreement rests on it"
        text = f"{rests}: {what}, so that alpha is 0"
    yield AnalysisWarning("one-item", f"{text}, or undefined, whatever was answered.")


# A warning about who judged what: items in sets that have no worker in common.

MOST_SIZES = 5


def items_apart(crowd: Crowd, sample: Sample) -> Iterator[AnalysisWarning]:
    """Workers and items are linked by judgments; parts without a link between them share nobody."""
    W, N = crowd.n_workers, crowd.n_items
    if not len(sample.item):
        return
    links = sparse.coo_array((np.ones(len(sample.item), dtype=np.int8), (sample.item, sample.worker)), shape=(N, W))
    _, part = csgraph.connected_components(sparse.block_array([[None, links], [links.T, None]]), directed=False)
    there = np.unique(sample.item)
    sizes = np.sort(np.unique(part[there], return_counts=True)[1])[::-1]
    if len(sizes) < 2:
        return
    of_sizes = named([f"{size:,}" for size in sizes.tolist()], MOST_SIZES)
    yield AnalysisWarning(
        "items-apart",
        f"The items fall into {len(sizes):,} sets that no worker judged in common (of sizes {of_sizes}): items of"
        " different sets were judged by different people, so that a difference between items can't be told from one"
        " between people, and agreement and correlations over all items mix the two.",
    )
