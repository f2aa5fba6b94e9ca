"""What models' answers in their own words stand for: read of all models of a study, decided by researchers."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from django.db import transaction

from agreement.errors import Refused
from agreement.scoring.answer_mapping.mapping_table import (
    BY_HAND,
    NO_TABLE,
    AnswerTable,
    Checked,
    TableRow,
    draw_sample,
    read_tables,
    why_no_value,
)
from agreement.scoring.probe import StudyItems
from annotation.models import AuditEntry, Study, User
from annotation.releases.actions.scoring_probes import probe_of, study_items_of
from annotation.releases.models import AnswerDecision

SAMPLE = 50  # answers of the sample that a researcher checks
SEED = 1
MOST_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class MappedStudy:
    """What all models' answers are mapped to: with the decisions, and by the rules alone."""

    items: StudyItems
    table: AnswerTable
    by_rules: AnswerTable
    models: int  # whose answers were mapped

    def sample(self) -> list[TableRow]:
        """The answers that a researcher is asked to check, by what the rules made of them."""
        return draw_sample(self.by_rules, SAMPLE, SEED)


def mapped_answers(study: Study) -> MappedStudy:
    """Of all models together, the most frequent unmapped answers first."""
    items = study_items_of(study)
    without = replace(items, answer_table=NO_TABLE)
    stored = list(study.probes.select_related("file").order_by("pk"))
    decided, by_rules = (
        [probe for probe in (probe_of(one, read_as) for one in stored) if probe.answers is not None]
        for read_as in (items, without)
    )
    table, table_of_rules = (_joined([probe.answer_table for probe in probes]) for probes in (decided, by_rules))
    return MappedStudy(items, table, table_of_rules, models=len(decided))


def _joined(tables: Sequence[AnswerTable]) -> AnswerTable:
    """One table of several models': an answer that two of them gave has one row."""
    counts: Counter[TableRow] = Counter()
    for row in (row for table in tables for row in table.rows):
        counts[replace(row, count=0)] += row.count
    rows = [replace(row, count=times) for row, times in counts.items()]
    return AnswerTable(tuple(sorted(rows, key=lambda row: (row.rule != "none", -row.count, row.answer, row.value))))


def checked_sample(study: Study, sample: Sequence[TableRow]) -> Checked:
    """How many of the sample a researcher has checked, and how many of these the rules had right."""
    found = dict(study.answer_decisions.exclude(checked="").values_list("answer", "checked"))
    marks = [found[row.answer] for row in sample if row.answer in found]
    return Checked(sum(mark == AnswerDecision.Checked.RIGHT for mark in marks), len(marks))


def decide_answers(
    *, study: Study, values: Mapping[str, str], by: User | None, checked: Mapping[str, str] | None = None
) -> int:
    """Keeps what answers stand for, in all models alike; all of them or none. Returns how many are new or changed.

    `checked` says of answers of the sample whether the rules had them right. Scores change when models are scored next.
    """
    if len(values) > MOST_AT_ONCE:
        raise Refused(f"{len(values):,} answers are decided at once; {MOST_AT_ONCE:,} are the most.")
    space = study_items_of(study).answer_space
    reasons = [f"{answer[:60]!r}: {why}" for answer, value in values.items() if (why := why_no_value(value, space))]
    if reasons:
        raise Refused(reasons)
    changed = 0
    with transaction.atomic():
        # The race: two researchers decide on one answer at once. The lock on the study lets the second see the first.
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        before = {one.answer_sha256: one for one in study.answer_decisions.all()}
        for answer, value in values.items():
            sha256, mark = hashlib.sha256(answer.encode()).hexdigest(), (checked or {}).get(answer, "")
            stored = before.get(sha256)
            if stored is not None and (stored.value, stored.checked) == (value, mark or stored.checked):
                continue
            defaults = {"answer": answer, "value": value, "decided_by": by, **({"checked": mark} if mark else {})}
            AnswerDecision.objects.update_or_create(
                study=study, question=study.asked_number, answer_sha256=sha256, defaults=defaults
            )
            changed += 1
        if changed:
            detail = {"what": "answers of models", "answers": changed}
            AuditEntry.objects.create(study=study, by=by, action=AuditEntry.Action.CHANGED, detail=detail)
    return changed


def decide_by_files(*, study: Study, files: Sequence[Path], by: User | None = None) -> int:
    """Keeps what tables say that a person decided or filled in; the rules make the rest again."""
    if not files:
        return 0
    table = read_tables(files, study_items_of(study).answer_space)
    return decide_answers(
        study=study, values={row.answer: row.value for row in table.rows if row.rule == BY_HAND}, by=by
    )


def forget_answers(*, study: Study, answers: Sequence[str], by: User | None) -> int:
    """Takes decisions back: the rules hold again."""
    hashes = [hashlib.sha256(answer.encode()).hexdigest() for answer in answers]
    with transaction.atomic():
        deleted, _ = study.answer_decisions.filter(answer_sha256__in=hashes).delete()
        if deleted:
            detail = {"what": "answers of models taken back", "answers": deleted}
            AuditEntry.objects.create(study=study, by=by, action=AuditEntry.Action.CHANGED, detail=detail)
    return deleted
