"""Serves media, each under an address that names its content: never changed, never run, in parts where one is asked."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from annotation.media.files import STEP
from annotation.media.pictures import scaled_down
from annotation.media.storage import content_of, opened, path_of
from annotation.models import Blob
from annotation.web.over_rsgi import FilePart
from annotation.web.responses import HEADERS_OF_MEDIA, picture_response

# What a browser shows as a picture and can't run. SVG is missing on purpose: it may hold script.
PICTURES = {"image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"}
RECORDINGS = {
    "audio/wav", "audio/mpeg", "audio/ogg", "audio/mp4", "audio/webm", "video/mp4", "video/webm",
}  # fmt: skip
SCALABLE = {"image/png", "image/jpeg", "image/webp"}  # all that an import keeps
PHONE_PX = (1200, 1600)  # a phone of 400 points across, at three pixels a point
KEPT_SMALL = 64  # the pictures that a wave of phones asks for; some 200 KB each
ONE_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")

logger = logging.getLogger(__name__)


@require_safe
def picture(request: HttpRequest, sha256: str) -> HttpResponseBase:
    """The picture as it was imported."""
    return _medium_or_missing(request, Blob.objects.filter(sha256=sha256, content_type__in=PICTURES).first())


@require_safe
def medium(request: HttpRequest, sha256: str) -> HttpResponseBase:
    """The sound or video as it was imported."""
    return _medium_or_missing(request, Blob.objects.filter(sha256=sha256, content_type__in=RECORDINGS).first())


@require_safe
def small_picture(request: HttpRequest, sha256: str) -> HttpResponse:  # noqa: ARG001  the address says it all
    """The picture for phones: no larger than one can show, so that nobody loads megabytes over a mobile network."""
    try:
        return picture_response(*_small_picture_bytes(sha256))
    except (Blob.DoesNotExist, FileNotFoundError):
        return _missing()


@lru_cache(maxsize=KEPT_SMALL)
def _small_picture_bytes(sha256: str) -> tuple[bytes, str]:
    blob = Blob.objects.get(sha256=sha256, content_type__in=PICTURES)
    content = content_of(blob)
    return (scaled_down(content, PHONE_PX) if blob.content_type in SCALABLE else content), blob.content_type


def _medium_or_missing(request: HttpRequest, blob: Blob | None) -> HttpResponseBase:
    if blob is None:
        return _missing()
    try:
        return medium_response(request, blob)
    except FileNotFoundError:
        logger.exception("The medium %s is not in the folder of media.", blob.sha256)
        return _missing()


def _missing() -> HttpResponse:
    return HttpResponseNotFound("There is no such medium.\n", content_type="text/plain")


# Ranges (RFC 9110, 14): of one part alone. Whoever asks for several gets all of it, which a server may answer.


@dataclass(frozen=True, slots=True)
class Part:
    start: int
    end: int  # behind the last byte


def medium_response(request: HttpRequest, blob: Blob) -> HttpResponseBase:
    """All of the medium or the part that is asked for, from where it lies."""
    with opened(blob) as file:
        size = file.seek(0, 2)
    etag = f'"{blob.sha256}"'
    headers = {**HEADERS_OF_MEDIA, "ETag": etag, "Accept-Ranges": "bytes", "Content-Disposition": "inline"}
    if request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    wanted = request.headers.get("Range", "") if request.headers.get("If-Range", etag) == etag else ""
    try:
        part = part_of(wanted, size)
    except IndexError:
        headers["Content-Range"] = f"bytes */{size}"
        return HttpResponse(status=HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, headers=headers)
    status = HTTPStatus.OK
    if part is None:
        part = Part(0, size)
    else:
        status = HTTPStatus.PARTIAL_CONTENT
        headers["Content-Range"] = f"bytes {part.start}-{part.end - 1}/{size}"
    headers["Content-Length"] = str(part.end - part.start)
    if blob.in_folder and request.method != "HEAD":
        return _from_folder(blob, part, status, headers)
    content = b"" if request.method == "HEAD" else bytes(blob.content)[part.start : part.end]
    return HttpResponse(content, status=status, content_type=blob.content_type, headers=headers)


def part_of(wanted: str, size: int) -> Part | None:
    """The part that a header names; None for all of it. `IndexError` where nothing of it is there.

    >>> part_of("bytes=10-19", 100), part_of("bytes=-5", 100), part_of("bytes=90-200", 100)
    (Part(start=10, end=20), Part(start=95, end=100), Part(start=90, end=100))
    """
    match = ONE_RANGE.fullmatch(wanted.strip())
    if match is None or not any(match.groups()):
        return None
    first, last = match.groups()
    if not first:  # so many bytes before the end
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(size, int(last) + 1) if last else size
        if last and int(last) < start:
            return None
    if start >= end:
        raise IndexError(wanted)
    return Part(start, end)


def _from_folder(blob: Blob, part: Part, status: int, headers: dict[str, str]) -> HttpResponseBase:
    """The web server sends the file itself, so that a slow network holds no thread; others get it piece by piece."""
    response = StreamingHttpResponse(
        _pieces(blob, part), status=status, content_type=blob.content_type, headers=headers
    )
    response.on_disk = FilePart(path_of(blob.sha256), part.start, part.end)  # type: ignore[attr-defined]
    return response


def _pieces(blob: Blob, part: Part) -> Iterator[bytes]:
    with opened(blob) as file:
        file.seek(part.start)
        left = part.end - part.start
        while left and (piece := file.read(min(STEP, left))):
            left -= len(piece)
            yield piece
