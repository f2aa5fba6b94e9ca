"""What the API answers where it refuses: application/problem+json (RFC 9457), with every bad field and row named."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import islice
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import APIException, Throttled, ValidationError
from rest_framework.response import Response

from agreement.errors import PAGE, Refused, TouchstoneError
from annotation.database.unique_races import is_doubled
from annotation.web.problems import CONTENT_TYPE, FieldError, answer, problem
from annotation.web.problems import Problem as ProblemShown

logger = logging.getLogger(__name__)
MOST_ERRORS = 10_000
AT_ONCE = (
    "Another request has just stored something with the same name or number: read what is there, then send yours again."
)
UNFIT = (
    "The request holds a value that can't be looked up or stored: a number of too many digits, a text too long, or a"
    " character that no text has."
)
# "items.csv, row 14, column min: 'ninety' is not a number"
IN_A_FILE = re.compile(r"^[^\n]*?, row (?P<row>\d[\d,]*)\b(?:, column (?P<column>[^:\n]{1,100}):)?")


class Problem(APIException):
    """A refusal with a status of its own."""

    def __init__(self, status: HTTPStatus, detail: str, errors: Sequence[FieldError] = ()) -> None:
        self.status_code = int(status)
        self.errors = errors
        super().__init__(detail)


def of_refusal(refusal: Refused, status: int = HTTPStatus.UNPROCESSABLE_ENTITY) -> ProblemShown:
    """Every reason, as far as one answer holds them, and how many more there are."""
    reasons = list(islice(refusal.words(PAGE), MOST_ERRORS))
    return of_reasons(reasons, len(refusal.words(PAGE)) - len(reasons), status)


def of_reasons(reasons: Sequence[str], more: int = 0, status: int = HTTPStatus.UNPROCESSABLE_ENTITY) -> ProblemShown:
    detail = reasons[0] if len(reasons) == 1 else f"Refused for {len(reasons) + more:,} reasons; nothing was stored."
    return problem(status, detail, [_error(reason) for reason in reasons], more)


def _error(reason: str) -> FieldError:
    """A reason with the row and column that it names.

    >>> _error("items.csv, row 14, column min: 'ninety' is not a number")["row"]
    14
    """
    place = IN_A_FILE.match(reason)
    row = None if place is None else int(place["row"].replace(",", ""))
    return {"field": "" if place is None else place["column"] or "", "row": row, "detail": reason}


def of_fields(errors: object, path: str = "") -> Iterator[FieldError]:
    """The errors of a serializer, each with the path of its field: `labels.2.value`."""
    if isinstance(errors, Mapping):
        for name, inner in errors.items():
            yield from of_fields(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(errors, Sequence) and not isinstance(errors, str):
        for number, inner in enumerate(errors):
            yield from of_fields(inner, f"{path}.{number}" if isinstance(inner, (Mapping, list)) else path)
    else:
        yield {"field": path.removesuffix(".non_field_errors").removeprefix("non_field_errors"), "row": None,
               "detail": str(errors)}  # fmt: skip


@csrf_exempt  # whatever the method is, the answer is the same
def not_found(request: HttpRequest, rest: str = "") -> HttpResponse:
    del request, rest
    return answer(HTTPStatus.NOT_FOUND, "There is no such address in the API; /api/v1/schema/ lists those there are.")


def handle(error: Exception, context: Mapping[str, object]) -> Response | None:
    """DRF's exception handler: every refusal of the project as a problem, what is unexpected as it is."""
    del context
    shown = _problem_of(error)
    if shown is None:
        return None
    headers = {}
    if isinstance(error, Throttled):
        headers["Retry-After"] = str(max(1, round(getattr(error, "wait", None) or 1)))
    if shown["status"] == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="api"'
    return Response(shown, status=shown["status"], content_type=CONTENT_TYPE, headers=headers)


def _problem_of(error: Exception) -> ProblemShown | None:
    for kind, of_kind in MADE.items():
        if isinstance(error, kind):
            return of_kind(error)
    if is_doubled(error):
        logger.warning("two requests at once", exc_info=error)
        return problem(HTTPStatus.CONFLICT, AT_ONCE)
    if is_unfit(error):
        logger.warning("refused a value: %s", type(error).__name__)
        return problem(HTTPStatus.UNPROCESSABLE_ENTITY, UNFIT)
    return None


def _of_validation(error: ValidationError) -> ProblemShown:
    errors = list(of_fields(error.detail))
    told = errors[0]["detail"] if len(errors) == 1 else f"{len(errors)} values are not right; nothing was changed."
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, told, errors)


def _told_of_404(error: Http404) -> str:
    """Django's own sentences name models; ours say what is not there."""
    words = str(error)
    return "There is nothing at this address, or it is not shared with you." if "matches the given" in words else words


# The first that fits: subclasses before what they are subclasses of.
MADE: dict[type[Exception], Callable[[Any], ProblemShown]] = {
    Problem: lambda error: problem(error.status_code, str(error.detail), error.errors),
    ValidationError: _of_validation,
    Refused: of_refusal,
    TouchstoneError: lambda error: problem(HTTPStatus.CONFLICT, str(error)),
    APIException: lambda error: problem(error.status_code, str(error.detail)),
    Http404: lambda error: problem(HTTPStatus.NOT_FOUND, _told_of_404(error)),
    PermissionDenied: lambda error: problem(HTTPStatus.FORBIDDEN, str(error) or "This is not allowed."),
}


def is_unfit(error: Exception) -> bool:
    """What neither database can compare with anything, or what is nested too deeply to be read."""
    if isinstance(error, (DataError, OverflowError, RecursionError)):
        return True
    words = str(error) if isinstance(error, ValueError) else ""
    return any(told in words for told in ("NUL", "null character", "integer string conversion", "surrogates"))
