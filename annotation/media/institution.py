"""The institution's name and logo, as the settings name them, for all pages that show them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe
from PIL import Image

from agreement.errors import Refused
from annotation.media.containers import BadMedium
from annotation.media.pictures import MOST_BYTES, encoded, scaled_down
from annotation.web.responses import picture_response

SHOWN_PX = (240, 40)  # at most, and kept at twice that for sharp screens
SETTING = "TOUCHSTONE_INSTITUTION_LOGO"


@dataclass(frozen=True, slots=True)
class Logo:
    content: bytes
    content_type: str
    width: int  # as it is shown
    height: int

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def address(self) -> str:
        return reverse("institution_logo", args=[self.sha256])


@cache
def read_logo(file: str) -> Logo:
    """Decoded and encoded again, as an upload is; refused where it is no raster picture."""
    try:
        with Path(file).open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise Refused(f"{SETTING} names {file}, which can't be read: {error.strerror}.") from error
    if len(content) > MOST_BYTES:
        raise Refused(f"{SETTING} names {file}, which has more than {MOST_BYTES // 1_000_000} MB.")
    try:
        again, content_type = encoded(content)
    except BadMedium as bad:
        raise Refused(f"{SETTING} names {file}, which {bad}. Save it as a PNG.") from bad
    again = scaled_down(again, (2 * SHOWN_PX[0], 2 * SHOWN_PX[1]))
    with Image.open(BytesIO(again)) as picture:
        shrunk = min(1.0, SHOWN_PX[0] / picture.width, SHOWN_PX[1] / picture.height)
        return Logo(again, content_type, round(picture.width * shrunk), round(picture.height * shrunk))


def logo() -> Logo | None:
    return read_logo(settings.INSTITUTION_LOGO) if settings.INSTITUTION_LOGO else None


def institution(request: HttpRequest) -> dict[str, object]:  # noqa: ARG001  what templates are given
    return {"institution": settings.INSTITUTION, "institution_logo": logo()}


@require_safe
def logo_file(request: HttpRequest, sha256: str) -> HttpResponse:  # noqa: ARG001
    picture = logo()
    if picture is None or picture.sha256 != sha256:
        raise Http404("There is no such picture.")
    return picture_response(picture.content, picture.content_type)
