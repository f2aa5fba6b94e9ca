"""A file of judgments on several questions: which of them is meant, and the rows in which nobody answered it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import numpy as np

from ..errors import option
from ..files.layout import JudgmentTable
from ..files.problems import Problems
from ..files.table import Table

QUESTION, NO_ANSWER = "question", "no_answer"
MOST_QUESTIONS = 8
_NAME = re.compile("[a-z][a-z0-9_]*")


def of_one_question(laid: JudgmentTable, name: str, problems: Problems) -> JudgmentTable:
    """The judgments of the question of that name; without a name those of the only one. Why somebody gave no answer is
    counted and left out.
    """
    table = laid.table
    names = questions_in(table)
    if name and name not in names:
        there = f"the file has the questions {', '.join(names)}" if names else "the file has no column question"
        problems.whole(f"{option('question', name)}: there is no such question; {there}")
    elif not name and len(names) > 1:
        problems.whole(
            f"the file has several questions: name one of them with {option('question')}: {', '.join(names)}"
        )
    elif names:
        column = table.columns[QUESTION]
        is_meant = np.array([*(value == (name or names[0]) for value in column.values), False])[column.codes]
        table = table.take(is_meant).without_unused()
        table = Table(table.name, table.rows, {key: cells for key, cells in table.columns.items() if key != QUESTION})
    return _without_unanswered(replace(laid, table=table))


def questions_in(table: Table) -> list[str]:
    """The names of the questions in their order; none where a column of that name holds something else."""
    column = table.columns.get(QUESTION)
    if column is None:
        return []
    names = [column.values[code] for code in dict.fromkeys(column.codes.tolist()) if code >= 0]
    return names if len(names) <= MOST_QUESTIONS and all(map(_NAME.fullmatch, names)) else []


def _without_unanswered(laid: JudgmentTable) -> JudgmentTable:
    column = laid.table.columns.get(NO_ANSWER)
    if column is None or not set(column.values) <= {"", "dont-know", "not-asked", "left-empty"}:
        return laid
    why = Counter(column.text().tolist())
    answered = np.array([*(value == "" for value in column.values), True])[column.codes]
    table = laid.table.take(answered)
    table = Table(table.name, table.rows, {key: cells for key, cells in table.columns.items() if key != NO_ANSWER})
    counts = ", ".join(f"{count:,} {name.replace('-', ' ')}" for name, count in sorted(why.items()) if name)
    notes = (*laid.left_out.notes, *([f"Without an answer: {counts}."] if counts else []))
    return replace(laid, table=table.without_unused(), left_out=replace(laid.left_out, notes=notes))
