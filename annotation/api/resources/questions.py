"""The questions of a study, as objects: read with the study, and sent with it while it is a draft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from agreement.errors import Refused
from annotation.api.parsing import Strict
from annotation.api.resources.study_parts import LabelPart
from annotation.models import Question
from annotation.models.question import FIRST, MOST_QUESTIONS
from annotation.studies.questions import NAME, SETTINGS, QuestionSettings, wrong_settings

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
        fields = (NAME, *SETTINGS, LABELS, "shown_if")
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
