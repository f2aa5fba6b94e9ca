"""The pages of a study beside its form: made from a preset, given items, opened and closed, handed out, watched."""

from collections.abc import Callable
from typing import TypeAlias

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import URLPattern, path

from annotation import presets
from annotation.actions.studies import change_status, create_study
from annotation.admin import pay_pages
from annotation.admin.forms import PresetForm, StatusForm
from annotation.admin.import_pages import cancel_import, import_items, import_job, import_job_state
from annotation.admin.link_pages import invitations_csv, links, revoke
from annotation.admin.pages import posted, reasons_of, study_page, user_of
from annotation.admin.progress import progress_of
from annotation.completeness import what_people_will_see
from annotation.errors import Refused
from annotation.models import Study
from annotation.permissions import Right, study_or_404
from annotation.steps import WORDS, steps_of

View: TypeAlias = Callable[..., HttpResponseBase]


def from_preset(request: HttpRequest) -> HttpResponse:
    form = PresetForm(posted(request), initial={"preset": request.GET.get("preset")})
    if form.is_valid():
        title = {"title": form.cleaned_data["title"]} if form.cleaned_data["title"] else {}
        preset = presets.load(form.cleaned_data["preset"])
        study = create_study(slug=form.cleaned_data["slug"], preset=preset, owner=user_of(request), **title)
        messages.success(request, f"{study} is a draft now, with {study.items.count()} items.")
        next_page = "change" if study.items.targets().exists() else "import_items"
        return redirect(f"admin:annotation_study_{next_page}", study.pk)
    context = {"title": "New study from a preset", "opts": Study._meta, "form": form, "presets": _all_presets()}
    return render(request, "admin/touchstone/from_preset.html", {**admin.site.each_context(request), **context})


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
            return redirect("admin:annotation_study_progress", study.pk)
    step = WORDS.get(to)
    context = {"form": form, "step": step, "is_possible": to in {key for key, _ in steps_of(study)}, **refused}
    context["notices"] = list(what_people_will_see(study)) if to in {Study.Status.PILOTING, Study.Status.LIVE} else []
    title = step.verb if step else "Change the status"
    page = "admin/touchstone/status.html"
    return study_page(request, study, page, context, section="", title=title, status=422 if refused else 200)


def progress(request: HttpRequest, pk: int) -> HttpResponse:
    study = study_or_404(request.user, Right.LOOK, pk=pk)
    page = "admin/touchstone/progress.html"
    return study_page(request, study, page, {"progress": progress_of(study)}, section="progress", title="Progress")


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
        path("<int:pk>/status/<slug:to>/", wrap(status), name="annotation_study_status"),
        path("<int:pk>/progress/", wrap(progress), name="annotation_study_progress"),
        path("<int:pk>/links/", wrap(links), name="annotation_study_links"),
        path("<int:pk>/links/invitations.csv", wrap(invitations_csv), name="annotation_study_invitations"),
        path("<int:pk>/links/<int:link>/revoke/", wrap(revoke), name="annotation_study_revoke_link"),
        *pay_pages.urls_of(wrap),
    ]
