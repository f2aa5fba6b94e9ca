"""A study's questions after the first, on its own page: a block each, stored by the action that the API uses too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.forms import BaseInlineFormSet, CharField, Field, IntegerField, ModelForm
from django.http import HttpRequest
from unfold.admin import StackedInline
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from agreement.kinds.answers import html_number
from agreement.kinds.registry import KINDS
from annotation.models import Question, Study
from annotation.models.question import FIRST, KINDS_OF_QUESTION, MOST_QUESTIONS, OF_EACH_QUESTION, Limits
from annotation.pages.admin.inlines import StudyPart
from annotation.studies.question_actions import NEVER_FIXED, store_questions
from annotation.studies.questions import COLUMN_OF_NAME, NAME, QuestionSettings, questions_of
from annotation.studies.study_form import NamesField, Paragraphs, SynonymsField
from annotation.studies.study_form_fields import (
    FURTHER,
    HELP,
    LABELS,
    LABELS_TABLE,
    ROWS,
    Line,
    fields_unused_by,
    is_fixed,
)
from annotation.studies.wrong_questions import wrong_settings

POSITIONS = Limits(FIRST + 1, MOST_QUESTIONS)
STORED = "stored_settings"  # of a row, what it is set to
BETWEEN = " = "  # a label's value and what people read, where they differ
LINES: tuple[Line, ...] = (
    (COLUMN_OF_NAME, "number"), "kind", "question", ("labels", "alone"), ("ordered", "shows_points"),
    ("fewest", "most"), ("scale_low", "scale_high"), ("low_label", "high_label"),
    ("slider_start", "slider_shows_number"), "is_required", ("offers_dont_know", "asks_confidence"),
)  # fmt: skip
SELDOM: tuple[Line, ...] = (
    ("shown_if_question", "shown_if_answers"), ("shown_if_low", "shown_if_high"), ("metrics", "synonyms"),
)  # fmt: skip
IN_LINES = {name for line in (*LINES, *SELDOM) for name in ((line,) if isinstance(line, str) else line)}
# Where a sentence about a setting stands in the form, if not beside the field of its name.
FIELD_OF = {NAME: COLUMN_OF_NAME, "shown_if": "shown_if_question"}


class QuestionRow(ModelForm):
    """All but its labels and its condition are a question's own columns."""

    number = IntegerField(
        required=False,
        label="Place in the order",
        min_value=POSITIONS.least,
        max_value=POSITIONS.most,
        error_messages=POSITIONS.messages,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="The study's own question is the first. Empty: the last.",
    )
    labels = Paragraphs(
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 5}),
        help_text="One on each line. Where people read something else than what is stored: far = far away.",
    )
    alone = Paragraphs(
        required=False,
        label="Those that stand alone",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text="Labels that are chosen together with no other, such as none of these: one on each line.",
    )
    metrics = NamesField(required=False, label=LABELS["metrics"], widget=UnfoldAdminTextInputWidget)
    synonyms = SynonymsField(
        required=False, label=LABELS["synonyms"], widget=UnfoldAdminTextareaWidget(attrs={"rows": 2})
    )
    shown_if_question = CharField(
        required=False,
        label="Shown only after certain answers to",
        widget=UnfoldAdminTextInputWidget,
        help_text="The name of an earlier question. Empty: it is asked of everybody.",
    )
    shown_if_answers = Paragraphs(
        required=False,
        label="Those answers, if they are labels",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="One on each line: it is shown after any of them.",
    )

    class Meta:
        labels: ClassVar = {
            **LABELS, COLUMN_OF_NAME: "Name", "shown_if_low": "Those answers from", "shown_if_high": "to",
        }  # fmt: skip
        help_texts: ClassVar = {"question": HELP["question"], "scale_low": HELP["scale_low"]}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stored: QuestionSettings | None = vars(self.instance).get(STORED)
        if not self.instance.pk:  # nothing is chosen or named yet, so that a block that is left empty has not changed
            self.initial = {**self.initial, COLUMN_OF_NAME: "", "kind": ""}
            if "kind" in self.fields:
                self.fields["kind"].choices = [("", "Choose"), *KINDS_OF_QUESTION]  # type: ignore[attr-defined]
        if self.instance.pk and self.stored is not None:
            condition = self.stored.shown_if or {}
            self.initial = {
                **self.initial,
                "labels": lines_of_labels(self.stored),
                "alone": lines_alone(self.stored),
                "shown_if_question": condition.get("question", ""),
                "shown_if_answers": "\n".join(condition.get("labels") or ()),
            }
        if "kind" not in self.fields:  # of an open study: what is shown of it is no field
            self.fields = {
                name: field
                for name, field in self.fields.items()
                if name not in self.declared_fields or name in NEVER_FIXED
            }
        for end in ("scale_low", "scale_high"):
            if self.initial.get(end) is not None:
                self.initial[end] = html_number(float(self.initial[end]))

    def _get_validation_exclusions(self) -> set[str]:
        """The formset looks at all questions together, by the rules that every other way in has."""
        return {field.name for field in Question._meta.fields}

    @property
    def settings(self) -> QuestionSettings:
        values: Mapping[str, Any] = self.cleaned_data
        if self.stored is not None and "kind" not in self.fields:
            changes = {name: values[name] for name in NEVER_FIXED if name in values}
            return QuestionSettings.of({**self.stored.as_fields(), **changes}, former=self.stored.former)
        kind = KINDS.get(values.get("kind", ""))
        unused = fields_unused_by(kind) if kind else frozenset()
        columns = {name: values[name] for name in OF_EACH_QUESTION if name in values and name not in unused}
        columns[NAME] = columns.pop(COLUMN_OF_NAME, "")
        swatches = {label["value"]: dict(label) for label in (self.stored.labels if self.stored else ())}
        lines = [] if LABELS_TABLE in unused else labels_of_lines(values["labels"])
        alone = {line.strip() for line in values["alone"].splitlines()}
        labels = [
            {**swatches.get(value, {}), "value": value, "display_text": text, "exclusive": value in alone}
            for value, text in lines
        ]
        condition = {
            "question": values["shown_if_question"].strip(),
            "labels": [line.strip() for line in values["shown_if_answers"].splitlines() if line.strip()],
            "low": values.get("shown_if_low"),
            "high": values.get("shown_if_high"),
        }
        is_conditional = any(value not in ("", [], None) for value in condition.values())
        former = self.instance.number if self.instance.pk else None
        return QuestionSettings.of(
            {**columns, "labels": labels, "shown_if": condition if is_conditional else None}, former=former
        )


def labels_of_lines(text: str) -> list[tuple[str, str]]:
    r"""Each label's value with what people read.

    >>> labels_of_lines("near\nfar = far away")
    [('near', 'near'), ('far', 'far away')]
    """
    parts = [line.partition(BETWEEN) for line in text.splitlines() if line.strip()]
    return [(value.strip(), shown.strip() or value.strip()) for value, _sign, shown in parts]


def lines_of_labels(question: QuestionSettings) -> str:
    return "\n".join(
        value if label["display_text"] == value else f"{value}{BETWEEN}{label['display_text']}"
        for label in question.labels
        for value in (label["value"],)
    )


def lines_alone(question: QuestionSettings) -> str:
    return "\n".join(label["value"] for label in question.labels if label.get("exclusive"))


class QuestionRows(BaseInlineFormSet):
    """Looks at all of a study's questions together, and stores them together."""

    def clean(self) -> None:
        super().clean()
        forms = self._in_order()
        if any(form.errors for form in forms):
            return
        if len(forms) >= MOST_QUESTIONS:
            raise ValidationError(f"A study has at most {MOST_QUESTIONS} questions, the first among them.")
        questions = [self._first(), *(form.settings for form in forms)]
        for wrong in wrong_settings(questions):
            if wrong.number > FIRST:
                form = forms[wrong.number - FIRST - 1]
                name = FIELD_OF.get(wrong.field, wrong.field)
                form.add_error(name if name in form.fields else None, wrong.sentence)

    def get_queryset(self) -> models.QuerySet[Question]:
        """Each with what it is set to, of all of them together."""
        rows: models.QuerySet[Question] = super().get_queryset()
        if rows:
            settings = questions_of(self.instance)
            for row in rows:
                vars(row)[STORED] = settings[row.number - FIRST]
        return rows

    def _in_order(self) -> list[Any]:
        """The blocks that stay, by their places; one without comes last."""
        kept = [form for form in self.forms if (form.has_changed() or form.instance.pk) and not self._is_deleted(form)]
        places = [getattr(form, "cleaned_data", {}).get("number") for form in kept]
        order = sorted(range(len(kept)), key=lambda row: (places[row] is None, places[row] or 0, row))
        return [kept[row] for row in order]

    def _is_deleted(self, form: ModelForm) -> bool:
        return bool(self.can_delete and getattr(form, "cleaned_data", {}).get("DELETE"))

    def _first(self) -> QuestionSettings:
        """As the form above and the table of labels have been sent."""
        columns = {name: getattr(self.instance, name) for name in OF_EACH_QUESTION if name != COLUMN_OF_NAME}
        sent = [name for name in self.data if name.startswith("labels-") and name.endswith("-value")]
        values = [str(self.data[name]).strip() for name in sent if not self.data.get(name.replace("-value", "-DELETE"))]
        labels = [{"value": value} for value in values if value]
        if not sent and self.instance.pk:
            labels = [{"value": value} for value in self.instance.labels.values_list("value", flat=True)]
        return QuestionSettings.of({NAME: self.instance.question_name, **columns, "labels": labels}, former=FIRST)

    def save(self, commit: bool = True) -> list[models.Model]:  # noqa: ARG002, FBT001, FBT002 - Django's own
        self.new_objects: list[models.Model] = []
        self.changed_objects: list[tuple[models.Model, list[str]]] = []
        self.deleted_objects: list[models.Model] = []
        if self.has_changed():
            study = Study.objects.get(pk=self.instance.pk)
            first = questions_of(study)[0]
            store_questions(study, [first, *(form.settings for form in self._in_order())], has_first=False)
        return []


class QuestionInline(StudyPart, StackedInline):  # type: ignore[misc]  # unfold has no types
    """`StudyPart` asks for permission of the study; the template and the rest are those of a stack of blocks."""

    model = Question
    form = QuestionRow
    formset = QuestionRows
    template = StackedInline.template
    section = FURTHER
    hide_title = False
    verbose_name = "question"
    verbose_name_plural = "further questions about each item"
    fieldsets: ClassVar = (
        (None, {"fields": (*LINES, *(name for name in OF_EACH_QUESTION if name not in IN_LINES))}),
        ("Who is asked, and how it is reported", {"classes": ("collapse",), "fields": SELDOM}),
    )
    max_num = MOST_QUESTIONS - 1

    def get_extra(self, request: HttpRequest, obj: models.Model | None = None, **kwargs: object) -> int:  # noqa: ARG002
        """An empty block to fill in, without script too."""
        return 1

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Question]:
        rows: models.QuerySet[Question] = super().get_queryset(request)
        return rows.order_by("number")

    def formfield_for_dbfield(self, db_field: models.Field, request: HttpRequest, **kwargs: object) -> Field | None:
        if isinstance(db_field, models.TextField):
            kwargs["form_class"] = Paragraphs
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None and (rows := ROWS.get(db_field.name)):
            field.widget.attrs["rows"] = rows
        return field

    def has_add_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return super().has_add_permission(request, obj) and not _is_fixed(obj)

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return super().has_delete_permission(request, obj) and not _is_fixed(obj)

    def get_readonly_fields(self, request: HttpRequest, obj: models.Model | None = None) -> tuple[str, ...]:  # noqa: ARG002
        of_all = (*IN_LINES, *OF_EACH_QUESTION) if _is_fixed(obj) else ()
        return tuple(dict.fromkeys(name for name in of_all if name not in NEVER_FIXED))

    # What is shown of a question to who can't change it.

    def labels(self, question: Question) -> str:
        return lines_of_labels(_stored(question))

    def alone(self, question: Question) -> str:
        return lines_alone(_stored(question))

    def shown_if_question(self, question: Question) -> str:
        condition = _stored(question).shown_if
        return "" if condition is None else condition["question"]

    def shown_if_answers(self, question: Question) -> str:
        return "\n".join(question.shown_if_labels or ())


def _stored(question: Question) -> QuestionSettings:
    """Of a block that is empty: nothing."""
    stored: QuestionSettings | None = vars(question).get(STORED)
    return stored or QuestionSettings.of({})


def _is_fixed(obj: models.Model | None) -> bool:
    return isinstance(obj, Study) and is_fixed(obj)
