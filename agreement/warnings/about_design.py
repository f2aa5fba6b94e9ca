"""A warning about who judged what: items in sets that have no worker in common."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from ..judgments.crowd import Crowd, Sample
from .warning import AnalysisWarning, named

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
        " different sets were judged by different people, so that nothing tells a difference between the items from a"
        " difference between the people, and agreement and correlations over all items rest on both.",
    )
