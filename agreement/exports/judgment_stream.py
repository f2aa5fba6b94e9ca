"""judgments.csv of a study of any size: a part of the judgments in memory at a time.

What a cleaning run decided of each worker is read from its verdicts; only a rule that drops single answers needs all
answers at once (`is_streamed`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from django.db.models import Max

from agreement.actions.freezing import by_hand_of
from agreement.actions.rule_sets import rules_of
from agreement.cleaning.decided_by_hand import Decision
from agreement.crowd import COULD_NOT_SEE, ITEMS_A_PAGE, SERVER_MS
from agreement.frames.counted_judgments import counted, members_of, unseen_in
from agreement.frames.judgment_rows import Longs, Rows, rows_in_parts
from agreement.models import CleaningRun, Exclusion, GoldRelease, Verdict
from annotation.models import Assignment, Item, Judgment, Study
from annotation.models.judgment import JudgmentQuerySet
from questions.data import data_of
from tables.numbers import number_column
from tables.table import Column, Mask

Table = dict[str, Column]
NOT_KEPT_OR_KEPT = ("0", "1")


def is_streamed(source: Study | GoldRelease) -> bool:
    """Whether what became of each judgment follows from its worker alone."""
    if isinstance(source, Study):
        return True
    rules = rules_of(source.run.rule_set)
    return not rules.on_rows and not rules.drop_unchecked


@dataclass(frozen=True, slots=True, eq=False)
class _Names:
    """A column's texts by the primary keys of what they are of, which are sorted."""

    keys: Longs
    texts: list[str]

    @classmethod
    def of(cls, found: Mapping[int, str]) -> _Names:
        keys = np.array(sorted(found), dtype=np.int64)
        return cls(keys, [found[key] for key in keys.tolist()])

    def column(self, keys: Longs) -> Column:
        """With the texts of these keys alone: whoever writes the column makes a cell of each of its texts."""
        used, codes = np.unique(np.searchsorted(self.keys, keys), return_inverse=True)
        return Column(codes.reshape(-1).astype(np.int32), [self.texts[at] for at in used.tolist()])


def judgment_parts(source: Study | GoldRelease) -> Iterator[tuple[Table, Mask]]:
    """The table in parts, each with the judgments [J] of it that are kept."""
    study = source if isinstance(source, Study) else source.study
    judgments = counted(source) if isinstance(source, Study) else members_of(source.run)
    people = dict(study.participations.values_list("pk", "pseudonym"))
    reasons = _reasons(source)
    worker, reason = _Names.of(people), _Names.of({key: reasons.get(who, "") for key, who in people.items()})
    items = study.items.exclude(kind=Item.Kind.PRACTICE).values_list("pk", "item_id", "kind", "check_name")
    rows = list(items.order_by("pk").iterator())
    item, kind, check = (_Names.of({row[0]: str(row[at] or "") for row in rows}) for at in (1, 2, 3))
    assignments = _Assignments.of(study, judgments)
    labels = tuple(study.labels.order_by("position").values_list("value", flat=True))
    data, unseen = data_of(study.kind), _unseen(source, people)
    for part in rows_in_parts(judgments, study):
        answers = data.cells(*data.from_database(part.answers, labels))
        why = reason.column(part.participation)
        kept = np.array([not text for text in [*why.values, ""]])[why.codes]
        extras = {"response_ms": number_column(part.response_ms), "submitted_at": _minutes(part)}
        table = {
            "worker_id": worker.column(part.participation),
            "item_id": item.column(part.item),
            "value": answers.pop("value", Column(np.zeros(len(part.item), dtype=np.int32), [""])),
            "kind": kind.column(part.item),
            "check": check.column(part.item),
            **extras,
            "assignment_id": assignments.number.column(part.assignment),
            "kept": Column(kept.astype(np.int32), NOT_KEPT_OR_KEPT, is_plain=True),
            "reason": why,
            **answers,
            **assignments.by_the_server(part),
            **({} if unseen is None else {COULD_NOT_SEE: unseen.column(part.participation)}),
        }
        yield table, kept


def _reasons(source: Study | GoldRelease) -> dict[str, str]:
    """Why a worker is excluded, by pseudonym: what a cleaning of the same judgments says."""
    if isinstance(source, Study):
        in_force = Exclusion.objects.in_force().filter(participation__study=source)
        rows = in_force.values_list("participation__pseudonym", "reason", "run")
        return {who: str(Decision(kept=False, why=why, by_earlier_run=bool(run))) for who, why, run in rows}
    run = source.run
    failed: dict[str, list[str]] = {}
    verdicts = Verdict.objects.filter(run=run, outcome=Verdict.Outcome.FAILED)
    found = set(verdicts.values_list("participation__pseudonym", "rule"))
    for rule in rules_of(run.rule_set).on_workers:
        for who, name in found:
            if name == str(rule)[: Verdict._meta.get_field("rule").max_length]:
                failed.setdefault(who, []).append(f"failed {rule}")
    for who, decision in by_hand_of(run).items():
        failed[who] = [] if decision.kept else [*failed.get(who, []), str(decision)]
    return {who: "; ".join(reasons) for who, reasons in failed.items() if reasons}


def _unseen(source: Study | GoldRelease, people: Mapping[int, str]) -> _Names | None:
    of: Study | CleaningRun = source if isinstance(source, Study) else source.run
    counts = unseen_in(of)
    there = [who for who in people.values() if counts.get(who)]
    return _Names.of({key: str(counts.get(who, 0)) for key, who in people.items()}) if there else None


def _minutes(part: Rows) -> Column:
    """As a file that may be published says when: in UTC, cut to the minute."""
    moments, codes = np.unique(part.created_at.astype("datetime64[m]"), return_inverse=True)
    texts = np.datetime_as_string(moments, unit="m", timezone="UTC").tolist()
    return Column(codes.reshape(-1).astype(np.int32), texts)


@dataclass(frozen=True, slots=True, eq=False)
class _Assignments:
    """Running numbers within the study; `took_ms` and `items_a_page` [A] where the server knows them of anybody."""

    number: _Names
    took_ms: npt.NDArray[np.float64] | None
    items_a_page: npt.NDArray[np.float64]

    @classmethod
    def of(cls, study: Study, judgments: JudgmentQuerySet) -> _Assignments:
        begun = Assignment.objects.filter(participation__study=study).order_by("pk")
        rows = list(begun.values_list("pk", "claimed_at", "items_per_page").iterator())
        number = _Names(np.array([row[0] for row in rows], dtype=np.int64), [str(at) for at in range(1, len(rows) + 1)])
        items = np.array([np.nan if row[2] is None else row[2] for row in rows], dtype=np.float64)
        timed = judgments.exclude(input_kind=Judgment.InputKind.SIMULATED)
        timed = timed.filter(assigned_item__assignment__items_per_page__isnull=False)
        # The second is a scan of all judgments where nothing is found, and the first tells that before.
        if np.isnan(items).all() or not timed.order_by().exists():
            return cls(number, None, items)
        last = dict(judgments.order_by().values_list("assigned_item__assignment").annotate(last=Max("created_at")))
        took = [_milliseconds(claimed_at, last.get(key)) for key, claimed_at, _ in rows]
        return cls(number, np.array(took, dtype=np.float64), items)

    def by_the_server(self, part: Rows) -> Table:
        if self.took_ms is None:
            return {}
        at = np.searchsorted(self.number.keys, part.assignment)
        is_known = ~np.isnan(self.items_a_page[at]) & ~part.is_simulated
        return {
            SERVER_MS: number_column(np.where(is_known, self.took_ms[at], np.nan)),
            ITEMS_A_PAGE: number_column(np.where(is_known, self.items_a_page[at], np.nan)),
        }


def _milliseconds(begin: dt.datetime, end: dt.datetime | None) -> float:
    return np.nan if end is None else float(np.round(max((end - begin) / dt.timedelta(milliseconds=1), 0.0)))
