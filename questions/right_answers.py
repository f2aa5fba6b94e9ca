"""Whether an item's right answer (min, max, expected) can be an answer to the question: one rule for files, the import
of items, the admin's form and the opening of a study.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from questions.data import data_of
from questions.kind import QuestionKind
from questions.registry import KINDS


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
