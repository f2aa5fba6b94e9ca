"""The self-consistency rule: two answers of one worker to the same question that lie too far apart.

The same question is the same item answered again (under `--repeats keep`), or a check item whose own field `repeats`
names the item that it repeats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ...judgments.crowd import Crowd, Properties, answer_texts
from ..rule import (
    FAILED,
    NOT_APPLICABLE,
    PASSED,
    CountedJudgments,
    Evidence,
    PerCent,
    Verdicts,
    WorkerRule,
    plain_number,
)


@dataclass(frozen=True, slots=True)
class SelfConsistency(WorkerRule):
    """Two answers of one worker to the same question that lie too far apart."""

    kind: ClassVar[str] = "self-consistency"
    title: ClassVar[str] = "Self-consistency"
    words: ClassVar[Mapping[str, str]] = {"max_difference": "Repeats at most this far apart"}
    compares_repeats: ClassVar[bool] = True
    max_difference: PerCent

    def __str__(self) -> str:
        return f"self-consistency: repeats at most {plain_number(self.max_difference)} % of the scale apart"

    def judge(self, judged: CountedJudgments) -> Verdicts:
        """Verdicts on the workers who answered a question again; the later answer is compared with the first."""
        return _verdicts(self, judged.crowd)

    def stricter(self) -> SelfConsistency:
        """A twentieth of the scale nearer together."""
        return replace(self, max_difference=max(self.max_difference - 5, Decimal(0)))


RULE = SelfConsistency


def _verdicts(rule: SelfConsistency, crowd: Crowd) -> Verdicts:
    question = crowd.question_of_item[crowd.item]
    pair = crowd.worker.astype(np.int64) * max(crowd.n_items, 1) + question
    order = np.argsort(pair, kind="stable")
    starts = np.concatenate([[True], np.diff(pair[order]) != 0])[: len(order)]
    first = order[np.flatnonzero(starts)][np.cumsum(starts) - 1][~starts]
    again = order[~starts]
    broken = _differs(crowd, rule, first, again)
    counts = np.bincount(crowd.worker[again], minlength=crowd.n_workers)
    failures = np.bincount(crowd.worker[again[broken]], minlength=crowd.n_workers)
    outcome = np.where(failures > 0, FAILED, np.where(counts > 0, PASSED, NOT_APPLICABLE)).astype(np.int8)
    return Verdicts(rule, outcome, failures, _evidence(crowd, rule, first[broken], again[broken]))


def _differs(
    crowd: Crowd, rule: SelfConsistency, first: npt.NDArray[np.intp], again: npt.NDArray[np.intp]
) -> npt.NDArray[np.bool_]:
    answers = crowd.answers
    if isinstance(answers, Properties):
        pairs = zip(first.tolist(), again.tolist(), strict=True)
        return np.array([set(answers.of(a)) != set(answers.of(b)) for a, b in pairs], dtype=np.bool_)
    if crowd.scale is None:
        differs = answers[first] != answers[again]
        return np.asarray(differs.any(axis=1) if differs.ndim > 1 else differs, dtype=np.bool_)
    allowed = float(crowd.scale.raw(rule.max_difference) - crowd.scale.low)
    # Twelve decimals are far below any slider's step and above the rounding of a difference of two floats.
    difference = np.round(np.abs(answers[first] - answers[again]), 12)
    return np.asarray((difference.max(axis=1, initial=0) if difference.ndim > 1 else difference) > allowed)


def _evidence(
    crowd: Crowd, rule: SelfConsistency, first: npt.NDArray[np.intp], again: npt.NDArray[np.intp]
) -> dict[int, tuple[Evidence, ...]]:
    if not len(again):
        return {}
    bound = "the same answer"
    if crowd.scale is not None:
        bound = f"at most {(crowd.scale.raw(rule.max_difference) - crowd.scale.low).normalize():f} apart"
    ids, evidence = crowd.items["item_id"].to_numpy(), dict[int, tuple[Evidence, ...]]()
    for j, before, after in zip(again.tolist(), answer_texts(crowd, first), answer_texts(crowd, again), strict=True):
        worker, piece = int(crowd.worker[j]), Evidence(str(ids[crowd.item[j]]), f"{before}, then {after}", bound)
        evidence[worker] = (*evidence.get(worker, ()), piece)
    return evidence
