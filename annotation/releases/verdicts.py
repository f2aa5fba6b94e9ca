"""The verdict on a study's gold, with what has happened since its release was made: for the API, pages and commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, Max, OuterRef, Q

from agreement.estimation.estimate import Undefined
from agreement.report.verdict import MOST_COUNTED, Circumstances, ReportVerdict, no_verdict, verdict_of, weakest
from annotation.models import Job, Judgment, Study
from annotation.releases.actions.freezing import out_of_date
from annotation.releases.models import Exclusion, GoldRelease
from annotation.releases.tasks import ANALYSE

if TYPE_CHECKING:
    from agreement.report.report import Report


def verdict_over_all(study: Study) -> ReportVerdict:
    """That of the weakest of its questions, by the newest release of each."""
    questions = study.questions()
    if len(questions) == 1:
        return verdict_of_question(questions[0])
    return weakest({each.question_name: verdict_of_question(each) for each in questions})


def verdict_of_question(study: Study) -> ReportVerdict:
    """By the newest release of the question that the study asks; without one, why there is none."""
    release = study.releases.select_related("study", "run").order_by("-number").first()
    if release is None:
        job = latest_analysis(study)
        now = Circumstances(is_running=_is_running(job), job_failed=_has_failed(job))
        return no_verdict(now, judgments=Judgment.objects.of_study(study.pk).order_by()[: MOST_COUNTED + 1].count())
    return verdict_on(release, is_out_of_date=bool(out_of_date(release)), newest=release.number)


def verdict_on(release: GoldRelease, *, is_out_of_date: bool, newest: int | None = None) -> ReportVerdict:
    """`newest` is the number of the study's newest release, where that is known."""
    study, report = release.study, release.published
    if newest is None:
        newest = study.releases.aggregate(newest=Max("number"))["newest"]
    if newest is not None and newest > release.number:
        return verdict_of(report, Circumstances(newer_release=newest))
    job = latest_analysis(study)
    return verdict_of(
        report,
        Circumstances(
            is_running=_is_running(job),
            job_failed=_has_failed(job),
            is_out_of_date=is_out_of_date,
            people_not_looked_at=people_not_looked_at(study, report),
        ),
    )


def latest_analysis(study: Study) -> Job | None:
    return study.jobs.filter(kind=ANALYSE).select_related("created_by").first()


def _is_running(job: Job | None) -> bool:
    return job is not None and job.finished_at is None


def _has_failed(job: Job | None) -> bool:
    return job is not None and job.status == Job.Status.FAILED


def people_not_looked_at(study: Study, report: Report) -> int:
    """The suspects whom nobody has excluded, or looked at and kept."""
    suspects = getattr(report.question.results, "suspects", None)
    if not suspects or isinstance(suspects, Undefined):
        return 0
    names = {suspect.worker for suspect in suspects}
    of_them = study.participations.filter(pseudonym__in=names)
    decided = of_them.filter(
        Q(looked_at__isnull=False) | Exists(Exclusion.objects.filter(participation=OuterRef("pk")))
    )
    return len(names - set(decided.values_list("pseudonym", flat=True)))
