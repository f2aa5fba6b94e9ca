"""What is answered to a request that an error has stopped: a page to people, application/problem+json to scripts."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views import defaults

from annotation.web import responses
from annotation.web.unavailable import API

BROKEN = (
    "The site has made an error; its log says which. Look whether your request has changed anything before you send it"
    " again."
)
NO_REQUEST = "The site can't read this request: its host, its address, a header or its body is not as it must be."
NOTHING = "There is no such address in the API; /api/v1/schema/ lists those there are."


def server_error(request: HttpRequest) -> HttpResponseBase:
    return _answer(request, HTTPStatus.INTERNAL_SERVER_ERROR, BROKEN) or defaults.server_error(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    return _answer(request, HTTPStatus.BAD_REQUEST, NO_REQUEST) or defaults.bad_request(request, exception)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    return _answer(request, HTTPStatus.NOT_FOUND, NOTHING) or defaults.page_not_found(request, exception)


def _answer(request: HttpRequest, status: HTTPStatus, detail: str) -> HttpResponse | None:
    """Nothing of the error itself: it may quote a row, a path or a secret."""
    return responses.answer(status, detail) if request.path.startswith(API) else None
