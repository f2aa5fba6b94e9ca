"""The page on which a researcher describes a study's data for archives: licence, creators, limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TypedDict
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from agreement.report.data_card import REQUIRED, Card, Creator, missing_keys
from annotation.accounts.permissions import Right, study_or_404
from annotation.models import Study
from annotation.models.text_fields import validate_line
from annotation.pages.admin.base import posted, study_page, user_of
from annotation.releases.actions.releasing import card_of, save_card

# Label, and what to write there, in the order of the page.
WORDS = {
    "title": ("Title", "What the data set is called. Empty: the study's short name."),
    "description": ("Description", "Two or three sentences: what was judged, by whom, and what for."),
    "license": ("Licence", "An SPDX identifier such as CC-BY-4.0, or the address of a licence."),
    "creators": ("Creators", "One person per line: name; ORCID; affiliation. ORCID and affiliation may be left out."),
    "url": ("Web address", "Where the data set can be found, such as its page at an archive."),
    "published": ("Published on", "The day of publication. Empty: the day of the last judgment."),
    "version": (
        "Version",
        "Three numbers: the first for other data, the second for added data, the third for the rest.",
    ),
    "keywords": ("Keywords", "With commas between them."),
    "language": ("Language", "Of the items and questions, as a code such as en."),
    "collection": ("Collection", "What the data were collected for, and how, beyond what the methods say."),
    "limitations": ("Limitations", "What the data can't show: items, places, languages and people that are not in it."),
    "biases": (
        "Biases",
        "Whose views are over- or under-represented, and what the wording of the question may favour.",
    ),
    "sensitive_information": (
        "Personal and sensitive information",
        "What the data say about people, and how that is protected. Write \u201cnone\u201d if there is none.",
    ),
    "social_impact": ("Social impact", "Who may gain from the data and who may be harmed by it, if only slightly."),
    "use_cases": ("Uses", "What the data are good for, and what they must not be used for."),
    "synthetic": ("Made by machines", "Whether any of the answers were given by a model and not by a person."),
    "maintenance": ("Maintenance", "Who answers questions about the data, and whether they will be updated."),
    "derived_from": ("Derived from", "The web address of an earlier data set that the items come from."),
    "citation": ("Citation", "In BibTeX, as you want to be cited. Empty: made of creators, title and date."),
}
LONG = {
    "description", "creators", "collection", "limitations", "biases", "sensitive_information", "social_impact",
    "use_cases", "maintenance", "citation",
}  # fmt: skip
CREATOR = ("name", "orcid", "affiliation")
NOT_SAID, YES, NO = "", "yes", "no"


class CardForm(forms.Form):
    """Every field may stay empty: what is missing is said on the page, and reads "to be filled in" in the files."""

    asked_for = REQUIRED  # beside their labels

    def __init__(self, data: Mapping[str, object] | None = None, *, card: Card) -> None:
        super().__init__(data, initial=_fields_as_texts(card))
        for name, (label, help_text) in WORDS.items():
            self.fields[name] = _field(name, label, help_text)

    def clean_creators(self) -> list[dict[str, str]]:
        creators = []
        for number, line in enumerate(
            filter(None, map(str.strip, self.cleaned_data["creators"].splitlines())), start=1
        ):
            validate_line(line)
            parts = [part.strip() for part in line.split(";")]
            if not parts[0] or len(parts) > len(CREATOR):
                raise forms.ValidationError(f"Line {number}: write name; ORCID; affiliation.")
            name, orcid, affiliation = [*parts, "", ""][: len(CREATOR)]
            creators.append({"name": name, "orcid": orcid, "affiliation": affiliation})
        return creators

    def clean_keywords(self) -> list[str]:
        return [word for word in map(str.strip, self.cleaned_data["keywords"].split(",")) if word]

    def clean_synthetic(self) -> bool | None:
        return {YES: True, NO: False}.get(self.cleaned_data["synthetic"])

    def clean_version(self) -> str:
        return self.cleaned_data["version"] or Card().version


class FieldTexts(TypedDict):
    """What every field of the card is made with."""

    label: str
    help_text: str
    required: bool


def _field(name: str, label: str, help_text: str) -> forms.Field:
    texts: FieldTexts = {"label": label, "help_text": help_text, "required": False}
    if name == "published":
        widget = UnfoldAdminTextInputWidget(attrs={"type": "date"})
        return forms.DateField(widget=widget, **texts)
    if name == "synthetic":
        choices = [(NOT_SAID, "not said"), (NO, "no, people gave all answers"), (YES, "yes, a model gave some")]
        return forms.ChoiceField(choices=choices, widget=UnfoldAdminSelectWidget, **texts)
    if name == "url":
        return forms.URLField(widget=UnfoldAdminTextInputWidget, max_length=200, assume_scheme="https", **texts)
    if name == "version":
        three = forms.RegexField(r"^\d+\.\d+\.\d+$", widget=UnfoldAdminTextInputWidget, max_length=20, **texts)
        three.error_messages["invalid"] = "Write three numbers with points between them, such as 1.0.0."
        return three
    if name in LONG:
        return forms.CharField(widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}), max_length=10_000, **texts)
    longest = 20 if name == "language" else 200
    return forms.CharField(widget=UnfoldAdminTextInputWidget, max_length=longest, validators=[validate_line], **texts)


def _fields_as_texts(card: Card) -> dict[str, object]:
    values: dict[str, object] = {each.name: getattr(card, each.name) for each in fields(Card)}
    return {
        **values,
        "creators": "\n".join(map(_creator, card.creators)),
        "keywords": ", ".join(card.keywords),
        "synthetic": {True: YES, False: NO, None: NOT_SAID}[card.synthetic],
    }


def _creator(one: Creator) -> str:
    return f"{one.name}; {one.orcid}; {one.affiliation}".rstrip("; ")


def card(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = study_or_404(request.user, Right.CHANGE if request.method == "POST" else Right.LOOK, uuid=study)
    stored = card_of(this_study)
    form = CardForm(posted(request), card=stored)
    if form.is_valid():
        changed = save_card(
            study=this_study, values={name: form.cleaned_data[name] for name in WORDS}, by=user_of(request)
        )
        sentence = "The data card is saved." if changed else "Nothing was changed."
        messages.success(request, sentence)
        return redirect(reverse("agreement:card", args=[this_study.uuid]))
    return _page(request, this_study, form, stored)


def absent_from_card(study: Study) -> list[str]:
    """What archives require and nobody has filled in, as the page calls it."""
    return [WORDS[name][0].lower() for name in missing_keys(card_of(study))]


def _page(request: HttpRequest, study: Study, form: CardForm, stored: Card) -> HttpResponse:
    context = {"form": form, "absent": [WORDS[name][0] for name in missing_keys(stored)]}
    status = 422 if form.errors else 200
    return study_page(request, study, "pages/card.html", context, section="results", title="Data card", status=status)
