"""Who did what to a study, when and why."""

from functools import partial

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.permissions import Right, without_codes
from annotation.api.schema import PAGED, describe, page_of
from annotation.api.views import StudyView, page
from annotation.models import AuditEntry, Scope


class EntryShown(serializers.ModelSerializer[AuditEntry]):
    by = serializers.CharField(source="by.username", allow_null=True, default=None)
    detail = serializers.JSONField(help_text="Codes in it are hidden from whom the study itself doesn't show them.")

    class Meta:
        model = AuditEntry
        fields = ("at", "by", "action", "why", "detail")

    def to_representation(self, instance: AuditEntry) -> dict[str, object]:
        entry = super().to_representation(instance)
        return entry if self.context["shows_codes"] else {**entry, "detail": without_codes(entry["detail"])}


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
        shows_codes = self.has_scope(Scope.LINKS) and self.may(Right.CHANGE)
        show = partial(EntryShown, many=True, context={"shows_codes": shows_codes})
        return Response(page(request, entries, lambda rows: show(rows).data, is_newest_first=True))
