"""What the pages of a study share: the frame of the admin around them, and the study's own bar of sections."""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from annotation.errors import Refused
from annotation.models import Study, User
from annotation.permissions import right_in

REASONS_SHOWN = 2000


def study_page(
    request: HttpRequest,
    study: Study,
    template: str,
    context: Mapping[str, Any],
    *,
    section: str,
    title: str,
    status: int = 200,
) -> HttpResponse:
    shown = {
        **admin.site.each_context(request),
        "opts": Study._meta,
        "original": study,
        "study": study,
        "right": right_in(request, study),
        "section": section,
        "title": title,
        **context,
    }
    return render(request, template, shown, status=status)


def user_of(request: HttpRequest) -> User:
    """The researcher who is signed in: the admin lets nobody else come so far."""
    if not isinstance(request.user, User):
        raise PermissionDenied("Sign in first.")
    return request.user


def posted(request: HttpRequest) -> QueryDict | None:
    """What a form is bound to: nothing before it is sent, and an empty one is sent too."""
    return request.POST if request.method == "POST" else None


def reasons_of(refusal: Refused) -> dict[str, Any]:
    """All reasons, as far as a page can show them, and how many more there are."""
    shown = [reason for reason, _ in zip(refusal.reasons, range(REASONS_SHOWN), strict=False)]
    return {"reasons": shown, "more_reasons": len(refusal.reasons) - len(shown)}
