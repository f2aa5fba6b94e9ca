"""A refusal to a script, as application/problem+json (RFC 9457) has it."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from django.http import JsonResponse

CONTENT_TYPE = "application/problem+json"


def problem(
    status: int, detail: str, errors: Sequence[Mapping[str, object]] = (), more_errors: int = 0
) -> dict[str, object]:
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
