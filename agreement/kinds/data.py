"""What every kind declares about its answers beyond the form: in files, in arrays, from the database, as text.

Knows nothing of Django.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import option, scale_option
from ..files.numbers import Scale, decimal_of
from ..files.problems import Problems
from ..files.table import Column, Table
from ..typed_json import Json
from .answers import LABEL_COLUMN, Answers, Fields, RightAnswer
from .kind import QuestionKind
from .label_lists import MOST_GUESSED_LABELS, distinct_values
from .registry import KINDS, declaration

Labels: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerColumns:
    """Which columns of judgments.csv hold the answers: the one of this name, or one per label that begins with it."""

    name: str
    is_one_per_label: bool = False

    def among(self, names: Iterable[str]) -> list[str]:
        """Those of a table's columns that hold answers."""
        return [name for name in names if (name.startswith(self.name) if self.is_one_per_label else name == self.name)]

    def __str__(self) -> str:
        return f"{self.name}<label>" if self.is_one_per_label else self.name


VALUE = AnswerColumns("value")
ONE_PER_LABEL = AnswerColumns(LABEL_COLUMN, is_one_per_label=True)


@dataclass(frozen=True, slots=True)
class Guess:
    """How the answers of a file show that they are of this kind, where nobody said it; tried in this order."""

    order: int
    fits: Callable[[Table], bool]


def text_of_value(cells: Mapping[str, Column]) -> npt.NDArray[np.object_]:
    return cells[VALUE.name].text()


def any_right_answer(labels: Sequence[str], expected: str) -> str | None:  # noqa: ARG001  every kind is asked alike
    """What is wrong with a check's expected answer where anything may be expected."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """What one kind does with its answers; `Answers` says which array it holds them in.

    `parse` reads the answers of a table's rows and the labels that they are made of; the labels given are those that
    are allowed, none given: any. `from_database` does the same with [J] values of the kind's column of judgments, and
    `stored` is the reverse. `cells` writes answers as columns of judgments.csv, `text` makes one text for each judgment
    of these columns. `form_fields` is a stored value as the form sends it. `is_right` says whether one stored value is
    the right answer, and `wrong_right_answer` why a check's expected answer can't be one.
    """

    parse: Callable[[Table, Scale | None, Sequence[str], Problems], tuple[Answers, Labels]]
    from_database: Callable[[npt.NDArray[Any], Labels], tuple[Answers, Labels]]
    stored: Callable[[Any, Labels], list[Json]]
    cells: Callable[[Any, Labels], dict[str, Column]]
    form_fields: Callable[[Any], Fields]
    columns: AnswerColumns = VALUE
    text: Callable[[Mapping[str, Column]], npt.NDArray[np.object_]] = text_of_value
    guess: Guess | None = None
    is_right: Callable[[Any, RightAnswer], bool]
    wrong_right_answer: Callable[[Sequence[str], str], str | None] = any_right_answer


def data_of(kind: QuestionKind) -> Data:
    data: Data = declaration(kind, "data", "DATA")
    return data


def form_fields_of(kind: QuestionKind, stored: object) -> Fields:
    """What a form sends for an answer or a judgment, which have the same columns; nothing for an unseen picture."""
    value = getattr(stored, KINDS[kind].column)
    return {} if value is None else data_of(kind).form_fields(value)


def is_right(kind: QuestionKind, answer: object, right: RightAnswer) -> bool:
    """Of an answer or a judgment, which have the same columns; without an answer it is wrong."""
    value = getattr(answer, KINDS[kind].column)
    return value is not None and data_of(kind).is_right(value, right)


# Whether an item's right answer (min, max, expected) can be an answer to the question: one rule for files, the import
# of items, the admin's form and the opening of a study.


def wrong_right_answer(
    kind: QuestionKind, labels: Sequence[str], expected: str, bounds: Iterable[str] = ()
) -> Iterator[tuple[str, str]]:
    """(column, what is wrong with it), `bounds` being which of min and max are given. Labels that aren't known yet, as
    in a draft without any, refuse nothing.

    >>> list(wrong_right_answer("choice", ["red"], "rde"))
    [('expected', "'rde' is not among the answers' labels ('red')")]
    """
    expected = expected.strip()
    if expected and (why := data_of(kind).wrong_right_answer(labels, expected)):
        yield "expected", why
    if not KINDS[kind].has_scale:
        for column in bounds:
            yield column, f"bounds are for sliders; kind {kind} uses expected"


def given_bounds(low: object, high: object) -> list[str]:
    """Which of the columns min and max hold something."""
    return [name for name, bound in (("min", low), ("max", high)) if bound is not None]


# What judgments leave unsaid: their kind of question, guessed from the answers, and a scale, which is not
# guessed.

LARGEST_AMBIGUOUS = 10


def guessed_kind(table: Table, problems: Problems) -> QuestionKind | None:
    """The kind that the answers show; text and lists look like labels, so very many labels are refused instead."""
    guesses = [(guess, kind) for kind in KINDS if (guess := data_of(kind).guess)]
    for guess, kind in sorted(guesses, key=lambda each: each[0].order):
        if guess.fits(table):
            return kind
    problems.whole(
        f"column value: {len(distinct_values(table)):,} different answers are more than the {MOST_GUESSED_LABELS}"
        f" labels up to which a choice is guessed; type {option('kind', 'text')}, {option('kind', 'list')} or"
        f" {option('kind', 'choice')}"
    )
    return None


def refuse_unsaid_scale(table: Table, kind: QuestionKind, problems: Problems) -> None:
    """Refuse numbers that look like a short scale: 4 of 0-4 is the most, 4 of 0-100 next to nothing."""
    names = data_of(kind).columns.among(table.columns)
    parsed = [decimal_of(value) for name in names for value in table.columns[name].values]
    numbers = [number for number in parsed if number is not None]
    if numbers and max(numbers) <= LARGEST_AMBIGUOUS:
        low, high = min(Decimal(0), *numbers), max(numbers).to_integral_value(rounding="ROUND_CEILING")
        problems.whole(
            f"the largest number is {max(numbers):f}, and a scale is guessed only above {LARGEST_AMBIGUOUS}; type the"
            f" scale that people saw, such as {scale_option(f'{low:f}', f'{high:f}')}, or"
            f" {option('scale', '0:100', python='scale=(0, 100)')} if they saw that, or"
            f" {option('kind', 'choice')} if the numbers are labels"
        )
