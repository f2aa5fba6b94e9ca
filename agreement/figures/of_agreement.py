"""Figures of how far people agree: every coefficient, every two labels, every two workers."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse import csr_array, diags_array

from ..cleaning.cleaning_run import Cleaning
from ..estimation.estimate import Estimate
from ..kinds.options import has_own_labels
from ..people.agreement_report import Path
from ..people.similar_workers import LEAST_ITEMS
from ..report.figure_rows import NAMES
from ..report.people_and_models import Agreement
from .figure import BEFORE, CATEGORIES, Figure
from .similarity_matrix import MOST_WITH_NUMBERS, heat_map

STAGES = {"raw": "collected", "cleaned": "kept"}


def draw_agreement_intervals(agreement: Agreement, *, on_request: Collection[Path] = ()) -> Figure | None:
    """None where no coefficient is defined. Those `on_request` are left out."""
    drawn = [each for each in NAMES if each[1] not in on_request]
    names = sorted(drawn, key=lambda each: ".".join(each[1]) != agreement.cleaned.first)
    rows = _coefficients(agreement, names)
    if rows.empty:
        return None
    is_same = agreement.raw == agreement.cleaned
    domain = list(STAGES.values())
    encoding = {
        "y": {"field": "statistic", "type": "nominal", "sort": [name for name, _ in names], "title": None},
        "yOffset": {"field": "judgments", "sort": domain},
        "color": {
            "field": "judgments", "type": "nominal", "title": "Judgments",
            "scale": {"domain": domain, "range": [BEFORE, CATEGORIES[0]]},
            **({"legend": None} if is_same else {}),
        },
    }  # fmt: skip
    of = (
        "of all judgments, for cleaning kept them all"
        if is_same
        else "of all judgments and of those that cleaning kept"
    )
    axis = {"type": "quantitative", "title": "Agreement", "scale": {"zero": True}}
    return Figure(
        name="agreement",
        title="Agreement",
        caption=f"Coefficients of agreement with 95 % intervals, {of}.",
        description=f"Coefficients of agreement with intervals, {of}; numbers in the table.",
        rows=rows,
        specification={
            "layer": [
                {
                    "mark": {"type": "rule", "strokeWidth": 2},
                    "encoding": {**encoding, "x": {"field": "low", **axis}, "x2": {"field": "high"}},
                },
                {
                    "mark": {"type": "point", "tooltip": True},
                    "encoding": {**encoding, "x": {"field": "estimate", **axis}},
                },
            ],
            "width": 420,
        },
    )


def _coefficients(agreement: Agreement, names: Sequence[tuple[str, Path]]) -> pd.DataFrame:
    """A row for each coefficient that is defined: of all judgments, where cleaning changed them, and of those kept."""
    lines = []
    for stage, judgments in STAGES.items():
        if stage == "raw" and agreement.raw == agreement.cleaned:
            continue
        statistics = (agreement.raw if stage == "raw" else agreement.cleaned).statistics()
        for name, path in names:
            figure = statistics[path].headline if path in statistics else None
            if isinstance(figure, Estimate):
                lines.append([name, judgments, figure.estimate, figure.low, figure.high, figure.n])
    return pd.DataFrame(lines, columns=["statistic", "judgments", "estimate", "low", "high", "n"])


# Which labels two people give to the same item, as a heat map: what one says where another says something
# else.

MOST_LABELS = 40


def draw_label_confusion(cleaning: Cleaning) -> Figure | None:
    """Of the judgments that are kept, where two people judged an item; None for more labels than anybody could see."""
    crowd, kept = cleaning.crowd, cleaning.kept_targets
    if not 2 <= len(crowd.labels) <= MOST_LABELS or has_own_labels(crowd.labels):
        return None
    item, label = crowd.item[kept], np.asarray(crowd.answers)[kept]
    o = coincidences(item, label, len(crowd.labels))
    if not o.sum():
        return None
    used_labels = np.flatnonzero(o.sum(axis=1))
    names = [crowd.labels[code] for code in used_labels.tolist()]
    shares = o[np.ix_(used_labels, used_labels)] / o[used_labels].sum(axis=1, keepdims=True)
    rows = pd.DataFrame(
        [
            (one, other, float(shares[a, b]), float(o[used_labels[a], used_labels[b]]))
            for a, one in enumerate(names)
            for b, other in enumerate(names)
        ],
        columns=["label", "other", "share", "judgments"],
    )
    caption = (
        "Where one person gives a row's label, how often another person gives a column's to the same item;"
        f" {o.sum():,.0f} judgments of items with two or more."
    )
    return Figure(
        name="label-confusion",
        title="Labels that people give to the same item",
        caption=caption,
        description=f"A heat map of {len(names)} labels. {caption} Numbers in the table.",
        rows=rows,
        specification=heat_map(
            names,
            names,
            field=("share", "Share"),
            axes=("label", "other"),
            scale={"domain": [0, 1]},
            with_numbers=len(names) <= MOST_WITH_NUMBERS,
        ),
    )


def coincidences(item: npt.NDArray[np.integer], label: npt.NDArray[np.integer], labels: int) -> npt.NDArray[np.float64]:
    """[L, L] Krippendorff's o_ck = sum over items u of n_uc (n_uk - [c = k]) / (m_u - 1): its sum is the number of
    judgments of items that have two or more.

    >>> coincidences(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]), 2)
    array([[1., 1.],
           [1., 0.]])
    """
    items = int(item.max(initial=-1)) + 1
    n = csr_array((np.ones(len(item)), (item, label)), shape=(items, labels))
    m = np.bincount(item, minlength=items)
    weight = np.divide(1.0, m - 1, out=np.zeros(items), where=m > 1)
    weighted = diags_array(weight) @ n
    return np.asarray((n.T @ weighted).toarray() - np.diag(weighted.sum(axis=0)))


# How far every two workers agree on the items that both judged, as a heat map.


def draw_annotator_matrix(pairs: pd.DataFrame, *, workers: int, agrees_by: str) -> Figure | None:
    """`pairs` has `worker`, `other`, `agreement` and `shared` (items), each pair once; `workers` were compared."""
    if pairs.empty:
        return None
    mean = pd.concat([pairs, pairs.rename(columns={"worker": "other", "other": "worker"})], ignore_index=True)
    order = mean.groupby("worker")["agreement"].mean().sort_values(ascending=False, kind="stable").index.tolist()
    place = {worker: position for position, worker in enumerate(order)}
    rows = mean.sort_values(["worker", "other"], key=lambda names: names.map(place.__getitem__), ignore_index=True)
    measure = "Correlation" if agrees_by == "correlation" else "Share of equal answers"
    domain = [-1, 1] if agrees_by == "correlation" else [0, 1]
    caption = (
        f"{measure} of {len(pairs):,} pairs of workers who share {LEAST_ITEMS} items or more, of the {workers} who were"
        " compared (those with most judgments); who agrees most with the others comes first."
    )
    return Figure(
        name="annotator-matrix",
        title="Agreement of every two workers",
        caption=caption,
        description=f"A heat map. {caption} Numbers in the table.",
        rows=rows[["worker", "other", "agreement", "shared"]],
        specification=heat_map(
            order,
            order,
            field=("agreement", measure),
            axes=("worker", "other"),
            scale={"domain": domain},
            with_numbers=len(order) <= MOST_WITH_NUMBERS,
        ),
    )
