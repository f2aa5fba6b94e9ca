"""The front page, a sign of life, and pictures, which are found by their content's hash and never run."""

from functools import lru_cache

from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.media.pictures import scaled_down
from annotation.models import Blob
from annotation.web.unavailable import what_is_wrong

# The front page, which says what this site is, and a sign of life for those who watch over it.


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    return render(request, "annotation/front.html")


@require_safe
def health(request: HttpRequest) -> HttpResponse:  # noqa: ARG001  nothing of it is needed
    """200 while answers can be stored, else 503 with the reason."""
    wrong = what_is_wrong()
    return HttpResponse(f"{wrong or 'ok'}\n", status=503 if wrong else 200, content_type="text/plain")


# Pictures that questions show: found by their content's hash, never changed, never run.

# What a browser shows as a picture and can't run. SVG is missing on purpose: it may hold script.
PICTURES = {"image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"}
SCALABLE = {"image/png", "image/jpeg", "image/webp"}  # all that an import keeps
PHONE_PX = (1200, 1600)  # a phone of 400 points across, at three pixels a point
KEPT_SMALL = 64  # the pictures that a wave of phones asks for; some 200 KB each


@require_safe
def picture(request: HttpRequest, sha256: str) -> HttpResponse:  # noqa: ARG001  the address says it all
    """The picture as it was imported."""
    blob = Blob.objects.filter(sha256=sha256, content_type__in=PICTURES).first()
    return _shown(bytes(blob.content), blob.content_type) if blob else _missing()


@require_safe
def small_picture(request: HttpRequest, sha256: str) -> HttpResponse:  # noqa: ARG001  the address says it all
    """The same for phones: no larger than one can show, so that nobody loads megabytes over a mobile network."""
    try:
        return _shown(*_small(sha256))
    except Blob.DoesNotExist:
        return _missing()


@lru_cache(maxsize=KEPT_SMALL)
def _small(sha256: str) -> tuple[bytes, str]:
    blob = Blob.objects.get(sha256=sha256, content_type__in=PICTURES)
    content = bytes(blob.content)
    return (scaled_down(content, PHONE_PX) if blob.content_type in SCALABLE else content), blob.content_type


def _missing() -> HttpResponse:
    return HttpResponseNotFound("There is no such picture.\n", content_type="text/plain")


def _shown(content: bytes, content_type: str) -> HttpResponse:
    return HttpResponse(
        content,
        content_type=content_type,
        headers={
            "Cache-Control": "public, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "default-src 'none'; sandbox",
        },
    )
