"""Jobs in the admin: what is queued, running, done or failed, and why."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from annotation.admin.columns import column
from annotation.admin.scoped import ReadOnlyAdmin, study_filter
from annotation.models import Job
from annotation.permissions import Right

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
        "parameters", "result", "error",
    )  # fmt: skip

    def is_allowed(self, request: HttpRequest, right: Right, obj: Model | None) -> bool:
        """A job without a study is the site's own."""
        if isinstance(obj, Job) and obj.study is None:
            return bool(request.user.is_superuser)
        return super().is_allowed(request, right, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:  # noqa: ARG002
        return self.fields

    @column("status", ordering="status", colours=COLOURS)
    def shown_status(self, job: Job) -> tuple[str, str]:
        return job.status, job.get_status_display()

    @column("progress")
    def done_share(self, job: Job) -> str:
        return f"{job.progress:.0%}"

    @column("error")
    def short_error(self, job: Job) -> str:
        return job.error.partition("\n")[0][:100]
