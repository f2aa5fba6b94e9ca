"""Whether a release is out of date: what has happened since its judgments were frozen that the next one would take in.

A few cheap queries of indexes, whatever the size of the study.
"""

from __future__ import annotations

import numpy as np
from django.db import connection
from django.db.models import Exists, Max, OuterRef, Q

from annotation.database.rows import chunks
from annotation.models import Judgment, Study
from annotation.releases.from_database.counted_judgments import counted
from annotation.releases.frozen_sets import SETTLED, frozen_keys
from annotation.releases.models import CleaningRun, Exclusion, GoldRelease, PropertyCode, Verdict

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
    settled = _settled(run)
    frozen = frozen_keys(run, after=settled)
    counts_now = counted(run.study).filter(pk__gt=settled)
    newest = Judgment.objects.order_by("-pk").filter(pk__gt=settled).values_list("pk", flat=True)
    recent = np.array(list(newest[: MOST_LISTED + 1]), dtype=np.int64)
    if len(recent) > MOST_LISTED:
        return counts_now.count() - sum(
            counts_now.filter(pk__in=portion).count() for portion in chunks(frozen.tolist(), MOST_LISTED)
        )
    # One by one: of a join SQLite would walk through all of the study's items first.
    each = Exists(counts_now.filter(pk=OuterRef("pk")))
    return Judgment.objects.filter(each, pk__in=np.setdiff1d(recent, frozen).tolist()).count()


def _settled(run: CleaningRun) -> int:
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
