"""Long work, as the rows that it is: how far it is, how it ended, and stopping it."""

from http import HTTPStatus
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.permissions import Right, study_or_404
from annotation.api.parsing import problem_of_reasons
from annotation.api.schema import OBJECT, PAGED, describe, page_of
from annotation.api.views import ApiView, StudyView, page
from annotation.jobs import IMPORT, cancel_job
from annotation.models import Job
from annotation.studies.uploading import discard_ended_uploads
from annotation.web.responses import Problem


class JobShown(serializers.ModelSerializer[Job]):
    id = serializers.UUIDField(source="uuid")
    study = serializers.CharField(source="study.slug")
    kind = serializers.CharField()
    progress = serializers.FloatField(help_text="From 0 to 1.")
    result = serializers.JSONField(allow_null=True)
    problem = serializers.SerializerMethodField(help_text="Why it failed, as a refused request would say it.")

    class Meta:
        model = Job
        fields = ("id", "study", "kind", "status", "progress", "created_at", "finished_at", "result", "problem")

    @extend_schema_field({**OBJECT, "type": ["object", "null"]})
    def get_problem(self, job: Job) -> Problem | None:
        if job.status != Job.Status.FAILED:
            return None
        return problem_of_reasons(job.error.splitlines() or ["The job failed."], status=HTTPStatus.UNPROCESSABLE_ENTITY)


def accepted_response(job: Job) -> Response:
    """202: the work is a job now, and where to look how far it is."""
    where = reverse("api:job", args=[job.uuid])
    return Response(JobShown(job).data, status=HTTPStatus.ACCEPTED, headers={"Location": where})


class Jobs(StudyView):
    name = "study_jobs"

    @describe(
        "A study's jobs, newest first",
        parameters=[*PAGED, OpenApiParameter("kind", str), OpenApiParameter("status", str, enum=Job.Status.values)],
        responses=page_of(JobShown),
    )
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        jobs = Job.objects.filter(study=self.study).select_related("study")
        for name in ("kind", "status"):
            if value := request.query_params.get(name, ""):
                jobs = jobs.filter(**{name: value})
        return Response(page(request, jobs, lambda rows: JobShown(rows, many=True).data, is_newest_first=True))


def job_or_404(view: ApiView, job: UUID, right: Right) -> Job:
    stored = Job.objects.select_related("study").filter(uuid=job, study__isnull=False).first()
    if stored is None or stored.study is None:
        raise Http404("There is no such job, or its study has not been shared with you.")
    try:
        study_or_404(view.user, right, pk=stored.study.pk)
    except Http404:
        raise Http404("There is no such job, or its study has not been shared with you.") from None
    return stored


class OneJob(ApiView):
    name = "job"

    @describe("How far a job is, and how it ended", responses=JobShown)
    def get(self, request: Request, job: UUID) -> Response:  # noqa: ARG002
        stored = job_or_404(self, job, Right.LOOK)
        return Response(JobShown(stored).data, headers={"Cache-Control": "no-store"})


class CancelJob(ApiView):
    name = "cancel_job"

    @describe("Stop a job; one that has ended stays as it is", request=None, responses=JobShown)
    def post(self, request: Request, job: UUID) -> Response:  # noqa: ARG002
        stored = job_or_404(self, job, Right.CHANGE)
        cancel_job(job=stored)
        if stored.kind == IMPORT:
            discard_ended_uploads()
        stored.refresh_from_db()
        return Response(JobShown(stored).data)
