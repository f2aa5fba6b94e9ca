"""The researchers' pages speak English, all of them: half of a page in the browser's language helps nobody."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation


class EnglishAdmin:
    """Stands behind LocaleMiddleware, which has chosen among the annotators' languages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(reverse("admin:index")):
            return self.get_response(request)
        with translation.override("en"):
            response = self.get_response(request)
        response.headers["Content-Language"] = "en"
        return response
