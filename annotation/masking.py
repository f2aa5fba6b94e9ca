"""Keeps links that authorise, and the ids that platforms send along, out of every log."""

import logging
import re

# A signed token; an entry link; whatever a platform put behind the question mark.
SECRETS = re.compile(
    r"(?P<token>(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{4})[A-Za-z0-9_-]{18}\.[nms]\d+\.[A-Za-z0-9_-]{20,}"
    r"|(?P<join>/join/)[^/\s?\"']+"
    r"|(?P<query>(?:PROLIFIC_PID|SESSION_ID|prolific_token|workerId|assignmentId|participantId|survey_code)=)[^&\s\"']+"
)


def masked(text: str) -> str:
    """The text with its secrets cut down to what tells two of them apart at most.

    >>> masked("Not Found: /join/Jb3xkqVYPtQ8/")
    'Not Found: /join/…/'
    >>> masked("GET /take/colours/?PROLIFIC_PID=5f1d&STUDY_ID=7")
    'GET /take/colours/?PROLIFIC_PID=…&STUDY_ID=7'
    """
    return SECRETS.sub(lambda match: f"{match['token'] or match['join'] or match['query']}…", text)


class MaskSecrets(logging.Filter):
    """For a log handler: masks the finished message, and hides the request that Django attaches to it."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = masked(record.getMessage()), None
        if record.exc_info and not record.exc_text:
            record.exc_text = masked(logging.Formatter().formatException(record.exc_info))
        return True
