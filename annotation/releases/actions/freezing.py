"""Begins a cleaning run: the judgments that it looks at are read by one statement and then fixed."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils import timezone

from agreement.cleaning.decided_by_hand import ByHand, Decision
from agreement.typed_json import Json, JsonObject
from annotation.database.rows import settled_up_to
from annotation.jobs import Progress
from annotation.models import AuditEntry, Job, Judgment, Study
from annotation.releases.from_database.counted_judgments import counted, unseen_by_person
from annotation.releases.frozen_sets import PORTION, SETTLED, portion_of
from annotation.releases.models import CleaningRun, Exclusion, PropertyCode, StoredRuleSet

if TYPE_CHECKING:
    from annotation.releases.from_database.reading_judgments import Frame

FROZEN = "judgments_frozen"  # how many there are, in the run's counts, once all of them are stored


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A study's judgments as they were read once, for a question about them and then for the run."""

    at: dt.datetime
    counts: JsonObject
    frame: Frame

    def holds_for(self, run: CleaningRun) -> bool:
        """Whether nothing but answers has come since: those the run doesn't know of, and will be said to lack."""
        return self.counts == run.counts and not run.study.participations.left_since(self.at).exists()


def look_at(study: Study) -> Look:
    from annotation.releases.from_database.reading_judgments import (
        frame_of,  # with pandas, without which an export of judgments starts
    )

    at, counts = timezone.now(), _as_it_stands(study)
    return Look(at, counts, frame_of(CleaningRun(study=study, counts=counts), counted(study)))


def begin_run(*, study: Study, rule_set: StoredRuleSet, job: Job, look: Look | None = None) -> CleaningRun:
    """The job's run, whose judgments `freeze` stores; call it inside the job's own transaction."""
    counts = _as_it_stands(study)
    if look is not None:
        counts[SETTLED] = look.counts[SETTLED]
    return CleaningRun.objects.create(study=study, rule_set=rule_set, job=job, created_by=job.created_by, counts=counts)


def freeze(*, run: CleaningRun, frame: Frame, progress: Progress) -> None:
    """Stores which judgments the run looks at: those of `frame`, which one statement has read. It sees one moment,
    where ids don't commit in order: "all up to the highest id" would let an answer in later that was given before.

    In short transactions, for others wait to write on SQLite; until the last the run counts as not frozen.
    """
    for begun in list(run.frozen.values_list("pk", flat=True)):  # of an attempt that ended in the middle
        with progress.writing():
            run.frozen.filter(pk=begun).delete()
    frozen = 0
    for position, first in enumerate(range(0, len(frame.judgments), PORTION)):
        portion = portion_of(run, position, frame.judgments[first : first + PORTION].tolist())
        frozen += len(portion.keys)
        with progress.writing():
            portion.save(force_insert=True)
    with progress.writing():
        run.counts = {**run.counts, FROZEN: frozen}
        run.save(update_fields=["counts"])
        rules = {"rules": run.rule_set.name, "sha256": run.rule_set.sha256}
        AuditEntry.objects.create(
            study=run.study,
            by=run.created_by,
            action=AuditEntry.Action.CLEANED,
            detail={"run": str(run.uuid), **rules, "judgments": frozen},
        )


def _as_it_stands(study: Study) -> JsonObject:
    """What the run is to go by, and what tells later whether its results are out of date (out_of_date.py)."""
    return {
        "by_hand": by_hand_as_json(by_hand_now(study)),
        "excluded_by_runs": excluded_by_runs(study),
        "could_not_see": unseen_by_person(study),
        SETTLED: settled_up_to(Judgment),
        "counts_late_answers": study.counts_late_answers,
        **(
            {"coding": PropertyCode.objects.of_study(study).last_revision()}
            if study.question_kind.has_properties
            else {}
        ),
        "is_pilot": study.status == Study.Status.PILOTING,
    }


def by_hand_of(run: CleaningRun) -> dict[str, Decision]:
    """What had been decided beside the rules when the run began; once it is done, who stays excluded too."""
    return {who: Decision(kept, why, *more) for who, kept, why, *more in run.counts.get("by_hand", [])}


def by_hand_as_json(by_hand: ByHand) -> list[list[Json]]:
    return [[who, decision.kept, decision.why, decision.by_earlier_run] for who, decision in by_hand.items()]


def excluded_by_runs(study: Study) -> dict[str, str]:
    """Whom a cleaning run excluded, with the reason, while that is in force."""
    in_force = Exclusion.objects.in_force().filter(participation__study=study, run__isnull=False)
    return dict(in_force.order_by("participation__pseudonym").values_list("participation__pseudonym", "reason"))


def by_hand_now(study: Study) -> dict[str, Decision]:
    """A worker is excluded while an exclusion by hand is in force, and kept once a run's was lifted by a person.

    A person's last word counts: an exclusion that a later run lifted by itself says nothing of the next run.
    """
    decisions: dict[str, Decision] = {}
    exclusions = Exclusion.objects.filter(participation__study=study).select_related("participation")
    for exclusion in exclusions.order_by("created_at", "pk"):
        decisions.pop(exclusion.participation.pseudonym, None)
        if exclusion.lifted_at is None and exclusion.run_id is None:
            decisions[exclusion.participation.pseudonym] = Decision(kept=False, why=exclusion.reason)
        elif exclusion.lifted_at and exclusion.run_id and exclusion.lifted_by_run_id is None:
            decisions[exclusion.participation.pseudonym] = Decision(kept=True, why=exclusion.lift_reason)
    return dict(sorted(decisions.items()))
