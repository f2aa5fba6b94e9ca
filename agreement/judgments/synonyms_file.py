"""Synonyms of labels from a file or from lines, refused where unclear; judgments and right answers that use them."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import Refused
from ..files.cell_texts import Synonyms, in_labels, join_bars, split_bars
from ..files.items_file import Items
from ..files.problems import Problems, quote_cell, refuse_if_any
from ..files.reading import Source, required_table
from ..files.table import Column, Mask, Table
from ..kinds.data import AnswerColumns
from ..kinds.kind import QuestionKind
from ..kinds.registry import KINDS

COLUMNS = ("synonym", "label")
EXPECTED = "expected"


def read_synonyms(path: Source) -> dict[str, list[str]]:
    """A table `synonym,label`, in which several rows or a | give a spelling several labels."""
    problems = Problems(path.name)
    table = required_table(path, problems, COLUMNS, "a row is a spelling and the label that it stands for")
    synonyms: dict[str, list[str]] = {}
    spellings, labels = (table.columns[name].text() for name in COLUMNS)
    for row, spelling, cell in zip(table.rows.tolist(), spellings, labels, strict=True):
        if why := _add(synonyms, spelling, cell):
            problems.row(row, why)
    refuse_if_any(problems)
    return synonyms


def synonyms_of_lines(text: str) -> dict[str, list[str]]:
    """Lines such as `beige = yellow | brown`.

    >>> synonyms_of_lines("grey = gray")
    {'grey': ['gray']}
    """
    synonyms: dict[str, list[str]] = {}
    reasons = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            spelling, sign, cell = line.partition("=")
            why = _add(synonyms, spelling, cell) if sign else "write a spelling, = and the label that it stands for"
            reasons += [f"Line {number}, {quote_cell(line.strip())}: {why}."] if why else []
    if reasons:
        raise Refused(reasons)
    return synonyms


def _add(synonyms: dict[str, list[str]], spelling: str, cell: str) -> str:
    spelling, labels = spelling.strip(), split_bars(cell)
    if not spelling or "" in labels:
        return "a spelling and at least one label are needed"
    if "|" in spelling:
        return f"{quote_cell(spelling)} holds a |, which separates labels"
    if again := [label for label in labels if label in synonyms.get(spelling, [])]:
        return f"{quote_cell(spelling)} stands for {quote_cell(again[0])} already"
    synonyms.setdefault(spelling, []).extend(dict.fromkeys(labels))
    return ""


def wrong_synonyms(synonyms: Synonyms, kind: QuestionKind, labels: Sequence[str]) -> list[str]:
    """Every reason why these can't be a study's synonyms. Labels that aren't known yet refuse nothing."""
    reasons = []
    if synonyms and not KINDS[kind].has_labels:
        return [f"Synonyms are of labels, and a question of kind {kind} has none."]
    for spelling, meant in synonyms.items():
        if spelling in labels:
            reasons.append(
                f"{quote_cell(spelling)} is a label itself, and can't stand for {quote_cell(join_bars(meant))}."
            )
        if labels and (unknown := [label for label in meant if label not in labels]):
            names = ", ".join(map(quote_cell, labels))
            reasons.append(
                f"{quote_cell(spelling)} stands for {quote_cell(unknown[0])}, which is none of the labels {names}."
            )
        if len(meant) > 1 and not KINDS[kind].several_labels:
            reasons.append(
                f"{quote_cell(spelling)} stands for {' and '.join(map(quote_cell, meant))}, and an answer of kind"
                f" {kind} is one label: choose one of them."
            )
    return reasons


def expected_in_labels(items: Items, synonyms: Synonyms, only: Mask | None = None) -> None:
    """The right answers of a file's check items, with synonyms replaced; `only` those of these rows."""
    if synonyms:
        cells = enumerate(items.frame["expected"])
        items.frame["expected"] = [
            in_labels(str(cell), synonyms) if only is None or only[row] else cell for row, cell in cells
        ]


def answers_in_labels(table: Table, columns: AnswerColumns, synonyms: Synonyms, problems: Problems) -> Table:
    """Judgments with each synonym replaced: in cells, or in the names of columns where there is one per label."""
    if not synonyms:
        return table
    new_columns = dict(table.columns)
    if columns.is_one_per_label:
        _rename_columns(new_columns, columns.name, synonyms, problems)
    elif columns.name in new_columns:
        new_columns[columns.name] = new_columns[columns.name].mapped(lambda cell: in_labels(cell, synonyms))
    if EXPECTED in new_columns:
        new_columns[EXPECTED] = new_columns[EXPECTED].mapped(lambda cell: in_labels(cell, synonyms))
    return Table(table.name, table.rows, new_columns)


def _rename_columns(columns: dict[str, Column], prefix: str, synonyms: Synonyms, problems: Problems) -> None:
    for spelling, labels in synonyms.items():
        if (column := columns.pop(f"{prefix}{spelling}", None)) is None:
            continue
        for label in labels:
            if f"{prefix}{label}" in columns:
                problems.whole(
                    f"the columns {prefix}{spelling} and {prefix}{label} are both about {label}; keep one of them"
                )
            columns.setdefault(f"{prefix}{label}", column)
