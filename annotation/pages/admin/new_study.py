"""The page New study: a kind of question or a preset is chosen from pictures of their forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from agreement.errors import Refused
from agreement.files.numbers import count_text
from agreement.kinds.kind import Kind
from agreement.kinds.registry import KINDS
from annotation.answering.kinds.form import picture_of
from annotation.media.taking import TooMuchAtOnce
from annotation.models import Study
from annotation.pages.admin.base import posted, reasons_of, user_of
from annotation.pages.admin.forms import PresetForm
from annotation.pages.admin.import_pages import file_and_pictures
from annotation.studies import presets
from annotation.studies.item_files import UploadedItems, read_items
from annotation.studies.items_of_text import read_terms, terms_of_text
from annotation.studies.study_form import free_slug
from annotation.studies.study_life import AT_ONCE, create_study
from annotation.studies.unused_in_import import unused_in_import

# About 100 terms; they come in by chunks, of which each keeps annotators waiting some 100 ms.
MOST_PAIRS_ON_PAGE = 5_200
POINTS = (24, 62, 100, 138, 176)  # where the points of a drawn rating scale stand


@dataclass(frozen=True, slots=True)
class Card:
    """What can be chosen, with what its drawing shows of the form."""

    name: str
    title: str
    sentence: str
    group: str
    picture: str
    labels: Sequence[Mapping[str, object]]
    low: str
    high: str
    ordered: bool = False
    facts: str = ""
    points = POINTS


def _group_of(kind: Kind) -> str:
    if kind.has_scale:
        return "Numbers"
    return "In their own words" if kind.in_own_words else "Labels"


def _cards_of_kinds() -> Iterator[Card]:
    for kind in KINDS.values():
        labels = [{"display_text": label} for label in kind.first_labels]
        yield Card(
            kind.name, kind.title.partition(":")[0], kind.about, _group_of(kind), picture_of(kind.name), labels,
            "not at all", "very much",
        )  # fmt: skip


def _cards_of_presets() -> list[tuple[str, list[Card]]]:
    """By the kind of their first question, in the order of kinds."""
    cards = sorted(map(_card_of, map(presets.load, presets.names())), key=lambda card: GROUPS.index(card.group))
    return [(group, list(members)) for group, members in groupby(cards, key=lambda card: card.group)]


GROUPS = ("Numbers", "Labels", "In their own words", "Several questions about each item")


def _card_of(preset: presets.Preset) -> Card:
    kind, study = KINDS[preset.study["kind"]], preset.study
    checks = ", ".join(f"{count} {name}" for name, count in preset.check_quotas.items())
    facts = [kind.title.partition(":")[0], count_text(len(preset.targets), "item")]
    facts += [f"checks: {checks}"] if checks else []
    return Card(
        preset.name,
        preset.title,
        str(study.get("summary", "")),
        GROUPS[-1] if preset.further else _group_of(kind),
        picture_of(kind.name),
        preset.labels,
        str(study.get("low_label", "")),
        str(study.get("high_label", "")),
        bool(study.get("ordered")),
        " · ".join(facts),
    )


def from_preset(request: HttpRequest) -> HttpResponse:
    form = PresetForm(posted(request), request.FILES or None, initial={"preset": request.GET.get("preset")})
    refused = {}
    if form.is_valid():
        try:
            study = _from_preset(request, form)
        except Refused as refusal:
            refused = reasons_of(refusal)
        else:
            messages.success(request, f"{study} was created as a draft with {study.items.count()} items.")
            next_page = "change" if study.items.targets().exists() else "import_items"
            return redirect(f"admin:annotation_study_{next_page}", study.pk)
    context = {"title": "New study", "opts": Study._meta, "form": form}
    context |= {"kinds": list(_cards_of_kinds()), "presets": _cards_of_presets()}
    context |= {**admin.site.each_context(request), **refused}
    return render(request, "admin/touchstone/new_study.html", context, status=422 if refused else 200)


def _from_preset(request: HttpRequest, form: PresetForm) -> Study:
    values = form.cleaned_data
    preset, title = presets.load(values["preset"]), {"title": values["title"]} if values["title"] else {}
    slug = values["slug"] or free_slug(values["title"] or preset.name)
    make = partial(create_study, slug=slug, preset=preset, owner=user_of(request), **title)
    if values["terms"] or values["terms_file"]:
        return make(uploaded=_brought_terms(form, preset))
    if values["items"] is None:
        return make()
    with file_and_pictures(values["items"], values["pictures"]) as (file, pictures):
        try:
            items = read_items(
                file,
                Study(kind=preset.study["kind"], stimulus=preset.study["stimulus"]),
                pictures,
                questions=preset.questions,
            )
        except TooMuchAtOnce as large:
            reason = f"{file.name}: {large}. Create the study without items first, and add them on its page Items."
            raise Refused(reason) from large
        uploaded = UploadedItems(items, file.name, pictures.seen.values())
        if values["sample"] is not None:
            uploaded = uploaded.sample(values["sample"], values["sample_seed"] or 0)
        if len(uploaded.items) > AT_ONCE:
            raise Refused(
                f"{file.name} has {len(uploaded.items):,} items, and this page takes {AT_ONCE:,} at once: take a"
                " sample, or create the study with `manage.py create_study`."
            )
        study = make(uploaded=uploaded)
        for each in unused_in_import(items, study, pictures):
            messages.warning(request, each)
        return study


def _brought_terms(form: PresetForm, preset: presets.Preset) -> UploadedItems:
    """The pairs and checks of the terms in the box, or in the file."""
    checks = preset.checks_of_own_terms
    if terms := form.cleaned_data["terms"]:
        uploaded = terms_of_text(terms, checks)
    else:
        with file_and_pictures(form.cleaned_data["terms_file"], []) as (file, _):
            uploaded = read_terms(file, checks)
    if len(uploaded.items) > MOST_PAIRS_ON_PAGE:
        raise Refused(
            f"These terms make {len(uploaded.items):,} items, and this page takes {MOST_PAIRS_ON_PAGE:,}: create the"
            " study with `manage.py create_study --terms`."
        )
    return uploaded
