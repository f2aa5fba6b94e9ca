"""Rule sets as they are stored with the runs that used them, and shared with every researcher on purpose."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from agreement.cleaning.rule_set import RuleSet, built_in_names, built_in_toml, parse_rules
from agreement.errors import Refused, TouchstoneError
from annotation.database.rows import chunks
from annotation.jobs import Progress
from annotation.models import AuditEntry, Participation, Study, User
from annotation.places.allocation import COUNTED, release_places, take_back_places
from annotation.releases.models import CleaningRun, Exclusion, SharedRuleSet, StoredRuleSet, Verdict

if TYPE_CHECKING:  # exports ask here for their rules, and start without pandas
    from annotation.releases.actions.releasing import QuestionPart

# Rule sets as they are stored with the runs that used them.


def toml_of_built_in(name: str) -> str:
    """The TOML of a built-in rule set: what a request may name, which no file of this machine is."""
    if name not in built_in_names():
        raise Refused(
            f"There is no built-in rule set {name!r}. The built-in rule sets are: {', '.join(built_in_names())}."
        )
    return built_in_toml(name)


def toml_of(name_or_path: str) -> str:
    """The TOML of a built-in rule set, or of a file: for commands."""
    if name_or_path in built_in_names():
        return built_in_toml(name_or_path)
    path = Path(name_or_path)
    try:
        toml = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        known = ", ".join(built_in_names())
        raise Refused(
            f"{name_or_path}: no such rule set ({error.strerror}); give a TOML file or one of {known}"
        ) from error
    except UnicodeDecodeError as error:
        raise Refused(f"{path.name}: the file is not UTF-8 text") from error
    parse_rules(toml, source=path.name)
    return toml


def stored_rule_set(toml: str) -> StoredRuleSet:
    """The row of a rule set, found by the hash of what it says; a comment more or less makes no other rule set."""
    rules = parse_rules(toml)
    row, _ = StoredRuleSet.objects.get_or_create(sha256=rules.sha256, defaults={"name": rules.name, "toml": toml})
    return row


@dataclass(frozen=True, slots=True)
class RuleSetChoice:
    """A rule set that can be chosen: a built-in one by its name, a stored one by its hash."""

    key: str
    words: str
    sha256: str
    toml: str


def offered_rule_sets(study: Study) -> list[RuleSetChoice]:
    """The built-in rule sets, then those that the study used or that another study shares, newest first."""
    built = [(name, built_in_toml(name)) for name in built_in_names()]
    offered = [RuleSetChoice(name, name, parse_rules(toml).sha256, toml) for name, toml in built]
    known = [each.sha256 for each in offered]
    return offered + [
        RuleSetChoice(row.sha256, _words(row), row.sha256, row.toml)
        for row in StoredRuleSet.objects.of_studies_or_shared(Study.objects.filter(pk=study.pk))
        .exclude(sha256__in=known)
        .annotate(is_own=Exists(CleaningRun.objects.filter(study=study, rule_set=OuterRef("pk"))))
        .order_by("-created_at", "-pk")
    ]


def _words(row: Any) -> str:
    whose = "" if row.is_own else ", shared by another study"
    return f"{row.name} ({row.sha256[:8]}, {row.created_at:%-d %b %Y}{whose})"


def rules_of(row: StoredRuleSet) -> RuleSet:
    return parse_rules(row.toml, source=row.name)


# Sharing a study's rule set with every researcher of the site, on purpose, and no longer sharing it.


def share_rule_set(*, rule_set: StoredRuleSet, study: Study, by: User | None) -> bool:
    """Everybody who signs in may read and use it from now on. Says whether it was not shared before."""
    if not CleaningRun.objects.filter(rule_set=rule_set, study=study).exists():
        raise Refused(f"{study} has not used {rule_set}: only a study that used a rule set can share it.")
    with transaction.atomic():
        _shared, is_new = SharedRuleSet.objects.get_or_create(rule_set=rule_set, study=study, defaults={"by": by})
        if is_new:
            _record_sharing(rule_set, study, by, "everybody on this site")
    return is_new


def stop_sharing_rule_set(*, rule_set: StoredRuleSet, study: Study, by: User | None) -> bool:
    """Other studies keep it where their runs used it: what they did with it stays reproducible."""
    with transaction.atomic():
        deleted, _ = SharedRuleSet.objects.filter(rule_set=rule_set, study=study).delete()
        if deleted:
            _record_sharing(rule_set, study, by, "the studies that used it")
    return bool(deleted)


def _record_sharing(rule_set: StoredRuleSet, study: Study, by: User | None, readers: str) -> None:
    detail = {"rule set": rule_set.name, "sha256": rule_set.sha256, "read by": readers}
    AuditEntry.objects.create(study=study, by=by, action=AuditEntry.Action.SHARED, detail=detail)


# Stores what a run found of each worker, excludes workers and includes them again; places open and close.

# Excludes workers and includes them again; their places open, and close again, where the study refills.


class AlreadyExcluded(TouchstoneError):
    """The worker is excluded already."""


class AlreadyLifted(TouchstoneError):
    """Somebody lifted this exclusion before."""


@dataclass(frozen=True, slots=True)
class LiftedExclusion:
    """What lifting did: how many places are the worker's again, and how many answers are beyond their items' target."""

    exclusion: Exclusion
    places_closed: int
    surplus: int


def exclude(
    *,
    participation: Participation,
    reason: str,
    by: User | None,
    run: CleaningRun | None = None,
    refill: bool | None = None,
) -> Exclusion:
    """Excludes a worker, by hand or for a run. It changes no answer, no verdict and no pay.

    `refill` says whether their places open for others; None: as the study's setup says.
    """
    if not reason.strip():
        raise Refused("An exclusion needs a reason. The reason is recorded, so that it can be explained to the worker.")
    study = participation.study
    with transaction.atomic():
        try:
            with transaction.atomic():
                exclusion = Exclusion.objects.create(
                    participation=participation, run=run, reason=reason.strip(), created_by=by
                )
        except IntegrityError as error:  # one in force a worker: two people pressed at once, or a job runs again
            raise AlreadyExcluded(f"{participation} is excluded already.") from error
        opened, now = 0, timezone.now()
        # The race: the person asks for the next assignment. This waits for that, and what it claimed is given back too.
        Participation.objects.filter(pk=participation.pk).update(set_aside_at=now)
        if study.refills_after_exclusion if refill is None else refill:
            opened = release_places(participation=participation, moment=now)
        detail = {"participation": participation.pseudonym, "places_opened": opened}
        if run is not None:
            detail |= {"run": str(run.uuid), "rules": run.rule_set.name, "sha256": run.rule_set.sha256}
        _record_exclusion(participation, AuditEntry.Action.EXCLUDED, by, exclusion.reason, detail)
    return exclusion


def lift(*, exclusion: Exclusion, reason: str, by: User | None, run: CleaningRun | None = None) -> LiftedExclusion:
    """Includes a worker again: the next run keeps them, whatever its rules say (unless a `run` lifts it, by its rules).

    The places that they had filled close again. Those that others hold by now stay theirs: the surplus is recorded.
    """
    if not reason.strip():
        raise Refused("Including a worker again needs a reason. The reason is recorded.")
    with transaction.atomic():
        # Compare-and-set: of two people who lift at once, one is told so.
        in_force = Exclusion.objects.in_force().filter(pk=exclusion.pk)
        if not in_force.update(lifted_at=timezone.now(), lifted_by=by, lifted_by_run=run, lift_reason=reason.strip()):
            raise AlreadyLifted("This worker was already included again.")
        person = _locked_participation(exclusion.participation_id)
        closed, surplus = _places_closed_again(person)
        Participation.objects.filter(pk=person.pk).update(set_aside_at=None)
        detail = {"participation": person.pseudonym, "places_closed": closed, "surplus": surplus}
        if run is not None:
            detail |= {"run": str(run.uuid)}
        _record_exclusion(exclusion.participation, AuditEntry.Action.LIFTED, by, reason.strip(), detail)
    exclusion.refresh_from_db()
    return LiftedExclusion(exclusion, closed, surplus)


def keep_after_looking(*, participation: Participation, by: User, is_kept: bool = True) -> None:
    """Notes that somebody looked at answers that seemed careless and keeps the person, or takes that back."""
    with transaction.atomic():
        Participation.objects.filter(pk=participation.pk).update(looked_at=timezone.now() if is_kept else None)
        detail: dict[str, object] = {"looked at": participation.pseudonym, "kept": is_kept}
        _record_exclusion(participation, AuditEntry.Action.CHANGED, by, "", detail)


def _locked_participation(participation: int) -> Participation:
    """The race: the person withdraws or goes on judging at this moment; they wait for us, or we see it."""
    people = Participation.objects.select_for_update(no_key=True, of=("self",)).select_related("study")
    return people.get(pk=participation)


def _places_closed_again(person: Participation) -> tuple[int, int]:
    """How many of their places are theirs again, and how many of their answers are beyond the target."""
    counts = person.is_pilot == (person.study.status == Study.Status.PILOTING) and person.status in COUNTED
    if person.set_aside_at is None or not counts:
        return 0, 0
    return take_back_places(participation=person, released_at=person.set_aside_at)


def _record_exclusion(
    participation: Participation, action: AuditEntry.Action, by: User | None, why: str, detail: dict[str, object]
) -> None:
    AuditEntry.objects.create(study=participation.study, by=by, action=action, why=why, detail=detail)


# Stores what a run found of each worker, and excludes those who failed, in many short transactions.

VERDICTS_A_TRANSACTION = 1000


def store_verdicts(*, run: CleaningRun, parts: Sequence[QuestionPart], progress: Progress) -> None:
    """Every rule's verdict on every worker, with its evidence. A run that began again starts from none."""
    with progress.writing():
        run.verdicts.all().delete()
    verdicts = (verdict for part in parts for verdict in _verdicts(part))
    for portion in chunks(verdicts, VERDICTS_A_TRANSACTION):
        with progress.writing():
            Verdict.objects.bulk_create(portion)


def _verdicts(part: QuestionPart) -> Iterator[Verdict]:
    for verdicts in part.cleaning.verdicts:
        for worker, participation in enumerate(part.frame.participations.tolist()):
            yield Verdict(
                run=part.run,
                participation_id=participation,
                question=part.number,
                rule=str(verdicts.rule)[:200],
                outcome=verdicts.of(worker),
                evidence=[asdict(answer) for answer in verdicts.evidence.get(worker, ())],
            )


def exclude_failed(
    *,
    run: CleaningRun,
    parts: Sequence[QuestionPart],
    include_again: Collection[str],
    refill: bool | None,
    progress: Progress,
) -> None:
    """Excludes who failed at any question, and includes those in `include_again` whom an earlier run excluded and this
    one keeps; a second time changes nothing.
    """
    reasons: dict[int, str] = {}
    kept: set[int] = set()
    for part in parts:
        cleaning, people_of = part.cleaning, part.frame.participations
        for worker in np.flatnonzero(~cleaning.worker_kept).tolist():
            reasons.setdefault(int(people_of[worker]), cleaning.worker_reasons[worker])
        kept |= set(people_of[cleaning.worker_kept].tolist())
    in_force = Exclusion.objects.in_force()
    already_excluded = set(in_force.filter(participation__study=run.study).values_list("participation", flat=True))
    people = Participation.objects.select_related("study").filter(pk__in=reasons.keys() - already_excluded)
    for person in list(people.order_by("pk")):
        with progress.writing():  # one each: their places open again, and they may be many
            _exclude_by_run(run, person, reasons[person.pk], refill)
    to_lift = in_force.filter(participation__in=already_excluded & kept, run__isnull=False).select_related(
        "participation"
    )
    asked_for = [each for each in to_lift.order_by("pk") if each.participation.pseudonym in include_again]
    for exclusion in asked_for:
        with progress.writing():
            _lift_by_run(run, exclusion)


def _exclude_by_run(run: CleaningRun, person: Participation, reason: str, refill: bool | None) -> None:  # noqa: FBT001
    try:
        exclude(participation=person, reason=reason, by=run.created_by, run=run, refill=refill)
    except AlreadyExcluded:  # by hand, since we looked
        return


def _lift_by_run(run: CleaningRun, exclusion: Exclusion) -> None:
    try:
        lift(exclusion=exclusion, reason=f"failed no rule of {run.rule_set.name}", by=run.created_by, run=run)
    except AlreadyLifted:
        return
