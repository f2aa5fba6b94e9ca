"""A study's fields, as they are shown and as they are checked: by the rules of the study's own form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.db.models import TextField
from django.forms import modelform_factory
from django.forms.models import model_to_dict
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from agreement.stimuli.blocks import KINDS, as_plain
from annotation.accounts.permissions import CODES, Right, right_on, studies_where
from annotation.api.parsing import Strict
from annotation.api.resources.questions import QUESTIONS, QuestionPart
from annotation.models import Scope, Study, User
from annotation.studies.questions import QuestionSettings, questions_of
from annotation.studies.study_form import Paragraphs, StudyForm

COLUMNS = (
    "title", "kind", "question_name", "is_required", "offers_dont_know", "asks_confidence", "language", "metrics",
    "synonyms", "question", "stimulus", "summary", "consent", "consent_version",
    "instructions", "contact", "researchers", "institution", "ethics", "scale_low", "scale_high", "low_label",
    "high_label", "ordered", "shows_points", "fewest", "most",
    "slider_start", "slider_shows_number", "scale_direction", "word_order", "word_layout",
    "items_per_page", "pace", "seed", "judgments_per_item", "items_per_assignment", "assignments_per_worker",
    "minutes_allowed",
    "qualification_pass_mark", "qualification_items", "qualification_feedback",
    "refills_after_exclusion", "counts_late_answers", "capacity", "starts_at", "ends_at", "unverified_per_hour",
    "platform", "requires_signed_entry", "pay", "currency", "minutes_expected", "asks_comments", "counts_signs",
    "retention_days",
    *CODES,
)  # fmt: skip


class HttpsField(forms.URLField):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{"assume_scheme": "https", **options})


class BlockInRow(Strict):
    """What may stand in a row, too."""

    block = serializers.ChoiceField(choices=[kind for kind in KINDS if kind != "row"])
    text = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False, help_text="A template.")
    field = serializers.CharField(required=False, allow_blank=True, help_text="The column that is shown.")
    title = serializers.CharField(required=False, allow_blank=True, help_text="A template.")
    alternative = serializers.CharField(required=False, allow_blank=True, help_text="A column that describes it.")
    transcript = serializers.CharField(required=False, allow_blank=True, help_text="A column with its transcript.")
    must_play = serializers.BooleanField(required=False)


class BlockPart(BlockInRow):
    block = serializers.ChoiceField(choices=KINDS)
    blocks = BlockInRow(many=True, required=False, help_text="Of a row: what stands side by side.")


class StudyChanges(Strict, serializers.ModelSerializer[Study]):
    metrics = serializers.ListField(child=serializers.CharField(max_length=80), required=False)
    synonyms = serializers.DictField(child=serializers.CharField(max_length=200), required=False)
    shuts_out = serializers.ListField(
        child=serializers.SlugField(),
        required=False,
        help_text="Studies whose people may not take part.",
    )

    questions = QuestionPart(many=True, required=False, help_text="All of them, in their order.")
    stimulus = BlockPart(many=True, required=False, help_text="What an item shows apart from its questions.")

    class Meta:
        model = Study
        fields: tuple[str, ...] = ("slug", *COLUMNS, "shuts_out", QUESTIONS)
        extra_kwargs = {name: {"required": False} for name in ("slug", *COLUMNS)}
        validators: tuple[object, ...] = ()

    def validate_shuts_out(self, names: list[str]) -> list[Study]:
        seen = studies_where(cast("User", self.context["view"].request.user), Right.LOOK).filter(slug__in=names)
        by_slug = {study.slug: study for study in seen}
        if unknown := [name for name in names if name not in by_slug]:
            raise ValidationError(f"There is no study {', '.join(unknown)}, or it has not been shared with you.")
        return list(by_slug.values())


class StudyShown(serializers.ModelSerializer[Study]):
    owner = serializers.CharField(source="owner.username", allow_null=True, default=None)
    metrics = serializers.JSONField()
    synonyms = serializers.JSONField()
    scale_low = serializers.FloatField(allow_null=True)
    scale_high = serializers.FloatField(allow_null=True)
    your_right = serializers.SerializerMethodField(help_text="look, change or manage.")
    stimulus = serializers.SerializerMethodField(help_text="What an item shows apart from its questions.")
    questions = serializers.SerializerMethodField(
        help_text="All of them, in their order: the first is the study's own."
    )

    class Meta:
        model = Study
        fields = (
            "uuid", "slug", "status", "owner", "your_right", "created_at", "closed_at", "archived_at",
            "preset", "preset_version", "preset_sha256", *COLUMNS, QUESTIONS,
        )  # fmt: skip

    @extend_schema_field(BlockPart(many=True))
    def get_stimulus(self, study: Study) -> object:
        return as_plain(study.blocks)

    @extend_schema_field(QuestionPart(many=True))
    def get_questions(self, study: Study) -> object:
        by_study: Mapping[int, list[QuestionSettings]] = self.context.get(QUESTIONS, {})
        questions = by_study.get(study.pk) or questions_of(study)
        rows: Any = [question.as_fields() for question in questions]
        return QuestionPart(rows, many=True).data

    def get_your_right(self, study: Study) -> str:
        right = right_on(self.context["view"].user, study)
        return "" if right is None else right.name.lower()

    def to_representation(self, instance: Study) -> dict[str, object]:
        """What lets people in or pays them is null for who may not see it."""
        shown = super().to_representation(instance)
        view = self.context["view"]
        if not (view.has_scope(Scope.LINKS) and shown["your_right"] in {"change", "manage"}):
            shown |= dict.fromkeys(CODES)
        return shown


def checked_fields(study: Study | None, sent: Mapping[str, object], *, slug: str = "") -> dict[str, Any]:
    """The fields as the study's form on its own page would take them, or a refusal with what that form says.

    What it says of a field that was not sent counts too: a new consent, say, needs a new consent version. Only what it
    says of the study as it is anyway keeps nobody from changing something else.
    """
    changed = {name: value for name, value in sent.items() if name in FORM_FIELDS}
    form = _form(study, changed, slug)
    wrong = _form_errors(form)
    if wrong and study is not None:
        before = _form_errors(_form(Study.objects.get(pk=study.pk), {}))
        wrong = {name: reasons for name, reasons in wrong.items() if name in changed or reasons != before.get(name)}
    if wrong:
        raise ValidationError(wrong)
    return dict(form.cleaned_data)


FORM_FIELDS = (*COLUMNS, "slug")
PARAGRAPHS = tuple(field.name for field in Study._meta.get_fields() if isinstance(field, TextField))


def _form(study: Study | None, changed: Mapping[str, object], slug: str = "") -> forms.ModelForm[Study]:
    field_classes = {**dict.fromkeys(PARAGRAPHS, Paragraphs), "finish_url": HttpsField}
    form_class = modelform_factory(Study, form=StudyForm, fields=FORM_FIELDS, field_classes=field_classes)
    stored = model_to_dict(study or Study(slug=slug), fields=FORM_FIELDS)
    return form_class({**stored, **changed}, instance=study)


def _form_errors(form: forms.ModelForm[Study]) -> dict[str, list[str]]:
    """Every error of the form by its field."""
    return {
        name if name != NON_FIELD_ERRORS else "non_field_errors": list(map(str, errors))
        for name, errors in form.errors.items()
    }
