"""The one entry point: how far people agree on one crowd's answers, whatever kind of question they answered."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.stats.agreement_report import AgreementReport, Asked, Kind, Parts
from agreement.stats.design import design_of
from agreement.stats.label_reports import choice, choices, lists, texts
from agreement.stats.numeric_reports import slider, sliders
from tables.scale import PER_CENT, Scale


def agreement_of(
    kind: Kind,
    item: npt.NDArray[np.integer],
    worker: npt.NDArray[np.integer],
    answers: Any,
    *,
    labels: Sequence[str] = (),
    scale: Scale | None = None,
    seed: int = 0,
    replicates: int = 1_000,
    ordered: bool = False,
) -> AgreementReport:
    """The agreement report of J judgments: kept ones, on target items only.

    `item`, `worker` [J] are integer codes, gaps allowed. `answers` by kind: slider float64 [J]; choice and verify
    codes into `labels` [J], `ordered` if their order means something; choices bool [J, L]; sliders float64 [J, L];
    list `Properties`; text anything.
    Raises `DoubleEntryDiffers` where an independent package makes another figure.

    >>> report = agreement_of("choice", np.repeat([0, 1, 2], 2), np.tile([0, 1], 3), np.array([0, 0, 1, 1, 0, 1]),
    ...                       labels=["no", "yes"], replicates=0)
    >>> round(report.fleiss_kappa.statistic.headline.estimate, 4)
    0.3333
    """
    parts = parts_of(
        kind, item, worker, answers, labels=labels, scale=scale, seed=seed, replicates=replicates, ordered=ordered
    )
    return parts.joined([call() for call in parts.calls])


def parts_of(
    kind: Kind,
    item: npt.NDArray[np.integer],
    worker: npt.NDArray[np.integer],
    answers: Any,
    *,
    labels: Sequence[str] = (),
    scale: Scale | None = None,
    seed: int = 0,
    replicates: int = 1_000,
    ordered: bool = False,
) -> Parts:
    """The same report as parts that may be computed side by side: `joined` makes it from their answers."""
    item, worker = np.asarray(item), np.asarray(worker)
    if kind not in {"list", "text"} and np.any(item[1:] < item[:-1]):  # in order of items every sum is faster
        order = np.argsort(item, kind="stable")
        item, worker, answers = item[order], worker[order], np.asarray(answers)[order]
    asked = Asked(kind, design_of(item, worker), tuple(labels), scale or PER_CENT, seed, replicates, ordered)
    if kind == "slider":
        return slider(asked, np.asarray(answers, dtype=np.float64) + 0.0)  # -0.0 is 0
    if kind == "choices":
        return choices(asked, np.asarray(answers))
    whole: dict[Kind, Callable[[], AgreementReport]] = {
        "sliders": lambda: sliders(asked, np.asarray(answers, dtype=np.float64) + 0.0),
        "choice": lambda: choice(asked, np.asarray(answers)),
        "verify": lambda: choice(asked, np.asarray(answers)),
        "list": lambda: lists(asked, answers),
        "text": lambda: texts(asked),
    }
    return Parts((whole[kind],), lambda reports: reports[0])
