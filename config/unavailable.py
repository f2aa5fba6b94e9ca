"""Says that the database is full or gone, on every page that doesn't say so itself."""

import logging
from collections.abc import Callable
from http import HTTPStatus

from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse

logger = logging.getLogger(__name__)
SENTENCE = (
    "The site can't reach its database, or can't store anything in it, at the moment. Please try again in a minute."
)
RETRY_SECONDS = 60


def is_unavailable(error: Exception) -> bool:
    """Whether it is the database's own state; a plain DatabaseError is what SQLite says of a file that is damaged."""
    return isinstance(error, (OperationalError, InterfaceError)) or type(error) is DatabaseError


class DatabaseUnavailable:
    """503 and a sentence, for what is neither this request's fault nor the code's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not is_unavailable(exception):
            return None
        logger.error("%s: %s", type(exception).__name__, exception)
        headers = {"Retry-After": str(RETRY_SECONDS)}
        if request.path.startswith("/api/") or "json" in request.headers.get("Accept", ""):
            return JsonResponse({"detail": SENTENCE}, status=HTTPStatus.SERVICE_UNAVAILABLE, headers=headers)
        return HttpResponse(
            f"{SENTENCE}\n", status=HTTPStatus.SERVICE_UNAVAILABLE, content_type="text/plain", headers=headers
        )
