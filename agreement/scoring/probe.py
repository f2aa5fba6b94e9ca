"""A probe: a model's outputs on a study's items, by shape, one run for each template, run or setting."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.crowd import QuestionKind
from agreement.gold.arrays import Floats
from agreement.scoring.other_labels import OtherLabel
from agreement.scoring.perplexity import Perplexity
from annotation.errors import Refused

P = "p:"  # a column of probabilities is called this and the label
SUM_TOLERANCE = 1e-6
Shape = Literal["numbers", "labels", "ranking", "texts", "logprobs"]
SHAPES: dict[QuestionKind, Shape] = {"slider": "numbers", "list": "ranking", "text": "texts"}  # every other: labels
AVERAGED = ("template", "run")  # scores are means over these; any other extra column is a setting, scored apart


@dataclass(frozen=True, eq=False)
class StudyItems:
    """What a probe is held against: the study's items (checks too), its labels, and the terms of its pairs."""

    kind: QuestionKind
    ids: npt.NDArray[np.object_]
    labels: tuple[str, ...] = ()
    left: npt.NDArray[np.object_] | None = None
    right: npt.NDArray[np.object_] | None = None

    @cached_property
    def _index(self) -> "pd.Index[str]":
        return pd.Index(self.ids)

    def rows_of(self, ids: npt.NDArray[np.object_]) -> npt.NDArray[np.int64]:
        """[n] the place of each id among the study's items, -1 for one that isn't there."""
        return self._index.get_indexer(pd.Index(ids)).astype(np.int64, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One complete set of outputs. `keys` names its template, run and settings.

    `values`: numbers [N]; labels [N, L + k] shares, the last k on labels that the study doesn't have; ranking [N, V]
    scores; NaN where there is no output. `texts` [N], "" where there is none.
    """

    keys: dict[str, str]
    values: Floats
    texts: tuple[str, ...] = ()
    has_probabilities: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Probe:
    """The outputs of one model, laid out on the study's items.

    Log probabilities of sentences need no items: they come as a perplexity in each setting.
    """

    name: str
    shape: Shape
    runs: tuple[Run, ...]
    vocabulary: tuple[str, ...] = ()
    perplexities: dict[tuple[tuple[str, str], ...], Perplexity] = field(default_factory=dict)
    notes: tuple[str, ...] = field(default_factory=tuple)
    other_labels: tuple[OtherLabel, ...] = ()

    @property
    def settings(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """The distinct settings (`shots`, ...) in the order given; one empty setting if there is none."""
        seen = dict.fromkeys(_setting(run) for run in self.runs)
        return tuple(seen)

    def runs_of(self, setting: tuple[tuple[str, str], ...]) -> list[Run]:
        """The runs over which that setting's score is a mean."""
        return [run for run in self.runs if _setting(run) == setting]


def covered_by(runs: Sequence[Run]) -> npt.NDArray[np.bool_]:
    """[N] of the study's items, whether each of the runs has an output for it."""
    there = [
        np.array([bool(text) for text in run.texts], dtype=np.bool_)
        if run.texts
        else np.isfinite(run.values).reshape(len(run.values), -1).any(axis=1)
        for run in runs
    ]
    return np.asarray(np.logical_and.reduce(there))


def refuse_unfit(probe: Probe, kind: QuestionKind) -> None:
    """Refuse outputs that gold of this kind can't be held against; log probabilities are held against none."""
    takes = SHAPES.get(kind, "labels")
    if probe.shape not in ("logprobs", takes):
        raise Refused(f"{probe.name} gives {probe.shape}; gold of kind {kind} takes {takes}")


def _setting(run: Run) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in run.keys.items() if name not in AVERAGED)
