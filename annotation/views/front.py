"""The front page, which says what this site is, and a sign of life for those who watch over it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.health import what_is_wrong


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    return render(request, "annotation/front.html")


@require_safe
def health(request: HttpRequest) -> HttpResponse:  # noqa: ARG001  nothing of it is needed
    """200 while answers can be stored, else 503 with the reason."""
    wrong = what_is_wrong()
    return HttpResponse(f"{wrong or 'ok'}\n", status=503 if wrong else 200, content_type="text/plain")
