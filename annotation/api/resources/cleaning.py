"""Rule sets, what they would do, cleaning runs with their verdicts, and exclusions by hand."""

from collections.abc import Mapping
from dataclasses import asdict
from http import HTTPStatus
from uuid import UUID

from django.db.models import Prefetch, QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from agreement.cleaning.check_items import misfits
from agreement.cleaning.rule_set import RuleSet, parse_rules
from agreement.errors import PAGE, Refused
from annotation.api.once import once
from annotation.api.parsing import Reason, Strict, read
from annotation.api.resources.jobs import JobShown, accepted_response
from annotation.api.schema import PAGED, describe, page_of
from annotation.api.views import StudyView, page
from annotation.jobs import request_job
from annotation.models import Study
from annotation.releases.actions.rule_sets import LiftedExclusion, RuleSetChoice, exclude, lift, offered_rule_sets
from annotation.releases.actions.trying_rules import SWEEP, Preview, is_large, preview, try_rules
from annotation.releases.from_database.reading_judgments import checks_of
from annotation.releases.models import CleaningRun, Exclusion, GoldRelease, Verdict
from annotation.releases.summaries import MOST_REPLICATES, settings_of
from annotation.releases.tasks import ANALYSE, TRY

LONGEST_RULES = 20_000


class RuleSetShown(serializers.Serializer[RuleSetChoice]):
    key = serializers.CharField(help_text="What an analysis names it by.")
    title = serializers.CharField(source="words")
    sha256 = serializers.CharField()
    toml = serializers.CharField()


class RuleSets(StudyView):
    name = "rule_sets"

    @describe("The rule sets that a study can be cleaned by", responses=RuleSetShown(many=True))
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        return Response([RuleSetShown(each).data for each in offered_rule_sets(self.study)])


class Rules(Strict):
    """Without either: the rules of the last release, or those that the study's first analysis starts from."""

    rules = serializers.CharField(max_length=80, required=False, help_text="The key of a rule set.")
    toml = serializers.CharField(max_length=LONGEST_RULES, required=False, help_text="Rules of your own.")


class NewAnalysis(Rules):
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    replicates = serializers.IntegerField(min_value=100, max_value=MOST_REPLICATES, required=False)
    include_again = serializers.ListField(
        child=serializers.CharField(max_length=20),
        required=False,
        default=list,
        max_length=100_000,
        help_text="Pseudonyms of excluded workers whom these rules keep and the run may include again.",
    )


def chosen_rules(study: Study, wanted: Mapping[str, str]) -> tuple[str, RuleSet]:
    """The rules' TOML and what they say, refused where they don't fit the study's checks."""
    if "rules" in wanted and "toml" in wanted:
        raise ValidationError({"toml": ["Give the key of a rule set, or rules of your own."]})
    toml, field = wanted.get("toml", ""), "toml"
    if not toml:
        toml, field = settings_of(study).toml, "rules"
        if "rules" in wanted:
            offered = {each.key: each.toml for each in offered_rule_sets(study)}
            if wanted["rules"] not in offered:
                reason = "This study has not used that rule set, and nobody shares it: see …/rule-sets/."
                raise ValidationError({"rules": [reason]})
            toml = offered[wanted["rules"]]
    try:
        rules = parse_rules(toml, source="your rules")
    except Refused as refusal:
        raise ValidationError({field: list(refusal.words(PAGE))}) from refusal
    if reasons := [reason for asked in study.questions() for reason in misfits(rules, checks_of(asked))]:
        raise ValidationError({field: reasons})
    return toml, rules


class PreviewShown(serializers.Serializer[dict[str, object]]):
    counts = serializers.JSONField(help_text="Workers, judgments and items, before and after.")
    excluded = serializers.DictField(child=serializers.CharField(), help_text="Pseudonym to reason.")
    included_again = serializers.DictField(child=serializers.CharField(), help_text="Pseudonym to the old reason.")
    short = serializers.DictField(
        child=serializers.IntegerField(), help_text="Items that would have too few judgments."
    )
    places = serializers.IntegerField(help_text="Judgments that would be needed again.")
    assignments = serializers.IntegerField()
    cost = serializers.DecimalField(max_digits=14, decimal_places=2, allow_null=True)
    currency = serializers.CharField(allow_null=True)


class PreviewCleaning(StudyView):
    name = "preview_cleaning"

    @describe("What rules would do now; nothing is stored", request=Rules, responses=PreviewShown)
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        _toml, rules = chosen_rules(self.study, read(Rules, request.data))
        result = preview(study=self.study, rules=rules)
        return Response(PreviewShown({**_plain_values(result), "counts": asdict(result.counts)}).data)


PREVIEWED = ("excluded", "included_again", "short", "places", "assignments", "cost", "currency")


def _plain_values(shown: Preview) -> dict[str, object]:
    return {name: getattr(shown, name) for name in PREVIEWED}


class SweepCleaning(StudyView):
    name = "sweep_cleaning"

    @describe(
        "What the rules' thresholds would do if they were others: workers, judgments, alpha and gold for each",
        request=Rules,
        responses={200: {"type": "object", "additionalProperties": {}}, 202: JobShown},
    )
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        toml, _rules = chosen_rules(self.study, read(Rules, request.data))
        if is_large(self.study):
            return accepted_response(
                request_job(kind=TRY, study=self.study, parameters={"what": SWEEP, "rules": [toml]}, by=self.user)
            )
        return Response(try_rules(study=self.study, trial={"what": SWEEP, "rules": [toml]}))


class RunShown(serializers.ModelSerializer[CleaningRun]):
    id = serializers.UUIDField(source="uuid")
    rules = serializers.CharField(source="rule_set.name")
    rules_sha256 = serializers.CharField(source="rule_set.sha256")
    release = serializers.IntegerField(source="release_number", allow_null=True)
    by = serializers.CharField(source="created_by.username", allow_null=True, default=None)
    counts = serializers.JSONField()

    class Meta:
        model = CleaningRun
        fields = ("id", "rules", "rules_sha256", "release", "by", "created_at", "completed_at", "counts")


class Runs(StudyView):
    name = "cleaning_runs"

    @describe("A study's cleaning runs, newest first", parameters=PAGED, responses=page_of(RunShown))
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        made = GoldRelease.objects.only("run_id", "number", "question")
        runs = (
            CleaningRun.objects.filter(study=self.study)
            .select_related("rule_set", "created_by")
            .prefetch_related(Prefetch("releases", made))
        )
        return Response(page(request, runs, lambda rows: RunShown(rows, many=True).data, is_newest_first=True))

    @describe(
        "Clean, compute everything and release gold: a job, whose result names the release",
        request=NewAnalysis,
        responses={202: JobShown},
    )
    @once()
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        wanted = read(NewAnalysis, request.data)
        toml, _rules = chosen_rules(self.study, wanted)
        last = settings_of(self.study)
        parameters = {
            "toml": toml,
            "seed": wanted.get("seed", last.seed),
            "replicates": wanted.get("replicates", last.replicates),
            "include_again": sorted(wanted["include_again"]),
        }
        return accepted_response(request_job(kind=ANALYSE, study=self.study, parameters=parameters, by=self.user))


class VerdictShown(serializers.ModelSerializer[Verdict]):
    participant = serializers.CharField(source="participation.pseudonym")
    evidence = serializers.JSONField()

    class Meta:
        model = Verdict
        fields = ("participant", "rule", "outcome", "evidence")


class Verdicts(StudyView):
    name = "verdicts"

    @describe(
        "What each rule of a run found of each worker, with its evidence",
        parameters=[*PAGED, OpenApiParameter("outcome", str, enum=Verdict.Outcome.values)],
        responses=page_of(VerdictShown),
    )
    def get(self, request: Request, study: str, run: UUID) -> Response:  # noqa: ARG002
        cleaning_run = CleaningRun.objects.filter(study=self.study, uuid=run).first()
        if cleaning_run is None:
            raise Http404("There is no such cleaning run in this study.")
        verdicts = cleaning_run.verdicts.select_related("participation")
        if outcome := request.query_params.get("outcome", ""):
            verdicts = verdicts.filter(outcome=outcome)
        return Response(page(request, verdicts, lambda rows: VerdictShown(rows, many=True).data))


class ExclusionShown(serializers.ModelSerializer[Exclusion]):
    id = serializers.IntegerField(source="pk")
    participant = serializers.CharField(source="participation.pseudonym")
    run = serializers.UUIDField(source="run.uuid", allow_null=True, default=None, help_text="Null: by hand.")
    by = serializers.CharField(source="created_by.username", allow_null=True, default=None)
    lifted_by = serializers.CharField(source="lifted_by.username", allow_null=True, default=None)

    class Meta:
        model = Exclusion
        fields = ("id", "participant", "run", "reason", "by", "created_at", "lifted_at", "lifted_by", "lift_reason")


class NewExclusion(Strict):
    participant = serializers.CharField(max_length=20, help_text="A pseudonym.")
    reason = serializers.CharField(max_length=2000)


class LiftedShown(serializers.Serializer[LiftedExclusion]):
    exclusion = ExclusionShown()
    places_closed = serializers.IntegerField(help_text="Judgments that are no longer needed.")
    surplus = serializers.IntegerField(help_text="Judgments beyond what is needed.")


class Exclusions(StudyView):
    name = "exclusions"

    @describe(
        "Excluded workers, newest first",
        parameters=[*PAGED, OpenApiParameter("in_force", bool, description="Only those that were not lifted.")],
        responses=page_of(ExclusionShown),
    )
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        rows = _exclusions(self.study)
        wanted = request.query_params.get("in_force", "").lower()
        if wanted not in {"", "true", "false"}:
            raise ValidationError({"in_force": ["Write true or false."]})
        if wanted:
            rows = rows.filter(lifted_at__isnull=wanted == "true")
        return Response(
            page(request, rows, lambda exclusions: ExclusionShown(exclusions, many=True).data, is_newest_first=True)
        )

    @describe("Exclude a worker by hand", request=NewExclusion, responses={201: ExclusionShown})
    @once()
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        wanted = read(NewExclusion, request.data)
        person = self.study.participations.filter(pseudonym=wanted["participant"]).first()
        if person is None:
            raise ValidationError({"participant": ["Nobody in this study has that pseudonym."]})
        exclusion = exclude(participation=person, reason=wanted["reason"], by=self.user)
        return Response(ExclusionShown(exclusion).data, status=HTTPStatus.CREATED)


def _exclusions(study: Study) -> QuerySet[Exclusion]:
    rows = Exclusion.objects.filter(participation__study=study)
    return rows.select_related("participation", "run", "created_by", "lifted_by")


class LiftExclusion(StudyView):
    name = "lift_exclusion"

    @describe("Include a worker again", request=Reason, responses=LiftedShown)
    def post(self, request: Request, study: str, exclusion: int) -> Response:  # noqa: ARG002
        stored = _exclusions(self.study).filter(pk=exclusion).first()
        if stored is None:
            raise Http404("There is no such exclusion in this study.")
        lifted = lift(exclusion=stored, reason=read(Reason, request.data)["why"], by=self.user)
        return Response(LiftedShown(lifted).data)
