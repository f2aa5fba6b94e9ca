"""A study's fields, as they are shown and as they are checked: by the rules of the study's own form."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.forms import modelform_factory
from django.forms.models import model_to_dict
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from annotation.admin.study_form import StudyForm
from annotation.models import Scope, Study, User
from annotation.permissions import Right, right_on, studies_where
from api.fields import Strict

# What lets people in or pays them: for tokens with the scope for links, of those who may change the study.
OF_LINKS = ("platform_study_id", "code_completed", "code_no_consent", "code_failed_comprehension", "finish_url")
COLUMNS = (
    "title", "kind", "language", "metrics", "synonyms", "question", "summary", "consent", "consent_version",
    "instructions", "contact", "researchers", "institution", "ethics", "scale_low", "scale_high", "low_label",
    "high_label", "slider_start", "slider_shows_number", "scale_direction", "word_order", "word_layout",
    "items_per_page", "seed", "judgments_per_item", "items_per_assignment", "assignments_per_worker", "minutes_allowed",
    "refills_after_exclusion", "counts_late_answers", "capacity", "starts_at", "ends_at", "unverified_per_hour",
    "platform", "requires_signed_entry", "pay", "currency", "minutes_expected", "asks_comments", "retention_days",
    *OF_LINKS,
)  # fmt: skip


class HttpsField(forms.URLField):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{"assume_scheme": "https", **options})


class StudyChanges(Strict, serializers.ModelSerializer[Study]):
    metrics = serializers.ListField(child=serializers.CharField(max_length=80), required=False)
    synonyms = serializers.DictField(child=serializers.CharField(max_length=200), required=False)
    shuts_out = serializers.ListField(
        child=serializers.SlugField(),
        required=False,
        help_text="Studies whose people may not take part.",
    )

    class Meta:
        model = Study
        fields: tuple[str, ...] = ("slug", *COLUMNS, "shuts_out")
        extra_kwargs = {name: {"required": False} for name in ("slug", *COLUMNS)}
        validators: tuple[Any, ...] = ()

    def validate_shuts_out(self, names: list[str]) -> list[Study]:
        seen = studies_where(cast("User", self.context["view"].request.user), Right.LOOK).filter(slug__in=names)
        found = {study.slug: study for study in seen}
        if unknown := [name for name in names if name not in found]:
            raise ValidationError(f"There is no study {', '.join(unknown)}, or it has not been shared with you.")
        return list(found.values())


class StudyShown(serializers.ModelSerializer[Study]):
    owner = serializers.CharField(source="owner.username", allow_null=True, default=None)
    metrics = serializers.JSONField()
    synonyms = serializers.JSONField()
    scale_low = serializers.FloatField(allow_null=True)
    scale_high = serializers.FloatField(allow_null=True)
    your_right = serializers.SerializerMethodField(help_text="look, change or manage.")

    class Meta:
        model = Study
        fields = (
            "uuid", "slug", "status", "owner", "your_right", "created_at", "closed_at", "archived_at",
            "preset", "preset_version", "preset_sha256", *COLUMNS,
        )  # fmt: skip

    def get_your_right(self, study: Study) -> str:
        right = right_on(self.context["view"].user, study)
        return "" if right is None else right.name.lower()

    def to_representation(self, instance: Study) -> dict[str, Any]:
        """What lets people in or pays them is null for who may not see it."""
        found: dict[str, Any] = super().to_representation(instance)
        view = self.context["view"]
        if not (view.has_scope(Scope.LINKS) and found["your_right"] in {"change", "manage"}):
            found |= dict.fromkeys(OF_LINKS)
        return found


def checked_fields(study: Study | None, given: Mapping[str, Any], *, slug: str = "") -> dict[str, Any]:
    """The fields as the study's form on its own page would take them, or a refusal with what that form says."""
    names = (*COLUMNS, "slug")
    form_class = modelform_factory(
        Study,
        form=StudyForm,
        fields=names,
        field_classes={"finish_url": HttpsField},
    )
    there = model_to_dict(study or Study(slug=slug), fields=names)
    changed = {name: value for name, value in given.items() if name in names}
    form = form_class({**there, **changed}, instance=study)
    wrong = {name: list(errors) for name, errors in form.errors.items() if _is_ours(name, study, changed)}
    if wrong:
        raise ValidationError(
            {name if name != "__all__" else "non_field_errors": list(map(str, said)) for name, said in wrong.items()}
        )
    return dict(form.cleaned_data)


def _is_ours(name: str, study: Study | None, changed: Mapping[str, Any]) -> bool:
    """Whether an error is about what was sent: a study that is there may lack what no one asked to change."""
    return study is None or name in changed or name == "__all__"
