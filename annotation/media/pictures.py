"""Pictures as they come in: decoded and encoded again, so that what is kept is a picture and nothing else.

What a file holds beside the picture (where it was taken, a script, another file) goes; its colours stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from PIL import Image, ImageOps
from PIL.ImageFile import ImageFile

from annotation.media.containers import BadMedium

MOST_BYTES = 10_000_000
MOST_PIXELS = 30_000_000
TOO_MANY_PIXELS = f"has more than {MOST_PIXELS // 1_000_000} million pixels; make it smaller"
# What is taken, and what it is kept as.
KEPT_AS = {"PNG": "PNG", "GIF": "PNG", "JPEG": "JPEG", "WEBP": "WEBP"}
CONTENT_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
QUALITY = 95
SMALL_QUALITY = 85


def dimensions_of(content: bytes) -> tuple[int, int]:
    """Its width and height by its head; `BadMedium` for what is no picture, moves, or is too large."""
    with _opened(content) as picture:
        return picture.width, picture.height


def encoded(content: bytes) -> tuple[bytes, str]:
    """The picture encoded again, and its content type; turned as its camera says, its colour profile kept.

    PNG and GIF lose nothing that can be seen. `BadMedium` for what is no picture, moves, or is too large.
    """
    with _opened(content) as picture:
        return _again(picture)


@contextmanager
def _opened(content: bytes) -> Iterator[ImageFile]:
    try:
        with Image.open(BytesIO(content), formats=list(KEPT_AS)) as picture:
            _refuse_unfit(picture)
            yield picture
    except BadMedium:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:  # the library's own, higher limit
        raise BadMedium(TOO_MANY_PIXELS) from error
    except Exception as error:  # the library raises whatever a broken file makes it stumble over
        raise BadMedium("can't be read as a PNG, JPEG, WebP or GIF picture") from error


def _refuse_unfit(picture: ImageFile) -> None:
    if picture.width * picture.height > MOST_PIXELS:
        raise BadMedium(TOO_MANY_PIXELS)
    if getattr(picture, "is_animated", False):
        raise BadMedium("is animated; use a picture that isn't")


def _again(picture: ImageFile) -> tuple[bytes, str]:
    kept_as, profile = KEPT_AS[picture.format or ""], picture.info.get("icc_profile")
    upright = ImageOps.exif_transpose(picture)
    upright.info = {name: upright.info[name] for name in ("transparency",) if name in upright.info}
    out = BytesIO()
    upright.save(out, kept_as, icc_profile=profile, **({} if kept_as == "PNG" else {"quality": QUALITY}))
    return out.getvalue(), CONTENT_TYPES[kept_as]


def scaled_down(content: bytes, within: tuple[int, int]) -> bytes:
    """The picture small enough to fit within so many pixels, or as it is where that would save nothing."""
    with Image.open(BytesIO(content), formats=list(CONTENT_TYPES)) as picture:
        if picture.width <= within[0] and picture.height <= within[1]:
            return content
        kept_as, profile = picture.format or "", picture.info.get("icc_profile")
        picture.draft(None, within)  # a JPEG is decoded no larger than needed
        small = picture.convert("RGBA" if "transparency" in picture.info else "RGB") if picture.mode == "P" else picture
        small.thumbnail(within, Image.Resampling.LANCZOS)
        out = BytesIO()
        small.save(out, kept_as, icc_profile=profile, **({} if kept_as == "PNG" else {"quality": SMALL_QUALITY}))
    return min(out.getvalue(), content, key=len)
