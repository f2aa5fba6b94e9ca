"""What the admin's first page shows: the latest studies that the person may see, and the jobs under way."""

from django.http import HttpRequest

from annotation.accounts.permissions import Right, studies_where
from annotation.models import Job

STUDIES_SHOWN = 10
JOBS_SHOWN = 5


def dashboard(request: HttpRequest, context: dict[str, object]) -> dict[str, object]:
    studies = studies_where(request.user, Right.LOOK)
    jobs = Job.objects.unfinished().filter(study__in=studies.values("pk")).select_related("study")
    return {
        **context,
        "title": "Touchstone",
        "latest_studies": studies.filter(archived_at=None).order_by("-created_at")[:STUDIES_SHOWN],
        "jobs_under_way": jobs.order_by("-created_at")[:JOBS_SHOWN],
    }
