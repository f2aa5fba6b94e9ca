"""A file of judgments on several questions: which is meant, whose checks are whose, and the rows without an answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..errors import option
from ..files.items_file import Items
from ..files.layout import JudgmentTable
from ..files.numbers import count_text
from ..files.problems import Problems, quote_cell
from ..files.table import Table

QUESTION, NO_ANSWER, CHECK_QUESTION = "question", "no_answer", "check_question"
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


@dataclass(frozen=True, slots=True, eq=False)
class ChecksElsewhere:
    """The items that check other questions than the one that is meant: none of its items, and no answer to them is a
    judgment of it.
    """

    items: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()  # of the checks: rules may name them too

    def without(self, laid: JudgmentTable) -> JudgmentTable:
        """The judgments of this question, and in words what was left out."""
        if not self.items:
            return laid
        column = laid.table.columns["item_id"]
        is_elsewhere = np.array([*(value in self.items for value in column.values), False])[column.codes]
        answers = count_text(int(is_elsewhere.sum()), "answer")
        note = f"Without {count_text(len(self.items), 'item')} of other questions' checks, and {answers} to them."
        left_out = replace(laid.left_out, notes=(*laid.left_out.notes, note))
        return replace(laid, table=laid.table.take(~is_elsewhere).without_unused(), left_out=left_out)


def items_of_question(
    items: Items, name: str, names: Sequence[str], problems: Problems
) -> tuple[Items, ChecksElsewhere]:
    """The items without the checks, and the practice, of other questions than that of this `name`; `names` are those of
    the judgments. A file that knows no questions keeps its column as one of its own.
    """
    column = items.table.columns.get(CHECK_QUESTION)
    if not names or column is None:
        return items, ChecksElsewhere()
    name, cells = name or names[0], [cell.strip() for cell in column.text()]
    if len(names) > 1:
        _refuse_unknown(items, cells, names, problems)
    mine = np.array([cell in ("", name) for cell in cells], dtype=np.bool_)
    columns = {key: each.take(mine) for key, each in items.table.columns.items() if key != CHECK_QUESTION}
    table = replace(items.table, rows=items.table.rows[mine], columns=columns).without_unused()
    frame, others = items.frame.drop(columns=CHECK_QUESTION), items.frame[~mine]
    elsewhere = ChecksElsewhere(frozenset(others["item_id"]), frozenset(others["check"]) - {""})
    return Items(items.name, frame[mine].reset_index(drop=True), table), elsewhere


def _refuse_unknown(items: Items, cells: Sequence[str], names: Sequence[str], problems: Problems) -> None:
    wrong = {
        row: f"{quote_cell(cell)} is no question of the judgments" if cell else "which question it is about is not said"
        for row, (cell, kind) in enumerate(zip(cells, items.frame["kind"], strict=True))
        if cell not in names and (cell or kind == "check")
    }
    rows = items.table.rows[np.fromiter(wrong, dtype=np.intp, count=len(wrong))]
    reasons = list(wrong.values())
    problems.each(rows, CHECK_QUESTION, lambda i: f"{reasons[i]}; name one of {', '.join(names)}")


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
