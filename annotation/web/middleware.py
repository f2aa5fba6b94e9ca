"""Middleware: pages compressed, English for researchers, a sentence where a value fails, sessions of a workday."""

import logging
import time
from collections.abc import Callable
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth import logout
from django.db import DataError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation

from annotation.web import responses
from annotation.web.unavailable import API

logger = logging.getLogger(__name__)


class PagesCompressed(GZipMiddleware):
    """Pages alone: downloads are streams, and what the API replies is small or wanted fast.

    Django pads what it zips at random, so that its length tells nothing of the tokens in it.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not response.headers.get("Content-Type", "").startswith("text/html"):
            return response
        return super().process_response(request, response)


# The researchers' pages and the API speak English, all of them: half of a page in the browser's language helps nobody.


class EnglishAdmin:
    """Stands behind LocaleMiddleware, which has chosen among the annotators' languages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith((reverse("admin:index"), API)):
            return self.get_response(request)
        with translation.override("en"):
            response = self.get_response(request)
        response.headers["Content-Language"] = "en"
        return response


# Says in a sentence that an address or a form holds a value that no page can look up: never a broken page.

UNFIT_VALUE = (
    "The address or the form holds a value that can't be looked up: a number of too many digits, a text too long, lists"
    " nested too deeply, or a character that no text has."
)


class UnfitValues:
    """400 and a sentence for what neither database can compare with anything; what it is differs between the two.

    PostgreSQL has no NUL in a text and refuses numbers and texts beyond a column's size; SQLite takes texts of any kind
    and no whole number beyond 64 bits.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not _is_unfit(exception):
            return None
        logger.warning("refused a value: %s", type(exception).__name__)
        if request.path.startswith(API):
            return responses.answer(HTTPStatus.BAD_REQUEST, UNFIT_VALUE)
        if "json" in request.headers.get("Accept", ""):
            return JsonResponse({"detail": UNFIT_VALUE}, status=HTTPStatus.BAD_REQUEST)
        context = {"sentence": UNFIT_VALUE}
        return render(request, "annotation/problem.html", context, status=HTTPStatus.BAD_REQUEST)


def _is_unfit(exception: Exception) -> bool:
    if isinstance(exception, (DataError, OverflowError, RecursionError)):
        return True
    if not isinstance(exception, ValueError):
        return False
    message = str(exception)
    return "NUL" in message or "null character" in message or "integer string conversion" in message


# A researcher's session lasts a workday at most, and ends when nobody has used it for two hours.

WORKDAY_SECONDS = 12 * 3600
# The cookie and the session's row last so long from the last time that they were written: SESSION_COOKIE_AGE.
IDLE_SECONDS = 2 * 3600
# They are written no more often than this, for each writing is a transaction.
NOTED_EVERY_SECONDS = 300
LOGGED_IN_AT, SEEN_AT = "logged_in_at", "seen_at"


def note_log_in(request: HttpRequest) -> None:
    request.session[LOGGED_IN_AT] = request.session[SEEN_AT] = int(time.time())


class Workday:
    """Looks at researchers' pages alone: annotators have no session, and theirs cost nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(reverse("admin:index")) or not request.user.is_authenticated:
            return self.get_response(request)
        if LOGGED_IN_AT not in request.session:
            note_log_in(request)  # logged in before there was such a limit
        now = int(time.time())
        if now - request.session[LOGGED_IN_AT] >= WORKDAY_SECONDS:
            return _logged_out(request, "You have been logged in for twelve hours: please log in again.")
        if now - request.session[SEEN_AT] >= IDLE_SECONDS:
            return _logged_out(request, "Nobody has used this session for two hours: please log in again.")
        if now - request.session[SEEN_AT] >= NOTED_EVERY_SECONDS:
            request.session[SEEN_AT] = now
        return self.get_response(request)


def _logged_out(request: HttpRequest, sentence: str) -> HttpResponse:
    """The request itself is not carried out: its session was over."""
    logout(request)
    messages.info(request, sentence)
    return redirect("admin:login")
