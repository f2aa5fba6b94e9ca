"""judgments.csv of a study or a release, of any size, as CSV or JSON Lines; without pandas, for a quick start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Max

from agreement.files.table import Column, Mask, encode
from agreement.files.writing import csv_chunks, csv_header, csv_rows
from annotation.database.rows import chunks
from annotation.models import Study
from annotation.models.judgment import JudgmentQuerySet
from annotation.releases.actions.rule_sets import rules_of
from annotation.releases.exports.export_files import json_lines, json_rows
from annotation.releases.exports.judgment_tables import BEGINNING, NOT_KEPT, JudgmentTables, Table, study_of
from annotation.releases.from_database.judgment_rows import (
    ROWS_A_CHUNK,
    unfinished_judgments,
    without_answer,
)
from annotation.releases.models import GoldRelease

# Columns of questions that may stay without an answer, and of studies with several questions.
NO_ANSWER, QUESTION = "no_answer", "question"
UNFINISHED_ITEM = "other questions of the item lack an answer"


def is_streamed(source: Study | GoldRelease) -> bool:
    """Whether what became of each judgment follows from its worker alone."""
    if isinstance(source, Study):
        return True
    rules = rules_of(source.run.rule_set)
    return not rules.on_rows and not rules.drop_unchecked


@dataclass(frozen=True, slots=True)
class Form:
    """How a table is given: as CSV or JSON Lines; with pseudonyms, or with the platform's ids where they are still kept
    (for a person with the right to them alone).
    """

    as_json_lines: bool = False
    with_platform_ids: bool = False


CSV = Form()


def judgments(sources: Sequence[Study | GoldRelease], *, only_kept: bool = False, form: Form = CSV) -> Iterator[bytes]:
    """Every judgment, with whether it is kept and why not; of a study without a release, those that count now. The
    sources are a study or its release, or of several questions one for each.
    """
    if len(sources) == 1 and not study_of(sources[0]).has_several_questions:
        [source] = sources
        if study_of(source).offers_dont_know:
            parts = _AnswersOfQuestion.of(source).parts()
            return _judgments_in_parts(source, parts, only_kept=only_kept, form=form)
        if is_streamed(source):
            return _judgments_in_parts(source, JudgmentTables.of(source).parts(), only_kept=only_kept, form=form)
        return _judgments_at_once(source, only_kept=only_kept, form=form)
    return _judgments_of_questions(sources, only_kept=only_kept, form=form)


@dataclass(frozen=True, slots=True, eq=False)
class _AnswersOfQuestion:
    """The answers of one question in parts; then who gave none, and why, where a question may stay without one."""

    source: Study | GoldRelease
    counted: JudgmentTables | None
    at_once: tuple[Table, Mask] | None  # in its place, where a rule looks at single judgments
    unfinished: JudgmentTables | None

    @classmethod
    def of(cls, source: Study | GoldRelease) -> _AnswersOfQuestion:
        study, in_parts = study_of(source), is_streamed(source)
        return cls(
            source,
            JudgmentTables.of(source) if in_parts else None,
            None if in_parts else _whole_table(source),
            JudgmentTables.of(source, unfinished_judgments(study)) if isinstance(source, Study) else None,
        )

    def names(self) -> list[str]:
        """The columns that `parts` have, in their order."""
        unfinished = [] if self.unfinished is None else self.unfinished.names()
        names = self._names_of_counted() or unfinished
        if not names and _rows_without_answer(self.source).exists():
            names = list(BEGINNING)
        return list(dict.fromkeys([*names, *unfinished]))

    def _names_of_counted(self) -> list[str]:
        if self.at_once is not None:
            return list(self.at_once[0])
        return [] if self.counted is None else self.counted.names()

    def parts(self) -> Iterator[tuple[Table, Mask]]:
        names: list[str] = []
        for table, kept in [self.at_once] if self.at_once is not None else self.counted.parts() if self.counted else ():
            names = names or list(table)
            yield {**table, NO_ANSWER: _same(len(kept), "")}, kept
        for table, kept in self.unfinished.parts() if self.unfinished else ():
            names = names or list(table)
            why = {"kept": NOT_KEPT, "reason": UNFINISHED_ITEM, NO_ANSWER: ""}
            yield {**table, **{name: _same(len(kept), text) for name, text in why.items()}}, np.zeros_like(kept)
        for table in _parts_without_answer(self.source):
            rows = len(table[NO_ANSWER].codes)
            blank = _same(rows, "")
            yield (
                {name: table.get(name, blank) for name in (*(names or BEGINNING), NO_ANSWER)},
                np.zeros(rows, np.bool_),
            )


def _same(count: int, text: str) -> Column:
    return Column(np.zeros(count, dtype=np.int32), [text])


def _rows_without_answer(source: Study | GoldRelease) -> JudgmentQuerySet:
    """Who didn't know, wasn't asked or left the question empty: of a release until it froze its judgments."""
    rows = without_answer(study_of(source))
    if isinstance(source, GoldRelease):
        rows = rows.filter(pk__lte=source.run.frozen.aggregate(last=Max("last_key"))["last"] or 0)
    return rows


def _parts_without_answer(source: Study | GoldRelease) -> Iterator[Table]:
    of_item = ("item_id", "kind", "check_name")
    columns = ("participation__pseudonym", *(f"item__{name}" for name in of_item))
    rows = _rows_without_answer(source).order_by("pk")
    shown = rows.values_list(*(f"assigned_item__{name}" for name in columns), "no_answer")
    for portion in chunks(shown.iterator(ROWS_A_CHUNK), ROWS_A_CHUNK):
        cells = zip(*portion, strict=True)
        table = {
            name: encode((cell or "" for cell in column), len(portion))
            for name, column in zip(("worker_id", "item_id", "kind", "check", NO_ANSWER), cells, strict=True)
        }
        yield {**table, "kept": _same(len(portion), NOT_KEPT)}


def _judgments_of_questions(sources: Sequence[Study | GoldRelease], *, only_kept: bool, form: Form) -> Iterator[bytes]:
    """The rows of one question after those of another, in the columns that any of them has; the question comes last."""
    answers = [_AnswersOfQuestion.of(source) for source in sources]
    names = dict.fromkeys(name for question in answers for name in question.names())
    for last in (NO_ANSWER, QUESTION):
        names.pop(last, None)
    questions = [study_of(source).question_name for source in sources]
    parts = (
        ({**_in_columns(table, len(kept), names), QUESTION: _same(len(kept), question)}, kept)
        for each, question in zip(answers, questions, strict=True)
        for table, kept in each.parts()
    )
    return _judgments_in_parts(sources[0], parts, only_kept=only_kept, form=form)


def _in_columns(table: Table, rows: int, names: Iterable[str]) -> Table:
    blank = _same(rows, "")
    return {name: table.get(name, blank) for name in (*names, NO_ANSWER)}


def _judgments_at_once(source: Study | GoldRelease, *, only_kept: bool, form: Form) -> Iterator[bytes]:
    table, kept = _whole_table(source)
    return table_bytes(source, table, kept if only_kept else None, form)


def _whole_table(source: Study | GoldRelease) -> tuple[Table, Mask]:
    from agreement.analysis.output_tables import judgments_table  # the whole cleaning, which few exports need
    from annotation.releases.exports.release_tables import cleaning_of

    cleaning = cleaning_of(source)
    return judgments_table(cleaning), cleaning.kept


def _judgments_in_parts(
    source: Study | GoldRelease, parts: Iterator[tuple[Table, Mask]], *, only_kept: bool, form: Form
) -> Iterator[bytes]:
    known = _platform_ids_of(source) if form.with_platform_ids else {}
    names: list[str] = []
    writer = json_rows() if form.as_json_lines else csv_rows()
    for table, kept in parts:
        if not names and not form.as_json_lines:
            yield csv_header(table)
        names = list(table)
        yield from writer.rows(_table_with_ids(table, known), kept if only_kept else None)
    if not names:  # no judgments: the header alone
        yield from _judgments_at_once(source, only_kept=False, form=form)


def table_bytes(source: Study | GoldRelease, table: Table, keep: Mask | None, form: Form) -> Iterator[bytes]:
    return _pieces(_table_with_ids(table, _platform_ids_of(source) if form.with_platform_ids else {}), keep, form)


def _table_with_ids(table: Table, known: Mapping[str, str]) -> Table:
    if not known:
        return table
    names = table["worker_id"]
    return {**table, "worker_id": Column(names.codes, [known.get(name, name) for name in names.values])}


def _pieces(table: Table, keep: Mask | None, form: Form) -> Iterator[bytes]:
    return json_lines(table, keep) if form.as_json_lines else csv_chunks(table, keep)


def _platform_ids_of(source: Study | GoldRelease) -> dict[str, str]:
    return platform_ids(source.study if isinstance(source, GoldRelease) else source)


def platform_ids(study: Study) -> dict[str, str]:
    people = study.participations.filter(worker__platform_id__isnull=False)
    return {
        pseudonym: str(platform_id) for pseudonym, platform_id in people.values_list("pseudonym", "worker__platform_id")
    }
