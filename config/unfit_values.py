"""Says in a sentence that an address or a form holds a value that no page can look up: never a broken page."""

import logging
from collections.abc import Callable
from http import HTTPStatus

from django.db import DataError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

logger = logging.getLogger(__name__)
NUL = "\x00"
SENTENCE = (
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
        if "json" in request.headers.get("Accept", ""):
            return JsonResponse({"detail": SENTENCE}, status=HTTPStatus.BAD_REQUEST)
        context = {"sentence": SENTENCE}
        return render(request, "annotation/problem.html", context, status=HTTPStatus.BAD_REQUEST)


def _is_unfit(exception: Exception) -> bool:
    if isinstance(exception, (DataError, OverflowError, RecursionError)):
        return True
    if not isinstance(exception, ValueError):
        return False
    said = str(exception)
    return "NUL" in said or "null character" in said or "integer string conversion" in said
