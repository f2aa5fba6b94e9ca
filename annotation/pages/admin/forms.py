"""The forms of the study's pages: a preset, a file of items, a status with its reason, links."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms
from django.core.exceptions import ValidationError
from django.core.files import File
from django.db.models import Model
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from annotation.entry.links import MOST_AT_ONCE
from annotation.models import EntryLink, Study
from annotation.models.study import PEOPLE, PEOPLE_PER_HOUR
from annotation.models.text_fields import validate_line
from annotation.platforms import PLATFORMS
from annotation.studies import presets
from annotation.studies.study_form import Paragraphs

ITEMS_FILES = ".csv,.tsv,.jsonl,.ndjson,.json,.xlsx,.xls,.parquet,text/csv"
NO_SHORT_NAME = "Use only letters without accents, digits, hyphens and underscores: no spaces."


class FilesWidget(UnfoldAdminFileFieldWidget):  # type: ignore[misc]  # unfold has no types
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Any number of files, as a list."""

    def clean(self, data: object, initial: object = None) -> list[File[bytes]]:
        files = data if isinstance(data, (list, tuple)) else [data] if data else []
        return [super(FilesField, self).clean(one, initial) for one in files]


class OneStudy(forms.ModelChoiceField):
    """Two studies may have one title; their short names differ."""

    def label_from_instance(self, obj: Model) -> str:
        return f"{obj} ({vars(obj)['slug']})"


class Studies(OneStudy, forms.ModelMultipleChoiceField):
    """Several, named likewise."""


def offered_presets() -> list[tuple[str, str]]:
    return [(name, f"{name}: {presets.load(name).title}") for name in presets.names()]


class PresetForm(forms.Form):
    preset = forms.ChoiceField(widget=UnfoldAdminSelectWidget, label="Preset", choices=offered_presets)
    slug = forms.SlugField(
        max_length=80,
        required=False,
        label="Short name",
        error_messages={"invalid": NO_SHORT_NAME},
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        help_text=(
            "Used in the study's address and in commands: lower-case letters, digits and hyphens. Leave it empty: it is"
            " made from the title."
        ),
    )
    title = forms.CharField(
        max_length=200,
        validators=[validate_line],
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text="The title that annotators see first. Leave it empty to use the preset's title.",
    )
    items = forms.FileField(
        required=False,
        label="Items of your own",
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ITEMS_FILES}),
        help_text=(
            "CSV, JSON, Excel or Parquet, as on the page Import items. They take the place of the preset's items. Its"
            " check items stay, unless the file has check items."
        ),
    )
    pictures = FilesField(
        required=False,
        label="Pictures",
        widget=FilesWidget(attrs={"accept": ".zip,image/png,image/jpeg,image/webp,image/gif"}),
        help_text="Those that the file's column image names, or a zip of them.",
    )
    sample = forms.IntegerField(
        required=False,
        min_value=1,
        label="Sample",
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="How many of the file's items to take, at random. Leave it empty to take all.",
    )
    sample_seed = forms.IntegerField(
        required=False,
        min_value=0,
        label="Seed of the sample",
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="The same seed draws the same items from the same file. Empty is 0.",
    )

    terms = Paragraphs(
        required=False,
        label="Terms of your own",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=(
            "For a preset about pairs of terms: one term on each line. All their pairs, and the checks of each term,"
            " take the place of the preset's items. Where models' files call a term otherwise, write that behind a"
            " comma: near to, near."
        ),
    )
    terms_file = forms.FileField(
        required=False,
        label="Terms as a file",
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".csv,.jsonl,.ndjson,text/csv"}),
        help_text="The same as CSV or JSON Lines in UTF-8: the column term and, where there are any, alias.",
    )

    def clean(self) -> dict[str, object]:
        values = super().clean() or self.cleaned_data
        for name in ("pictures", "sample", "sample_seed"):
            if values.get(name) not in (None, []) and "items" in values and values["items"] is None:
                self.add_error(name, "This is about a file of items: choose the file too.")
        brought = [name for name in ("items", "terms", "terms_file") if values.get(name)]
        if len(brought) > 1:
            self.add_error(brought[1], "Bring either items or terms, and terms in the box or as a file.")
        return values

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"])
        if Study.objects.filter(slug=slug).exists():
            raise ValidationError(f"There is a study '{slug}' already: choose another short name.")
        return slug


class ReasonForm(forms.Form):
    why = forms.CharField(
        label="Why",
        max_length=2000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Recorded in the study's audit log, with your name and the time.",
    )


class StatusForm(ReasonForm):
    def __init__(self, data: Mapping[str, object] | None = None) -> None:
        super().__init__(data)
        self.fields["why"].required = False


class RejectionForm(ReasonForm):
    """The same words go to the platform and into the record, so they are asked for once."""

    def __init__(self, data: Mapping[str, object] | None = None) -> None:
        super().__init__(data)
        self.fields["why"].label = "Reason"
        self.fields["why"].help_text = (
            "The text that the person is told. It is kept with the payment and in the study's audit log. "
            + " ".join(
                f"For people from {platform.name}: {platform.rejection_min_characters} characters or more."
                for platform in PLATFORMS.values()
                if platform.rejection_min_characters > 1
            )
        )


class PaymentsFileForm(forms.Form):
    file = forms.FileField(
        label="File",
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".csv,.jsonl,.ndjson,text/csv"}),
        help_text="CSV or JSON Lines in UTF-8: the list that you downloaded, with its status or amount changed.",
    )


class InvitationsForm(forms.Form):
    count = forms.IntegerField(
        label="How many", min_value=1, max_value=MOST_AT_ONCE, initial=10, widget=UnfoldAdminIntegerFieldWidget
    )
    note = forms.CharField(
        label="Note",
        max_length=120,
        required=False,
        validators=[validate_line],
        widget=UnfoldAdminTextInputWidget,
        help_text="For you alone.",
    )


class OpenLinkForm(forms.Form):
    capacity = forms.IntegerField(
        label="People at most",
        min_value=PEOPLE.least,
        max_value=PEOPLE.most,
        error_messages=PEOPLE.messages,
        required=False,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="Leave it empty for no limit of its own.",
    )
    most_per_hour = forms.IntegerField(
        label="People per network and hour",
        min_value=PEOPLE_PER_HOUR.least,
        max_value=PEOPLE_PER_HOUR.most,
        error_messages=PEOPLE_PER_HOUR.messages,
        initial=EntryLink._meta.get_field("most_per_hour").default,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="The limit for one household or office. Choose more for a class.",
    )
    note = forms.CharField(
        label="Note",
        max_length=120,
        required=False,
        validators=[validate_line],
        widget=UnfoldAdminTextInputWidget,
        help_text="For you alone.",
    )


class PlatformIdForm(forms.Form):
    platform_id = forms.CharField(
        label="Platform id",
        max_length=200,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text="The whole id, as the person gave it to you. It is only used for this search and is not stored.",
    )
