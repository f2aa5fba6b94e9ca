"""The judgments of one question as tables in parts, with what is known beside each answer."""

from __future__ import annotations

import datetime as dt
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from django.db.models import Max

from agreement.cleaning.decided_by_hand import Decision
from agreement.files.numbers import number_column
from agreement.files.table import Column, Encoder, Mask, encode
from agreement.judgments.crowd import (
    CONFIDENCE,
    COULD_NOT_SEE,
    ITEMS_A_PAGE,
    MEDIA_USE,
    SERVER_MS,
    SHOWN_ORDER,
    SHOWN_POSITION,
)
from agreement.kinds.data import data_of
from annotation.database.rows import chunks
from annotation.models import Assignment, Judgment, Study
from annotation.models.judgment import JudgmentQuerySet
from annotation.releases.actions.freezing import decisions_by_hand, frozen_keys
from annotation.releases.actions.rule_sets import rules_of
from annotation.releases.from_database.judgment_rows import (
    BesideAnswers,
    Longs,
    Rows,
    counted_judgments,
    frozen_judgments,
    no_rows,
    rows_in_parts,
    unseen_by_person_in,
)
from annotation.releases.models import Exclusion, GoldRelease, Verdict

Table = dict[str, Column]
NOT_KEPT, KEPT = "0", "1"
NUMBER = "assignment_id"
# The columns that every kind of question has.
BEGINNING = (
    "worker_id", "item_id", "value", "kind", "check", "response_ms", "submitted_at", NUMBER, "kept", "reason",
)  # fmt: skip
_BLANK = ("",)


def study_of(source: Study | GoldRelease) -> Study:
    study: Study = source if isinstance(source, Study) else source.study
    return study


@dataclass(frozen=True, slots=True, eq=False)
class _RowsByKey:
    """What is known of people, items or assignments by their primary keys, which are sorted."""

    keys: Longs
    columns: Mapping[str, Column]  # a row per key

    @classmethod
    def of(cls, keys: Sequence[int], **texts: Iterable[str]) -> _RowsByKey:
        columns = {name: encode(of_keys, len(keys)) for name, of_keys in texts.items()}
        return cls(np.array(keys, dtype=np.int64), columns)

    def column(self, name: str, positions: npt.NDArray[np.intp]) -> Column:
        """With the texts of all keys, the same list for every part: they are written once."""
        column = self.columns[name]
        return Column(column.codes[positions], column.values, column.is_plain)


@dataclass(frozen=True, slots=True, eq=False)
class JudgmentTables:
    """Some judgments of one question as tables, with what is known beside their answers."""

    study: Study
    judgments: JudgmentQuerySet
    only: Longs | None
    people: _RowsByKey
    sees_all: bool
    items: _RowsByKey
    assignments: _Assignments
    labels: tuple[str, ...]

    @classmethod
    def of(cls, source: Study | GoldRelease, which: JudgmentQuerySet | None = None) -> JudgmentTables:
        """All that a release has, or that count in a study; of a study those `which` are asked for."""
        study = study_of(source)
        counted = counted_judgments(source) if isinstance(source, Study) else frozen_judgments(source.run)
        judgments = counted if which is None else which
        only = None if isinstance(source, Study) else frozen_keys(source.run)
        people, sees_all = _people(source, study)
        assignments = _Assignments.of(study, judgments, only)
        labels = tuple(study.labels.order_by("position").values_list("value", flat=True))
        return cls(study, judgments, only, people, sees_all, _items(study), assignments, labels)

    def names(self) -> list[str]:
        """The columns, without a look at any answer; none where there is no judgment."""
        if not self.judgments.exists() or (self.only is not None and not len(self.only)):
            return []
        return list(self._table(no_rows(self.study), BesideAnswers.of_none(self.study))[0])

    def parts(self) -> Iterator[tuple[Table, Mask]]:
        """Each with the judgments [J] of it that are kept."""
        beside = BesideAnswers.of(self.study)
        for part in rows_in_parts(self.judgments, self.study, only=self.only):
            yield self._table(part, beside)

    def _table(self, part: Rows, beside: BesideAnswers) -> tuple[Table, Mask]:
        data, people, items = data_of(self.study.kind), self.people, self.items
        answers = data.cells(*data.from_database(part.answers, self.labels))
        person, item = np.searchsorted(people.keys, part.participation), np.searchsorted(items.keys, part.item)
        kept = people.column("kept", person)
        number, by_the_server = self.assignments.of_part(part)
        table = {
            "worker_id": people.column("worker_id", person),
            "item_id": items.column("item_id", item),
            "value": answers.pop("value", Column(np.zeros(len(part.item), dtype=np.int32), _BLANK)),
            "kind": items.column("kind", item),
            "check": items.column("check", item),
            "response_ms": number_column(part.response_ms),
            "submitted_at": _minutes(part),
            **number,
            "kept": kept,
            "reason": people.column("reason", person),
            **answers,
            **by_the_server,
            **_shown(beside.shown_of(part.judgment)),
            **({} if self.sees_all else {COULD_NOT_SEE: people.column(COULD_NOT_SEE, person)}),
            **_confidence(beside.confidence_of(part.judgment)),
            **_media_use(beside.media_use_of(part.judgment)),
        }
        return table, np.array([text == KEPT for text in kept.values], dtype=np.bool_)[kept.codes]


def _shown(shown: tuple[npt.NDArray[np.float64], list[str]] | None) -> Table:
    """Of items with labels of their own, where the chosen one stood and the order in which they were shown."""
    return (
        {} if shown is None else {SHOWN_POSITION: number_column(shown[0]), SHOWN_ORDER: encode(shown[1], len(shown[1]))}
    )


def _confidence(confidence: npt.NDArray[np.float64] | None) -> Table:
    return {} if confidence is None else {CONFIDENCE: number_column(confidence)}


def _media_use(use: list[str] | None) -> Table:
    return {} if use is None else {MEDIA_USE: encode(use, len(use))}


def _people(source: Study | GoldRelease, study: Study) -> tuple[_RowsByKey, bool]:
    """And whether nobody is known to have missed a picture."""
    participations = list(study.participations.order_by("pk").values_list("pk", "pseudonym"))
    reasons, unseen = _reasons(source), unseen_by_person_in(source if isinstance(source, Study) else source.run)
    people = _RowsByKey.of(
        [key for key, _ in participations],
        worker_id=[who for _, who in participations],
        reason=[reasons.get(who, "") for _, who in participations],
        kept=[NOT_KEPT if reasons.get(who) else KEPT for _, who in participations],
        **{COULD_NOT_SEE: [str(unseen.get(who, 0)) for _, who in participations]},
    )
    return people, not any(unseen.get(who) for _, who in participations)


def _items(study: Study) -> _RowsByKey:
    keys = array("q")
    item_ids: list[str] = []
    kinds, checks = Encoder(), Encoder()
    rows = study.items.within_results().values_list("pk", "item_id", "kind", "check_name")
    for portion in chunks(rows.order_by("pk").iterator()):
        keys.extend(row[0] for row in portion)
        item_ids.extend(row[1] for row in portion)
        kinds.extend((row[2] for row in portion), len(portion))
        checks.extend((row[3] or "" for row in portion), len(portion))
    columns = {"item_id": _column_of_distinct_texts(item_ids), "kind": kinds.column(), "check": checks.column()}
    return _RowsByKey(np.array(keys, dtype=np.int64), columns)


def _column_of_distinct_texts(texts: list[str]) -> Column:
    """A column of texts that the database keeps distinct."""
    return Column(np.arange(len(texts), dtype=np.int32), texts)


def _reasons(source: Study | GoldRelease) -> dict[str, str]:
    """Why a worker is excluded, by pseudonym: what a cleaning of the same judgments says."""
    if isinstance(source, Study):
        in_force = Exclusion.objects.in_force().filter(participation__study=source)
        rows = in_force.values_list("participation__pseudonym", "reason", "run")
        return {who: str(Decision(kept=False, why=why, by_earlier_run=bool(run))) for who, why, run in rows}
    run = source.run
    failed: dict[str, list[str]] = {}
    verdicts = Verdict.objects.filter(run=run, outcome=Verdict.Outcome.FAILED)
    failures = set(verdicts.values_list("participation__pseudonym", "rule"))
    for rule in rules_of(run.rule_set).on_workers:
        for who, name in failures:
            if name == str(rule)[: Verdict._meta.get_field("rule").max_length]:
                failed.setdefault(who, []).append(f"failed {rule}")
    for who, decision in decisions_by_hand(run).items():
        failed[who] = [] if decision.kept else [*failed.get(who, []), str(decision)]
    return {who: "; ".join(reasons) for who, reasons in failed.items() if reasons}


def _minutes(part: Rows) -> Column:
    """As a file that may be published says when: in UTC, cut to the minute."""
    moments, codes = np.unique(part.created_at.astype("datetime64[m]"), return_inverse=True)
    texts = np.datetime_as_string(moments, unit="m", timezone="UTC").tolist()
    return Column(codes.reshape(-1).astype(np.int32), texts)


@dataclass(frozen=True, slots=True, eq=False)
class _Assignments:
    """Running numbers within the study, and what the server knows of them: where it is anything."""

    known: _RowsByKey
    is_timed: bool

    @classmethod
    def of(cls, study: Study, judgments: JudgmentQuerySet, only: Longs | None) -> _Assignments:
        assignments = Assignment.objects.filter(participation__study=study).order_by("pk")
        rows = list(assignments.values_list("pk", "claimed_at", "items_per_page").iterator())
        keys = np.array([row[0] for row in rows], dtype=np.int64)
        number = Column(
            np.arange(len(rows), dtype=np.int32),
            [str(number_of_row) for number_of_row in range(1, len(rows) + 1)],
            is_plain=True,
        )
        items = np.array([np.nan if row[2] is None else row[2] for row in rows], dtype=np.float64)
        # Each of the others looks through all judgments where none is timed, and the first tells that before.
        if np.isnan(items).all():
            last = None
        elif only is None:
            last = _last_answers(judgments)
        else:
            last = _last_among(only, judgments, study, keys[~np.isnan(items)])
        if last is None:
            return cls(_RowsByKey(keys, {NUMBER: number}), is_timed=False)
        took = np.array([_milliseconds(claimed_at, last.get(key)) for key, claimed_at, _ in rows], dtype=np.float64)
        columns = {
            NUMBER: number,
            SERVER_MS: number_column(np.where(np.isnan(items), np.nan, took)),
            ITEMS_A_PAGE: number_column(items),
        }
        return cls(_RowsByKey(keys, columns), is_timed=True)

    def of_part(self, part: Rows) -> tuple[Table, Table]:
        """The number, and what the server knows."""
        positions = np.searchsorted(self.known.keys, part.assignment)
        number = {NUMBER: self.known.column(NUMBER, positions)}
        if not self.is_timed:
            return number, {}
        columns = {name: self.known.column(name, positions) for name in (SERVER_MS, ITEMS_A_PAGE)}
        if part.is_simulated.any():
            columns = {
                name: Column(np.where(part.is_simulated, -1, column.codes), column.values, is_plain=True)
                for name, column in columns.items()
            }
        return number, columns


def _last_answers(judgments: JudgmentQuerySet) -> dict[int, dt.datetime] | None:
    """When the last answer of each assignment came, by its key; None where no assignment is timed."""
    timed = judgments.exclude(input_kind=Judgment.InputKind.SIMULATED)
    if not timed.filter(assigned_item__assignment__items_per_page__isnull=False).order_by().exists():
        return None
    return dict(judgments.order_by().values_list("assigned_item__assignment").annotate(last=Max("created_at")))


def _last_among(
    only: Longs, judgments: JudgmentQuerySet, study: Study, with_pages: Longs
) -> dict[int, dt.datetime] | None:
    """The same of the judgments with the keys `only`; `with_pages` are the assignments whose pages are known."""
    last = np.full(len(with_pages), np.datetime64("NaT", "us"))
    is_timed = False
    for part in rows_in_parts(judgments, study, only=only):
        is_known = np.isin(part.assignment, with_pages)
        is_timed = is_timed or bool(np.any(is_known & ~part.is_simulated))
        np.fmax.at(last, np.searchsorted(with_pages, part.assignment[is_known]), part.created_at[is_known])
    if not is_timed:
        return None
    is_answered = ~np.isnat(last)
    moments = [end.replace(tzinfo=dt.UTC) for end in last[is_answered].tolist()]
    return dict(zip(with_pages[is_answered].tolist(), moments, strict=True))


def _milliseconds(begin: dt.datetime, end: dt.datetime | None) -> float:
    return np.nan if end is None else float(np.round(max((end - begin) / dt.timedelta(milliseconds=1), 0.0)))
