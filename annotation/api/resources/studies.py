"""Studies: made from a preset or from fields of their own, read, changed, opened, paused and closed."""

from collections.abc import Collection, Mapping, Sequence
from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from agreement.kinds.registry import KINDS
from agreement.typed_json import JsonObject
from annotation.accounts.permissions import Right, studies_where
from annotation.api.once import once
from annotation.api.parsing import Line, Strict, read
from annotation.api.resources.questions import QUESTIONS, questions_sent, refuse_said_twice
from annotation.api.resources.study_fields import COLUMNS, FORM_FIELDS, StudyChanges, StudyShown, checked_fields
from annotation.api.resources.study_parts import (
    ComprehensionQuestionPart,
    EndQuestionPart,
    LabelPart,
    QuotaPart,
    refuse_doubled,
)
from annotation.api.schema import IF_MATCH, IF_NONE_MATCH, PAGED, describe, page_of
from annotation.api.views import ApiView, StudyView, page, refuse_stale, switch, tagged, with_etag
from annotation.models import ComprehensionQuestion, EndQuestion, Scope, Study
from annotation.studies import presets
from annotation.studies.completeness import what_is_missing, what_people_will_see
from annotation.studies.questions import questions_of_studies
from annotation.studies.study_form_fields import FIXED_ONCE_OPEN, MANAGERS_ALONE, fields_unused_by, is_fixed
from annotation.studies.study_life import (
    NEXT,
    archive_study,
    change_status,
    create_study,
    duplicate_study,
    restore_study,
)
from annotation.studies.study_settings import change_study, define_study

NAMES_OF_PARTS = ("labels", "check_quotas", "comprehension_questions", "end_questions")


class NewStudy(StudyChanges):
    """With a preset: what differs from it. Without: at least title, kind and question."""

    slug = serializers.SlugField(max_length=80)
    preset = serializers.CharField(required=False, help_text="The name of a study template.")
    labels = LabelPart(many=True, required=False)
    check_quotas = QuotaPart(many=True, required=False)
    comprehension_questions = ComprehensionQuestionPart(many=True, required=False)
    end_questions = EndQuestionPart(many=True, required=False)

    class Meta(StudyChanges.Meta):
        fields = (*StudyChanges.Meta.fields, "preset", *NAMES_OF_PARTS)


class NewStatus(Strict):
    to = serializers.ChoiceField(choices=Study.Status.choices)
    why = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")


class Checklist(serializers.Serializer[dict[str, object]]):
    can_open = serializers.BooleanField()
    missing = serializers.ListField(child=serializers.CharField(), help_text="Why it can't open yet.")
    notices = serializers.ListField(child=serializers.CharField(), help_text="What should be known before it opens.")
    next_statuses = serializers.ListField(child=serializers.CharField())


def study_object(view: ApiView, study: Study) -> dict[str, object]:
    return dict(StudyShown(study, context={"view": view}).data)


class Studies(ApiView):
    name = "studies"
    study: Study  # that was made

    @describe(
        "The studies that are yours or shared with you, newest first",
        parameters=[
            *PAGED,
            OpenApiParameter("status", str, enum=Study.Status.values),
            OpenApiParameter("archived", bool, description="Archived studies, and no others."),
        ],
        responses=page_of(StudyShown),
    )
    def get(self, request: Request) -> Response:
        studies: QuerySet[Study] = studies_where(self.user, Right.LOOK).select_related("owner", "translation_of")
        studies = studies.filter(archived_at__isnull=not switch(request, "archived"))
        if status := request.query_params.get("status", ""):
            studies = studies.filter(status=status)

        def show(rows: Sequence[Study]) -> object:
            context = {"view": self, QUESTIONS: questions_of_studies(rows)}
            return StudyShown(rows, many=True, context=context).data

        return Response(page(request, studies, show, is_newest_first=True))

    @describe("Make a draft study from a preset, or from fields", request=NewStudy, responses={201: StudyShown})
    @once()
    def post(self, request: Request) -> Response:
        fields = read(NewStudy, request.data, partial=True, context={"view": self})
        self.study = self._from_preset(fields) if "preset" in fields else self._from_fields(fields)
        where = reverse("api:study", args=[self.study.slug])
        return Response(study_object(self, self.study), status=HTTPStatus.CREATED, headers={"Location": where})

    def _from_preset(self, fields: dict[str, Any]) -> Study:
        if parts := [name for name in (*NAMES_OF_PARTS, QUESTIONS) if name in fields]:
            reason = "A preset brings its own: make the study first, and replace them then."
            raise ValidationError({name: [reason] for name in parts})
        preset = presets.load(fields.pop("preset"))
        slug, changes = _slug_of(fields), {name: fields[name] for name in fields if name in COLUMNS}
        cleaned = checked_fields(None, {**preset.study, **changes}, slug=slug)
        return create_study(slug=slug, preset=preset, owner=self.user, **{name: cleaned[name] for name in changes})

    def _from_fields(self, sent: dict[str, Any]) -> Study:
        refuse_said_twice(sent)
        first, *further = questions_sent(sent.pop(QUESTIONS)) if QUESTIONS in sent else [None]
        if first is not None:
            sent |= {**first.columns, "labels": list(first.labels)}
        missing = {name: ["Give this, or a preset."] for name in ("title", "kind", "question") if not sent.get(name)}
        if missing:
            raise ValidationError(missing)
        slug, fields = _slug_of(sent), {name: sent[name] for name in sent if name in COLUMNS}
        parts = {name: sent.get(name, []) for name in NAMES_OF_PARTS}
        refuse_doubled(parts)
        cleaned = checked_fields(None, fields, slug=slug)
        return define_study(
            slug=slug,
            fields={name: cleaned[name] for name in fields},
            labels=parts["labels"],
            check_quotas={row["check_name"]: row["per_assignment"] for row in parts["check_quotas"]},
            parts={ComprehensionQuestion: parts["comprehension_questions"], EndQuestion: parts["end_questions"]},
            further=[question for question in further if question is not None],
            owner=self.user,
        )


def _slug_of(sent: dict[str, object]) -> str:
    if "slug" not in sent:
        raise ValidationError({"slug": ["A study needs a short name."]})
    return str(sent.pop("slug"))


class OneStudy(StudyView):
    name = "study"

    @describe("One study", parameters=[IF_NONE_MATCH], responses=StudyShown)
    def get(self, request: Request, study: str) -> Response | HttpResponse:  # noqa: ARG002
        return with_etag(request, study_object(self, self.study))

    @describe("Change a study's fields", parameters=[IF_MATCH], request=StudyChanges, responses=StudyShown)
    def patch(self, request: Request, study: str) -> Response:  # noqa: ARG002
        refuse_stale(request, study_object(self, self.study))
        sent = read(StudyChanges, request.data, partial=True, instance=self.study, context={"view": self})
        self._refuse_fixed(sent)
        refuse_said_twice(sent)
        questions = questions_sent(sent[QUESTIONS]) if QUESTIONS in sent else None
        recorded = _recorded_changes(self.study, sent)  # before the form puts the new values into the study
        cleaned = checked_fields(self.study, sent)
        emptied = fields_unused_by(KINDS[cleaned["kind"]]) if "kind" in sent else frozenset()
        changes = {name: cleaned[name] for name in FORM_FIELDS if name in sent or name in emptied}
        changed = change_study(
            study=self.study,
            changes=changes,
            shuts_out=sent.get("shuts_out"),
            questions=questions,
            by=self.user,
            refuse_if_changed=lambda now: _refuse_changed_study(request, self, now),
            recorded=recorded,
        )
        return tagged(study_object(self, Study.objects.select_related("owner").get(pk=changed.pk)))

    def _refuse_fixed(self, names: Collection[str]) -> None:
        errors: dict[str, list[str]] = {}
        if not self.may(Right.MANAGE):
            errors |= {name: ["Only the study's managers can change this."] for name in names if name in MANAGERS_ALONE}
        if is_fixed(self.study):
            reason = "This can't change once the study is open."
            errors |= {name: [reason] for name in names if name in FIXED_ONCE_OPEN}
        if errors:
            raise ValidationError(errors)


def _refuse_changed_study(request: Request, view: ApiView, now: Study) -> None:
    refuse_stale(request, study_object(view, now))


def _recorded_changes(study: Study, changes: Mapping[str, object]) -> JsonObject:
    """Which fields, and of money and codes also from what to what, as the study's page records it."""
    detail: JsonObject = {"fields": list(changes)}
    if money := [name for name in changes if name in MANAGERS_ALONE]:
        detail["from"] = {name: str(getattr(study, name) or "") for name in money}
        detail["to"] = {name: str(changes[name] or "") for name in money}
    return detail


class StudyStatus(StudyView):
    name = "study_status"

    @describe("Open, pause or close a study", request=NewStatus, responses=StudyShown)
    @once()
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        wanted = read(NewStatus, request.data)
        changed = change_status(study=self.study, status=wanted["to"], by=self.user, why=wanted["why"])
        return tagged(study_object(self, changed))


class Duplicate(Strict):
    slug = serializers.SlugField(max_length=80)
    title = Line(max_length=200, required=False, help_text="The same title unless told.")
    with_items = serializers.BooleanField(required=False, default=True)
    shuts_out = serializers.BooleanField(
        required=False, default=False, help_text="Nobody who took part in the original can take part in it."
    )


class DuplicateStudy(StudyView):
    name = "duplicate_study"

    @describe("A draft like this study, without its people and links", request=Duplicate, responses={201: StudyShown})
    @once()
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        fields = {"title": self.study.title, **read(Duplicate, request.data)}
        self.study = duplicate_study(study=self.study, by=self.user, **fields)
        where = reverse("api:study", args=[self.study.slug])
        return Response(study_object(self, self.study), status=HTTPStatus.CREATED, headers={"Location": where})


class OptionalReason(Strict):
    why = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")


class ArchiveStudy(StudyView):
    name = "archive_study"
    rights: ClassVar[Mapping[str, Right]] = {"POST": Right.MANAGE}

    @describe("Put a study away: out of lists, closed to new people", request=OptionalReason, responses=StudyShown)
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        archived = archive_study(study=self.study, by=self.user, why=read(OptionalReason, request.data)["why"])
        return tagged(study_object(self, archived))


class RestoreStudy(StudyView):
    name = "restore_study"
    rights: ClassVar[Mapping[str, Right]] = {"POST": Right.MANAGE}

    @describe("Put an archived study back into lists", request=OptionalReason, responses=StudyShown)
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        restored = restore_study(study=self.study, by=self.user, why=read(OptionalReason, request.data)["why"])
        return tagged(study_object(self, restored))


class StudyChecklist(StudyView):
    name = "study_checklist"
    scopes: ClassVar[Mapping[str, Scope]] = {}

    @describe("What a study lacks before people can come", responses=Checklist)
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        missing: Sequence[str] = list(what_is_missing(self.study))
        checklist = {
            "can_open": not missing,
            "missing": missing,
            "notices": list(what_people_will_see(self.study)),
            "next_statuses": [str(status) for status in NEXT[self.study.status]],
        }
        return Response(Checklist(checklist).data)
