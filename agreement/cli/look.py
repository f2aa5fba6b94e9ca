"""`look FILE`: what a file of judgments has, as what it can be read, and what to type to analyse it."""

from __future__ import annotations

import re
import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from ..errors import COMMAND, MOST_SHOWN, Refused, option, sentence_for
from ..files.cell_texts import is_blank
from ..files.column_mapping import ColumnMapping
from ..files.column_words import candidates
from ..files.json_lines import parsed_once
from ..files.layout import JudgmentTable, columns_found, read_laid_out
from ..files.marked_rows import marked_in_words
from ..files.numbers import count_text, decimal_of, in_digits, missing_marks, parse_scale
from ..files.problems import Problems
from ..files.table import Column, Table
from ..judgments.judgments_file import read_judgments
from ..judgments.questions_of_file import of_one_question, questions_in
from ..judgments.unused_columns import notices_on_judgments
from ..kinds.data import guessed_kind
from ..kinds.kind import QuestionKind
from ..kinds.registry import KINDS
from ..kinds.statistics import statistics_of
from ..scoring.probe import Shape
from .arguments import Progress, add_mapping_arguments, mapping_of
from .column_profile import columns_in_words, profile_of, raw_table, values_in_words
from .file_command import Done, kind_of_reason, refusal_lines, without_ids

HELP = "Says what a file of judgments has, as what it can be read, and what to type to analyse it. Writes nothing."
MOST_REASONS = 4
# What a model's file has for gold of each shape.
OUTPUTS: Mapping[Shape, str] = {
    "numbers": "item_id,score", "labels": "item_id,label", "ranking": "item_id,candidate,score",
    "texts": "item_id,text",
}  # fmt: skip


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "judgments", type=Path, metavar="FILE", help="a file of judgments, or a folder of them, as it came"
    )
    add_mapping_arguments(parser)


@dataclass(frozen=True, slots=True)
class Spread:
    """How many judgments an item, or a worker, has."""

    least: int
    median: float
    most: int

    @classmethod
    def of(cls, column: Column) -> Spread:
        counts = np.bincount(column.codes, minlength=len(column.values))
        counts = counts[counts > 0]
        return cls(int(counts.min()), float(np.median(counts)), int(counts.max()))

    def __str__(self) -> str:
        if self.least == self.most:
            return f"{self.most:,} each"
        return f"{self.least:,} to {self.most:,} (median {in_digits(self.median)})"


def run(options: Namespace, _progress: Progress) -> Done:
    with parsed_once():
        return _look(options.judgments, mapping_of(vars(options)))


def _look(path: Path, typed: ColumnMapping) -> Done:
    problems = Problems(path.name)
    laid = read_laid_out(path, typed, problems)
    raw = raw_table(path, typed)
    columns = [] if raw is None else [profile_of(name, column, laid) for name, column in raw.columns.items()]
    rows = 0 if raw is None else len(raw)
    answer: dict[str, object] = {"file": path.name, "rows": rows, "columns": [asdict(each) for each in columns]}
    if laid is None or len(problems) or not {"worker_id", "item_id"} <= laid.table.columns.keys():
        if not len(problems):
            names = [] if raw is None else list(raw.columns)
            problems.whole(f"{columns_found(names)}{_of_no_crowd(path, names)}")
        answer["reasons"] = [without_ids(reason) for reason in problems[:MOST_SHOWN]]
        return Done(answer, lambda: columns_in_words(path, rows, columns), [*refusal_lines(problems)], is_refuted=True)
    look = Look.of(path, laid)
    answer |= look.answer()
    return Done(answer, lambda: "\n".join([columns_in_words(path, rows, columns), "", *look.lines()]))


def _of_no_crowd(path: Path, names: Sequence[str]) -> str:
    """What a file without a column of workers may be, and which command takes it."""
    if "item_id" not in names or candidates("worker_id", names):
        return ""
    name = shlex.quote(str(path))
    if "reference" in names:
        return f". Nothing names a worker: if these are references, touchstone analyse judgments.csv --reference {name}"
    return f". Nothing names a worker: if a model gave these, touchstone analyse judgments.csv --probe {name}"


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A file that can be read in one way."""

    path: Path
    laid: JudgmentTable
    kind: QuestionKind | None
    scale: str
    why_no_kind: str
    questions: Sequence[str]

    @classmethod
    def of(cls, path: Path, laid: JudgmentTable) -> Look:
        problems = Problems(path.name)
        names = questions_in(laid.table)
        laid = of_one_question(laid, names[0] if names else "", problems)
        has_answers = "value" in laid.table.columns or any(name.startswith("v:") for name in laid.table.columns)
        kind = guessed_kind(laid.table, problems) if has_answers and len(laid.table) else None
        return cls(path, laid, kind, _scale(laid.table, kind), problems[0] if len(problems) else "", names)

    @property
    def command(self) -> str:
        options = sentence_for(self.laid.mapping.options(), COMMAND)
        question = f"--question {self.questions[0]}" if len(self.questions) > 1 else ""
        scale = f"--scale={self.scale}" if self.scale else ""
        return without_ids(
            " ".join(filter(None, ["touchstone analyse", shlex.quote(str(self.path)), options, question, scale]))
        )

    def _columns(self) -> tuple[Column, Column]:
        table = self.laid.table
        return table.columns["worker_id"].used(), table.columns["item_id"].used()

    def answer(self) -> dict[str, object]:
        worker, item = self._columns()
        return {
            "read_as": self.laid.shape,
            "workers": len(worker.values),
            "items": len(item.values),
            "judgments": len(self.laid.table),
            "judgments_per_item": asdict(Spread.of(item)) if len(item) else None,
            "judgments_per_worker": asdict(Spread.of(worker)) if len(worker) else None,
            "kind": self.kind and str(self.kind),
            "scale": self.scale,
            "notes": [without_ids(sentence_for(note, COMMAND)) for note in self._notes()],
            "supports": list(self._supports()),
            "command": self.command,
            "refused": self._refusals(),
        }

    def lines(self) -> Iterator[str]:
        worker, item = self._columns()
        people = "rater" if self.laid.mapping.raters_in_columns else "worker"
        yield self.laid.counts_of(len(worker.values), len(item.values), len(self.laid.table))
        if len(item):
            yield f"  judgments per item: {Spread.of(item)}; per {people}: {Spread.of(worker)}"
        yield f"  answers: {self._answers()}"
        yield from (f"  note: {without_ids(sentence_for(note, COMMAND))}" for note in self._notes())
        yield ""
        yield "It supports:"
        yield from (f"  {line}" for line in self._supports())
        yield ""
        yield "To analyse it, type:"
        yield f"  {self.command}"
        if self.scale:
            ends = self.scale.replace(":", " to ")
            yield f"  (with the scale that people saw, if it isn't {ends}, which their answers span,"
            yield "  and with --kind choice if the numbers are names of categories)"
        if refused := self._refusals():
            yield ""
            yield "It would refuse the file as it is:"
            yield from (f"  {line}" for line in refused)

    def _answers(self) -> str:
        if self.kind is None:
            return self.why_no_kind or "none"
        value = self.laid.table.columns.get("value")
        texts = [] if value is None else [text for text in value.used().values if not is_blank(text)]
        if texts and KINDS[self.kind].has_labels:
            return f"kind {self.kind}, {count_text(len(texts), 'different answer')}"
        if any(decimal_of(text) is None for text in texts):
            return f"kind {self.kind}, {count_text(len(texts), 'different answer')}, of which not all are numbers"
        return f"kind {self.kind}, {values_in_words(texts)}" if texts else f"kind {self.kind}"

    def _refusals(self) -> list[str]:
        """Why `analyse` would refuse what it is told to read: each kind of reason once."""
        try:
            scale = parse_scale(self.scale) if self.scale else None
            question = self.questions[0] if len(self.questions) > 1 else ""
            read_judgments(self.path, mapping=self.laid.mapping, scale=scale, question=question)
        except Refused as refused:
            alike = (re.sub("column [^:]+:", "", kind_of_reason(reason)) for reason in reversed(refused.reasons))
            by_kind = dict(zip(alike, reversed(refused.reasons), strict=True))
            first = [without_ids(reason) for reason in reversed(by_kind.values())][:MOST_REASONS]
            more = len(refused.reasons) - len(first)
            return first + ([f"and {more:,} more reasons like these"] if more else [])
        return []

    def _notes(self) -> list[str]:
        used = {one.partition("=")[0].strip() for one in self.laid.mapping.leave_out}
        kind = self.kind or next(iter(KINDS))
        several = ", ".join(self.questions)
        value = self.laid.table.columns.get("value")
        blank = sorted(missing_marks(value)) if value is not None else []
        skip = f"{option('missing', 'skip')} {option('missing-as', '|'.join(blank))}"
        return [
            *([f"The file has several questions, of which this is the first: {several}."] if "," in several else []),
            *([f"Some answers are {' or '.join(blank)}: type {skip} to leave them out."] if blank else []),
            *self.laid.notices,
            *notices_on_judgments(self.laid.table, kind, used, ()),
            *filter(None, [marked_in_words(self.laid.table.columns, self.laid.table.columns["worker_id"].codes)]),
            *self.laid.left_out.sentences(),
        ]

    def _supports(self) -> Iterator[str]:
        table, (_, item) = self.laid.table, self._columns()
        per_item = np.bincount(item.codes, minlength=len(item.values))
        several = int((per_item >= 2).sum())
        items = count_text(len(item.values), "item")
        yield f"gold of {items}"
        if several:
            yield f"agreement and ceilings: {several:,} of {items} have two judgments or more"
        else:
            yield "no agreement: no item has two judgments"
        for name, words in (("check", "cleaning by check items"), ("response_ms", "cleaning by response times")):
            has = name in table.columns and any(value.strip() for value in table.columns[name].values)
            yield words if has else f"no {words}: there is no column {name}"
        if self.kind is not None:
            kind, takes = KINDS[self.kind], statistics_of(self.kind).takes
            gives = "item_id,p:<label>,…" if kind.has_scale and kind.has_labels else OUTPUTS[takes]
            yield f"models beside people: --probe model.csv, with {gives}"
        yield (
            "a reference: a column reference"
            if "reference" in table.columns
            else "labels from elsewhere: --reference ref.csv"
        )


def _scale(table: Table, kind: QuestionKind | None) -> str:
    """The ends of a slider's answers, where they can't be 0 to 100."""
    if kind is None or not KINDS[kind].has_scale:
        return ""
    columns: Mapping[str, Column] = table.columns
    texts = [
        text
        for name, column in columns.items()
        if name == "value" or name.startswith("v:")
        for text in column.used().values
    ]
    numbers = [number for text in texts if (number := decimal_of(text)) is not None]
    if not numbers or (max(numbers) > 10 and min(numbers) >= 0 and max(numbers) <= 100):
        return ""
    return f"{min(numbers):f}:{max(numbers):f}"
