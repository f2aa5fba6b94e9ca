"""Pictures that questions show: found by their content's hash, never changed, never run."""

from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.views.decorators.http import require_safe

from annotation.models import Blob

# What a browser shows as a picture and can't run. SVG is missing on purpose: it may hold script.
PICTURES = {"image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"}


@require_safe
def picture(request: HttpRequest, sha256: str) -> HttpResponse:  # noqa: ARG001  the address says it all
    blob = Blob.objects.filter(sha256=sha256, content_type__in=PICTURES).first()
    if blob is None:
        return HttpResponseNotFound("There is no such picture.\n", content_type="text/plain")
    return HttpResponse(
        bytes(blob.content),
        content_type=blob.content_type,
        headers={
            "Cache-Control": "public, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "default-src 'none'; sandbox",
        },
    )
