"""What pages may load, frame and ask of a browser; what no log may hold: links that authorise, platforms' ids."""

import logging
import re
from collections.abc import Callable
from functools import cache

from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.urls import reverse

OWN_PAGES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# The admin's theme evaluates the expressions of its attributes and writes style attributes; a script in the page itself
# runs there no more than elsewhere.
ADMIN_PAGES = (
    "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; media-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def policy_allowing(policy: str, directive: str, sources: str) -> str:
    """The policy with these sources in the place of the directive's own.

    >>> policy_allowing("default-src 'none'; form-action 'self'", "form-action", "https://example.org")
    "default-src 'none'; form-action https://example.org"
    """
    directives = dict(part.split(" ", 1) for part in policy.split("; "))
    if directive not in directives:
        raise ValueError(f"the policy has no {directive}: {policy}")
    directives[directive] = sources
    return "; ".join(f"{name} {value}" for name, value in directives.items())


# Nothing that a page here could ask a browser for: neither a page of ours nor one that got a script into it.
NO_PERMISSIONS = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer", "bluetooth", "browsing-topics", "camera", "display-capture", "geolocation", "gyroscope", "hid",
        "magnetometer", "microphone", "midi", "payment", "serial", "usb",
    )
)  # fmt: skip


class PermissionsPolicy:
    """Adds the policy to every response. It stands before all others, which may answer in the site's place."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers["Permissions-Policy"] = NO_PERMISSIONS
        return response


class ContentSecurityPolicy:
    """Adds the policy to every response that has not set its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        policy = ADMIN_PAGES if request.path.startswith(reverse("admin:index")) else OWN_PAGES
        response.headers.setdefault("Content-Security-Policy", policy)
        return response


# Keeps links that authorise, and the ids that platforms send along, out of every log; and refusals to one line.

# What replaces a token in an address, whole or damaged, with what a slash in it has cut off; a signed
# token anywhere else; whatever a platform put behind the question mark; and any long part of an address that looks
# drawn by lot, for people copy addresses badly.
OF_ADDRESSES = (
    r"(?P<address>(?<![\w-])/+(?i:a|p|withdraw)/+[^/\n]{1,4})[^/\n]*(?:/[^/\s]{16,})*"
    r"|(?P<whole>/+(?i:join|leaderboard)/+)[^/\n]+(?:/[^/\s]{16,})*"
    r"|(?P<token>(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{4})[A-Za-z0-9_-]{18}\.[nms]\d+\.[A-Za-z0-9_=-]{20,}"
)
LOOKS_DRAWN = r"(?P<part>/(?=[^/?\s]*[A-Z])(?=[^/?\s]*[a-z])[^/?\s]{4})[^/?\s]{12,}(?: +[^/?\s]{16,})*"
# The request was refused, and nothing is broken: where in the code it was refused helps nobody.
REFUSALS = (PermissionDenied, SuspiciousOperation, BadRequest, MultiPartParserError)


@cache
def _secrets() -> re.Pattern[str]:
    """Looked up at the first message: settings name this module, and the platforms read settings."""
    from annotation.platforms import PLATFORMS

    names = sorted({name for platform in PLATFORMS.values() for name in platform.secret_parameters})
    query = rf"(?P<query>(?i:{'|'.join(map(re.escape, names))})=)[^&\s\"']+"
    return re.compile(f"{OF_ADDRESSES}|{query}|{LOOKS_DRAWN}")


def masked_text(text: str) -> str:
    """The text with its secrets cut down to what tells two of them apart at most.

    >>> masked_text("Not Found: /join/Jb3xkqVYPtQ8/")
    'Not Found: /join/…/'
    >>> masked_text("Not Found: /a/AbCd efgh=/save/")
    'Not Found: /a/AbCd…/save/'
    >>> masked_text("Not Found: /x/leaderboards/Jb3xkqVYPtQ8-aaB3zE/")
    'Not Found: /x/leaderboards/Jb3x…/'
    >>> masked_text("GET /take/colours/?PROLIFIC_PID=5f1d&STUDY_ID=7")
    'GET /take/colours/?PROLIFIC_PID=…&STUDY_ID=7'
    """
    return _secrets().sub(lambda match: f"{match[match.lastgroup or 0]}…", text)


class MaskSecrets(logging.Filter):
    """For a log handler: masks the finished message, and hides the request that Django attaches to it."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = masked_text(record.getMessage()), None
        if record.exc_info and not record.exc_text:
            record.exc_text = masked_text(logging.Formatter().formatException(record.exc_info))
        return True


class RefusalsInOneLine(logging.Filter):
    """For a log handler, before `MaskSecrets`: a refusal's reason behind its message, in place of its traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        why = record.exc_info[1] if record.exc_info else None
        if isinstance(why, REFUSALS):
            message = record.getMessage()
            record.msg, record.args = (message if str(why) in message else f"{message}: {why}"), None
            record.exc_info = record.exc_text = None
        return True
