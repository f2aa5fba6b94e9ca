"""Response times are what a browser claims; the server's clock says how long an assignment took at most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..judgments.crowd import ITEMS_A_PAGE, SERVER_MS, Crowd, Mask, numbers_of

# Of a worker whose claims add up to more than that, the server's time is taken instead. Nobody is doubted for
# claiming less: answers given without a network arrive late.

Times = npt.NDArray[np.float64]
SLACK = 1.01  # two clocks don't run alike
SLACK_MS = 1000.0


@dataclass(frozen=True, slots=True, eq=False)
class ClaimedTimes:
    """[W] what each worker's browser claimed in all, what the server saw, and how many answers that is; nan where the
    server's time is not known. `most_items_per_page` [W]: the time of one page is claimed by each of its items.
    """

    claimed_ms: Times
    server_ms: Times
    answers: Times
    most_items_per_page: Times
    is_doubted: Mask

    @property
    def ms_per_answer(self) -> Times:
        """[W] the server's time for an answer, on average."""
        return self.server_ms / self.answers

    def in_words(self, worker: int) -> str:
        """What speaks against the claims of a worker who is doubted."""
        pages = self.most_items_per_page[worker]
        on_pages = f" for pages of {pages:.0f} items" if pages > 1 else ""
        return (
            f"claimed {_seconds(self.claimed_ms[worker])}{on_pages}, the server saw {_seconds(self.server_ms[worker])}:"
            f" {self.ms_per_answer[worker]:.6g} ms per answer"
        )


def claimed_times(crowd: Crowd, counted: Mask) -> ClaimedTimes:
    """The claims of the judgments in `counted` against the server's time for their assignments.

    An assignment of k items a page that took T ms can't hold claims of more than k T in all.
    """
    columns = {name: numbers_of(crowd, name) for name in ("response_ms", SERVER_MS, ITEMS_A_PAGE)}
    known = counted & ~np.any([np.isnan(column) for column in columns.values()], axis=0)
    import pandas as pd

    rows = pd.DataFrame({name: column[known] for name, column in columns.items()})
    rows["worker"], rows["assignment"] = (
        crowd.worker[known],
        crowd.extras["assignment_id"].astype(str)[known].to_numpy(),
    )
    by_assignment = rows.groupby(["worker", "assignment"]).agg(
        claimed=("response_ms", "sum"),
        server=(SERVER_MS, "max"),
        pages=(ITEMS_A_PAGE, "max"),
        answers=("worker", "size"),
    )
    by_assignment["most"] = by_assignment["server"] * by_assignment["pages"] * SLACK + SLACK_MS
    by_worker = by_assignment.groupby(level="worker")
    sums = by_worker[["claimed", "server", "answers", "most"]].sum().reindex(range(crowd.n_workers))
    pages = by_worker["pages"].max().reindex(range(crowd.n_workers))
    return ClaimedTimes(
        claimed_ms=sums["claimed"].to_numpy(dtype=np.float64),
        server_ms=sums["server"].to_numpy(dtype=np.float64),
        answers=sums["answers"].to_numpy(dtype=np.float64),
        most_items_per_page=pages.to_numpy(dtype=np.float64),
        is_doubted=np.asarray(sums["claimed"] > sums["most"], dtype=np.bool_),
    )


def _seconds(ms: float) -> str:
    return f"{ms / 1000:.3g} s"
