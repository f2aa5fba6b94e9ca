"""A researcher's session lasts a workday at most, and ends when nobody has used it for two hours."""

import time
from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

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
