"""Gold releases: numbered, hashed, never changed; the report that was published with each."""

from django.http import Http404, HttpResponse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from agreement.report.methods_paragraph import methods_paragraph
from agreement.report.verdict_rules import STANDINGS
from agreement.typed_json import JsonObject, object_of
from annotation.api.schema import IF_NONE_MATCH, OBJECT, PAGED, describe, page_of
from annotation.api.views import QUESTION, StudyView, page, with_etag
from annotation.models import Study
from annotation.releases.actions.freezing import out_of_date
from annotation.releases.models import GoldRelease
from annotation.releases.verdicts import verdict_of_question, verdict_on, verdict_over_all


class ReleaseShown(serializers.ModelSerializer[GoldRelease]):
    id = serializers.UUIDField(source="uuid")
    rules = serializers.CharField(source="run.rule_set.name")
    run = serializers.UUIDField(source="run.uuid")
    by = serializers.CharField(source="created_by.username", allow_null=True, default=None)
    columns = serializers.ListField(child=serializers.CharField(), help_text="Of gold.csv, in order.")

    class Meta:
        model = GoldRelease
        fields = ("id", "number", "sha256", "rules", "run", "by", "created_at", "columns")


class VerdictFigure(serializers.Serializer[object]):
    key = serializers.CharField()
    name = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    text = serializers.CharField(help_text="As it is printed.")
    better = serializers.ChoiceField(choices=("higher", "lower", ""))
    meaning = serializers.CharField()


class NextStep(serializers.Serializer[object]):
    key = serializers.CharField()
    sentence = serializers.CharField()
    count = serializers.IntegerField(allow_null=True)


class Verdict(serializers.Serializer[object]):
    """Whether the gold is good enough, by what is known now."""

    level = serializers.ChoiceField(choices=STANDINGS)
    sentence = serializers.CharField()
    caveat = serializers.CharField(allow_blank=True, help_text="What most speaks against it.")
    figures = VerdictFigure(many=True)
    source = serializers.CharField(  # type: ignore[assignment]
        allow_blank=True, help_text="Where the thresholds come from."
    )
    next = NextStep(many=True, help_text="The one thing to do next.")


class WholeRelease(ReleaseShown):
    counts = serializers.SerializerMethodField()
    methods = serializers.SerializerMethodField(help_text="The methods paragraph, of at most 200 words.")
    methods_details = serializers.CharField(source="methods", help_text="How every figure was made, and the warnings.")
    erratum = serializers.SerializerMethodField(help_text="What withdrawals since have done to it; empty: nothing.")
    out_of_date = serializers.SerializerMethodField(help_text="What has happened since that it doesn't know of.")
    verdict = serializers.SerializerMethodField()

    class Meta(ReleaseShown.Meta):
        fields = (  # type: ignore[assignment]
            *ReleaseShown.Meta.fields, "verdict", "counts", "methods", "methods_details", "erratum", "out_of_date",
        )  # fmt: skip

    @extend_schema_field(OBJECT)
    def get_counts(self, release: GoldRelease) -> JsonObject:
        return object_of(release.published.counts)

    def get_methods(self, release: GoldRelease) -> str:
        return methods_paragraph(release.published)

    def get_erratum(self, release: GoldRelease) -> str:
        return release.erratum()

    def get_out_of_date(self, release: GoldRelease) -> list[str]:  # noqa: ARG002 - the view has asked
        return list(self.context["out_of_date"])

    @extend_schema_field(Verdict)
    def get_verdict(self, release: GoldRelease) -> JsonObject:
        return object_of(verdict_on(release, is_out_of_date=bool(self.context["out_of_date"])))


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
        release = release_or_404(self.study, number)
        return with_etag(request, WholeRelease(release, context={"out_of_date": out_of_date(release)}).data)


class StudyVerdict(StudyView):
    name = "verdict"
    is_of_all_questions = True

    @describe(
        "Whether the study's gold is good enough, by the newest release; of several questions the weakest decides",
        parameters=[QUESTION],
        responses=Verdict,
    )
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        name = request.query_params.get(QUESTION.name, "")
        verdict = verdict_of_question(self.study.named(name)) if name else verdict_over_all(self.study)
        return Response(object_of(verdict))


class Report(StudyView):
    name = "report"

    @describe(
        "report.json as it was published with the release: agreement, ceilings, scores",
        parameters=[QUESTION, IF_NONE_MATCH],
        responses={200: {"type": "object", "additionalProperties": {}}},
    )
    def get(self, request: Request, study: str, number: int) -> Response | HttpResponse:  # noqa: ARG002
        return with_etag(request, release_or_404(self.study, number).report)
