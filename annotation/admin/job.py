"""Jobs in the admin: what is queued, running, done or failed, and why."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.views.decorators.http import require_POST

from annotation.admin.columns import column
from annotation.admin.pages import user_of
from annotation.admin.scoped import ReadOnlyAdmin, study_filter
from annotation.errors import Refused
from annotation.jobs import IMPORT, retry_job
from annotation.models import Job
from annotation.permissions import Right, study_or_404

# Where a failure is shown beside this section.
PAGES_OF_A_STUDY = {"results", "leaderboard"}
COLOURS = {"queued": "info", "running": "warning", "done": "success", "failed": "danger", "cancelled": "default"}


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = (
        "created_at",
        "kind",
        "study",
        "shown_status",
        "done_share",
        "attempts",
        "created_by",
        "short_error",
    )
    list_filter = (study_filter("study"), "status")
    list_select_related = ("study", "created_by")
    fields = (
        "kind", "study", "status", "done_share", "attempts", "created_by", "created_at", "touched_at", "finished_at",
        "parameters", "result", "error", "retry_of",
    )  # fmt: skip
    change_form_outer_before_template = "admin/touchstone/job_head.html"

    def is_allowed(self, request: HttpRequest, right: Right, obj: Model | None) -> bool:
        """A job without a study is the site's own."""
        if isinstance(obj, Job) and obj.study is None:
            return bool(request.user.is_superuser)
        return super().is_allowed(request, right, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:  # noqa: ARG002
        return self.fields

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        job = kwargs.get("obj")
        if job is not None and job.kind == IMPORT and job.study is not None:
            context["import_of"] = job.study
        elif job is not None and job.status == Job.Status.FAILED and job.study is not None:
            context["again"] = job.retries.first()
            context["can_retry"] = context["again"] is None and self.is_allowed(request, Right.CHANGE, job)
        return super().render_change_form(request, context, *args, **kwargs)

    def get_urls(self) -> list[URLPattern]:
        own = path("<int:pk>/retry/", self.admin_site.admin_view(retry), name="annotation_job_retry")
        return [own, *super().get_urls()]

    @column("status", ordering="status", colours=COLOURS)
    def shown_status(self, job: Job) -> tuple[str, str]:
        return job.status, job.get_status_display()

    @column("progress")
    def done_share(self, job: Job) -> str:
        return f"{job.progress:.0%}"

    @column("error")
    def short_error(self, job: Job) -> str:
        return job.error.partition("\n")[0][:100]


@require_POST
def retry(request: HttpRequest, pk: int) -> HttpResponse:
    """Does a failed job again, and goes back to where the button was."""
    job = get_object_or_404(Job.objects.select_related("study"), pk=pk, study__isnull=False)
    study = study_or_404(request.user, Right.CHANGE, pk=job.study_id)
    try:
        again = retry_job(job=job, by=user_of(request))
    except Refused as refusal:
        messages.warning(request, str(refusal))
        again = job
    else:
        messages.success(request, "The job is queued again, as a new one.")
    if (back := request.POST.get("back")) in PAGES_OF_A_STUDY:
        return redirect(f"agreement:{back}", study.uuid)
    return redirect("admin:annotation_job_change", again.pk)
