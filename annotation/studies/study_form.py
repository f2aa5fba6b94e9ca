"""The form of a study: says in sentences what doesn't fit, and loses nothing of what was typed."""

from decimal import Decimal
from itertools import chain, count
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Field, Max
from django.http import QueryDict
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import slugify
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from agreement.errors import Refused
from agreement.files.cell_texts import lines_of_synonyms
from agreement.files.question_fields import braces_without_field
from agreement.judgments.synonyms_file import synonyms_of_lines, wrong_synonyms
from agreement.kinds.answers import html_number
from agreement.kinds.registry import KINDS
from agreement.scoring.metric import unknown_metrics
from agreement.stimuli.blocks import fields_of
from annotation.models import AssignedItem, AuditEntry, Study
from annotation.models.question import WITH_SCALE
from annotation.models.study import OPEN_NOW, say_limits
from annotation.studies.stimulus_field import StimulusField
from annotation.studies.study_form_fields import HELP, LABELS, QUALIFICATION_FIELDS, fields_unused_by

LONGEST_QUOTED = 120
QUESTION, PLAIN_TEXTS = "question", ("title", "summary", "instructions", "consent")
NO_SUCH_FIELD = "The items have no field for {braces}: people would read the braces. They have {fields}."
NOT_FILLED_HERE = "People read {braces} as it stands here: fields of items are filled in in the question alone."


class Paragraphs(forms.CharField):
    """A long text: what a browser does to its line ends is no change of it."""

    def to_python(self, value: object) -> str:
        return (super().to_python(value) or "").replace("\r\n", "\n")

    def has_changed(self, initial: object, data: object) -> bool:
        return self.to_python(initial) != self.to_python(data)


class NamesField(forms.CharField):
    """A list of names, typed with commas between them."""

    def prepare_value(self, value: object) -> object:
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: object) -> Any:
        if isinstance(value, list):
            return value
        return list(dict.fromkeys(filter(None, (name.strip() for name in str(value or "").split(",")))))

    def has_changed(self, initial: object, data: object) -> bool:
        return bool(self.to_python(initial) != self.to_python(data))


class SynonymsField(forms.CharField):
    """Spellings of labels, one on each line: `grey = gray`."""

    def prepare_value(self, value: object) -> object:
        return lines_of_synonyms(value) if isinstance(value, dict) else value

    def to_python(self, value: object) -> Any:
        if isinstance(value, dict):
            return value
        try:
            return synonyms_of_lines(str(value or ""))
        except Refused as refusal:
            raise ValidationError(list(refusal.reasons)) from refusal

    def has_changed(self, initial: object, data: object) -> bool:
        try:
            return bool(self.to_python(initial) != self.to_python(data))
        except ValidationError:
            return True


class StudyForm(forms.ModelForm):
    """Says in sentences what the database's constraints would refuse, and what people have agreed to already."""

    metrics = NamesField(required=False, widget=UnfoldAdminTextInputWidget)
    synonyms = SynonymsField(required=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}))
    stimulus = StimulusField(required=False, label=LABELS["stimulus"], help_text=HELP["stimulus"])

    class Meta:
        labels = LABELS
        help_texts = HELP

    PAIRS: ClassVar[tuple[tuple[str, str, str], ...]] = (
        ("scale_low", "scale_high", "Give both ends of the scale, or neither."),
        ("pay", "currency", "Give the pay and its currency, or neither."),
    )
    CODES: ClassVar[tuple[str, ...]] = (
        "code_completed", "code_no_consent", "code_failed_comprehension", "code_failed_qualification",
        "platform_study_id",
    )  # fmt: skip

    # How often the study had been saved when this form was opened: who was faster is not overwritten unseen.
    edits = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["edits"] = self.instance.edits
        for name in ("scale_low", "scale_high"):
            if isinstance(self.initial.get(name), Decimal):
                self.initial[name] = Decimal(html_number(float(self.initial[name])))
        say_limits(self.fields)
        if "slug" in self.fields:
            self.fields["slug"].required = False
        for name in ("owner", "question_name"):
            if name in self.fields:
                self.fields[name].required = False

        self._point_out_braces()
        self._point_out_columns()

    def _point_out_braces(self) -> None:
        """Beside each text: what stands in braces and will be filled with nothing. Items may still change: no error."""
        texts = {name: str(self[name].value() or "") for name in (QUESTION, *PLAIN_TEXTS) if name in self.fields}
        if not self.instance.pk or not any("{" in text for text in texts.values()):
            return
        known = self.instance.items.targets().names_of_fields()
        for name, text in texts.items():
            if known and (unknown := braces_without_field(text, known if name == QUESTION else ())):
                template = NO_SUCH_FIELD if name == QUESTION else NOT_FILLED_HERE
                sentence = template.format(braces=", ".join(unknown), fields=", ".join(f"{{{each}}}" for each in known))
                note = '{}<span class="t-note t-note-warn t-note-below">{}</span>'
                self.fields[name].help_text = format_html(note, self.fields[name].help_text, sentence)

    def _point_out_columns(self) -> None:
        """Beside the blocks: columns that they show and no item has."""
        if "stimulus" not in self.fields or not self.instance.pk:
            return
        needed = fields_of(self.instance.blocks)
        known = self.instance.items.targets().names_of_fields() if needed else []
        if known and (missing := [name for name in needed if name not in known]):
            sentence = f"The items have no column {', '.join(missing)}. They have {', '.join(known)}."
            note = '{}<span class="t-note t-note-warn t-note-below">{}</span>'
            self.fields["stimulus"].help_text = format_html(note, self.fields["stimulus"].help_text, sentence)

    def clean_slug(self) -> str:
        """A new study's short name comes from its title unless one is given."""
        return str(self.cleaned_data.get("slug") or free_slug(str(self.cleaned_data.get("title", ""))))

    def clean_question_name(self) -> str:
        """Nobody has to name a study's only question."""
        return str(self.cleaned_data.get("question_name") or self.instance.question_name)

    def clean_metrics(self) -> list[str]:
        """A name that nothing computes would be ignored without a word; one that is stored keeps nobody from saving."""
        names: list[str] = self.cleaned_data["metrics"]
        if wrong := unknown_metrics([name for name in names if name not in self.instance.metrics]):
            raise ValidationError(wrong)
        return names

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        self._refuse_if_overtaken(values.get("edits"))
        self._empty_what_the_kind_does_not_use(values)
        for first, second, sentence in self.PAIRS:
            if first in values and second in values and (values[first] is None) != (values[second] is None):
                self.add_error(second if values[second] is None else first, sentence)
        self._check_scale(values)
        self._check_sizes(values)
        self._check_qualification(values)
        for name in self.CODES:
            if any(sign.isspace() or not sign.isprintable() for sign in values.get(name) or ""):
                self.add_error(
                    name, "This code contains spaces or invisible characters: copy it from the platform again."
                )
        labels = list(self.instance.labels.values_list("value", flat=True)) if self.instance.pk else []
        kind = values.get("kind") or self.instance.kind
        for why in wrong_synonyms(values.get("synonyms") or {}, kind, labels) if kind else []:
            self.add_error("synonyms", why)
        starts, ends = values.get("starts_at"), values.get("ends_at")
        if starts and ends and ends <= starts:
            self.add_error("ends_at", "The end must come after the start.")
        if self.instance.pk:
            self._check_promises(values)
        return values

    def _refuse_if_overtaken(self, began_from: int | None) -> None:
        """Somebody else has saved the study since this form was opened. Nothing typed is lost: the form comes back
        with it, says where it differs from what is stored, and is sent again by who wants theirs all the same.
        """
        if not self.instance.pk or began_from is None or began_from == self.instance.edits:
            return
        differs = [name for name in self.changed_data if name in self.cleaned_data and name != "edits"]
        named = "; ".join(f"{self.fields[name].label}: “{shortly(self.initial.get(name))}”" for name in differs)
        stored = f" Stored now and different from what you see below: {named}." if named else ""
        self.add_error(
            None,
            f"{who_saved_last(self.instance)} while you were editing this study, so your changes are not saved yet."
            f" They are still below.{stored} Save again to replace what is stored, or reload the page to keep it.",
        )
        data = QueryDict(mutable=True)
        data.update(self.data)
        data[self.add_prefix("edits")] = str(self.instance.edits)
        self.data = data

    def _empty_what_the_kind_does_not_use(self, values: dict[str, Any]) -> None:
        """What was typed for another kind of question, before the kind was changed, is not stored."""
        kind = KINDS.get(values.get("kind") or self.instance.kind)
        for name in fields_unused_by(kind) & values.keys() if kind else ():
            field = Study._meta.get_field(name)
            assert isinstance(field, Field)  # noqa: S101 - for the type checker
            values[name] = None if field.null else field.get_default()

    def _check_scale(self, values: dict[str, Any]) -> None:
        low, high = values.get("scale_low"), values.get("scale_high")
        if low is not None and high is not None and low >= high:
            self.add_error("scale_high", f"The high end must be above the low end, {low}.")
        if values.get("kind") in WITH_SCALE and "scale_low" in values and low is None:
            self.add_error("scale_low", "A slider needs a scale, such as 0 to 100.")

    def _check_sizes(self, values: dict[str, Any]) -> None:
        fewest, most = values.get("fewest"), values.get("most")
        if fewest is not None and most is not None and fewest > most:
            self.add_error("most", f"An answer has {fewest} labels or more: give a number from {fewest}, or none.")

    def _check_qualification(self, values: dict[str, Any]) -> None:
        pass_mark, items = values.get("qualification_pass_mark"), values.get("qualification_items")
        if items is not None and pass_mark is None and "qualification_pass_mark" in values:
            self.add_error("qualification_pass_mark", "Say how many of the items have to be answered right.")
        elif items is not None and pass_mark is not None and pass_mark > items:
            self.add_error(
                "qualification_pass_mark", f"Each person answers {items} items: give a number up to {items}."
            )
        if self.instance.status in OPEN_NOW:
            for name in QUALIFICATION_FIELDS:
                if name in self.changed_data and name in values:
                    self.add_error(name, f"The study is {self.instance.status}: pause it before you change this.")

    def _check_promises(self, values: dict[str, Any]) -> None:
        before = Study.objects.get(pk=self.instance.pk)
        held_places = AssignedItem.objects.filter(item__study=before, item__judgments_per_item=None, released_at=None)
        most = held_places.aggregate(most=Max("slot"))["most"] or 0
        if (values.get("judgments_per_item") or most) < most:
            sentence = (
                f"An item has {most} people already: it can't have fewer judgments per item. You can "
                f"pause the study instead."
            )
            self.add_error("judgments_per_item", sentence)
        if (
            "consent" in self.changed_data
            and values.get("consent_version") == before.consent_version
            and _somebody_agreed(before)
        ):
            sentence = f"People have agreed to version {before.consent_version}: give the new text its own."
            self.add_error("consent_version", sentence)


def free_slug(title: str) -> str:
    """A short name made from a title that no study has yet."""
    begin = slugify(title)[:70] or "study"
    taken = set(Study.objects.filter(slug__startswith=begin).values_list("slug", flat=True))
    return next(slug for slug in chain([begin], (f"{begin}-{n}" for n in count(2))) if slug not in taken)


def shortly(value: object) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= LONGEST_QUOTED else f"{text[:LONGEST_QUOTED]}…"


def who_saved_last(study: Study) -> str:
    entry = study.audit_entries.filter(action=AuditEntry.Action.CHANGED).select_related("by").first()
    who = entry.by.get_username() if entry and entry.by else "Somebody else"
    when = f" at {timezone.localtime(entry.at):%H:%M %Z}" if entry else ""
    return f"{who} saved other changes{when}"


def _somebody_agreed(study: Study) -> bool:
    return study.participations.filter(consent_version=study.consent_version).exists()
