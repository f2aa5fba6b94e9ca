"""The parts of a study that are edited on its own page: labels, checks, questions about the form, who shares it."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Max
from django.forms import BaseInlineFormSet, Field, HiddenInput, ModelChoiceField, ModelForm, Textarea
from django.http import HttpRequest
from unfold.admin import TabularInline

from annotation.accounts.permissions import Right
from annotation.models import CheckQuota, ComprehensionQuestion, EndQuestion, Label, Role, Study, User
from annotation.models.question import FIRST
from annotation.models.study import CHECKS_PER_ASSIGNMENT, say_limits
from annotation.pages.admin.base import ByRole
from annotation.studies.completeness import mismatched_checks
from annotation.studies.study_form_fields import (
    CHECKS,
    NO_BAR,
    NO_NAME,
    NO_WRONG_ANSWER,
    QUESTION,
    SHARING,
    first_kind,
    is_fixed,
)

POSITION = "position"
SWATCH = re.compile("(#[0-9a-fA-F]{6})?")


class OrderedRow(ModelForm):
    """Its position is a hidden field that the buttons beside the row change; without script a new row is the last."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if POSITION in self.fields:
            self.fields[POSITION].required = False
            self.fields[POSITION].widget = HiddenInput()

    def has_changed(self) -> bool:
        """A row that was added and left empty has a position and nothing else."""
        changed = set(self.changed_data)
        return bool(changed if self.instance.pk else changed - {POSITION})

    def _get_validation_exclusions(self) -> set[str]:
        """Two rows that change places are no conflict: the formset numbers them all."""
        return {*super()._get_validation_exclusions(), POSITION}  # type: ignore[misc]  # Django's, without a type


class NamedRows(BaseInlineFormSet):
    """Of two rows that are the same the second is named, and what they share."""

    def get_unique_error_message(self, unique_check: Sequence[str]) -> str:
        fields = self.empty_form.fields
        shared = [str(fields[name].label).lower() for name in unique_check if name in fields and name != self.fk.name]
        return f"Two rows have the same {' and '.join(shared)}."

    def get_form_error(self) -> str:
        return "An earlier row has the same."


class OrderedRows(NamedRows):
    def clean(self) -> None:
        super().clean()
        for number, form in enumerate(self._in_order(), start=1):
            form.instance.position = number

    def _in_order(self) -> list[ModelForm]:
        """The rows that stay, by their given positions; one without comes last."""
        kept = [form for form in self.forms if form.has_changed() or form.instance.pk]
        kept = [form for form in kept if not (self.can_delete and getattr(form, "cleaned_data", {}).get("DELETE"))]
        positions = [getattr(form, "cleaned_data", {}).get(POSITION) for form in kept]
        order = sorted(range(len(kept)), key=lambda row: (positions[row] is None, positions[row] or 0, row))
        return [kept[row] for row in order]

    def save(self, commit: bool = True) -> list[models.Model]:  # noqa: FBT001, FBT002 - Django's own
        """First every stored row goes out of the way, for two can't have the same position even for a moment."""
        if not (commit and self.has_changed()):
            return super().save(commit)
        in_order = self._in_order()
        rows = self.get_queryset().order_by()
        last = rows.aggregate(last=Max(POSITION))["last"] or 0
        rows.update(position=F(POSITION) + max(last, len(self.forms)))
        saved = super().save(commit)
        for number, form in enumerate(in_order, start=1):
            rows.filter(pk=form.instance.pk).update(position=number)
        return saved


LABELS = {
    "check_name": "Name of the check",
    "per_assignment": "Items per assignment",
    "exclusive": "Alone",
}


class StudyPart(ByRole, TabularInline):  # type: ignore[misc]
    """Permission is asked of the study, which is what Django hands an inline as its object."""

    study_path = ""
    extra = 0
    hide_title = True
    section: ClassVar[str] = CHECKS  # of the study's form

    def is_allowed(self, request: HttpRequest, right: Right, obj: models.Model | None) -> bool:
        return super().is_allowed(request, right, obj if isinstance(obj, Study) else None)

    def formfield_for_dbfield(self, db_field: models.Field, request: HttpRequest, **kwargs: object) -> Field | None:
        """A table's heading names a column to the eye alone: each field says its name to a screen reader too."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None:
            field.label = LABELS.get(db_field.name, field.label)
            field.widget.attrs.setdefault("aria-label", str(field.label))
        return field


class LabelRow(OrderedRow):
    """A text that is the value itself is not typed again: the field is empty, and follows the value when it changes."""

    def _get_validation_exclusions(self) -> set[str]:
        """A value stands once in its question, which is the first."""
        return super()._get_validation_exclusions() - {"question"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "display_text" in self.fields:
            if self.instance.display_text == self.instance.value:
                self.initial["display_text"] = ""
            self.fields["display_text"].required = False
            self.fields["display_text"].widget.attrs["placeholder"] = "the same as the value"

    def clean(self) -> dict[str, object]:
        values = super().clean() or self.cleaned_data
        if "|" in values.get("value", ""):
            self.add_error("value", NO_BAR)
        if "display_text" in self.fields and not values.get("display_text"):
            values["display_text"] = values.get("value", "")
        return values

    def clean_swatch(self) -> str:
        swatch = str(self.cleaned_data.get("swatch") or "")
        if not SWATCH.fullmatch(swatch):
            raise ValidationError("Give a colour as # and six digits or letters from a to f, such as #c81e1e, or none.")
        return swatch


class LabelInline(StudyPart):
    model = Label
    form = LabelRow
    formset = OrderedRows
    section = QUESTION
    fields = ("position", "value", "display_text", "swatch", "exclusive")
    verbose_name_plural = "labels: the answers that can be chosen"

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Label]:
        """Those of the first question: each further one has its own beside it."""
        rows: models.QuerySet[Label] = super().get_queryset(request)
        return rows.filter(question=FIRST)

    def get_extra(self, request: HttpRequest, obj: models.Model | None = None, **kwargs: object) -> int:  # noqa: ARG002
        """A new study has a row for each of the labels that its kind of question begins with."""
        return 0 if obj else len(first_kind(request).first_labels)

    def has_add_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return super().has_add_permission(request, obj) and not _is_fixed(obj)

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return super().has_delete_permission(request, obj) and not _is_fixed(obj)

    def get_readonly_fields(self, request: HttpRequest, obj: models.Model | None = None) -> tuple[str, ...]:  # noqa: ARG002
        return ("value", "display_text") if _is_fixed(obj) else ()  # what people have chosen from stays what it was


class CheckQuotaFormSet(NamedRows):
    """While people can come, what assignments carry and the check items that there are have to agree."""

    def clean(self) -> None:
        super().clean()
        study = self.instance
        if any(self.errors) or study.status not in {Study.Status.PILOTING, Study.Status.LIVE}:
            return
        rows = [form.cleaned_data for form in self.forms if form.cleaned_data and not form.cleaned_data.get("DELETE")]
        quotas = {row["check_name"]: row["per_assignment"] for row in rows}
        if reasons := list(mismatched_checks(study, quotas)):
            raise ValidationError([*reasons, "To change checks and their items together, pause the study first."])


class CheckQuotaRow(ModelForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        say_limits(self.fields, {"per_assignment": CHECKS_PER_ASSIGNMENT})


class CheckQuotaInline(StudyPart):
    model = CheckQuota
    form = CheckQuotaRow
    formset = CheckQuotaFormSet
    fields = ("check_name", "per_assignment")
    verbose_name = "check"
    verbose_name_plural = "checks: how many check items of each name every assignment contains"


class ComprehensionQuestionRow(OrderedRow):
    def clean(self) -> dict[str, object]:
        values = super().clean() or self.cleaned_data
        answers = {name: values[name] for name in ("right_answer", "wrong_answers") if name in values}
        if len(answers) == 2 and len(ComprehensionQuestion(**answers).answers) == 1:
            self.add_error("wrong_answers", NO_WRONG_ANSWER)
        return values


class ComprehensionQuestionInline(StudyPart):
    model = ComprehensionQuestion
    form = ComprehensionQuestionRow
    formset = OrderedRows
    fields = ("position", "text", "right_answer", "wrong_answers")
    verbose_name_plural = "comprehension questions, after the instructions, with two tries"
    formfield_overrides: ClassVar[dict[type[models.Field], dict[str, object]]] = {
        models.TextField: {"widget": Textarea(attrs={"rows": 3, "class": "t-textarea"})}
    }


class EndQuestionForm(OrderedRow):
    class Meta:
        # Said here and not on the model, where a change of words would need a migration.
        help_texts = {
            "name": "The name of its column in participants.csv.",
            "options": "One per line. Leave it empty for a free text, which published bundles leave out.",
        }
        error_messages = {"name": {"invalid": NO_NAME}}


class EndQuestionInline(StudyPart):
    model = EndQuestion
    form = EndQuestionForm
    formset = OrderedRows
    fields = ("position", "name", "text", "options")
    verbose_name_plural = "optional questions about the person, at the end"
    formfield_overrides = ComprehensionQuestionInline.formfield_overrides


class RoleInline(StudyPart):
    model = Role
    section = SHARING
    fields = ("user", "level")
    changing = Right.MANAGE
    verbose_name, verbose_name_plural = "colleague", "shared with"

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Role]:
        roles: models.QuerySet[Role] = super().get_queryset(request)
        return roles.select_related("user", "study")

    def formfield_for_foreignkey(
        self, db_field: models.ForeignKey, request: HttpRequest, **kwargs: object
    ) -> ModelChoiceField | None:
        """The names are read once, and not again for every row."""
        researchers = User.objects.filter(is_active=True, is_staff=True).order_by("username")
        field = super().formfield_for_foreignkey(db_field, request, queryset=researchers, **kwargs)
        if field is not None:
            field.choices = [("", "Choose"), *((user.pk, str(user)) for user in researchers)]
            field.help_text = "Who has an account. The site's administrator adds accounts under Researchers."
        return field


def _is_fixed(obj: models.Model | None) -> bool:
    return isinstance(obj, Study) and is_fixed(obj)
