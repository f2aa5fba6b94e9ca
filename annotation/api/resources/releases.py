"""Gold releases: numbered, hashed, never changed; the report that was published with each."""

from django.http import Http404, HttpResponse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from agreement.report.methods_paragraph import methods_paragraph
from agreement.typed_json import JsonObject, object_of
from annotation.api.schema import IF_NONE_MATCH, OBJECT, PAGED, describe, page_of
from annotation.api.views import QUESTION, StudyView, page, with_etag
from annotation.models import Study
from annotation.releases.actions.freezing import out_of_date
from annotation.releases.models import GoldRelease


class ReleaseShown(serializers.ModelSerializer[GoldRelease]):
    id = serializers.UUIDField(source="uuid")
    rules = serializers.CharField(source="run.rule_set.name")
    run = serializers.UUIDField(source="run.uuid")
    by = serializers.CharField(source="created_by.username", allow_null=True, default=None)
    columns = serializers.ListField(child=serializers.CharField(), help_text="Of gold.csv, in order.")

    class Meta:
        model = GoldRelease
        fields = ("id", "number", "sha256", "rules", "run", "by", "created_at", "columns")


class WholeRelease(ReleaseShown):
    counts = serializers.SerializerMethodField()
    methods = serializers.SerializerMethodField(help_text="The methods paragraph, of at most 200 words.")
    methods_details = serializers.CharField(source="methods", help_text="How every figure was made, and the warnings.")
    erratum = serializers.SerializerMethodField(help_text="What withdrawals since have done to it; empty: nothing.")
    out_of_date = serializers.SerializerMethodField(help_text="What has happened since that it doesn't know of.")

    class Meta(ReleaseShown.Meta):
        fields = (*ReleaseShown.Meta.fields, "counts", "methods", "methods_details", "erratum", "out_of_date")  # type: ignore[assignment]

    @extend_schema_field(OBJECT)
    def get_counts(self, release: GoldRelease) -> JsonObject:
        return object_of(release.published.counts)

    def get_methods(self, release: GoldRelease) -> str:
        return methods_paragraph(release.published)

    def get_erratum(self, release: GoldRelease) -> str:
        return release.erratum()

    def get_out_of_date(self, release: GoldRelease) -> list[str]:
        return out_of_date(release)


def release_or_404(study: Study, number: int) -> GoldRelease:
    releases = study.releases.select_related("study", "run__rule_set", "run__study", "created_by")
    release = releases.filter(number=number).first()
    if release is None:
        raise Http404("This study has no release of that number.")
    return release


class Releases(StudyView):
    name = "releases"

    @describe("A study's gold releases, newest first", parameters=PAGED, responses=page_of(ReleaseShown))
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        rows = self.study.releases.select_related("run__rule_set", "created_by").defer("report", "report_file")
        shown = page(
            request, rows, lambda releases: ReleaseShown(releases, many=True).data, by="number", is_newest_first=True
        )
        return Response(shown)


class OneRelease(StudyView):
    name = "release"

    @describe("One release", parameters=[QUESTION, IF_NONE_MATCH], responses=WholeRelease)
    def get(self, request: Request, study: str, number: int) -> Response | HttpResponse:  # noqa: ARG002
        return with_etag(request, WholeRelease(release_or_404(self.study, number)).data)


class Report(StudyView):
    name = "report"

    @describe(
        "report.json as it was published with the release: agreement, ceilings, scores",
        parameters=[QUESTION, IF_NONE_MATCH],
        responses={200: {"type": "object", "additionalProperties": {}}},
    )
    def get(self, request: Request, study: str, number: int) -> Response | HttpResponse:  # noqa: ARG002
        return with_etag(request, release_or_404(self.study, number).report)
