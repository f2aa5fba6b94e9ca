"""Models beside people: their outputs come in as probes, are scored by a job, and stand on a leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar
from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from agreement.errors import PAGE, Refused
from agreement.files.cell_texts import why_no_line
from agreement.judgments.property_coding import words_in
from agreement.scoring.answer_mapping.mapping_table import TableRow
from agreement.scoring.answer_mapping.rules import VERSION
from agreement.scoring.probe_format import Option, ProbeOptions
from agreement.scoring.probe_formats import OPTIONS, options_of
from agreement.typed_json import JsonObject, to_json
from annotation.accounts.permissions import Right
from annotation.api.once import once
from annotation.api.parsing import MOST_FILE, FilesInParts, Strict, read
from annotation.api.resources.exports import number_of_release
from annotation.api.resources.jobs import JobShown, accepted_response
from annotation.api.schema import PAGED, describe, page_of
from annotation.api.views import QUESTION, StudyView, page
from annotation.jobs import request_job
from annotation.models import Scope, Study
from annotation.releases.actions.mapping_answers import decide_answers, forget_answers, mapped_answers
from annotation.releases.actions.scoring_probes import (
    add_probes,
    first_options,
    publish_leaderboard,
    unpublish_leaderboard,
)
from annotation.releases.exports.export_choice import release_numbered
from annotation.releases.leaderboards import Row, metrics_of, scoring_as_json, table_of
from annotation.releases.models import GoldRelease, Probe, Scoring
from annotation.releases.tasks import SCORE
from annotation.studies.item_files import name_on_disk

RELEASE = OpenApiParameter("release", int, description="Its number; the newest unless told.")
FIELDS = ("name", "group", "file", *OPTIONS)


class ProbeShown(serializers.ModelSerializer[Probe]):
    id = serializers.UUIDField(source="uuid")
    sha256 = serializers.CharField(source="file_id", help_text="Of its file.")
    options = serializers.JSONField()
    by = serializers.CharField(source="created_by.username", allow_null=True, default=None)

    class Meta:
        model = Probe
        fields = ("id", "name", "group", "sha256", "options", "by", "created_at")


class ProbesShown(serializers.ModelSerializer[Probe]):
    id = serializers.UUIDField(source="uuid")
    sha256 = serializers.CharField(source="file_id", help_text="Of its file.")
    options = serializers.JSONField()
    by = serializers.CharField(source="created_by.username", allow_null=True, default=None)
    others = ProbeShown(many=True, required=False, help_text="Of a file of several models, all but the first.")

    class Meta:
        model = Probe
        fields = ("id", "name", "group", "sha256", "options", "by", "created_at", "others")


def _property(option: Option[object]) -> dict[str, object]:
    if option.choices:
        return {"type": "string", "enum": list(option.choices)}
    if option.is_text:
        return {"type": "string", "maxLength": 500}
    return {"type": "string"} if option.is_words else {"type": "string", "enum": ["true", "false"]}


NEW_PROBE = {
    "type": "object",
    "required": ["name", "file"],
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string", "maxLength": 120},
        "group": {"type": "string", "maxLength": 80},
        "file": {"type": "string", "format": "binary"},
        **{name: _property(option) for name, option in OPTIONS.items()},
    },
}


class Probes(StudyView):
    name = "probes"
    most_bytes = MOST_FILE
    parser_classes = (FilesInParts,)

    @describe("The models whose outputs are there", parameters=[QUESTION, *PAGED], responses=page_of(ProbeShown))
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        probes = self.study.probes.select_related("created_by")
        return Response(page(request, probes, lambda rows: ProbeShown(rows, many=True).data))

    @describe(
        "Add a model's outputs: every row is right, or nothing is stored",
        parameters=[QUESTION],
        request={"multipart/form-data": NEW_PROBE},
        responses={201: ProbesShown},
    )
    @once()
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        fields = {name: value for name, value in dict(request.data).items() if name != "pictures"}
        name, group, file, options = _checked_probe(self.study, fields)
        with TemporaryDirectory(prefix="touchstone-probe-") as folder:
            path = Path(folder) / name_on_disk(file.name, "probe.csv")
            with path.open("wb") as out:
                out.writelines(file.chunks())
            probe, *others = add_probes(
                study=self.study, name=name, group=group, file=path, options=options, by=self.user
            )
        where = reverse("api:probe", args=[self.study.slug, probe.uuid])
        answer = {**ProbeShown(probe).data, **({"others": ProbeShown(others, many=True).data} if others else {})}
        return Response(answer, status=HTTPStatus.CREATED, headers={"Location": where})


def _checked_probe(study: Study, sent: Mapping[str, object]) -> tuple[str, str, UploadedFile[bytes], ProbeOptions]:
    errors: dict[str, list[str]] = {
        name: [f"There is no such field here. The fields are: {', '.join(FIELDS)}."]
        for name in sent
        if name not in FIELDS
    }
    name, group, file = str(sent.get("name", "")).strip(), str(sent.get("group", "")).strip(), sent.get("file")
    if not name or len(name) > 120:
        errors["name"] = ["Give the model's name, of at most 120 characters."]
    if len(group) > 80:
        errors["group"] = ["A group's name has at most 80 characters."]
    errors |= {field: [why] for field, text in (("name", name), ("group", group)) if (why := why_no_line(text))}
    if not isinstance(file, UploadedFile):
        errors["file"] = ["Send the file of its outputs."]
    options: dict[str, object] = dict(first_options(study).values)
    for option in OPTIONS:
        if option in sent:
            try:
                options[option] = _option(option, sent[option])
            except Refused as refusal:
                errors[option] = list(refusal.words(PAGE))
    if errors or not isinstance(file, UploadedFile):
        raise ValidationError(errors)
    return name, group, file, options_of(options)


def _option(name: str, value: object) -> object:
    option, text = OPTIONS[name], value if isinstance(value, str) else ""
    if option.is_words:
        return words_in(text.encode(), "the words") if text.strip() else ""
    if option.is_text:
        if len(text) > 500:
            raise Refused("Write at most 500 characters.")
        return text.strip()
    if option.choices:
        if text not in option.choices:
            raise Refused(f"Write one of {', '.join(option.choices)}.")
        return text
    if text not in {"true", "false"}:
        raise Refused("Write true or false.")
    return text == "true"


class OneProbe(StudyView):
    name = "probe"

    @describe("One model", responses=ProbeShown)
    def get(self, request: Request, study: str, probe: UUID) -> Response:  # noqa: ARG002
        stored = Probe.objects.filter(study=self.study, uuid=probe).select_related("created_by").first()
        if stored is None:
            raise Http404("There is no such model in this study.")
        return Response(ProbeShown(stored).data)


class AnswerShown(serializers.Serializer[TableRow]):
    answer = serializers.CharField(allow_blank=True, help_text="As models gave it.")
    value = serializers.CharField(allow_blank=True, help_text="What it was mapped to; empty: nothing, or truncated.")
    rule = serializers.CharField(help_text="The rule that took it; none: it is unmapped.")
    count = serializers.IntegerField()
    decided_by = serializers.CharField(allow_blank=True)


class AnswersShown(serializers.Serializer[dict[str, object]]):
    rules = serializers.CharField(help_text="The version of the rules.")
    sha256 = serializers.CharField(help_text="Of the table of all models' answers.")
    models = serializers.IntegerField(help_text="How many models' answers were mapped.")
    answers = AnswerShown(many=True)


class OneDecision(Strict):
    answer = serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=1_000_000)
    value = serializers.CharField(
        allow_blank=True,
        allow_null=True,
        max_length=100_000,
        help_text="A label, several with |, a number, refusal, or empty: none of these. Null: the rules hold again.",
    )


class NewDecisions(Strict):
    answers = OneDecision(many=True)


class DecidedAnswers(serializers.Serializer[dict[str, int]]):
    changed = serializers.IntegerField(help_text="Score the models again for their scores to follow.")


class Answers(StudyView):
    name = "answers"

    @describe(
        "What models' answers in their own words are mapped to, unmapped ones first",
        parameters=[QUESTION],
        responses=AnswersShown,
    )
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        mapped = mapped_answers(self.study)
        shown = {"rules": VERSION, "sha256": mapped.table.sha256, "models": mapped.models, "answers": mapped.table.rows}
        return Response(AnswersShown(shown).data)

    @describe(
        "Decide what answers stand for, in all models alike: all of them or none",
        parameters=[QUESTION],
        request=NewDecisions,
        responses=DecidedAnswers,
    )
    @once()
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        rows = read(NewDecisions, request.data)["answers"]
        decided = {row["answer"]: row["value"] for row in rows if row["value"] is not None}
        taken_back = [row["answer"] for row in rows if row["value"] is None]
        with transaction.atomic():
            changed = decide_answers(study=self.study, values=decided, by=self.user)
            changed += forget_answers(study=self.study, answers=taken_back, by=self.user)
        return Response({"changed": changed})


class ScoreShown(serializers.Serializer[JsonObject]):
    metric = serializers.CharField()
    breakdown = serializers.CharField(allow_blank=True)
    group = serializers.CharField(allow_blank=True)
    chance = serializers.FloatField(allow_null=True)
    estimate = serializers.FloatField(allow_null=True, required=False)
    low = serializers.FloatField(allow_null=True, required=False)
    high = serializers.FloatField(allow_null=True, required=False)
    n = serializers.IntegerField(allow_null=True, required=False)
    method = serializers.CharField(allow_blank=True, required=False)
    undefined = serializers.CharField(required=False, help_text="Why there is no figure.")


class ScoringShown(serializers.Serializer[JsonObject]):
    study = serializers.CharField()
    probe = serializers.CharField()
    release = serializers.IntegerField()
    sha256 = serializers.CharField()
    seed = serializers.IntegerField()
    coverage = serializers.JSONField()
    notes = serializers.JSONField()
    answers = serializers.JSONField(
        allow_null=True,
        help_text="Of a model whose answers were mapped: how many, by which rules, and the table's hash.",
    )
    matched_share = serializers.JSONField()
    scores = ScoreShown(many=True)


def release_for(view: StudyView, request: Request) -> GoldRelease:
    release = release_numbered(view.study, number_of_release(request))
    if release is None:
        raise Http404("This study has no gold release yet.")
    return release


class Scores(StudyView):
    name = "scores"

    @describe(
        "Every model's scores against a release",
        parameters=[QUESTION, RELEASE, *PAGED],
        responses=page_of(ScoringShown),
    )
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        shown = Scoring.objects.shown_of(release_for(self, request))
        rows = shown.select_related("probe", "release__study").prefetch_related("scores")
        return Response(page(request, rows, lambda scorings: [scoring_as_json(one) for one in scorings]))

    @describe(
        "Score every model against a release: a job",
        parameters=[QUESTION, RELEASE],
        request=None,
        responses={202: JobShown},
    )
    @once()
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        release = release_for(self, request)
        parameters = {"release": str(release.uuid)}
        return accepted_response(request_job(kind=SCORE, study=self.study, parameters=parameters, by=self.user))


class BoardRow(serializers.Serializer[dict[str, object]]):
    rank = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    kind = serializers.CharField(help_text="probe, group, person or chance.")
    estimate = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    coverage = serializers.JSONField(allow_null=True)
    answers = serializers.JSONField(
        allow_null=True, help_text="Of a model whose answers were mapped: how many are refused, truncated, unmapped, …"
    )
    other_way = serializers.JSONField(
        allow_null=True, help_text="The score by the other way of counting answers that were mapped to nothing."
    )


class Board(serializers.Serializer[dict[str, object]]):
    release = serializers.IntegerField()
    metric = serializers.CharField(allow_blank=True)
    metrics = serializers.DictField(child=serializers.CharField(), help_text="What it can be ranked by.")
    smaller_is_better = serializers.BooleanField()
    rows = BoardRow(many=True)
    comparisons = serializers.JSONField(help_text="Every pair: difference, interval, p, and p corrected.")


class LeaderboardOf(StudyView):
    name = "leaderboard"

    @describe(
        "Models, people and chance on one scale",
        parameters=[QUESTION, RELEASE, OpenApiParameter("metric", str)],
        responses=Board,
    )
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        release = release_for(self, request)
        table = table_of(release, request.query_params.get("metric", ""))
        board = {
            "release": release.number,
            "metric": "" if table is None else table.metric,
            "metrics": metrics_of(release),
            "smaller_is_better": table is not None and table.smaller_is_better,
            "rows": [] if table is None else [_row(row) for row in table.rows],
            "comparisons": [] if table is None else to_json(table.comparisons),
        }
        return Response(Board(board).data)


BOARD_ROW = ("rank", "name", "kind", "estimate", "low", "high", "coverage")


def _row(row: Row) -> dict[str, object]:
    return {
        **{name: getattr(row, name) for name in BOARD_ROW},
        "answers": to_json(row.answers),
        "other_way": None
        if row.other_way is None
        else {"number": row.other_way.number, "interval": row.other_way.interval},
    }


class PublicLink(serializers.Serializer[dict[str, str | None]]):
    address = serializers.CharField(allow_null=True, help_text="Null without the scope links:read.")


class PublicLeaderboardOf(StudyView):
    name = "public_leaderboard"
    rights: ClassVar[Mapping[str, Right]] = {"POST": Right.MANAGE, "DELETE": Right.MANAGE}

    @describe("Let anybody read the leaderboard by a new link", request=None, responses={201: PublicLink})
    @once()
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        leaderboard = publish_leaderboard(study=self.study, by=self.user)
        address = request.build_absolute_uri(reverse("public_leaderboard", args=[leaderboard.token]))
        return Response({"address": address if self.has_scope(Scope.LINKS) else None}, status=HTTPStatus.CREATED)

    @describe("Revoke that link", responses={204: None})
    def delete(self, request: Request, study: str) -> Response:  # noqa: ARG002
        unpublish_leaderboard(study=self.study, by=self.user)
        return Response(status=HTTPStatus.NO_CONTENT)
