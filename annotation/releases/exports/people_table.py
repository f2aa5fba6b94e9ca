"""participants.csv: everybody who came to a study, as things stand now: status, times, pay and what they said of
themselves.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from agreement.durations import minutes_text, time_taken
from agreement.report.collection import LEAST_ALIKE
from annotation.answering.saving_answers import unseen_by_participation
from annotation.database.rows import chunks
from annotation.models import EndQuestion, Participation, Study
from annotation.releases.exports.export_files import json_line
from annotation.releases.exports.judgment_stream import CSV, Form
from annotation.releases.exports.release_tables import csv_line

ROWS_PER_CHUNK = 2_000
FIXED = ("pseudonym", "status", "entered_at", "finished_at", "minutes", "device", "verified", "pay_status")
COMMENT = "comment"
COULD_NOT_SEE = "could_not_see"  # at how many items; always the last column
# For the names of end questions that are fixed columns too; no name of a question has a colon in it.
PREFIX = "question:"


@dataclass(frozen=True, slots=True)
class _Questions:
    """The end questions that get a column; `options` are the only answers that a question's column shows, if it has
    an entry there.
    """

    names: Sequence[str]
    options: Mapping[str, frozenset[str]]

    @property
    def columns(self) -> list[str]:
        return [f"{PREFIX}{name}" if name in (*FIXED, COMMENT, COULD_NOT_SEE) else name for name in self.names]

    def cells(self, answers: Mapping[str, object]) -> Iterator[str]:
        for name in self.names:
            answer = str(answers.get(name, ""))
            yield answer if name not in self.options or answer in self.options[name] else ""


def participants(study: Study, form: Form = CSV) -> Iterator[bytes]:
    """A row for each person, by pseudonym. Answers to questions that were renamed or deleted since stand in columns of
    their own after those of the study.
    """
    return _table(study, _all_questions(study), form, with_comments=True)


def participants_to_publish(study: Study) -> Iterator[bytes]:
    """The same without comments and without free text: of the end questions only those that have options."""
    return _table(study, _questions_with_options(study), CSV, with_comments=False)


@dataclass(frozen=True, slots=True)
class PublishedPeople:
    """participants.csv of a published bundle, and how many values of each column it leaves blank."""

    content: bytes
    withheld: Mapping[str, int]

    def sentence(self) -> str:
        said = (
            "participants.csv has the people whose judgments these are, without times, pay, comments and free text. Of"
            " devices and answers about the person it has those that at least five people share"
        )
        if not any(self.withheld.values()):
            return f"{said}: all of them."
        counts = ", ".join(f"{name} {n:,}" for name, n in self.withheld.items() if n)
        return f"{said}; {sum(self.withheld.values()):,} others are left blank ({counts})."


def published_participants(study: Study, names: Mapping[str, str]) -> PublishedPeople:
    """A row for each of `names`, which are published names by pseudonym, in their order."""
    questions = _questions_with_options(study)
    people = study.participations.exclude(status=Participation.Status.WITHDRAWN).order_by("pseudonym").values_list(
        "pk", "pseudonym", "status", "consented_at", "finished_at", "device", "is_verified", "demographics", named=True
    )  # fmt: skip
    unseen = unseen_by_participation(study)
    about = ["device", *questions.columns]
    fixed, told = [], []
    for row in people.iterator(ROWS_PER_CHUNK):
        if row.pseudonym not in names:
            continue
        time = time_taken(row.consented_at, row.finished_at)
        minutes = "" if time is None else minutes_text(time)
        fixed.append(
            (names[row.pseudonym], row.status, minutes, "1" if row.is_verified else "0", unseen.get(row.pk, 0))
        )
        told.append([row.device or "", *questions.cells(row.demographics)])
    counts = [Counter(column) for column in zip(*told, strict=True)]
    shared = [[cell if counts[at][cell] >= LEAST_ALIKE else "" for at, cell in enumerate(row)] for row in told]
    withheld = {
        name: sum(bool(row[at]) and not kept[at] for row, kept in zip(told, shared, strict=True))
        for at, name in enumerate(about)
    }
    lines = [csv_line(["worker_id", "status", "minutes", "verified", *about, COULD_NOT_SEE])]
    for (who, status, minutes, verified, items), cells in zip(fixed, shared, strict=True):
        lines.append(csv_line([who, status, minutes, verified, *cells, str(items)]))
    return PublishedPeople(b"".join(lines), withheld)


def _all_questions(study: Study) -> _Questions:
    own = [question.name for question in study.end_questions.all()]
    answered = study.participations.exclude(demographics={}).order_by().values_list("demographics", flat=True)
    stored = {name for answers in answered.iterator(ROWS_PER_CHUNK) for name in answers}
    return _Questions([*own, *sorted(stored - set(own))], {})


def _questions_with_options(study: Study) -> _Questions:
    questions: Iterable[EndQuestion] = study.end_questions.all()
    options = {question.name: frozenset(question.choices) for question in questions if question.choices}
    return _Questions(list(options), options)


def _table(study: Study, questions: _Questions, form: Form, *, with_comments: bool) -> Iterator[bytes]:
    names = [*FIXED, *questions.columns, *([COMMENT] if with_comments else []), COULD_NOT_SEE]
    if not form.as_json_lines:
        yield csv_line(names)
    line = partial(json_line, names) if form.as_json_lines else csv_line
    unseen = unseen_by_participation(study)
    people = study.participations.order_by("pseudonym").values_list(
        "pk", "pseudonym", "status", "entered_at", "consented_at", "finished_at", "device", "is_verified",
        "payment__status", "demographics", "comments", named=True,
    )  # fmt: skip
    for portion in chunks(people.iterator(ROWS_PER_CHUNK), ROWS_PER_CHUNK):
        yield b"".join(
            line(
                [
                    *_fixed_cells(row),
                    *questions.cells(row.demographics),
                    *([row.comments] if with_comments else []),
                    str(unseen.get(row.pk, 0)),
                ]
            )
            for row in portion
        )


def _fixed_cells(row: Any) -> list[str]:
    time = time_taken(row.consented_at, row.finished_at)
    return [
        row.pseudonym,
        row.status,
        _minute(row.entered_at),
        "" if row.finished_at is None else _minute(row.finished_at),
        "" if time is None else minutes_text(time),
        row.device or "",
        "1" if row.is_verified else "0",
        row.payment__status or "",
    ]


def _minute(moment: dt.datetime) -> str:
    """A time in UTC, to the minute.

    >>> _minute(dt.datetime(2026, 11, 18, 21, 31, 59, tzinfo=dt.timezone(dt.timedelta(hours=1))))
    '2026-11-18T20:31Z'
    """
    return f"{moment.astimezone(dt.UTC):%Y-%m-%dT%H:%MZ}"
