"""Spellings that stand for labels, such as grey for gray: read from a file or from lines, and refused where unclear.

Where answers may be several labels a spelling may stand for several too (beige is yellow and brown).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from annotation.errors import Refused
from questions.kind import QuestionKind
from questions.registry import KINDS
from tables.cell_texts import join_bars, split_bars
from tables.problems import Problems, refuse_if_any, shown
from tables.reading import read_table

Synonyms: TypeAlias = Mapping[str, Sequence[str]]  # a spelling, and the labels that it stands for
NO_SYNONYMS: Synonyms = {}
COLUMNS = ("synonym", "label")


def read_synonyms(path: Path) -> dict[str, list[str]]:
    """A table `synonym,label`, in which several rows or a | give a spelling several labels."""
    problems = Problems(path.name)
    table = read_table(path, problems)
    found: dict[str, list[str]] = {}
    if table is not None:
        for name in COLUMNS:
            if name not in table.columns:
                problems.whole(f"the column {name} is missing; a row is a spelling and the label that it stands for")
        refuse_if_any(problems)
        spellings, labels = (table.columns[name].text() for name in COLUMNS)
        for row, spelling, cell in zip(table.rows.tolist(), spellings, labels, strict=True):
            if why := _add(found, spelling, cell):
                problems.row(row, why)
    refuse_if_any(problems)
    return found


def synonyms_of_lines(text: str) -> dict[str, list[str]]:
    """Lines such as `beige = yellow | brown`.

    >>> synonyms_of_lines("grey = gray")
    {'grey': ['gray']}
    """
    found: dict[str, list[str]] = {}
    reasons = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            spelling, sign, cell = line.partition("=")
            why = _add(found, spelling, cell) if sign else "write a spelling, = and the label that it stands for"
            reasons += [f"Line {number}, {shown(line.strip())}: {why}."] if why else []
    if reasons:
        raise Refused(reasons)
    return found


def lines_of_synonyms(synonyms: Synonyms) -> str:
    """The lines that `synonyms_of_lines` reads.

    >>> lines_of_synonyms({"beige": ["yellow", "brown"]})
    'beige = yellow | brown'
    """
    return "\n".join(f"{spelling} = {' | '.join(labels)}" for spelling, labels in synonyms.items())


def _add(found: dict[str, list[str]], spelling: str, cell: str) -> str:
    spelling, labels = spelling.strip(), split_bars(cell)
    if not spelling or "" in labels:
        return "a spelling and at least one label are needed"
    if "|" in spelling:
        return f"{shown(spelling)} holds a |, which separates labels"
    if again := [label for label in labels if label in found.get(spelling, [])]:
        return f"{shown(spelling)} stands for {shown(again[0])} already"
    found.setdefault(spelling, []).extend(dict.fromkeys(labels))
    return ""


def wrong_synonyms(synonyms: Synonyms, kind: QuestionKind, labels: Sequence[str]) -> list[str]:
    """Every reason why these can't be a study's synonyms. Labels that aren't known yet refuse nothing."""
    reasons = []
    if synonyms and not KINDS[kind].has_labels:
        return [f"Synonyms are of labels, and a question of kind {kind} has none."]
    for spelling, meant in synonyms.items():
        if spelling in labels:
            reasons.append(f"{shown(spelling)} is a label itself, and can't stand for {shown(join_bars(meant))}.")
        if labels and (unknown := [label for label in meant if label not in labels]):
            there = ", ".join(map(shown, labels))
            reasons.append(f"{shown(spelling)} stands for {shown(unknown[0])}, which is none of the labels {there}.")
        if len(meant) > 1 and not KINDS[kind].several_labels:
            reasons.append(
                f"{shown(spelling)} stands for {' and '.join(map(shown, meant))}, and an answer of kind {kind} is one"
                " label: choose one of them."
            )
    return reasons
