"""Freezing: a run's judgments, kept and read a portion at a time; and what has happened since they were frozen."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from django.db import connection
from django.db.models import Exists, Max, OuterRef, Q
from django.utils import timezone

from agreement.cleaning.decided_by_hand import ByHand, Decision
from agreement.typed_json import Json, JsonObject
from annotation.database.rows import chunks, last_settled_key
from annotation.jobs import Progress
from annotation.models import AuditEntry, Job, Judgment, Study
from annotation.releases.from_database.judgment_rows import counted_judgments, unseen_by_person
from annotation.releases.models import (
    CleaningRun,
    Exclusion,
    FrozenJudgments,
    GoldRelease,
    JudgmentsInGold,
    PropertyCode,
    StoredRuleSet,
    Verdict,
)

if TYPE_CHECKING:
    from annotation.releases.from_database.reading_judgments import Frame

PORTION = 20_000
SETTLED = "judgments_settled"  # in a run's counts: up to which number it has seen all judgments that there are
Keys = npt.NDArray[np.int64]


def frozen_keys(run: CleaningRun, after: int = 0) -> Keys:
    """The keys of the judgments that a run froze, in order; only those that are higher than `after`."""
    portions = run.frozen.filter(last_key__gt=after).values_list("keys", flat=True)
    parts = [np.array(keys, dtype=np.int64) for keys in portions.iterator(chunk_size=1)]
    keys = np.sort(np.concatenate(parts)) if parts else np.empty(0, dtype=np.int64)
    return keys[keys > after]


def portion_of(run: CleaningRun, position: int, keys: Sequence[int]) -> FrozenJudgments:
    """Those of these judgments that are still there, not stored yet: that takes one short insert."""
    stored_keys, uuids = _uuids(keys)
    last = stored_keys[-1] if stored_keys else 0
    return FrozenJudgments(run=run, position=position, last_key=last, keys=stored_keys, uuids=uuids)


def _uuids(keys: Sequence[int]) -> tuple[list[int], bytes]:
    """The keys that are there, in order, and 16 bytes for each."""
    table = Judgment._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            both = "array_agg(id ORDER BY id), string_agg(uuid_send(uuid), ''::bytea ORDER BY id)"
            cursor.execute(f"SELECT {both} FROM {table} WHERE id = ANY(%s)", [list(keys)])  # noqa: S608 - our own names
            stored_keys, uuids = cursor.fetchone()
            return stored_keys or [], bytes(uuids or b"")
        among = "id IN (SELECT value FROM json_each(%s))"
        cursor.execute(f"SELECT id, uuid FROM {table} WHERE {among} ORDER BY id", [json.dumps(list(keys))])  # noqa: S608
        rows = cursor.fetchall()
        return [key for key, _ in rows], bytes.fromhex("".join(uuid for _, uuid in rows))


def bits_in_gold(run: CleaningRun, keys: Keys) -> list[tuple[int, bytes]] | None:
    """For each portion of the run, by its number, which of its judgments are among `keys`, which are in order; None
    where one of those is in no portion.
    """
    bits, n_matched = [], 0
    for portion, frozen in run.frozen.order_by("position").values_list("pk", "keys"):
        is_in = np.isin(np.array(frozen, dtype=np.int64), keys)
        n_matched += int(is_in.sum())
        bits.append((portion, np.packbits(is_in).tobytes()))
    return bits if n_matched == len(keys) else None


def store_in_gold(release: GoldRelease, bits: Sequence[tuple[int, bytes]]) -> None:
    JudgmentsInGold.objects.bulk_create(
        JudgmentsInGold(release=release, frozen_id=portion, bits=of_portion) for portion, of_portion in bits
    )


ELSEWHERE = "excluded_in_other_questions"  # in a run's counts: who, by the number of the question that lacks them
FROZEN = "judgments_frozen"  # how many there are, in the run's counts, once all of them are stored


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A study's judgments as they were read once, for a question about them and then for the run."""

    moment: dt.datetime
    counts: JsonObject
    frame: Frame

    def holds_for(self, run: CleaningRun) -> bool:
        """Whether nothing but answers has come since: those the run doesn't know of, and will be said to lack."""
        return self.counts == run.counts and not run.study.participations.left_since(self.moment).exists()


def look_at(study: Study) -> Look:
    from annotation.releases.from_database.reading_judgments import (
        frame_of,  # with pandas, without which an export of judgments starts
    )

    moment, counts = timezone.now(), _current_counts(study)
    return Look(moment, counts, frame_of(CleaningRun(study=study, counts=counts), counted_judgments(study)))


def begin_run(*, study: Study, rule_set: StoredRuleSet, job: Job, look: Look | None = None) -> CleaningRun:
    """The job's run, whose judgments `freeze` stores; call it inside the job's own transaction."""
    counts = _current_counts(study)
    if look is not None:
        counts[SETTLED] = look.counts[SETTLED]
    return CleaningRun.objects.create(study=study, rule_set=rule_set, job=job, created_by=job.created_by, counts=counts)


def freeze(*, run: CleaningRun, judgments: Keys, progress: Progress) -> None:
    """Stores which judgments the run looks at: those that one statement a question has read. It sees one moment, where
    ids don't commit in order: "all up to the highest id" would let an answer in later that was given before.

    In short transactions, for others wait to write on SQLite; until the last the run counts as not frozen.
    """
    for portion_key in list(run.frozen.values_list("pk", flat=True)):  # of an attempt that ended in the middle
        with progress.writing():
            run.frozen.filter(pk=portion_key).delete()
    frozen = 0
    for position, first in enumerate(range(0, len(judgments), PORTION)):
        portion = portion_of(run, position, judgments[first : first + PORTION].tolist())
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


def _current_counts(study: Study) -> JsonObject:
    """What the run is to go by, and what tells later whether its results are out of date."""
    return {
        "by_hand": decisions_as_json(current_decisions_by_hand(study)),
        "excluded_by_runs": excluded_by_runs(study),
        "could_not_see": unseen_by_person(study),
        SETTLED: last_settled_key(Judgment),
        "counts_late_answers": study.counts_late_answers,
        **(
            {"coding": PropertyCode.objects.of_study(study).last_revision()}
            if study.question_kind.has_properties
            else {}
        ),
        **({"ordered": study.ordered} if study.question_kind.labels_may_be_ordered else {}),
        "is_pilot": study.status == Study.Status.PILOTING,
    }


def decisions_by_hand(run: CleaningRun) -> dict[str, Decision]:
    """What had been decided beside the rules when the run began; once it is done, who stays excluded too, and who is
    excluded for another question than the one that is looked at.
    """
    rows = [*run.counts.get("by_hand", []), *run.counts.get(ELSEWHERE, {}).get(str(run.study.asked_number), [])]
    return {who: Decision(kept, why, *more) for who, kept, why, *more in rows}


def decisions_as_json(by_hand: ByHand) -> list[list[Json]]:
    return [
        [who, each.kept, each.why, each.by_earlier_run, *([each.in_question] if each.in_question else [])]
        for who, each in by_hand.items()
    ]


def excluded_by_runs(study: Study) -> dict[str, str]:
    """Whom a cleaning run excluded, with the reason, while that is in force."""
    in_force = Exclusion.objects.in_force().filter(participation__study=study, run__isnull=False)
    return dict(in_force.order_by("participation__pseudonym").values_list("participation__pseudonym", "reason"))


def current_decisions_by_hand(study: Study) -> dict[str, Decision]:
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


# Whether a release is out of date: what has happened since its judgments were frozen that the next one would
# take in. A few cheap queries of indexes, whatever the size of the study.

MOST_LISTED = 10_000  # judgments that are named in a query


def out_of_date(release: GoldRelease) -> list[str]:
    """What the release doesn't know of, a phrase for each; none: it is as good as new."""
    run, study = release.run, release.study
    phrases = [
        _several(_excluded_since(run), "worker was excluded", "workers were excluded"),
        _several(_included_since(run), "worker was included again", "workers were included again"),
        _several(_answered_since(run), "answer came in", "answers came in"),
        _several(_left_since(run), "worker left or withdrew", "workers left or withdrew"),
        _settings_changed(run, study),
        _coding_changed(run, study),
    ]
    return [phrase for phrase in phrases if phrase]


def out_of_date_sentence(release: GoldRelease) -> str:
    """One sentence for the top of a page and for a terminal; nothing where there is nothing to say."""
    since = out_of_date(release)
    if not since:
        return ""
    return (
        f"Release {release.number} is out of date: since it was made, {', '.join(since)}. Analyse again for a new one."
    )


def newest_out_of_date(release: GoldRelease, newest: int | None = None) -> str:
    """What the study's newest release doesn't know of; an older one is out of date by there being a newer."""
    if newest is None:
        newest = release.study.releases.aggregate(newest=Max("number"))["newest"]
    return "" if release.number != newest else out_of_date_sentence(release)


def _several(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}" if count else ""


def _excluded_since(run: CleaningRun) -> int:
    """Exclusions that came into force since the run began, of workers whom it did not exclude itself."""
    failed = Verdict.objects.filter(run=run, participation=OuterRef("participation"), outcome=Verdict.Outcome.FAILED)
    others = Exclusion.objects.in_force().filter(~Q(run=run) | Q(run=None), participation__study=run.study_id)
    return others.filter(~Exists(failed), created_at__gt=run.created_at).count()


def _included_since(run: CleaningRun) -> int:
    """Exclusions that the run went by or made, and that were lifted since by a person or another run."""
    lifted = Exclusion.objects.filter(participation__study=run.study_id, lifted_at__gt=run.created_at)
    known = Q(created_at__lte=run.created_at) | Q(run=run)
    return lifted.filter(known).filter(~Q(lifted_by_run=run) | Q(lifted_by_run=None)).count()


def _answered_since(run: CleaningRun) -> int:
    """To the question that is looked at."""
    settled = _last_settled_key(run)
    frozen = frozen_keys(run, after=settled)
    counts_now = counted_judgments(run.study).filter(pk__gt=settled)
    newest = Judgment.objects.order_by("-pk").filter(pk__gt=settled).values_list("pk", flat=True)
    recent = np.array(list(newest[: MOST_LISTED + 1]), dtype=np.int64)
    if len(recent) > MOST_LISTED:
        return counts_now.count() - sum(
            counts_now.filter(pk__in=portion).count() for portion in chunks(frozen.tolist(), MOST_LISTED)
        )
    # One by one: of a join SQLite would walk through all of the study's items first.
    each = Exists(counts_now.filter(pk=OuterRef("pk")))
    return Judgment.objects.filter(each, pk__in=np.setdiff1d(recent, frozen).tolist()).count()


def _last_settled_key(run: CleaningRun) -> int:
    """Up to which number the run has seen all judgments that there are. Where nobody could say it is 0, and all of the
    study's are compared with those that were frozen.

    Older runs noted the highest number that they saw, which says the same on SQLite alone.
    """
    noted: int = run.counts.get(SETTLED, run.counts.get("last_judgment", 0) if connection.vendor == "sqlite" else 0)
    return noted


def _left_since(run: CleaningRun) -> int:
    return run.study.participations.left_since(run.created_at).count()


def _settings_changed(run: CleaningRun, study: Study) -> str:
    """Which answers count has been changed in the study's setup or by its going live."""
    if run.counts.get("counts_late_answers", study.counts_late_answers) != study.counts_late_answers:
        return "late answers now count" if study.counts_late_answers else "late answers no longer count"
    if study.ordered != run.counts.get("ordered", False):
        return "labels are now ordered" if study.ordered else "labels are no longer ordered"
    is_pilot = study.status == Study.Status.PILOTING
    if run.counts.get("is_pilot", is_pilot) and not is_pilot:
        return "the pilot ended, and its answers no longer count"
    return ""


def _coding_changed(run: CleaningRun, study: Study) -> str:
    """Whether properties were coded otherwise since."""
    if not study.question_kind.has_properties:
        return ""
    last = PropertyCode.objects.of_study(study).last_revision()
    return "properties were coded" if last > run.counts.get("coding", 0) else ""
