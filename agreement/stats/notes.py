"""What must be said beside the figures: who judged how much, and what about the data a reader has to know."""

import numpy as np

from agreement.stats.design import Design
from agreement.stats.estimate import Floats
from agreement.stats.results import Counts

LARGE_SHARE = 0.2
TELLING = 3.0  # standard errors of a correlation


def counts_of(design: Design) -> Counts:
    """Judgments, items, workers, and how the judgments spread over workers."""
    if design.judgments == 0:
        return Counts(0, 0, 0, 0, 0.0, 0, 0.0, 0, None, 0, None, 0)
    by_worker = design.judgments_of_worker
    most = by_worker.max()
    return Counts(
        judgments=design.judgments,
        items=design.items,
        items_with_two=int(np.sum(design.n >= 2)),
        workers=design.workers,
        judgments_per_item=design.judgments / design.items,
        judgments_per_worker_min=int(by_worker.min()),
        judgments_per_worker_median=float(np.median(by_worker)),
        judgments_per_worker_max=int(most),
        busiest_worker=int(design.worker_codes[np.argmax(by_worker)]),
        busiest_tied=int(np.sum(by_worker == most)),
        busiest_share=float(most / design.judgments),
        repeated=design.repeated,
    )


def notes_of(design: Design, disagreement: Floats | None) -> tuple[str, ...]:
    """Sentences for the report; `disagreement` [N] is each item's, nan where it has one judgment."""
    if design.judgments == 0:
        return ()
    counts = counts_of(design)
    said = []
    if counts.repeated:
        said.append(
            f"{counts.repeated:,} judgments are a worker's repeated answers to an item; each counts as a judgment, "
            "so that some pairs compare a worker with itself"
        )
    if counts.items_with_two < counts.items:
        single = counts.items - counts.items_with_two
        have = "has" if single == 1 else "have"
        said.append(f"{single:,} of {counts.items:,} items {have} one judgment, which can be compared with none")
    if (
        counts.workers > 1
        and counts.busiest_share is not None
        and counts.busiest_share > LARGE_SHARE
        and counts.busiest_tied == 1
    ):
        said.append(f"one worker gave {counts.busiest_share:.0%} of the judgments")
    if counts.workers < 2:
        said.append("all judgments are by one worker: how far people agree can't be known from them")
    if disagreement is not None:
        said.extend(_outcome_dependent(design.n, disagreement))
    return tuple(said)


def _outcome_dependent(n: Floats, disagreement: Floats) -> list[str]:
    """Whether more was asked where people disagreed, which biases every statistic of agreement."""
    usable = np.isfinite(disagreement)
    n, disagreement = n[usable], disagreement[usable]
    if len(n) < 10 or n.min() == n.max() or disagreement.min() == disagreement.max():
        return []
    r = float(np.corrcoef(n, disagreement)[0, 1])
    if abs(r) * np.sqrt(len(n)) < TELLING:
        return []
    more = "more" if r > 0 else "less"
    said = (
        f"items with more judgments show {more} disagreement (correlation {r:.2f} over {len(n):,} items): "
        "if the number of judgments was chosen by the answers, agreement is biased"
    )
    return [said]
