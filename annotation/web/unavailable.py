"""503 and a sentence, for what is neither a request's fault nor the code's: a database gone, full or unprotected."""

import logging
import time
from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.db import DatabaseError, Error, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from annotation.database import triggers
from annotation.web import problems

logger = logging.getLogger(__name__)

API, HEALTH = "/api/", "/health"
RETRY_SECONDS = 60
# What a form has sent is put into the page that says so, to be sent again; a file can't be.
FORM = "application/x-www-form-urlencoded"


def is_unavailable(error: Exception) -> bool:
    """Whether it is the database's own state; a plain DatabaseError is what SQLite says of a file that is damaged."""
    return isinstance(error, (OperationalError, InterfaceError)) or type(error) is DatabaseError


def log_reason(error: Error) -> None:
    """The page says only that nothing can be stored. Errors about a row are named without the row that they quote."""
    logger.error("%s: %s", type(error).__name__, error if is_unavailable(error) else "a row was refused")


def unavailable(request: HttpRequest) -> HttpResponse:
    sentence = _("The site can't save anything at the moment. Please try again in a minute.")
    status = HTTPStatus.SERVICE_UNAVAILABLE
    if request.path.startswith(API):
        response: HttpResponse = problems.answer(status, sentence)
    elif "json" in request.headers.get("Accept", ""):
        response = JsonResponse({"detail": sentence}, status=status)
    else:
        sent = request.POST.lists() if request.content_type == FORM else ()
        context = {"sentence": sentence, "sent": [(name, value) for name, values in sent for value in values]}
        response = render(request, "annotation/unavailable.html", context, status=status)
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


class DatabaseUnavailable:
    """On every page that doesn't say by itself that the database is full or gone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not (isinstance(exception, Error) and is_unavailable(exception)):
            return None
        log_reason(exception)
        return unavailable(request)


class TriggersInPlace:
    """Takes and shows nothing while the database lacks triggers that keep answers as they were.

    They are away while `migrate` runs, and stay away if it is killed. A process has looked for them when it starts, and
    looks again every few seconds; once it has missed them, at every request.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.look_at = time.monotonic() + settings.TRIGGERS_CHECKED_EVERY_SECONDS

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if time.monotonic() >= self.look_at and request.path != HEALTH:
            try:
                lacking = triggers.lacking(connection)
            except Error:  # a database that doesn't answer is the other class's subject
                lacking = []
            if lacking:
                logger.error("the database lacks %d triggers, as while it is migrated", len(lacking))
                return unavailable(request)
            self.look_at = time.monotonic() + settings.TRIGGERS_CHECKED_EVERY_SECONDS
        return self.get_response(request)
