"""The straight-lining rule: answers that hardly vary, or the same one many times in a row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ...errors import Refused
from ...judgments.crowd import Answers, Crowd, Mask, Properties
from ...kinds.kind import QuestionKind
from ...kinds.registry import KINDS
from ...kinds.statistics import statistics_of
from ...screening import own_answers
from ...screening.own_answers import Sequence
from ...screening.screen import answering_order
from ..rule import Amount, Count, CountedJudgments, Verdicts, WorkerRule, by_figure, plain_number


@dataclass(frozen=True, slots=True)
class StraightLining(WorkerRule):
    """Answers that hardly vary, or the same one many times in a row."""

    kind: ClassVar[str] = "straight-lining"
    title: ClassVar[str] = "Straight lining"
    words: ClassVar[Mapping[str, str]] = {
        "sd_below": "Smallest standard deviation, in % of the scale",
        "longest_run": "Longest run of equal answers",
    }
    sd_below: Amount | None = None
    longest_run: Count | None = None

    def __str__(self) -> str:
        spread = f"standard deviation at least {plain_number(self.sd_below)} % of the scale" if self.sd_below else ""
        run = f"at most {self.longest_run} equal answers in a row" if self.longest_run is not None else ""
        return f"straight lining: {' and '.join(filter(None, (spread, run)))}"

    @classmethod
    def parameters_for(cls, kind: QuestionKind) -> list[str]:
        """A standard deviation is of numbers."""
        return list(cls.parameters()) if KINDS[kind].has_scale else ["longest_run"]

    def judge(self, judged: CountedJudgments) -> Verdicts:
        """From the answers to target items; a worker with a single one has no verdict."""
        crowd, parts = judged.crowd, []
        if self.sd_below is not None:
            if crowd.scale is None:
                raise Refused(f"rule {self}: kind {crowd.kind} has no numbers; it takes longest_run")
            floor = float(crowd.scale.raw(self.sd_below) - crowd.scale.low)
            sd = _sd_by_worker(crowd, crowd.on_target)
            parts.append((sd, sd < floor, "standard deviation", f"at least {floor:g}"))
        if self.longest_run is not None:
            run = longest_runs(crowd, crowd.on_target)
            parts.append((run, run > self.longest_run, "equal answers in a row:", f"at most {self.longest_run}"))
        return by_figure(self, parts)

    def stricter(self) -> StraightLining:
        """A fifth more spread, a fifth shorter runs."""
        sd = None if self.sd_below is None else self.sd_below * Decimal("1.2")
        run = None if self.longest_run is None else self.longest_run * 4 // 5
        return replace(self, sd_below=sd, longest_run=run)


RULE = StraightLining


def _sd_by_worker(crowd: Crowd, counted: Mask) -> npt.NDArray[np.float64]:
    """[W] the standard deviation (n - 1) of all numbers that a worker gave, nan for a single one."""
    values, answers = np.asarray(crowd.answers)[counted].ravel(), int(counted.sum())
    worker = np.repeat(crowd.worker[counted], values.size // max(answers, 1))
    n = np.bincount(worker, minlength=crowd.n_workers)
    mean = np.bincount(worker, weights=values, minlength=crowd.n_workers) / np.maximum(n, 1)
    squares = np.bincount(worker, weights=(values - mean[worker]) ** 2, minlength=crowd.n_workers)
    return np.where(n > 1, np.sqrt(squares / np.maximum(n - 1, 1)), np.nan)


def longest_runs(crowd: Crowd, counted: Mask) -> npt.NDArray[np.float64]:
    """[W] the longest run of equal answers in the order in which a worker gave them, nan for a single one."""
    which = np.flatnonzero(counted)
    order = which[np.lexsort((answering_order(crowd)[which], crowd.worker[which]))]
    code = statistics_of(crowd.kind).answer_codes(crowd.answers)[order]
    sequence = Sequence(crowd.worker[order], code, crowd.n_workers)
    return np.where(sequence.n > 1, own_answers.longest_runs(sequence).length, np.nan)


# [J] a code for each answer, equal for equal answers, by the type of the answers.


def array_codes(answers: Answers) -> npt.NDArray[np.int64]:
    """Of numbers, labels, and rows of them."""
    values = np.asarray(answers)
    return np.unique(values, axis=0 if values.ndim > 1 else None, return_inverse=True)[1].reshape(-1)


def text_codes(answers: Answers) -> npt.NDArray[np.int64]:
    return _factorised(np.asarray(answers, dtype=object))[0]


def property_codes(answers: Answers) -> npt.NDArray[np.int64]:
    """The same properties are the same answer, in whatever order."""
    if not isinstance(answers, Properties):
        raise TypeError("answers that are compared as properties are Properties")
    sets = [" ".join(map(str, sorted(answers.property[a:b]))) for a, b in _spans(answers)]
    return _factorised(np.array([*sets, ""], dtype=object)[:-1])[0]


def _spans(answers: Properties) -> list[tuple[int, int]]:
    return list(zip(answers.offsets[:-1].tolist(), answers.offsets[1:].tolist(), strict=True))


def _factorised(texts: npt.NDArray[np.object_]) -> tuple[npt.NDArray[np.int64], list[str]]:
    code: dict[str, int] = {}
    codes = np.fromiter((code.setdefault(text, len(code)) for text in texts), dtype=np.int64, count=len(texts))
    return codes, list(code)
