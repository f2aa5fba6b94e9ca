"""The figures of a study's pages, and the job that makes them anew where they are old."""

from __future__ import annotations

from django.http import HttpRequest

from annotation.models import Job, Study
from annotation.pages.admin.base import user_of
from annotation.releases.actions.summarising import ask_for_summary
from annotation.releases.summaries import Figures, figures_of
from annotation.releases.tasks import SUMMARY


def figures_and_age(request: HttpRequest, study: Study) -> tuple[Figures | None, dict[str, object]]:
    """What a page shows, and what it says of how old that is. Whoever finds it too old asks for a newer one."""
    figures = figures_of(study)
    is_small = figures is not None and figures.made_at is None
    is_under_way = False if is_small else ask_for_summary(study=study, by=user_of(request))
    failed = None
    if figures is None and not is_under_way:
        failed = study.jobs.filter(kind=SUMMARY, status=Job.Status.FAILED).first()
    return figures, {"figures": figures, "is_under_way": is_under_way, "failed": failed}
