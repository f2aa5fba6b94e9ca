"""A refusal to a script, as application/problem+json (RFC 9457) has it."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import TypedDict

from django.http import JsonResponse

CONTENT_TYPE = "application/problem+json"


class FieldError(TypedDict):
    """One bad value: the path of its field or its column, and the row of a file."""

    field: str
    row: int | None
    detail: str


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldError]
    more_errors: int


def problem(status: int, detail: str, errors: Sequence[FieldError] = (), more_errors: int = 0) -> Problem:
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
        "errors": list(errors),
        "more_errors": more_errors,
    }


def answer(status: int, detail: str) -> JsonResponse:
    """For what is answered outside of a view of the API."""
    return JsonResponse(problem(status, detail), status=status, content_type=CONTENT_TYPE)
