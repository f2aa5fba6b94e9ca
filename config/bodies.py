"""Refuses what no page takes by its headers, before any of it is read: a body too large, and files."""

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from config.security import OWN_PAGES


class BodyLimits:
    """Files and large bodies are for the researchers' pages, and there for those who are signed in alone.

    Whoever reads a form of many parts puts its files into the temporary folder first, however many there are, and asks
    only then who sent them. First of all that could read: the forms' CSRF check is one who does.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        refusal = None if _is_for_researchers(request) else _refusal(request)
        return refusal or self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> HttpResponse | None:  # all three of the view are Django's, and none of them is needed
        del view, args, kwargs
        if not _is_for_researchers(request) or request.user.is_authenticated:
            return None
        return _refusal(request)


def _is_for_researchers(request: HttpRequest) -> bool:
    return request.path_info.startswith(reverse("admin:index"))


def _refusal(request: HttpRequest) -> HttpResponse | None:
    """What to answer where the headers announce what isn't taken."""
    length = request.META.get("CONTENT_LENGTH") or ""
    is_number = length.isascii() and length.isdecimal()  # else nothing is read: Django takes it for an empty body
    if is_number and (len(length) > 15 or int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE):
        sentence = partial(_, "What was sent is larger than this page takes.")
        return _said(request, sentence, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    if (request.content_type or "").startswith("multipart/"):
        return _said(request, partial(_, "This page takes no files."), HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    return None


def _said(request: HttpRequest, sentence: Callable[[], str], status: HTTPStatus) -> HttpResponse:
    """In a language that the browser knows, for no study is known yet."""
    with translation.override(translation.get_language_from_request(request)):
        if "text/html" not in request.headers.get("Accept", ""):
            return JsonResponse({"saved": False, "sentence": sentence()}, status=status)
        response = render(request, "annotation/problem.html", {"sentence": sentence()}, status=status)
    response.headers["Content-Security-Policy"] = OWN_PAGES
    return response
