"""Whose score a row of a report is: a model, one of its settings, or its answers that were mapped, alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from ..estimation.estimate import Estimate, Figure
from ..files.numbers import decimal_of
from ..scoring.answer_mapping.mapping_table import AnswerCounts
from ..scoring.score import MAPPED

SETTING = "setting"
WITH_MAPPED = f"{SETTING} and {MAPPED}"
OF_ALL_ITEMS = ("", SETTING, MAPPED, WITH_MAPPED)
COUNTS = ("refused", "truncated", "unmapped")  # the columns of tables of models
_PART = re.compile(r"(?:^| )(?=\S+?=)")


class ScoreOfAModel(Protocol):
    """A score of a report."""

    @property
    def name(self) -> str: ...
    @property
    def metric(self) -> str: ...
    @property
    def breakdown(self) -> str: ...
    @property
    def group(self) -> str: ...
    @property
    def figure(self) -> Figure: ...


S = TypeVar("S", bound=ScoreOfAModel)


def row_name(name: str, breakdown: str, group: str) -> str:
    """Whose score it is, as tables name it.

    >>> row_name("gpt", "setting", "temperature=0.7"), row_name("gpt", "mapped answers", "alone")
    ('gpt, temperature=0.7', 'gpt, mapped answers alone')
    >>> row_name("gpt", "setting and mapped answers", "shots=4 alone")
    'gpt, shots=4, mapped answers alone'
    """
    match breakdown:
        case "":
            return name
        case "setting":
            return f"{name}, {group}"
        case "mapped answers":
            return f"{name}, {MAPPED} {group}"
        case _:
            setting, space, way = _split_setting(group)
            return f"{name}, {setting}, {MAPPED} {way}" if space else f"{name}, {group}"


def _split_setting(group: str) -> tuple[str, str, str]:
    """The setting and the way of counting of `shots=4 alone`."""
    for way in ("with the others as wrong", "alone"):
        if group.endswith(f" {way}"):
            return group.removesuffix(f" {way}"), " ", way
    return group, "", ""


def scores_of_rows(scores: Iterable[S]) -> list[tuple[str, S]]:
    """The scores over all items with the names of their rows: of a model, or of each setting in order. The other
    way of counting answers that were mapped to nothing stands below where its figure differs.
    """
    rows = [score for score in scores if score.breakdown in OF_ALL_ITEMS]
    first = {(score.name, _setting_of(score), score.metric): _number(score) for score in rows if not _is_mapped(score)}
    models = list(dict.fromkeys(score.name for score in rows))
    kept = [
        score
        for score in rows
        if not _is_mapped(score) or _number(score) != first.get((score.name, _setting_of(score), score.metric))
    ]
    kept.sort(key=lambda score: (models.index(score.name), setting_key(_setting_of(score)), _is_mapped(score)))
    return [(row_name(score.name, score.breakdown, score.group), score) for score in kept]


def _is_mapped(score: ScoreOfAModel) -> bool:
    return score.breakdown in (MAPPED, WITH_MAPPED)


def setting_of(breakdown: str, group: str) -> str:
    """The setting that a score is of; "" where its model has none."""
    if breakdown == SETTING:
        return group
    return _split_setting(group)[0] if breakdown == WITH_MAPPED else ""


def _setting_of(score: ScoreOfAModel) -> str:
    return setting_of(score.breakdown, score.group)


def _number(score: ScoreOfAModel) -> float | None:
    return score.figure.estimate if isinstance(score.figure, Estimate) else None


def setting_key(setting: str) -> tuple[tuple[int, float, str], ...]:
    """What sorts settings: values that are numbers by their size, each name for itself.

    >>> sorted(["shots=10 temperature=0", "shots=5 temperature=1", "shots=5 temperature=0"], key=setting_key)
    ['shots=5 temperature=0', 'shots=5 temperature=1', 'shots=10 temperature=0']
    """
    keys = []
    for part in _PART.split(setting):
        _, _, value = part.partition("=")
        number = decimal_of(value)
        keys.append((0, float(number), "") if number is not None else (1, 0.0, part))
    return tuple(keys)


def values_of(setting: str) -> dict[str, str]:
    """The names and values of a setting.

    >>> values_of("shots=10 prompt=say it")
    {'shots': '10', 'prompt': 'say it'}
    """
    parts = (part.partition("=") for part in _PART.split(setting) if "=" in part)
    return {name.strip(): value.strip() for name, _, value in parts}


def numeric_setting(settings: Sequence[str]) -> str:
    """The first name whose values are two numbers or more, by which a curve is drawn; "" where there is none."""
    of_all = [values_of(setting) for setting in settings]
    for name in dict.fromkeys(name for values in of_all for name in values):
        cells = [values[name] for values in of_all if name in values]
        if all(decimal_of(cell) is not None for cell in cells) and len(set(cells)) > 1:
            return name
    return ""


def counts_cells(answers: AnswerCounts | None) -> tuple[str, ...]:
    """How many of a model's answers are refusals, truncated and unmapped; blank where none was mapped."""
    return ("", "", "") if answers is None else tuple(f"{getattr(answers, name):,}" for name in COUNTS)


def answers_in_short(answers: AnswerCounts) -> str:
    """A line beside the scores.

    >>> counts = AnswerCounts(answers=9, mapped=6, unmapped=1, refused=2, truncated=0, by_rule={}, rules="1", table="")
    >>> answers_in_short(counts)
    '6 of 9 mapped; 2 refused, 0 truncated, 1 unmapped'
    """
    lacks = ", ".join(f"{getattr(answers, name):,} {name}" for name in COUNTS)
    return f"{answers.mapped:,} of {answers.answers:,} mapped; {lacks}"
