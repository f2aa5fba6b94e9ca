"""Who did what to a study, when and why."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import AuditEntry
from api.pages import page
from api.schema import PAGED, describe, page_of
from api.views import StudyView


class EntryShown(serializers.ModelSerializer[AuditEntry]):
    by = serializers.CharField(source="by.username", allow_null=True, default=None)
    detail = serializers.JSONField()

    class Meta:
        model = AuditEntry
        fields = ("at", "by", "action", "why", "detail")


class History(StudyView):
    name = "history"

    @describe(
        "What was done to a study, newest first",
        parameters=[*PAGED, OpenApiParameter("action", str, enum=AuditEntry.Action.values)],
        responses=page_of(EntryShown),
    )
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        entries = AuditEntry.objects.filter(study=self.study).select_related("by")
        if action := request.query_params.get("action", ""):
            entries = entries.filter(action=action)
        return Response(page(request, entries, lambda rows: EntryShown(rows, many=True).data, is_newest_first=True))
