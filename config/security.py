"""The Content-Security-Policy: which sources a page may use, and who may frame it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

OWN_PAGES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# The admin's theme evaluates the expressions of its attributes and writes style attributes; a script in the page itself
# runs there no more than elsewhere.
ADMIN_PAGES = (
    "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


class ContentSecurityPolicy:
    """Adds the policy to every response that has not set its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        policy = ADMIN_PAGES if request.path.startswith(reverse("admin:index")) else OWN_PAGES
        response.headers.setdefault("Content-Security-Policy", policy)
        return response
