"""Makes and stores a study's summary; asks for a job that does."""

from __future__ import annotations

from django.utils import timezone

from agreement.typed_json import JsonObject
from annotation.jobs import Progress, request_job
from annotation.models import Study, User
from annotation.releases.models import StudySummary
from annotation.releases.summaries import basis_of, compute, is_due, packed, withdrawn_from
from annotation.releases.tasks import SUMMARY


def store_summary(*, study: Study, progress: Progress) -> JsonObject:
    """The job's work. Made twice it is stored twice, the later one in the place of the other.

    The race: somebody withdraws while it is computed. What is stored then says how many had withdrawn before, and
    `summaries.py` shows it to nobody.
    """
    made_at, basis = timezone.now(), basis_of(study)
    withdrawn = withdrawn_from(study)
    figures = compute(study)
    progress.stop_if_cancelled()
    result: JsonObject = {"judgments": figures.judgments}
    values = {
        "made_at": made_at,
        "judgments": figures.judgments,
        "last_judgment": figures.last_judgment,
        "basis": basis,
        "facts": {**figures.facts, "withdrawn": withdrawn},
        "workers": packed(figures.workers),
        "items": packed(figures.items),
    }
    with progress.finishing(result):
        StudySummary.objects.update_or_create(study=study, defaults=values)
    return result


def ask_for_summary(*, study: Study, by: User | None) -> bool:
    """Whether a job is under way: it was already, or one is requested because what is stored is missing or old."""
    if study.jobs.filter(kind=SUMMARY).unfinished().exists():
        return True
    if not is_due(study):
        return False
    request_job(kind=SUMMARY, study=study, parameters={}, by=by)
    return True


def ask_for_old_summaries() -> int:
    """What the clock calls for: of every study whose summary has grown old. Asked twice, no job is requested twice."""
    judged = Study.objects.filter(stored_summary__isnull=False)
    return sum(ask_for_summary(study=study, by=None) for study in judged.order_by("pk"))
