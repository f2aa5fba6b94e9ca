"""Begins a cleaning run: the judgments that it looks at are fixed in one statement, before anything is computed."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.models import Max

from agreement.cleaning.decided_by_hand import ByHand, Decision
from agreement.frames import counted, unseen_by_person
from agreement.models import CleaningRun, Exclusion, PropertyCode, RunMember, StoredRuleSet
from annotation.models import AuditEntry, Job, Judgment, Study


def begin_run(*, study: Study, rule_set: StoredRuleSet, job: Job) -> CleaningRun:
    """The job's run with its members frozen; call it inside the job's own transaction.

    One INSERT … SELECT sees one moment: ids don't commit in order, so "all up to the highest id" would let an answer
    in later that was given before.
    """
    run = CleaningRun.objects.create(
        study=study,
        rule_set=rule_set,
        job=job,
        created_by=job.created_by,
        counts=_as_it_stands(study),
    )
    select, parameters = counted(study).order_by().values_list("uuid").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {RunMember._meta.db_table} (run_id, judgment_uuid) "  # noqa: S608 - our own names
            # In the index's order: a million took 1.9 s and not 5.3 s, for which others wait to write on SQLite.
            f"SELECT %s, frozen.uuid FROM ({select}) AS frozen ORDER BY frozen.uuid",
            [run.pk, *parameters],
        )
        members = cursor.rowcount
    AuditEntry.objects.create(
        study=study,
        by=job.created_by,
        action=AuditEntry.Action.CLEANED,
        detail={"run": str(run.uuid), "rules": rule_set.name, "sha256": rule_set.sha256, "judgments": members},
    )
    return run


def _as_it_stands(study: Study) -> dict[str, Any]:
    """What the run is to go by, and what tells later whether its results are out of date (results.py)."""
    return {
        "by_hand": by_hand_as_json(by_hand_now(study)),
        "excluded_by_runs": excluded_by_runs(study),
        "could_not_see": unseen_by_person(study),
        "last_judgment": Judgment.objects.aggregate(last=Max("pk"))["last"] or 0,
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


def by_hand_as_json(by_hand: ByHand) -> list[list[Any]]:
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
