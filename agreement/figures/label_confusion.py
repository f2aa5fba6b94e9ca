"""Which labels two people give to the same item, as a heat map: what one says where another says something else."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse import csr_array, diags_array

from ..cleaning.cleaning_run import Cleaning
from .figure import Figure
from .similarity_matrix import MOST_WITH_NUMBERS, heat_map

MOST_LABELS = 40


def draw_label_confusion(cleaning: Cleaning) -> Figure | None:
    """Of the judgments that are kept, where two people judged an item; None for more labels than anybody could see."""
    crowd, kept = cleaning.crowd, cleaning.kept_targets
    if not 2 <= len(crowd.labels) <= MOST_LABELS:
        return None
    item, label = crowd.item[kept], np.asarray(crowd.answers)[kept]
    o = coincidences(item, label, len(crowd.labels))
    if not o.sum():
        return None
    there = np.flatnonzero(o.sum(axis=1))
    names = [crowd.labels[at] for at in there.tolist()]
    shares = o[np.ix_(there, there)] / o[there].sum(axis=1, keepdims=True)
    rows = pd.DataFrame(
        [
            (one, other, float(shares[a, b]), float(o[there[a], there[b]]))
            for a, one in enumerate(names)
            for b, other in enumerate(names)
        ],
        columns=["label", "other", "share", "judgments"],
    )
    said = (
        "Where one person gives a row's label, how often another person gives a column's to the same item;"
        f" {o.sum():,.0f} judgments of items with two or more."
    )
    return Figure(
        name="label-confusion",
        title="Labels that people give to the same item",
        caption=said,
        description=f"A heat map of {len(names)} labels. {said} Numbers in the table.",
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
