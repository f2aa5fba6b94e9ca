"""mapping.csv: each different answer, what it was mapped to, by which rule, how often, and who decided it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from ...errors import Refused
from ...estimation.estimate import Estimate, Figure, Undefined, stream
from ...files.cell_texts import join_bars, split_bars
from ...files.numbers import decimal_of
from ...files.problems import Problems, quote_cell, refuse_if_any
from ...files.reading import Source, required_table
from ...files.table import Table, encode
from ...files.writing import csv_chunks
from .readings import AnswerSpace
from .rules import RULES, VERSION, MappedAnswer, Reply, map_reply

COLUMNS = ("answer", "value", "rule", "count", "decided_by")
FOLDER = "answer-mappings"  # of an analysis and of a bundle: the table of each model whose answers were mapped
MOST_NAMED = 30  # values in a refusal
REFUSAL, BY_HAND, NONE = "refusal", "by-hand", "none"
# What these decide depends on more than the text: on why a reply ended, and on the order in which options were sent.
OF_THE_REPLY = frozenset({"status", "option"})


@dataclass(frozen=True, slots=True, order=True)
class TableRow:
    """One row of mapping.csv. `value` is blank where the answer is none: unmapped, or by rule status truncated."""

    answer: str
    value: str
    rule: str = BY_HAND
    count: int = 0
    decided_by: str = ""


@dataclass(frozen=True, eq=False)
class AnswerTable:
    """Answers with what they were mapped to, as rows of one file or several."""

    rows: tuple[TableRow, ...] = ()

    @cached_property
    def decided(self) -> Mapping[str, TableRow]:
        """By answer, the rows that decide it; those of the reply's rules don't."""
        return {row.answer: row for row in self.rows if row.rule not in OF_THE_REPLY}

    def csv(self) -> bytes:
        cells = {name: [str(getattr(row, name)) for row in self.rows] for name in COLUMNS}
        return b"".join(csv_chunks({name: encode(texts, len(texts)) for name, texts in cells.items()}))

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.csv()).hexdigest()


NO_TABLE = AnswerTable()


def read_tables(paths: Sequence[Source], space: AnswerSpace) -> AnswerTable:
    """The tables of files, all of whose values are answers of this study; `Refused` with every row that isn't."""
    rows: dict[tuple[str, str, str], TableRow] = {}
    for path in paths:
        problems = Problems(path.name)
        table = required_table(
            path, problems, COLUMNS[:2], "a row is a model's answer and the label that it stands for"
        )
        for row in _rows_of(table, space, problems):
            rows.setdefault((row.answer, row.value, "" if row.rule not in OF_THE_REPLY else row.rule), row)
        refuse_if_any(problems)
    table_of_all = AnswerTable(tuple(rows.values()))
    values: dict[str, set[str]] = {}
    for row in table_of_all.rows:
        if row.rule not in OF_THE_REPLY:
            values.setdefault(row.answer, set()).add(row.value)
    if twice := [answer for answer, own in values.items() if len(own) > 1]:
        names = " and ".join(path.name for path in paths)
        raise Refused(
            [f"{names}: the answer {quote_cell(one)} has two values, {', '.join(map(quote_cell, sorted(values[one])))};"
             " keep one of them" for one in twice]
        )  # fmt: skip
    return table_of_all


def _rows_of(table: Table, space: AnswerSpace, problems: Problems) -> Iterable[TableRow]:
    blank = [""] * len(table)
    texts = {name: table.columns[name].text().tolist() for name in COLUMNS if name in table.columns}
    of = {name: [text.strip() if name != COLUMNS[0] else text for text in texts.get(name, blank)] for name in COLUMNS}
    for number, answer, value, rule, count, by in zip(
        table.rows.tolist(), *(of[name] for name in COLUMNS), strict=True
    ):
        filled_in = bool(value) and rule in (NONE, "")
        if rule and rule not in RULES:
            problems.row(number, f"column rule: {quote_cell(rule)} is none of {', '.join(RULES)}")
        elif why := why_no_value(value, space):
            problems.row(number, f"column value: {why}")
        else:
            yield TableRow(
                answer, value, BY_HAND if filled_in else rule or NONE, int(count) if count.isdecimal() else 0, by
            )


def why_no_value(value: str, space: AnswerSpace) -> str:
    """Why a value is no answer of the study; nothing where it is one."""
    if not value or value == REFUSAL or space.answers in {"words", "properties"}:
        return ""
    if space.answers == "number":
        number = decimal_of(value)
        fits = number is not None and (space.scale is None or space.scale.low <= number <= space.scale.high)
        return (
            ""
            if fits
            else f"{quote_cell(value)} is no number{_on_scale(space)}; this may be the table of another study"
        )
    allowed = space.values or space.labels
    unknown = [part for part in split_bars(value) if part not in allowed]
    if unknown:
        labels = ", ".join(allowed[:MOST_NAMED]) or "(it has none)"
        return (
            f"{quote_cell(unknown[0])} is none of this study's labels {labels}; this may be the table of another study"
        )
    return ""


def _on_scale(space: AnswerSpace) -> str:
    return "" if space.scale is None else f" from {space.scale.low:f} to {space.scale.high:f}"


def mapped_by(row: TableRow, space: AnswerSpace) -> MappedAnswer:
    """What a row says of its answer."""
    if row.value == REFUSAL and REFUSAL not in space.labels:
        return MappedAnswer("refusal", rule=row.rule)
    if not row.value:
        return MappedAnswer("unmapped", rule=row.rule)
    if space.answers in {"number", "words"}:
        return MappedAnswer("mapped", (row.value,), row.rule)
    parts = split_bars(row.value)
    values = tuple(parts) if space.answers == "properties" else space.numbered(parts)
    return MappedAnswer("mapped", values, row.rule) if values else MappedAnswer("unmapped", rule=row.rule)


def value_of(mapped: MappedAnswer, space: AnswerSpace) -> str:
    """The cell of what an answer was mapped to."""
    if mapped.outcome == "refusal":
        return REFUSAL
    if space.answers in {"number", "words"}:
        return "".join(mapped.values)
    return join_bars(space.spelt(mapped.values))


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCounts:
    """How many of a model's answers were mapped, and by which rules; `rules` is their version.

    `table` is the SHA-256 of the table of its answers, as a file of an analysis and of a bundle has it. `unmapped`,
    `refused` and `truncated` are wrong, or where `are_left_out` they count nowhere.
    """

    answers: int
    mapped: int
    unmapped: int
    refused: int
    truncated: int
    by_rule: Mapping[str, int]
    rules: str
    table: str
    are_left_out: bool = False

    @property
    def not_mapped(self) -> int:
        return self.answers - self.mapped


@dataclass(slots=True)
class Mapper:
    """Maps replies by a table and the rules, and counts what it does."""

    space: AnswerSpace
    table: AnswerTable = NO_TABLE
    seen: Counter[tuple[str, MappedAnswer, str]] = field(default_factory=Counter)  # with the value that tables have
    _spaces: dict[tuple[tuple[str, ...], tuple[str, ...]], AnswerSpace] = field(default_factory=dict)

    def map(self, reply: Reply, order: tuple[str, ...] = (), times: int = 1, own: tuple[str, ...] = ()) -> MappedAnswer:
        """What a reply is mapped to; a row of the table comes before every rule."""
        space = self._space(order, own)
        row = self.table.decided.get(reply.text)
        is_decided = row is not None and not _waits_for_reply(row, reply, space)
        mapped = mapped_by(row, space) if row is not None and is_decided else map_reply(reply, space)
        return self.counted(reply.text, mapped, times, own)

    def counted(self, text: str, mapped: MappedAnswer, times: int, own: tuple[str, ...] = ()) -> MappedAnswer:
        """Counts what an answer was mapped to."""
        self.seen[text, mapped, value_of(mapped, self._space((), own))] += times
        return mapped

    def _space(self, order: tuple[str, ...], own: tuple[str, ...]) -> AnswerSpace:
        if (order, own) not in self._spaces:
            self._spaces[order, own] = self.space.with_order(order, own)
        return self._spaces[order, own]

    def made_table(self) -> AnswerTable:
        """What was mapped, the most frequent first among those that nothing took, then the others."""
        by_whom = {answer: row.decided_by for answer, row in self.table.decided.items()}
        rows = [
            TableRow(answer, value, mapped.rule, times, by_whom.get(answer, ""))
            for (answer, mapped, value), times in self.seen.items()
        ]
        return AnswerTable(tuple(sorted(rows, key=lambda row: (row.rule != NONE, -row.count, row.answer, row.value))))

    def counts(self, *, are_left_out: bool = False) -> AnswerCounts:
        outcomes: Counter[str] = Counter()
        by_rule: Counter[str] = Counter()
        for (_, mapped, _), times in self.seen.items():
            outcomes[mapped.outcome] += times
            by_rule[mapped.rule] += times
        return AnswerCounts(
            answers=sum(outcomes.values()),
            mapped=outcomes["mapped"],
            unmapped=outcomes["unmapped"],
            refused=outcomes["refusal"],
            truncated=outcomes["truncated"],
            by_rule={rule: by_rule[rule] for rule in RULES if by_rule[rule]},
            rules=VERSION,
            table=self.made_table().sha256,
            are_left_out=are_left_out,
        )


def _waits_for_reply(row: TableRow, reply: Reply, space: AnswerSpace) -> bool:
    """A rule's row says nothing of a reply that was cut off or declined, nor of an item's own labels; what a person
    decided holds for all alike.
    """
    if row.rule == BY_HAND:
        return False
    if space.own:
        return True
    return map_reply(reply, AnswerSpace("words")).rule == "status"


# How right a mapping is: a random sample of its answers that a person checks, and the share that is right.

SAMPLE_COLUMNS = ("answer", "value", "rule", "right")
YES, NO = frozenset({"1", "yes", "true", "y"}), frozenset({"0", "no", "false", "n"})
Z = 1.959964  # of a standard normal, with 2.5 % above


@dataclass(frozen=True, slots=True)
class Checked:
    """How many answers of a sample a person found rightly mapped."""

    right: int
    of: int

    def accuracy(self) -> Figure:
        """The share that is right, with Wilson's interval."""
        if not self.of:
            return Undefined("accuracy of the mapping: nothing of the sample was checked")
        share, n = self.right / self.of, self.of
        middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z * np.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
        low, high = max(float(middle - half), 0.0), min(float(middle + half), 1.0)
        return Estimate(share, low, high, n, "share of checked answers that were rightly mapped, Wilson's interval")


def draw_sample(table: AnswerTable, size: int, seed: int) -> list[TableRow]:
    """So many of the answers that something took, at random: an answer that came often is drawn more often."""
    rows = [row for row in table.rows if row.rule != NONE]
    weights = np.array([row.count for row in rows], dtype=np.float64)
    if not weights.sum():
        return []
    which = np.repeat(np.arange(len(rows)), weights.astype(np.int64))
    drawn = stream(seed, "sample of mapped answers").choice(which, size=min(size, len(which)), replace=False)
    return [rows[place] for place in np.sort(drawn).tolist()]


def sample_csv(rows: Sequence[TableRow]) -> bytes:
    cells = {name: [str(getattr(row, name, "")) for row in rows] for name in SAMPLE_COLUMNS}
    return b"".join(csv_chunks({name: encode(texts, len(texts)) for name, texts in cells.items()}))


def read_checked(path: Path) -> Checked:
    """A sample with 1 or 0 in its column `right`; blank cells aren't counted."""
    problems = Problems(path.name)
    table = required_table(path, problems, ("answer", "right"), "a row is an answer, and whether it was rightly mapped")
    marks = [cell.strip().lower() for cell in table.columns["right"].text().tolist()]
    for row, mark in zip(table.rows.tolist(), marks, strict=True):
        if mark and mark not in YES | NO:
            problems.row(row, f"column right: {quote_cell(mark)} is neither 1 nor 0")
    refuse_if_any(problems)
    checked = [mark for mark in marks if mark]
    if not checked:
        raise Refused(f"{path.name}: its column right is blank; write 1 where an answer was rightly mapped, else 0")
    return Checked(sum(mark in YES for mark in checked), len(checked))
