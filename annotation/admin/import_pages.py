"""The pages that add a file's items to a study: a small file at once, a large one as a job that is followed here."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.files import File
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotation.actions.studies import add_items
from annotation.actions.uploading import discard_ended_uploads, has_many_rows, queue_import
from annotation.admin.forms import ItemsFileForm
from annotation.admin.pages import posted, reasons_of, study_page, user_of
from annotation.errors import Refused
from annotation.importing import fields_of, read_items
from annotation.jobs import IMPORT, cancel_job
from annotation.models import ItemImport, Job, Study
from annotation.permissions import Right, study_or_404
from annotation.pictures import pictures_of, uploaded


def import_items(request: HttpRequest, pk: int) -> HttpResponse:
    study = study_or_404(request.user, Right.CHANGE, pk=pk)
    form = ItemsFileForm(posted(request), request.FILES or None)
    refused = {}
    if form.is_valid():
        try:
            return _import(request, study, form.cleaned_data["file"], form.cleaned_data["pictures"])
        except Refused as refusal:
            refused = reasons_of(refusal)
    context = {"form": form, "fields": fields_of(study.question), "items": study.items.count(), **refused}
    context["job"] = study.jobs.filter(kind=IMPORT).unfinished().first()
    status = 422 if refused else 200
    page = "admin/touchstone/import_items.html"
    return study_page(request, study, page, context, section="items", title="Import items", status=status)


def _import(request: HttpRequest, study: Study, file: File[Any], pictures: list[File[Any]]) -> HttpResponse:
    if has_many_rows(file):
        job = queue_import(study=study, file=file, pictures=pictures, by=user_of(request))
        return redirect("admin:annotation_study_import_job", study.pk, job.uuid)
    count = _import_at_once(request, study, file, pictures)
    messages.success(request, f"{count} items are in {study} now.")
    if notice := study.items.without_right_answer_in_words():
        messages.warning(request, notice)
    return redirect(f"{reverse('admin:annotation_item_changelist')}?study={study.pk}")


def _import_at_once(request: HttpRequest, study: Study, upload: File[Any], pictures: list[File[Any]]) -> int:
    name = Path(upload.name or "items.csv").name
    with TemporaryDirectory() as folder, pictures_of(uploaded(pictures)) as found:
        file = Path(folder) / name
        with file.open("wb") as out:
            out.writelines(upload.chunks())
        items = read_items(file, study, found)
        taken = found.seen.values()
        return add_items(study=study, items=items, by=user_of(request), source=name, pictures=taken)


def _study_and_job(request: HttpRequest, pk: int, job: UUID) -> tuple[Study, Job]:
    study = study_or_404(request.user, Right.CHANGE, pk=pk)
    return study, get_object_or_404(study.jobs.select_related("created_by"), uuid=job, kind=IMPORT)


def import_job(request: HttpRequest, pk: int, job: UUID) -> HttpResponse:
    """How far the import of a large file is, and how it ended."""
    study, found = _study_and_job(request, pk, job)
    context = {
        "job": found,
        "file": found.parameters.get("file", ""),
        # Cancelled or given up, it may have been published before.
        "published": ItemImport.objects.filter(job=found, published_at__isnull=False).first(),
        "notice": study.items.without_right_answer_in_words(),
    }
    page = "admin/touchstone/import_job.html"
    return study_page(request, study, page, context, section="items", title="Import items")


def import_job_state(request: HttpRequest, pk: int, job: UUID) -> JsonResponse:
    """What the page asks for while the job is on its way."""
    _, found = _study_and_job(request, pk, job)
    state = {"job": str(found.uuid), "status": found.status, "progress": round(found.progress, 3)}
    return JsonResponse(state, headers={"Cache-Control": "no-store"})


@require_POST
def cancel_import(request: HttpRequest, pk: int, job: UUID) -> HttpResponse:
    study, found = _study_and_job(request, pk, job)
    cancel_job(job=found)
    discard_ended_uploads()
    messages.success(request, "The import was asked to stop.")
    return redirect("admin:annotation_study_import_job", study.pk, found.uuid)
