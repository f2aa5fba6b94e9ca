"""The pages of a study beside its form: made from a preset, given items, opened and closed, handed out, watched."""

from collections.abc import Callable
from functools import partial
from itertools import groupby
from typing import TypeAlias

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import URLPattern, path

from agreement.errors import Refused
from annotation.accounts.permissions import Right, study_or_404
from annotation.answering.views.previewing import page_address, pages_to_preview
from annotation.media.pictures import TooMuchAtOnce
from annotation.models import Study
from annotation.pages.admin import link_pages, payment
from annotation.pages.admin.base import posted, reasons_of, study_page, user_of
from annotation.pages.admin.forms import PresetForm, StatusForm
from annotation.pages.admin.import_pages import (
    cancel_import,
    file_and_pictures,
    import_items,
    import_job,
    import_job_state,
    items_sample,
    items_template,
)
from annotation.pages.admin.link_pages import invitations_csv, links, revoke_link_page
from annotation.pages.study_tabs import WORDS, steps_of
from annotation.studies import presets
from annotation.studies.completeness import what_people_will_see
from annotation.studies.item_files import UploadedItems, read_items
from annotation.studies.items_of_text import read_terms, terms_of_text
from annotation.studies.study_life import AT_ONCE, change_status, create_study
from annotation.studies.unused_in_import import unused_in_import
from annotation.web.security import ADMIN_PAGES

# The pages, in the order in which a study is set up.

# About 100 terms; they come in by chunks, of which each keeps annotators waiting some 100 ms.
MOST_PAIRS_ON_PAGE = 5_200

View: TypeAlias = Callable[..., HttpResponseBase]


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
    context = {"title": "New study from a preset", "opts": Study._meta, "form": form, "presets": _all_presets()}
    context |= {**admin.site.each_context(request), **refused}
    return render(request, "admin/touchstone/from_preset.html", context, status=422 if refused else 200)


def _from_preset(request: HttpRequest, form: PresetForm) -> Study:
    values = form.cleaned_data
    preset, title = presets.load(values["preset"]), {"title": values["title"]} if values["title"] else {}
    make = partial(create_study, slug=values["slug"], preset=preset, owner=user_of(request), **title)
    if values["terms"] or values["terms_file"]:
        return make(uploaded=_brought_terms(form, preset))
    if values["items"] is None:
        return make()
    with file_and_pictures(values["items"], values["pictures"]) as (file, pictures):
        try:
            items = read_items(file, Study(kind=preset.study["kind"]), pictures, questions=preset.questions)
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


def _all_presets() -> list[presets.Preset]:
    return [presets.load(name) for name in presets.names()]


def status(request: HttpRequest, pk: int, to: str) -> HttpResponse:
    study = study_or_404(request.user, Right.CHANGE, pk=pk)
    form = StatusForm(posted(request))
    refused = {}
    if form.is_valid():
        try:
            change_status(study=study, status=to, by=user_of(request), why=form.cleaned_data["why"])
        except Refused as refusal:
            refused = reasons_of(refusal)
        else:
            messages.success(request, f"{study} is {study.get_status_display().lower()} now.")
            return redirect("agreement:watch", study.uuid)
    step = WORDS.get(to)
    context = {"form": form, "step": step, "is_possible": to in {key for key, _ in steps_of(study)}, **refused}
    context["notices"] = list(what_people_will_see(study)) if to in {Study.Status.PILOTING, Study.Status.LIVE} else []
    title = step.verb if step else "Change the status"
    page = "admin/touchstone/status.html"
    return study_page(request, study, page, context, section="", title=title, status=422 if refused else 200)


def progress(request: HttpRequest, pk: int) -> HttpResponse:
    """An address of earlier versions, which people have kept."""
    return redirect("agreement:watch", study_or_404(request.user, Right.LOOK, pk=pk).uuid)


def urls_of(wrap: Callable[[View], View]) -> list[URLPattern]:
    """The addresses of these pages, each behind the admin's sign-in."""
    return [
        path("from-preset/", wrap(from_preset), name="annotation_study_from_preset"),
        path("<int:pk>/import-items/", wrap(import_items), name="annotation_study_import_items"),
        path("<int:pk>/import-items/<uuid:job>/", wrap(import_job), name="annotation_study_import_job"),
        path(
            "<int:pk>/import-items/<uuid:job>/state/", wrap(import_job_state), name="annotation_study_import_job_state"
        ),
        path("<int:pk>/import-items/<uuid:job>/cancel/", wrap(cancel_import), name="annotation_study_cancel_import"),
        path("<int:pk>/items-template.csv", wrap(items_template), name="annotation_study_items_template"),
        path("<int:pk>/items-sample/<slug:name>.csv", wrap(items_sample), name="annotation_study_items_sample"),
        path("<int:pk>/status/<slug:to>/", wrap(status), name="annotation_study_status"),
        path("<int:pk>/preview/", wrap(preview), name="annotation_study_preview"),
        path("<int:pk>/duplicate/", wrap(link_pages.duplicate_study_page), name="annotation_study_duplicate"),
        path("<int:pk>/end/<slug:action>/", wrap(link_pages.end), name="annotation_study_end"),
        path("<int:pk>/progress/", wrap(progress), name="annotation_study_progress"),
        path("<int:pk>/links/", wrap(links), name="annotation_study_links"),
        path("<int:pk>/links/invitations.csv", wrap(invitations_csv), name="annotation_study_invitations"),
        path("<int:pk>/links/<int:link>/revoke/", wrap(revoke_link_page), name="annotation_study_revoke_link"),
        *payment.urls_of(wrap),
    ]


# The researcher's frame around the preview: the list of pages, a phone or a window, next, back, and the way out.

WIDTHS = {"phone": "Phone", "desktop": "Computer"}


def preview(request: HttpRequest, pk: int) -> HttpResponse:
    study = study_or_404(request.user, Right.LOOK, pk=pk)
    pages = pages_to_preview(study)
    keys = [page.key for page in pages]
    key, width = request.GET.get("page", ""), request.GET.get("width", "")
    position = keys.index(key) if key in keys else 0
    context = {
        "groups": [(name, list(group)) for name, group in groupby(pages, key=lambda page: page.group)],
        "page": pages[position],
        "address": page_address(study, pages[position].key),
        "addresses": {page_address(study, page.key): page.key for page in pages},
        "before": keys[position - 1] if position else "",
        "after": keys[position + 1] if position + 1 < len(keys) else "",
        "width": width if width in WIDTHS else "phone",
        "widths": WIDTHS,
        "has_questions": any(page.key == "q1" for page in pages),
    }
    page = "admin/touchstone/preview.html"
    response = study_page(request, study, page, context, section="preview", title="Preview")
    response.headers["Content-Security-Policy"] = f"{ADMIN_PAGES}; frame-src 'self'"
    return response
