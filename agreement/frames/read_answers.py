"""Answers that functions take, read as `analyse` reads a frame, so that the same answers are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..errors import PYTHON, Refused, use_surface
from ..estimation.design import Design, design_of, runs
from ..estimation.estimate import stream
from ..judgments.crowd import Crowd, Sample
from ..judgments.file_crowd import crowd_of
from ..judgments.order_of_answers import in_order_of_answers
from ..kinds.registry import KINDS
from ..people.label_statistics import LabelStatistics, label_statistics
from .analyse_frame import read_frame

# A row per judgment with worker_id, item_id and value; or a row per item and a column per worker, blanks left blank.
Answers: TypeAlias = pd.DataFrame | npt.ArrayLike


@dataclass(frozen=True, slots=True, eq=False)
class ReadAnswers:
    crowd: Crowd
    sample: Sample

    @classmethod
    def of(
        cls, data: Answers, *, as_labels: bool | None = None, kind: str | None = None, labels: Sequence[str] = ()
    ) -> Self:
        frame = data if isinstance(data, pd.DataFrame) else frame_of_array(data)
        if kind is None:
            numeric = "value" in frame and pd.api.types.is_numeric_dtype(frame["value"])
            kind = "choice" if (as_labels if as_labels is not None else not numeric) else "slider"
        facts = KINDS.get(kind)
        is_one_number = facts is not None and facts.has_scale and not facts.has_labels
        with use_surface(PYTHON):
            crowd = crowd_of(read_frame(frame, kind=kind, scale=_ends(frame) if is_one_number else None, labels=labels))
            if not crowd.on_target.any():
                raise Refused("frame: it has no judgments of items that aren't checks")
        return cls(*in_order_of_answers(crowd, crowd.on_target))

    @property
    def design(self) -> Design:
        """Items in the order of their rows, as a report has them, so that the same are left out together."""
        in_order = runs(self.sample.item)
        return design_of(self.sample.item if in_order is None else in_order, self.sample.worker)

    @property
    def numbers(self) -> npt.NDArray[np.float64]:
        return np.asarray(self.sample.answers, dtype=np.float64) + 0.0

    @property
    def codes(self) -> npt.NDArray[np.int64]:
        return np.asarray(self.sample.answers, dtype=np.int64)

    def labelled(self, seed: int, *, with_alpha: bool = True) -> LabelStatistics:
        rng = stream(seed, "labels")
        count = len(self.crowd.labels)
        return label_statistics(self.design, {"": self.codes}, count, replicates=0, rng=rng, with_alpha=with_alpha)[""]


def frame_of_array(values: npt.ArrayLike) -> pd.DataFrame:
    """A row per judgment of an array [items, workers]; items and workers are called by their numbers.

    >>> len(frame_of_array([[1.0, float("nan")], [2.0, 3.0]]))
    3
    """
    table = pd.DataFrame(np.asarray(values))
    long = table.rename_axis("item_id").reset_index().melt("item_id", var_name="worker_id", value_name="value")
    return long.dropna(subset=["value"]).reset_index(drop=True).astype({"item_id": str, "worker_id": str})


def _ends(frame: pd.DataFrame) -> tuple[float, float] | None:
    """Numbers are taken as they are: their own ends are the scale, which no figure here depends on."""
    if "value" not in frame:
        return None
    values = pd.to_numeric(frame["value"], errors="coerce").dropna()
    if not len(values):
        return None
    low, high = float(values.min()), float(values.max())
    return (low, high) if low < high else (low, low + 1)
