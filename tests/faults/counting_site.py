"""A site behind the reading front that counts what it is sent, answers in pieces, and fails when asked to."""

import os
from collections.abc import Callable, Iterable
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

import django

django.setup()

from annotation.accounts.request_bodies import Front  # noqa: E402  it knows the site's addresses


def site(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    path = environ["PATH_INFO"]
    if path == "/fail":
        raise RuntimeError("on request")
    start_response("200 OK", [("Content-Type", "text/plain")])
    if path == "/pieces":
        return (b"piece" for _ in range(int(environ["QUERY_STRING"])))
    return [str(len(environ["wsgi.input"].read())).encode()]


def sender_of(environ: dict[str, Any]) -> str:
    """Whoever has a cookie that isn't made up."""
    return "" if "made-up" in environ.get("HTTP_COOKIE", "") else "somebody"


application = Front(site, sender_of)
