"""The questions of a study: read and sent with it, or each by itself, while it is a draft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.db import transaction
from django.http import Http404, HttpResponse
from django.urls import reverse
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from agreement.errors import Refused
from annotation.api.once import once
from annotation.api.parsing import Strict, read
from annotation.api.resources.study_parts import LabelPart
from annotation.api.schema import IF_MATCH, IF_NONE_MATCH, describe
from annotation.api.views import StudyView, refuse_stale, tagged, with_etag
from annotation.models import Question, Study
from annotation.models.question import FIRST, MOST_QUESTIONS
from annotation.studies.question_actions import add_question, change_question, move_question, remove_question
from annotation.studies.questions import NAME, SETTINGS, QuestionSettings, questions_of
from annotation.studies.wrong_questions import wrong_settings

QUESTIONS, LABELS = "questions", "labels"


class ShownIfPart(Strict):
    question = serializers.CharField(max_length=40, help_text="The name of an earlier question.")
    labels = serializers.ListField(child=serializers.CharField(max_length=80), required=False, allow_null=True)
    low = serializers.FloatField(required=False, allow_null=True, help_text="The least answer, of numbers.")
    high = serializers.FloatField(required=False, allow_null=True)


class QuestionPart(Strict, serializers.ModelSerializer[Question]):
    name = serializers.CharField(max_length=40, help_text="Small letters, digits and _, a letter first.")
    scale_low = serializers.FloatField(required=False, allow_null=True)
    scale_high = serializers.FloatField(required=False, allow_null=True)
    metrics = serializers.ListField(child=serializers.CharField(max_length=80), required=False)
    synonyms = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(max_length=80)), required=False
    )
    labels = LabelPart(many=True, required=False)
    shown_if = ShownIfPart(required=False, allow_null=True, help_text="Without it everybody is asked.")

    class Meta:
        model = Question
        fields: tuple[str, ...] = (NAME, *SETTINGS, LABELS, "shown_if")
        extra_kwargs = {name: {"required": False} for name in SETTINGS if name not in {"kind", "question"}}
        validators: tuple[object, ...] = ()


def questions_sent(rows: Sequence[Mapping[str, Any]]) -> list[QuestionSettings]:
    """Refused with every field that is wrong, as `questions.2.labels`."""
    if not 0 < len(rows) <= MOST_QUESTIONS:
        raise ValidationError({QUESTIONS: [f"Send 1 to {MOST_QUESTIONS} questions."]})
    try:
        questions = [QuestionSettings.of(row) for row in rows]
    except Refused as refusal:
        raise ValidationError({QUESTIONS: list(refusal.reasons)}) from refusal
    errors: dict[str, list[str]] = {}
    for wrong in wrong_settings(questions):
        errors.setdefault(f"{QUESTIONS}.{wrong.number - FIRST}.{wrong.field}", []).append(wrong.sentence)
    if errors:
        raise ValidationError(errors)
    return questions


def refuse_said_twice(sent: Mapping[str, object]) -> None:
    """What the first question has stands in `questions` or beside them, and not in both."""
    doubled = [name for name in ("question_name", *SETTINGS, LABELS) if name in sent] if QUESTIONS in sent else []
    if doubled:
        reason = "Give this in questions, where the first question has it, or leave questions out."
        raise ValidationError({name: [reason] for name in doubled})


# Each question by itself: added as the last, changed, moved and removed, by the actions of a draft.


class QuestionChanges(QuestionPart):
    number = serializers.IntegerField(
        required=False, min_value=FIRST, max_value=MOST_QUESTIONS, help_text="Its place in the order."
    )

    class Meta(QuestionPart.Meta):
        fields = (*QuestionPart.Meta.fields, "number")


def shown_questions(study: Study) -> list[dict[str, Any]]:
    rows: Any = [question.as_fields() for question in questions_of(study)]
    return [dict(row) for row in QuestionPart(rows, many=True).data]


class Questions(StudyView):
    name = "questions"

    @describe("What is asked about each item, in order", responses=QuestionPart(many=True))
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        return Response(shown_questions(self.study))

    @describe("Add a question to a draft, as the last", request=QuestionPart, responses={201: QuestionPart})
    @once()
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        question = QuestionSettings.of(read(QuestionPart, request.data))
        add_question(study=self.study, question=question, by=self.user)
        where = reverse("api:question", args=[self.study.slug, question.name])
        return Response(shown_questions(self.study)[-1], status=HTTPStatus.CREATED, headers={"Location": where})


class OneQuestion(StudyView):
    name = "question"

    @describe("One question", parameters=[IF_NONE_MATCH], responses=QuestionPart)
    def get(self, request: Request, study: str, question: str) -> HttpResponse:  # noqa: ARG002
        return with_etag(request, self._shown(question))

    @describe(
        "Change a draft's question, or move it", parameters=[IF_MATCH], request=QuestionChanges, responses=QuestionPart
    )
    def patch(self, request: Request, study: str, question: str) -> Response:  # noqa: ARG002
        refuse_stale(request, self._shown(question))
        changes = read(QuestionChanges, request.data, partial=True)
        place, name = changes.pop("number", None), changes.get(NAME, question)
        with transaction.atomic():
            if changes:
                change_question(study=self.study, name=question, changes=changes, by=self.user)
            if place is not None:
                move_question(study=self.study, name=name, to=place, by=self.user)
        return tagged(self._shown(name))

    @describe("Remove a draft's question", request=None, responses={204: None})
    def delete(self, request: Request, study: str, question: str) -> Response:  # noqa: ARG002
        self._shown(question)
        remove_question(study=self.study, name=question, by=self.user)
        return Response(status=HTTPStatus.NO_CONTENT)

    def _shown(self, name: str) -> dict[str, Any]:
        study = Study.objects.get(pk=self.study.pk)
        shown = next((each for each in shown_questions(study) if each[NAME] == name), None)
        if shown is None:
            raise Http404("There is no such question in this study.")
        return shown
