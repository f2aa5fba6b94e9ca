"""Which sources a page may use, who may frame it, and which of a browser's devices and sensors it may ask for."""

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


def allowing(policy: str, directive: str, sources: str) -> str:
    """The policy with these sources in the place of the directive's own.

    >>> allowing("default-src 'none'; form-action 'self'", "form-action", "https://example.org")
    "default-src 'none'; form-action https://example.org"
    """
    directives = dict(part.split(" ", 1) for part in policy.split("; "))
    if directive not in directives:
        raise ValueError(f"the policy has no {directive}: {policy}")
    directives[directive] = sources
    return "; ".join(f"{name} {value}" for name, value in directives.items())


# Nothing that a page here could ask a browser for: neither a page of ours nor one that got a script into it.
NO_PERMISSIONS = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer", "bluetooth", "browsing-topics", "camera", "display-capture", "geolocation", "gyroscope", "hid",
        "magnetometer", "microphone", "midi", "payment", "serial", "usb",
    )
)  # fmt: skip


class PermissionsPolicy:
    """Adds the policy to every response. It stands before all others, which may answer in the site's place."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers["Permissions-Policy"] = NO_PERMISSIONS
        return response


class ContentSecurityPolicy:
    """Adds the policy to every response that has not set its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        policy = ADMIN_PAGES if request.path.startswith(reverse("admin:index")) else OWN_PAGES
        response.headers.setdefault("Content-Security-Policy", policy)
        return response
