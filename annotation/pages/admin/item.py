"""Items in the admin: looked through, added one by one or pasted, mended until somebody has seen them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.core.files.uploadedfile import UploadedFile
from django.db.models import ForeignKey, Max, QuerySet
from django.forms import ModelChoiceField, ModelForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from django.utils.html import format_html
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from agreement.files.cell_texts import is_blank, join_bars
from agreement.files.numbers import PER_CENT
from agreement.files.question_fields import QUESTION, fields_of
from agreement.judgments.questions_of_file import CHECK_QUESTION
from agreement.kinds.data import given_bounds, wrong_right_answer
from agreement.kinds.options import labels_of_item, wrong_options
from annotation.accounts.permissions import Right, studies_where
from annotation.models import AuditEntry, Item, Study
from annotation.models.question import FIRST
from annotation.models.study import CHECKS_PER_ASSIGNMENT, JUDGMENTS_PER_ITEM, OPEN_NOW, say_limits
from annotation.models.text_fields import validate_line
from annotation.pages.admin.base import StudyScopedAdmin, column, study_filter, user_of
from annotation.pages.admin.forms import ITEMS_FILES, FilesField, FilesWidget
from annotation.places.allocation import open_places
from annotation.studies.completeness import UNRELATED_WORD, Proposal
from annotation.studies.items_of_text import ADD_AGAIN, LEAVE_OUT
from annotation.studies.questions import QuestionSettings, questions_of
from annotation.studies.study_form import Paragraphs

BOX = UnfoldAdminTextareaWidget(attrs={"rows": 6, "spellcheck": "false"})


class PastedForm(forms.Form):
    """What to do with items that the study has already is asked once there are some; until then the field is hidden."""

    doubles = forms.ChoiceField(
        required=False,
        label="Items that are in the study already",
        choices=[(LEAVE_OUT, "Leave them out"), (ADD_AGAIN, "Add them again, as further items")],
        widget=forms.RadioSelect,
    )
    asks_about_doubles = False

    def ask_about_doubles(self, why: str) -> None:
        self.asks_about_doubles = True
        self.add_error("doubles", why)


class AddItemsForm(PastedForm):
    """Items in the box or as a file, with their pictures. `wanted` names the field that has them."""

    use_required_attribute = False  # one of the two is enough

    items = Paragraphs(label="Items", widget=BOX)
    file = forms.FileField(
        label="File",
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ITEMS_FILES}),
        help_text=(
            "CSV, JSON, Excel or Parquet, with a column for each name in the question. Ids are made if it has none."
        ),
    )
    pictures = FilesField(
        label="Pictures",
        required=False,
        widget=FilesWidget(attrs={"accept": ".png,.jpg,.jpeg,.webp,.gif,.zip"}),
        help_text="Those that the column image names, as files or a zip: PNG, JPEG, WebP or GIF, up to 10 MB each.",
    )
    of_each_check = forms.IntegerField(
        label="Of each check in an assignment",
        required=False,
        min_value=CHECKS_PER_ASSIGNMENT.least,
        max_value=CHECKS_PER_ASSIGNMENT.most,
        error_messages=CHECKS_PER_ASSIGNMENT.messages,
        initial=1,
        widget=UnfoldAdminIntegerFieldWidget,
    )

    def __init__(
        self,
        data: Mapping[str, object] | None = None,
        files: MultiValueDict[str, UploadedFile] | None = None,
        *,
        fields: Sequence[str],
        wanted: str,
    ) -> None:
        super().__init__(data, files, auto_id="add_%s")
        if self.is_bound:
            for name in ("items", "file"):
                self.fields[name].required = name == wanted
        cells = " and ".join(fields) if len(fields) < 3 else f"{', '.join(fields[:-1])} and {fields[-1]}"
        between = "" if len(fields) == 1 else ", with commas, semicolons or tabs between them"
        self.fields["items"].help_text = (
            f"One item on each line: {cells}{between}. Copied cells of a spreadsheet can be pasted as they are. A first"
            " line with names of columns is read as such, and may name every column that a file can have."
        )


class CountForm(forms.Form):
    per_assignment = forms.IntegerField(
        label="In each assignment",
        min_value=CHECKS_PER_ASSIGNMENT.least,
        max_value=CHECKS_PER_ASSIGNMENT.most,
        error_messages=CHECKS_PER_ASSIGNMENT.messages,
        initial=1,
        widget=UnfoldAdminIntegerFieldWidget,
    )


class ProposedChecksForm(CountForm):
    word = forms.CharField(
        label="A word that is unrelated to all of them",
        initial=UNRELATED_WORD,
        max_length=80,
        widget=UnfoldAdminTextInputWidget,
    )

    def __init__(self, data: Mapping[str, object] | None = None, *, proposal: Proposal | None) -> None:
        super().__init__(data, auto_id="proposed_%s")
        if proposal is not None:
            self.fields["per_assignment"].initial = proposal.per_assignment
            self.fields["per_assignment"].help_text = f"So many of each: {' and '.join(proposal.named)}."
            if "unrelated" not in proposal.named:
                del self.fields["word"]


class KnownAnswersForm(CountForm, PastedForm):
    items = Paragraphs(label="Items with their right answers", widget=BOX)
    name = forms.CharField(
        label="Name of the check",
        initial="known",
        max_length=40,
        validators=[validate_line],
        widget=UnfoldAdminTextInputWidget,
    )

    def __init__(self, data: Mapping[str, object] | None = None, *, study: Study, fields: Sequence[str]) -> None:
        super().__init__(data, auto_id="known_%s")
        self.questions = questions_of(study)
        bounds = "the lowest and the highest right answer in per cent of the scale (one of them may be empty)"
        label = "the right label (several with | between them)"
        if len(self.questions) > FIRST:
            right = f"where the question has a scale {bounds}, else {label}"
            names = [(question.name, f"{question.name}: {question.wording}") for question in self.questions]
            self.fields[CHECK_QUESTION] = forms.ChoiceField(
                label="The question that they check", choices=names, widget=UnfoldAdminSelectWidget
            )
        else:
            right = bounds if study.question_kind.has_scale else label
        self.fields["items"].help_text = f"One item on each line: {', '.join(fields)}, then {right}."
        self.order_fields(["items", CHECK_QUESTION, "name", "per_assignment"])

    @property
    def question(self) -> QuestionSettings:
        chosen = self.cleaned_data.get(CHECK_QUESTION)
        return next((each for each in self.questions if each.name == chosen), self.questions[0])

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"]).strip()
        if not name:
            raise forms.ValidationError("Give the check a name.")
        return name


class QuotaForm(CountForm):
    def __init__(self, data: Mapping[str, object] | None = None, *, names: Sequence[tuple[str, int]]) -> None:
        super().__init__(data, auto_id="quota_%s")
        self.names = names


# Items in the admin: looked through, added one by one, mended until somebody has seen them.

# Items in the admin: looked through, added one by one, mended until somebody has been shown them.

SHOWN = ("study", "item_id", "kind", "fields", CHECK_QUESTION, "check_name", "expected", "min", "max", "reference")


class ItemForm(forms.ModelForm):
    check_question = forms.CharField(
        required=False,
        label="Question that it checks",
        widget=UnfoldAdminTextInputWidget,
        help_text="The name of one of the study's questions. Empty where there is one question, or no right answer.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if CHECK_QUESTION in self.fields:
            questions = questions_of(self.instance.study) if self.instance.pk else []
            has_several = len(questions) > FIRST and self.instance.kind != Item.Kind.TARGET
            self.initial[CHECK_QUESTION] = questions[self.instance.check_question - FIRST].name if has_several else ""
        say_limits(self.fields, {"judgments_per_item": JUDGMENTS_PER_ITEM})

    def clean(self) -> dict[str, object]:
        values = super().clean() or self.cleaned_data
        study = values.get("study") or getattr(self.instance, "study", None)
        questions = [] if study is None else questions_of(study)
        if "fields" in values and questions:
            fields = values["fields"] or {}
            own = str(fields.get(QUESTION) or questions[0].wording)  # which takes the place of the first
            wordings = [own, *(question.wording for question in questions[1:])]
            names = dict.fromkeys(name for wording in wordings for name in fields_of(wording))
            if missing := [name for name in names if is_blank(str(fields.get(name, "")))]:
                self.add_error("fields", f"The question uses {', '.join(missing)}: enter a value for each.")
        is_check = values.get("kind", self.instance.kind) == Item.Kind.CHECK
        if "check_name" in self.fields and is_check != bool(values.get("check_name")):
            self.add_error(
                "check_name",
                "A check item needs the name of its check."
                if is_check
                else "Only a check item has the name of a check.",
            )
        low, high = values.get("min"), values.get("max")
        if low is not None and high is not None and low > high:
            self.add_error("max", f"It must be at least {low}, the lower bound.")
        if values.get("kind", self.instance.kind) == Item.Kind.TARGET:
            for name in ("expected", "min", "max"):
                if values.get(name) is not None:
                    self.add_error(name, "Only a check, a practice or a qualification item has a right answer.")
        self._check_qualification(values, study)
        if questions and CHECK_QUESTION in self.fields:
            self._check_right_answer(values, questions)
        return values

    def _check_qualification(self, values: dict[str, Any], study: Study | None) -> None:
        if Item.Kind.QUALIFICATION not in {values.get("kind"), self.instance.kind}:
            return
        if study is not None and study.status in OPEN_NOW and self.changed_data:
            self.add_error(None, f"{study} is {study.status}: pause it before you change its qualification items.")
        answer = [values.get(name, getattr(self.instance, name)) for name in ("expected", "min", "max")]
        if values.get("kind", self.instance.kind) == Item.Kind.QUALIFICATION and answer == [None, None, None]:
            self.add_error(
                "expected" if "expected" in self.fields else None, "A qualification item needs its right answer."
            )

    def _checked_question(self, values: dict[str, Any], questions: Sequence[QuestionSettings]) -> QuestionSettings:
        """The one that is named, whose number is stored; the only one where there is one."""
        name, names = str(values.get(CHECK_QUESTION) or "").strip(), [question.name for question in questions]
        is_about_one = values.get("kind") == Item.Kind.CHECK or any(
            values.get(column) is not None for column in ("expected", "min", "max")
        )
        if name not in names and (name or (is_about_one and len(names) > 1)):
            begin = f"“{name}” is no question of the study" if name else "Say which question it checks"
            self.add_error(CHECK_QUESTION, f"{begin}: name one of {', '.join(names)}.")
        place = names.index(name) if name in names else 0
        values[CHECK_QUESTION] = FIRST + place
        return questions[place]

    def _check_right_answer(self, values: dict[str, Any], questions: Sequence[QuestionSettings]) -> None:
        """The same rules as for a file of items."""
        question = self._checked_question(values, questions)
        for name in ("min", "max"):
            if values.get(name) is not None and not PER_CENT.low <= values[name] <= PER_CENT.high:
                self.add_error(name, "Enter the bounds in per cent of the scale: numbers from 0 to 100.")
        expected = values.get("expected") or []
        if not isinstance(expected, list) or not all(isinstance(label, str) for label in expected):
            self.add_error("expected", 'Enter the right labels as a list of texts, such as ["red", "blue"].')
            return
        bounds = given_bounds(values.get("min"), values.get("max"))
        fields = values.get("fields") or self.instance.fields
        labels = question.values
        own = labels_of_item(question.kind, labels, fields)
        for name, why in wrong_right_answer(question.kind, own, join_bars(expected), bounds):
            self.add_error(name, f"{why[:1].upper()}{why[1:]}.")
        if own is not labels and "fields" in self.fields and (wrong := wrong_options(fields)):
            self.add_error("fields", f"{wrong[0]}: {wrong[1]}.")


@admin.register(Item)
class ItemAdmin(StudyScopedAdmin):
    form = ItemForm
    list_display = ("item_id", "shown_fields", "kind", "check_name", "study")
    list_filter = (study_filter("study"), "kind")
    search_fields = ("item_id",)
    list_select_related = ("study",)
    list_before_template = "admin/touchstone/items_head.html"
    section = "items"
    fields = (*SHOWN, "judgments_per_item", "picture")

    @column("display")
    def shown_fields(self, item: Item) -> str:
        return " · ".join(filter(None, map(str, item.fields.values())))[:120]

    @column("picture")
    def picture(self, item: Item) -> str:
        if not item.image_id:
            return "none; pictures are imported together with a file of items"
        address = reverse("annotation:picture", kwargs={"sha256": item.image_id})
        alternative = item.fields.get("alternative_text", "")
        return format_html('<img src="{}" alt="{}" class="t-picture">', address, alternative)

    def get_readonly_fields(self, request: HttpRequest, obj: Item | None = None) -> tuple[str, ...]:  # noqa: ARG002
        if obj is None:
            return ("picture",)
        # What somebody has judged must stay what it was: for another text, another item.
        return (*SHOWN, "picture") if obj.assigned_items.exists() else ("study", "picture")

    def formfield_for_foreignkey(
        self, db_field: ForeignKey, request: HttpRequest, **kwargs: object
    ) -> ModelChoiceField | None:
        kwargs["queryset"] = studies_where(request.user, Right.CHANGE)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_deleted_objects(
        self, objs: Sequence[Item] | QuerySet[Item], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """While people can come, no check or qualification item goes: people would get fewer than is said."""
        deleted, counts, needed, protected = super().get_deleted_objects(objs, request)
        needed_kinds = {Item.Kind.CHECK, Item.Kind.QUALIFICATION}
        counted = [item for item in objs if item.kind in needed_kinds and item.study.status in OPEN_NOW]
        kept = [f"{item.kind} item {item}: pause the study first" for item in counted]
        return deleted, counts, needed, [*protected, *kept]

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Item]) -> None:
        for study in Study.objects.filter(items__in=queryset).distinct():
            _record_deletion(request, study, list(queryset.filter(study=study).values_list("item_id", flat=True)))
        super().delete_queryset(request, queryset)

    def delete_model(self, request: HttpRequest, obj: Item) -> None:
        _record_deletion(request, obj.study, [obj.item_id])
        super().delete_model(request, obj)

    def save_model(self, request: HttpRequest, obj: Item, form: ModelForm, change: bool) -> None:  # noqa: FBT001
        if not change:
            theirs = Item.everything.filter(study=obj.study)
            obj.position = (theirs.aggregate(last=Max("position"))["last"] or 0) + 1
        super().save_model(request, obj, form, change)
        detail = {"item": obj.item_id, "fields": form.changed_data}
        AuditEntry.objects.create(study=obj.study, by=user_of(request), action=AuditEntry.Action.CHANGED, detail=detail)
        if obj.study.status != Study.Status.DRAFT:
            open_places(study=obj.study)


def _record_deletion(request: HttpRequest, study: Study, items: list[str]) -> None:
    detail = {"deleted items": items}
    AuditEntry.objects.create(study=study, by=user_of(request), action=AuditEntry.Action.CHANGED, detail=detail)
