"""The one entry point: how far people agree on one crowd's answers, of whatever type they are."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..estimation.design import design_of, runs
from ..files.numbers import PER_CENT, Scale
from ..kinds.registry import QuestionKind
from .agreement_report import Measures, Parts, StatisticsInput


def parts_of(
    kind: QuestionKind,
    measures: Measures,
    item: npt.NDArray[np.integer],
    worker: npt.NDArray[np.integer],
    answers: Any,
    *,
    labels: Sequence[str] = (),
    scale: Scale | None = None,
    seed: int = 0,
    replicates: int = 1_000,
    ordered: bool = False,
    fixed_workers: bool = False,
) -> Parts:
    """The agreement report of J judgments (kept ones, on target items only) as parts that may be computed side by side.

    `measures` makes the report of answers of their type, and `kind` is what sentences call them. `item`, `worker` [J]
    are integer codes, gaps allowed; codes of labels may be `ordered`, if the labels' order means something. Of
    `fixed_workers` every interval is over items alone.
    Raises `DoubleEntryDiffers` where an independent package makes another figure.

    >>> from agreement.people.label_reports import label_report
    >>> item, worker, code = np.repeat([0, 1, 2], 2), np.tile([0, 1], 3), np.array([0, 0, 1, 1, 0, 1])
    >>> parts = parts_of("choice", label_report, item, worker, code, labels=["no", "yes"], replicates=0)
    >>> round(parts.report().fleiss_kappa.statistic.headline.estimate, 4)
    0.3333

    Items are drawn at random in the order of their rows, where each item's rows stand together.
    """
    item, worker = np.asarray(item), np.asarray(worker)
    if np.any(item[1:] < item[:-1]):  # in order of items every sum is faster
        if (run := runs(item)) is not None:
            item = run
        elif isinstance(answers, np.ndarray):
            order = np.argsort(item, kind="stable")
            item, worker, answers = item[order], worker[order], answers[order]
    design = replace(design_of(item, worker), fixed_workers=fixed_workers)
    asked = StatisticsInput(kind, design, tuple(labels), scale or PER_CENT, seed, replicates, ordered)
    return measures(asked, answers)
