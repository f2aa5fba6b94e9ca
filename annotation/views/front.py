"""The front page, which says what this site is, and a sign of life for those who watch over it."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    return render(request, "annotation/front.html")


@require_safe
def health(request: HttpRequest) -> HttpResponse:  # noqa: ARG001  nothing of it is needed
    """200 while the database answers, else 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse("The database does not answer.\n", status=503, content_type="text/plain")
    return HttpResponse("ok\n", content_type="text/plain")
