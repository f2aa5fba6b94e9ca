"""The answer that practice calls right is the one that a check's rule lets pass, for every kind of question."""

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from agreement.cleaning.rules.check import Bounds
from agreement.files.numbers import Scale
from agreement.judgments.crowd import Crowd
from agreement.kinds.answers import Answer, Answers, Properties, RightAnswer
from agreement.kinds.data import data_of, is_right
from agreement.kinds.kind import QuestionKind
from agreement.kinds.registry import KINDS, QUESTION_KINDS
from agreement.kinds.statistics import statistics_of

LABELS = ("a", "b", "c")
SCALE = Scale(Decimal(1), Decimal(5))
LISTS = Properties(np.array([0, 1, 2, 3, 5, 5, 6]), np.array([0, 1, 2, 0, 3, 1]), ("Is Green.", "b", "a", "is  soft"))
ANSWERS: dict[QuestionKind, Answers] = {
    "slider": np.array([1.0, 2.2, 4.6, 4.5, 5.0, 3.0]),
    "sliders": np.array([[5.0, 1, 1], [5, 5, 1], [4.6, 1, 2], [1, 2, 3], [4.6, 4.6, 4.6], [2, 2, 2]]),
    "choice": np.array([0, 1, 2, 0, 1, 2], dtype=np.int32),
    "choices": np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1], [1, 0, 1]], dtype=bool),
    "verify": np.array([0, 1, 2, 0, 1, 2], dtype=np.int32),
    "list": LISTS,
    "text": np.array(["a", " a ", "b", "A", "x", ""], dtype=object),
    "ranking": np.array([[1, 2, 3], [2, 1, 3], [3, 2, 1], [1, 3, 2], [2, 3, 1], [3, 1, 2]], dtype=np.int32),
}
EXPECTED = (("a",), ("a", "b"), ("b", "a"), ("a", "b", "c"), ("is green", "IS SOFT"))
RANGES = ((Decimal(90), None), (None, Decimal(30)), (Decimal(30), Decimal(90)), (Decimal(0), Decimal(100)))


def labels_of(kind: QuestionKind) -> tuple[str, ...]:
    return LABELS if KINDS[kind].has_labels else ()


def right_answers(kind: QuestionKind) -> list[RightAnswer]:
    scale = SCALE if KINDS[kind].has_scale else None
    by_expected = [] if scale and not KINDS[kind].has_labels else [RightAnswer(each, scale=scale) for each in EXPECTED]
    by_range = [RightAnswer((), low, high, scale) for low, high in RANGES] if scale else []
    both = [RightAnswer(("a",), low, high, scale) for low, high in RANGES] if by_expected and by_range else []
    return [*by_expected, *by_range, *both]


@pytest.mark.parametrize("kind", QUESTION_KINDS)
def test_one_answer_is_right_where_it_breaks_no_bounds(kind: QuestionKind) -> None:
    count, labels = 6, labels_of(kind)
    items = pd.DataFrame({"item_id": ["i"]})
    one = np.zeros(count, dtype=np.int32)
    scale = SCALE if KINDS[kind].has_scale else None
    crowd = Crowd(
        kind, scale, labels, items, pd.Index(["w"]), one, one, ANSWERS[kind], pd.DataFrame(index=range(count)), "keep"
    )
    stored = data_of(kind).stored(ANSWERS[kind], labels)
    verdicts = set()
    for right in right_answers(kind):
        bounds = Bounds(right.low, right.high, right.expected)
        broken = statistics_of(kind).breaks(crowd, np.arange(count), bounds).tolist()
        columns: list[dict[str, Any]] = [{KINDS[kind].column: value} for value in stored]
        answers = [Answer(**each) for each in columns]
        assert [not is_right(kind, answer, right) for answer in answers] == broken, right
        verdicts |= set(broken)
    assert verdicts == {True, False}


def test_no_answer_is_not_right() -> None:
    assert not is_right("choice", Answer(no_answer="dont-know"), RightAnswer(("a",)))
