"""The pages of a study beside its form: given items, looked at, opened and closed, handed out, watched."""

from collections.abc import Callable
from itertools import groupby
from typing import TypeAlias

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, path

from agreement.errors import Refused
from annotation.accounts.permissions import Right, study_or_404
from annotation.answering.views.previewing import page_address, pages_to_preview
from annotation.models import Study
from annotation.pages.admin import link_pages, payment
from annotation.pages.admin.base import posted, reasons_of, study_page, user_of
from annotation.pages.admin.forms import StatusForm
from annotation.pages.admin.import_pages import (
    cancel_import,
    import_items,
    import_job,
    import_job_state,
    items_sample,
    items_template,
)
from annotation.pages.admin.import_parts import import_parts
from annotation.pages.admin.link_pages import invitations_csv, links, revoke_link_page
from annotation.pages.admin.new_study import from_preset
from annotation.pages.study_tabs import WORDS, steps_of
from annotation.studies.completeness import what_people_will_see
from annotation.studies.study_life import change_status
from annotation.web.security import ADMIN_PAGES

# The pages, in the order in which a study is set up.

View: TypeAlias = Callable[..., HttpResponseBase]


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
        path("<int:pk>/import-items/parts/", wrap(import_parts), name="annotation_study_import_parts"),
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
