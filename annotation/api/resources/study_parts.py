"""A study's labels, quotas of checks and questions about the person: read, and replaced as a whole."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.core.validators import RegexValidator
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.parsing import Line, Strict
from annotation.api.schema import describe
from annotation.api.views import StudyView
from annotation.models import CheckQuota, ComprehensionQuestion, EndQuestion, Label
from annotation.models.study import CHECKS_PER_ASSIGNMENT
from annotation.studies.study_form_fields import NO_BAR, NO_NAME, NO_WRONG_ANSWER
from annotation.studies.study_settings import replace_parts

MOST_PARTS = 500
A_NAME = RegexValidator("^[a-z][a-z0-9_]*$", NO_NAME)


class LabelPart(Strict):
    value = Line(max_length=80, help_text="What is stored and exported.")
    display_text = Line(max_length=120, help_text="What people read.")
    swatch = serializers.RegexField("^(#[0-9a-fA-F]{6})?$", required=False, allow_blank=True, default="")
    exclusive = serializers.BooleanField(
        required=False, default=False, help_text="Chosen together with no other label, such as none of these."
    )

    def validate_value(self, value: str) -> str:
        if "|" in value:
            raise ValidationError(NO_BAR)
        return value


class QuotaPart(Strict):
    check_name = Line(max_length=40)
    per_assignment = serializers.IntegerField(
        min_value=CHECKS_PER_ASSIGNMENT.least, max_value=CHECKS_PER_ASSIGNMENT.most
    )


class ComprehensionQuestionPart(Strict):
    text = Line(max_length=400)
    right_answer = Line(max_length=200)
    wrong_answers = serializers.CharField(max_length=5000, help_text="One on each line.")

    def validate(self, question: dict[str, str]) -> dict[str, str]:
        if len(ComprehensionQuestion(**question).answers) == 1:
            raise ValidationError({"wrong_answers": NO_WRONG_ANSWER})
        return question


class EndQuestionPart(Strict):
    name = serializers.CharField(max_length=40, validators=[A_NAME], help_text="Its column in exports.")
    text = Line(max_length=400)
    options = serializers.CharField(
        max_length=5000, required=False, allow_blank=True, default="", help_text="One on each line; empty: free text."
    )


UNIQUE = {"labels": "value", "check_quotas": "check_name", "end_questions": "name"}


def refuse_doubled(parts: Mapping[str, Sequence[Mapping[str, object]]]) -> None:
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
    model: ClassVar[Any]
    serializer: ClassVar[type[Strict]]

    def answer(self) -> Response:
        order = "check_name" if self.model is CheckQuota else "position"
        rows = self.model.objects.filter(study=self.study).order_by(order)
        return Response(self.serializer(rows, many=True).data)

    def replace(self, request: Request) -> Response:
        if not isinstance(request.data, list) or len(request.data) > MOST_PARTS:
            raise ValidationError(f"Send a list of at most {MOST_PARTS}.")
        rows = self.serializer(data=request.data, many=True)
        rows.is_valid(raise_exception=True)
        refuse_doubled({self.name: rows.validated_data})
        replace_parts(study=self.study, model=self.model, rows=rows.validated_data, by=self.user)
        return self.answer()


def _parts(of: str, stored: Any, part: type[Strict], *, reads: str, replaces: str) -> type[_Parts]:
    """The address of one kind of parts; `reads` and `replaces` say in the description what its methods do."""

    class Parts(_Parts):
        name, model, serializer = of, stored, part

        @describe(reads, responses=part(many=True))
        def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
            return self.answer()

        @describe(replaces, request=part(many=True), responses=part(many=True))
        def put(self, request: Request, study: str) -> Response:  # noqa: ARG002
            return self.replace(request)

    return Parts


Labels = _parts(
    "labels", Label, LabelPart,
    reads="The answers that can be chosen", replaces="Replace the labels of a draft",
)  # fmt: skip
Quotas = _parts(
    "check_quotas", CheckQuota, QuotaPart,
    reads="How many items of each check an assignment carries", replaces="Replace the quotas of checks",
)  # fmt: skip
ComprehensionQuestions = _parts(
    "comprehension_questions", ComprehensionQuestion, ComprehensionQuestionPart,
    reads="What is asked after the instructions", replaces="Replace the comprehension questions",
)  # fmt: skip
EndQuestions = _parts(
    "end_questions", EndQuestion, EndQuestionPart,
    reads="What is asked about the person at the end", replaces="Replace the end questions",
)  # fmt: skip
