"""Refuses what no page takes by its headers, before any of it is read: a body too large, and files."""

from collections.abc import Callable, Mapping
from functools import cache
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
    only then who sent them. So this comes before all that could read; the check of a form's token is one who does.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_refused = not is_for_researchers(request.path_info) and announces_too_much(request.META)
        return _refusal(request) if is_refused else self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> HttpResponse | None:  # Django hands over the view too, which isn't needed
        del view, args, kwargs
        is_visitor = is_for_researchers(request.path_info) and not request.user.is_authenticated
        return _refusal(request) if is_visitor and announces_too_much(request.META) else None


def length_of(environ: Mapping[str, Any]) -> int:
    """The announced length of the body; what is no number is none, as Django has it."""
    length = environ.get("CONTENT_LENGTH") or ""
    if not (length.isascii() and length.isdecimal()):
        return 0
    return int(length[:18])  # enough digits for any file, and few enough to be read as a number


def announces_too_much(environ: Mapping[str, Any]) -> bool:
    return length_of(environ) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE or _has_files(environ)


def is_for_researchers(path: str) -> bool:
    return path.startswith(_researchers_pages())


@cache
def _researchers_pages() -> str:
    return reverse("admin:index")


def _has_files(environ: Mapping[str, Any]) -> bool:
    return str(environ.get("CONTENT_TYPE") or "").strip().lower().startswith("multipart/")


def _refusal(request: HttpRequest) -> HttpResponse:
    """In a language that the browser knows, for no study is known yet."""
    is_large = length_of(request.META) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    with translation.override(translation.get_language_from_request(request)):
        if is_large:
            sentence, status = _("What was sent is larger than this page takes."), HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        else:
            sentence, status = _("This page takes no files."), HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        if "text/html" not in request.headers.get("Accept", ""):
            return JsonResponse({"saved": False, "sentence": sentence}, status=status)
        response = render(request, "annotation/problem.html", {"sentence": sentence}, status=status)
    response.headers["Content-Security-Policy"] = OWN_PAGES
    return response
