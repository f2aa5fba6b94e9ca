"""Many files for items, part by part, as the page's script sends them (annotation/studies/uploading_in_parts.py)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import cast

from django.forms import CharField, Form, IntegerField
from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from agreement.errors import PAGE, Refused
from annotation.accounts.permissions import Right, study_or_404
from annotation.models import Study
from annotation.models.job import PART_BYTES
from annotation.pages.admin.base import user_of
from annotation.studies.uploading_in_parts import (
    LONGEST_NAME,
    MOST_FILES,
    ComingFile,
    begin_parts,
    drop_parts,
    queue_parts,
    store_part,
    stored_parts,
)

NO_LIST = "The list of files can't be read: reload the page."


class Coming(Form):
    name = CharField(max_length=LONGEST_NAME, strip=False)
    size = IntegerField(min_value=0)
    modified = IntegerField()


def _begin_parts(request: HttpRequest, study: Study) -> dict[str, object]:
    try:
        sent = json.loads(request.body)
    except ValueError as error:
        raise Refused(NO_LIST) from error
    if not isinstance(sent, list) or not all(isinstance(each, dict) for each in sent):
        raise Refused(NO_LIST)
    forms = [Coming(each) for each in sent[: MOST_FILES + 1]]
    if not all(form.is_valid() for form in forms):
        raise Refused(NO_LIST)
    upload = begin_parts(study=study, files=[cast("ComingFile", form.cleaned_data) for form in forms])
    return {"stored": stored_parts(upload), "part_bytes": PART_BYTES}


def _store_part(request: HttpRequest, study: Study) -> dict[str, object]:
    file_number, number = (request.GET.get(name, "") for name in ("file", "part"))
    if not (file_number.isdecimal() and number.isdecimal() and len(file_number + number) < 16):
        raise Refused("There is no such part in this upload: begin it again.")
    store_part(study=study, file_number=int(file_number), number=int(number), content=request.body)
    return {}


def _queue_parts(request: HttpRequest, study: Study) -> dict[str, object]:
    job = queue_parts(study=study, by=user_of(request))
    return {"address": reverse("admin:annotation_study_import_job", args=[study.pk, job.uuid])}


def _drop_parts(request: HttpRequest, study: Study) -> dict[str, object]:  # noqa: ARG001  all are called alike
    drop_parts(study=study)
    return {}


def _unknown(request: HttpRequest, study: Study) -> dict[str, object]:  # noqa: ARG001
    raise Refused("The page asked for something else than an upload: reload it.")


OF_PARTS: dict[str, Callable[[HttpRequest, Study], dict[str, object]]] = {
    "begin": _begin_parts,
    "part": _store_part,
    "queue": _queue_parts,
    "drop": _drop_parts,
}


@require_POST
def import_parts(request: HttpRequest, pk: int) -> JsonResponse:
    study = study_or_404(request.user, Right.CHANGE, pk=pk)
    wish = OF_PARTS.get(request.GET.get("do", ""), _unknown)
    try:
        return JsonResponse(wish(request, study))
    except Refused as refusal:
        return JsonResponse({"reasons": list(refusal.words(PAGE))}, status=422)
