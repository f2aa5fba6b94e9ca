"""The cant-see rule: a worker who answered too many items by "I can't see the picture"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import ClassVar

import numpy as np

from ...judgments.crowd import could_not_see
from ..rule import CountedJudgments, Evidence, Share, Verdicts, WorkerRule, by_figure, plain_number


@dataclass(frozen=True, slots=True)
class CantSee(WorkerRule):
    """A worker who answered too many items by "I can't see the picture"."""

    kind: ClassVar[str] = "cant-see"
    title: ClassVar[str] = "Pictures not seen"
    words: ClassVar[Mapping[str, str]] = {"share_above": "Largest share of items"}
    share_above: Share

    def __str__(self) -> str:
        return f"pictures not seen: at most a share of {plain_number(self.share_above)} of the worker's items"

    def judge(self, judged: CountedJudgments) -> Verdicts:
        """From how many items were not seen, beside the judgments that count; none on who answered nothing."""
        crowd = judged.crowd
        unseen = could_not_see(crowd)
        items = unseen + np.bincount(crowd.worker[judged.counted], minlength=crowd.n_workers)
        share = np.divide(unseen, items, out=np.full(crowd.n_workers, np.nan), where=items > 0)
        most = float(self.share_above)
        bound = f"at most a share of {most:g}"
        verdicts = by_figure(self, [(share, share > most, "share of pictures not seen", bound)])
        evidence: dict[int, tuple[Evidence, ...]] = {
            worker: (Evidence("", f"could not see the picture of {unseen[worker]} of {items[worker]} items", bound),)
            for worker in verdicts.evidence
        }
        return replace(verdicts, evidence=evidence)

    def stricter(self) -> CantSee:
        """A twentieth of the items fewer."""
        return replace(self, share_above=max(self.share_above - Decimal("0.05"), Decimal(0)))


RULE = CantSee
