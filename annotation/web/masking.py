"""Keeps links that authorise, and the ids that platforms send along, out of every log; and refusals to one line."""

import logging
import re
from functools import cache

from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.http.multipartparser import MultiPartParserError

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


def masked(text: str) -> str:
    """The text with its secrets cut down to what tells two of them apart at most.

    >>> masked("Not Found: /join/Jb3xkqVYPtQ8/")
    'Not Found: /join/…/'
    >>> masked("Not Found: /a/AbCd efgh=/save/")
    'Not Found: /a/AbCd…/save/'
    >>> masked("Not Found: /x/leaderboards/Jb3xkqVYPtQ8-aaB3zE/")
    'Not Found: /x/leaderboards/Jb3x…/'
    >>> masked("GET /take/colours/?PROLIFIC_PID=5f1d&STUDY_ID=7")
    'GET /take/colours/?PROLIFIC_PID=…&STUDY_ID=7'
    """
    return _secrets().sub(lambda match: f"{match[match.lastgroup or 0]}…", text)


class MaskSecrets(logging.Filter):
    """For a log handler: masks the finished message, and hides the request that Django attaches to it."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = masked(record.getMessage()), None
        if record.exc_info and not record.exc_text:
            record.exc_text = masked(logging.Formatter().formatException(record.exc_info))
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
