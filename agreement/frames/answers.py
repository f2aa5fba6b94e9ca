"""Answers as the database keeps them, in the shape that a `Crowd` has for their kind."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.crowd import Answers, Properties
from annotation.errors import TouchstoneError
from annotation.models import Study

Given = npt.NDArray[Any]
Labels = tuple[str, ...]


class UnknownLabel(TouchstoneError):
    """The database holds an answer that the study does not offer (any more)."""


def answers_of(study: Study, given: Given) -> tuple[Answers, Labels]:
    """[J] the answers, and the labels in the study's order (sorted where the study names none)."""
    labels = tuple(study.labels.order_by("position").values_list("value", flat=True))
    return _SHAPES[Study.Kind(study.kind)](given, labels)


def _as_given(given: Given, _labels: Labels) -> tuple[Answers, Labels]:
    return given, ()


def _codes(given: Given, labels: Labels) -> tuple[Answers, Labels]:
    labels = _all_of(labels, given.tolist())
    code = {label: number for number, label in enumerate(labels)}
    return np.fromiter(map(code.__getitem__, given), dtype=np.int32, count=len(given)), labels


def _sets(given: Given, labels: Labels) -> tuple[Answers, Labels]:
    parsed = _parsed(given)
    labels = _all_of(labels, (label for answer in parsed for label in answer))
    code = {label: number for number, label in enumerate(labels)}
    chosen = np.zeros((len(parsed), len(labels)), dtype=np.bool_)
    for row, answer in enumerate(parsed):
        chosen[row, [code[label] for label in answer]] = True
    return chosen, labels


def _numbers(given: Given, labels: Labels) -> tuple[Answers, Labels]:
    parsed = _parsed(given)
    labels = _all_of(labels, (label for answer in parsed for label in answer))
    rows = [[answer.get(label, np.nan) for label in labels] for answer in parsed]
    return np.array(rows, dtype=np.float64).reshape(len(parsed), len(labels)), labels


def _properties(given: Given, _labels: Labels) -> tuple[Answers, Labels]:
    code: dict[str, int] = {}
    answers = [[code.setdefault(named, len(code)) for named in _distinct(answer)] for answer in _parsed(given)]
    offsets = np.cumsum([0, *map(len, answers)], dtype=np.int64)
    return Properties(offsets, np.array([c for answer in answers for c in answer], dtype=np.int32), tuple(code)), ()


_SHAPES: dict[Study.Kind, Callable[[Given, Labels], tuple[Answers, Labels]]] = {
    Study.Kind.SLIDER: _as_given,
    Study.Kind.SLIDERS: _numbers,
    Study.Kind.CHOICE: _codes,
    Study.Kind.VERIFY: _codes,
    Study.Kind.CHOICES: _sets,
    Study.Kind.LIST: _properties,
    Study.Kind.TEXT: _as_given,
}


def _parsed(given: Given) -> list[Any]:
    """PostgreSQL gives JSON parsed, SQLite as its text."""
    return [json.loads(answer) if isinstance(answer, str) else answer for answer in given]


def _distinct(answer: list[str]) -> list[str]:
    return [part for part in dict.fromkeys(named.strip() for named in answer) if part]


def _all_of(labels: Labels, given: Iterable[str]) -> Labels:
    used = set(given)
    if labels and (unknown := used - set(labels)):
        raise UnknownLabel(
            f"Some answers are {', '.join(sorted(unknown))}, which the study's labels ({', '.join(labels)}) do not"
            " have: give the study these labels back, for answers are never changed."
        )
    return labels or tuple(sorted(used))
