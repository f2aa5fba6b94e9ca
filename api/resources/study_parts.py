"""A study's labels, quotas of checks and questions about the person: read, and replaced as a whole."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.core.validators import RegexValidator
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.actions.study_settings import replace_parts
from annotation.models import CheckQuota, ComprehensionQuestion, EndQuestion, Label
from api.fields import Strict
from api.schema import describe
from api.views import StudyView

MOST_PARTS = 500
A_NAME = RegexValidator("^[a-z][a-z0-9_]*$", "Use small letters, digits and underscores, and begin with a letter.")


class LabelPart(Strict):
    value = serializers.CharField(max_length=80, help_text="What is stored and exported.")
    display_text = serializers.CharField(max_length=120, help_text="What people read.")
    swatch = serializers.RegexField("^(#[0-9a-fA-F]{6})?$", required=False, allow_blank=True, default="")

    def validate_value(self, value: str) -> str:
        if "|" in value:
            raise ValidationError("A label can't have the sign | in it: files put it between two labels.")
        return value


class QuotaPart(Strict):
    check_name = serializers.CharField(max_length=40)
    per_assignment = serializers.IntegerField(min_value=1, max_value=1000)


class ComprehensionQuestionPart(Strict):
    text = serializers.CharField(max_length=400)
    right_answer = serializers.CharField(max_length=200)
    wrong_answers = serializers.CharField(max_length=5000, help_text="One on each line.")


class EndQuestionPart(Strict):
    name = serializers.CharField(max_length=40, validators=[A_NAME], help_text="Its column in exports.")
    text = serializers.CharField(max_length=400)
    options = serializers.CharField(
        max_length=5000, required=False, allow_blank=True, default="", help_text="One on each line; empty: free text."
    )


UNIQUE = {"labels": "value", "check_quotas": "check_name", "end_questions": "name"}


def refuse_doubled(parts: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Two labels of one value, two quotas of one check: each is named."""
    errors: dict[str, list[str]] = {}
    for part, name in UNIQUE.items():
        seen: set[str] = set()
        for number, row in enumerate(parts.get(part, ())):
            if str(row[name]) in seen:
                errors[f"{part}.{number}.{name}"] = [f"{row[name]!r} stands there twice."]
            seen.add(str(row[name]))
    if errors:
        raise ValidationError(errors)


class _Parts(StudyView):
    part: ClassVar[str]
    model: ClassVar[Any]
    serializer: ClassVar[Any]

    def shown(self) -> Response:
        order = "check_name" if self.model is CheckQuota else "position"
        rows = self.model.objects.filter(study=self.study).order_by(order)
        return Response(self.serializer(rows, many=True).data)

    def replaced(self, request: Request) -> Response:
        if not isinstance(request.data, list) or len(request.data) > MOST_PARTS:
            raise ValidationError(f"Send a list of at most {MOST_PARTS}.")
        given = self.serializer(data=request.data, many=True)
        given.is_valid(raise_exception=True)
        refuse_doubled({self.part: given.validated_data})
        replace_parts(study=self.study, model=self.model, rows=given.validated_data, by=self.user)
        return self.shown()


class Labels(_Parts):
    name, part, model, serializer = "labels", "labels", Label, LabelPart

    @describe("The answers that can be chosen", responses=LabelPart(many=True))
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        return self.shown()

    @describe("Replace the labels of a draft", request=LabelPart(many=True), responses=LabelPart(many=True))
    def put(self, request: Request, study: str) -> Response:  # noqa: ARG002
        return self.replaced(request)


class Quotas(_Parts):
    name, part, model, serializer = "check_quotas", "check_quotas", CheckQuota, QuotaPart

    @describe("How many items of each check an assignment carries", responses=QuotaPart(many=True))
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        return self.shown()

    @describe("Replace the quotas of checks", request=QuotaPart(many=True), responses=QuotaPart(many=True))
    def put(self, request: Request, study: str) -> Response:  # noqa: ARG002
        return self.replaced(request)


class ComprehensionQuestions(_Parts):
    name, part = "comprehension_questions", "comprehension_questions"
    model, serializer = ComprehensionQuestion, ComprehensionQuestionPart

    @describe("What is asked after the instructions", responses=ComprehensionQuestionPart(many=True))
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        return self.shown()

    @describe(
        "Replace the comprehension questions",
        request=ComprehensionQuestionPart(many=True),
        responses=ComprehensionQuestionPart(many=True),
    )
    def put(self, request: Request, study: str) -> Response:  # noqa: ARG002
        return self.replaced(request)


class EndQuestions(_Parts):
    name, part, model, serializer = "end_questions", "end_questions", EndQuestion, EndQuestionPart

    @describe("What is asked about the person at the end", responses=EndQuestionPart(many=True))
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        return self.shown()

    @describe("Replace the end questions", request=EndQuestionPart(many=True), responses=EndQuestionPart(many=True))
    def put(self, request: Request, study: str) -> Response:  # noqa: ARG002
        return self.replaced(request)
