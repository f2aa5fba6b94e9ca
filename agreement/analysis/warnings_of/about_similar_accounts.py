"""Accounts that may be one person's: numbers that depart from everybody else's in the same way, item by item."""

from collections.abc import Iterator

import numpy as np

from agreement.analysis.warnings_of.about_workers import ALIKE as THE_SAME
from agreement.analysis.warnings_of.warning import AnalysisWarning, named
from agreement.crowd import Crowd, Properties, Sample
from agreement.scoring.similar_workers import SimilarPair, similar_pairs


def similar_accounts(crowd: Crowd, sample: Sample) -> Iterator[AnalysisWarning]:
    """The pairs in one sentence; those with the very same answers are warned of as identical accounts."""
    if isinstance(sample.answers, Properties) or not len(sample.item):
        return
    answers = np.asarray(sample.answers, dtype=np.float64)
    columns = answers[:, None] if answers.ndim == 1 else answers
    pairs = [one for one in similar_pairs(sample.item, sample.worker, columns) if not _same(one, sample, columns)]
    if not pairs:
        return
    who = [f"{crowd.workers[one.first]} with {crowd.workers[one.second]} (r = {one.r:.2f})" for one in pairs]
    many = "Two workers answer" if len(pairs) == 1 else f"{len(pairs):,} pairs of workers answer"
    yield AnalysisWarning(
        "similar-accounts",
        f"{many} alike far beyond what items explain: {named(who)}. They may be one person with two accounts, which"
        " raises agreement and makes intervals too narrow.",
    )


def _same(pair: SimilarPair, sample: Sample, columns: np.ndarray) -> bool:
    """Whether nearly all answers that two workers share are equal."""
    mine, theirs = (
        {int(item): tuple(row) for item, row in zip(sample.item[own], columns[own].tolist(), strict=True)}
        for own in (sample.worker == pair.first, sample.worker == pair.second)
    )
    shared = mine.keys() & theirs.keys()
    return sum(mine[item] == theirs[item] for item in shared) >= THE_SAME * len(shared)
