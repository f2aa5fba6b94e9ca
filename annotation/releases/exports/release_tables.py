"""Tables of a release (gold.csv as released, what is made of it, workers.csv) and of the people who came to a study."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from agreement.analysis.output_tables import annotators_of, screened_of, workers_table
from agreement.cleaning.cleaning_run import Cleaning, clean
from agreement.cleaning.decided_by_hand import Decision
from agreement.cleaning.rule_set import RuleSet
from agreement.durations import minutes_text, time_taken
from agreement.errors import Refused
from agreement.files.table import Column, encode
from agreement.files.writing import csv_cell, csv_chunks
from agreement.gold.gold_columns import ITEM_ID
from agreement.judgments.crowd import answer_texts
from agreement.report.collection import LEAST_ALIKE
from agreement.scoring.norms import COLUMNS as NORMS
from agreement.scoring.norms import norms_of_gold
from agreement.scoring.similarity_matrices import SimilarityMatrix, matrix_of_people
from annotation.database.rows import chunks
from annotation.models import EndQuestion, Note, Participation, Payment, Study
from annotation.models.note import is_skipped
from annotation.people.payment_groups import unseen_by_participation
from annotation.people.payment_lists import payments_table
from annotation.releases.actions.freezing import decisions_by_hand
from annotation.releases.actions.rule_sets import rules_of
from annotation.releases.exports.export_files import json_line, json_lines
from annotation.releases.exports.judgment_stream import CSV, Form, platform_ids, table_bytes
from annotation.releases.from_database.reading_judgments import crowd_of, scale_of
from annotation.releases.from_database.study_history import released_gold
from annotation.releases.models import Exclusion, GoldRelease
from annotation.releases.release_quotes import lines_of

NOTES = ("worker_id", "item_id", "skipped", "skip_reason", "flagged", "comment", "at")
COUNT = "n:"  # what gold.csv's counts of labels begin with
NO_RULES = RuleSet("none", "1", drop_unchecked=False, minimum_checks=0, rules=())


def gold(release: GoldRelease, form: Form = CSV) -> Iterator[bytes]:
    """As CSV, the bytes that the release's hash was taken of; of texts and lists without what was withdrawn since."""
    if not form.as_json_lines:
        yield csv_line(release.columns)
    line = partial(json_line, release.columns) if form.as_json_lines else csv_line
    for portion in lines_of(release):
        yield b"".join(map(line, portion))


def peoples_matrix(release: GoldRelease) -> SimilarityMatrix | None:
    """How similar people find each two terms; None where the items aren't pairs of terms that share pairs."""
    if release.published.results.similarity_matrix is None:
        return None
    return matrix_of_people(released_gold(release), scale_of(release.study))


def similarity_matrix(release: GoldRelease, form: Form = CSV) -> Iterator[bytes]:
    similarity = peoples_matrix(release)
    if similarity is None:
        raise Refused(
            f"{release.study.slug} has no matrix of similarities: that takes pairs of terms, each with a number, and at"
            " least half of all pairs of these terms."
        )
    if form.as_json_lines:
        raise Refused("A matrix of similarities is written as CSV: name a file that ends in .csv.")
    return iter([similarity.matrix.csv()])


def labels(release: GoldRelease, form: Form = CSV) -> Iterator[bytes]:
    """How many people gave each label to each item: soft labels, with nothing else."""
    counts = [name for name in release.columns if name.startswith(COUNT)]
    if not counts:
        raise Refused(f"Counts of labels are made of labels, and {release.study.slug} is of kind {release.study.kind}.")
    columns = [ITEM_ID.name, "n", *counts]
    positions = [release.columns.index(name) for name in columns]
    line = partial(json_line, columns) if form.as_json_lines else csv_line
    head = [] if form.as_json_lines else [csv_line(columns)]
    portions = (b"".join(line([cells[k] for k in positions]) for cells in portion) for portion in lines_of(release))
    return chain(head, portions)


def wide_judgments(release: GoldRelease, form: Form = CSV) -> Iterator[bytes]:
    """The kept judgments of target items as items x workers, blank where a worker did not judge an item."""
    cleaning = cleaning_of(release)
    crowd, kept = cleaning.crowd, np.flatnonzero(cleaning.kept_targets)
    workers = np.unique(crowd.worker[kept])
    place = np.full(crowd.n_workers, -1)
    place[workers] = np.arange(len(workers))
    columns = [ITEM_ID.name, *map(str, crowd.workers[workers])]
    kept = kept[np.argsort(crowd.item[kept], kind="stable")]
    texts, ids = answer_texts(crowd, kept) if len(kept) else [], crowd.items["item_id"].to_numpy()
    line = partial(json_line, columns) if form.as_json_lines else csv_line

    def rows() -> Iterator[bytes]:
        ends = np.flatnonzero(np.diff(crowd.item[kept])) + 1
        for part in np.split(np.arange(len(kept)), ends):
            cells = [""] * len(workers)
            for k in part.tolist():
                column = place[crowd.worker[kept[k]]]
                cells[column] = f"{cells[column]}|{texts[k]}" if cells[column] else texts[k]  # a repeat that counts too
            yield line([str(ids[crowd.item[kept[part[0]]]]), *cells])

    return chain([] if form.as_json_lines else [csv_line(columns)], rows() if len(kept) else [])


def norms(release: GoldRelease, form: Form = CSV) -> Iterator[bytes]:
    """The gold of lists as a table of norms: how many people named each feature of each concept."""
    study = release.study
    if not study.question_kind.has_properties:
        raise Refused(f"Norms are made of lists of properties, and {study.slug} is of kind {study.kind}.")
    return _norms(release, form)


def _norms(release: GoldRelease, form: Form) -> Iterator[bytes]:
    line = partial(json_line, NORMS) if form.as_json_lines else csv_line
    if not form.as_json_lines:
        yield csv_line([*NORMS])
    lines = [each for portion in lines_of(release) for each in portion]
    yield b"".join(line([*row]) for row in norms_of_gold(release.columns, lines))


def csv_line(cells: list[str]) -> bytes:
    return (",".join(map(csv_cell, cells)) + "\n").encode()


def workers(source: Study | GoldRelease, *, form: Form = CSV) -> Iterator[bytes]:
    """Every worker, with checks, evidence and whether they are kept."""
    cleaning = cleaning_of(source)
    return table_bytes(source, workers_table(cleaning, screened_of(cleaning), annotators_of(cleaning)), None, form)


def key(release: GoldRelease, names: Mapping[str, str], form: Form = CSV) -> Iterator[bytes]:
    """Who is who in a published bundle: each published name with the study's own pseudonym."""
    known = platform_ids(release.study) if form.with_platform_ids else {}
    columns = ["worker_id", "pseudonym", *(["platform_id"] if form.with_platform_ids else [])]
    line = partial(json_line, columns) if form.as_json_lines else csv_line
    rows = ([name, who, *([known.get(who, "")] if form.with_platform_ids else [])] for who, name in names.items())
    return chain([] if form.as_json_lines else [csv_line(columns)], map(line, rows))


def payments(study: Study, *, form: Form = CSV) -> Iterator[bytes]:
    """Every payment of a study, open or settled, as it stands now."""
    ids = ("platform_id", "session_id") if form.with_platform_ids else ()
    columns = ("pseudonym", *ids, "status", "amount", "currency", "reason", "settled_at")
    table = payments_table(Payment.objects.filter(participation__study=study), columns)
    return json_lines(table) if form.as_json_lines else csv_chunks(table)


def cleaning_of(source: Study | GoldRelease) -> Cleaning:
    """A release's cleaning from the judgments that are still there, or who is excluded in a study now."""
    if isinstance(source, GoldRelease):
        run = source.run
        return clean(crowd_of(run), rules_of(run.rule_set), decisions_by_hand(run))
    in_force = Exclusion.objects.in_force().filter(participation__study=source)
    reasons = in_force.values_list("participation__pseudonym", "reason", "run")
    excluded = {who: Decision(kept=False, why=why, by_earlier_run=run is not None) for who, why, run in reasons}
    return clean(crowd_of(source), NO_RULES, excluded)


# participants.csv: everybody who came to a study, as things stand now: status, times, pay and what they said
# of themselves.

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


def notes_table(study: Study, until: dt.datetime | None = None) -> Mapping[str, Column]:
    """The columns of notes.csv: what people at expert pace said of items beside their answers, as they left it; without
    what was changed after a moment.
    """
    theirs = Note.objects.filter(assigned_item__participation__study=study)
    if until is not None:
        theirs = theirs.filter(changed_at__lte=until)
    rows = list(
        theirs.annotate(is_skipped=is_skipped())
        .order_by("assigned_item__participation__pseudonym", "assigned_item__position", "pk")
        .values_list(
            "assigned_item__participation__pseudonym", "assigned_item__item__item_id", "is_skipped", "skip_reason",
            "is_flagged", "comment", "changed_at",
        )
    )  # fmt: skip
    cells = [
        (
            who,
            item,
            str(int(skips)),
            reason or "",
            str(int(flags)),
            comment,
            f"{at.astimezone(dt.UTC):%Y-%m-%dT%H:%M:%SZ}",
        )
        for who, item, skips, reason, flags, comment, at in rows
    ]
    return {name: encode([row[place] for row in cells], len(cells)) for place, name in enumerate(NOTES)}


def participants_to_publish(study: Study) -> Iterator[bytes]:
    """The same without comments and without free text: of the end questions only those that have options."""
    return _table(study, _questions_with_options(study), CSV, with_comments=False)


@dataclass(frozen=True, slots=True)
class PublishedPeople:
    """participants.csv of a published bundle, and how many values of each column it leaves blank."""

    content: bytes
    withheld: Mapping[str, int]

    def sentence(self) -> str:
        beginning = (
            "participants.csv has the people whose judgments these are, without times, pay, comments and free text. Of"
            " devices and answers about the person it has those that at least five people share"
        )
        if not any(self.withheld.values()):
            return f"{beginning}: all of them."
        counts = ", ".join(f"{name} {n:,}" for name, n in self.withheld.items() if n)
        return f"{beginning}; {sum(self.withheld.values()):,} others are left blank ({counts})."


def published_participants(study: Study, names: Mapping[str, str]) -> PublishedPeople:
    """A row for each of `names`, which are published names by pseudonym, in their order."""
    questions = _questions_with_options(study)
    people = study.participations.exclude(status=Participation.Status.WITHDRAWN).order_by("pseudonym").values_list(
        "pk", "pseudonym", "status", "consented_at", "finished_at", "device", "is_verified", "demographics", named=True
    )  # fmt: skip
    unseen = unseen_by_participation(study)
    about = ["device", *questions.columns]
    fixed, answers = [], []
    for row in people.iterator(ROWS_PER_CHUNK):
        if row.pseudonym not in names:
            continue
        time = time_taken(row.consented_at, row.finished_at)
        minutes = "" if time is None else minutes_text(time)
        fixed.append(
            (names[row.pseudonym], row.status, minutes, "1" if row.is_verified else "0", unseen.get(row.pk, 0))
        )
        answers.append([row.device or "", *questions.cells(row.demographics)])
    counts = [Counter(column) for column in zip(*answers, strict=True)]
    shared = [[cell if counts[place][cell] >= LEAST_ALIKE else "" for place, cell in enumerate(row)] for row in answers]
    withheld = {
        name: sum(bool(row[place]) and not kept[place] for row, kept in zip(answers, shared, strict=True))
        for place, name in enumerate(about)
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
