"""Pictures as phones get them: no larger than one can show, otherwise the same."""

import hashlib
from io import BytesIO

import pytest
from django.test import Client
from PIL import Image

from annotation.answering.views import media
from annotation.media.pictures import encoded
from annotation.models import Blob
from tests.integration.annotation.answering.views.people import PNG, a_picture, a_study_of, begin

pytestmark = pytest.mark.django_db


def kept(size: tuple[int, int], kind: str = "JPEG", mode: str = "RGB") -> Blob:
    out = BytesIO()
    noise = Image.effect_noise((size[0] // 4, size[1] // 4), 80).resize(size)
    noise.convert(mode).save(out, kind, icc_profile=b"a profile" if kind == "JPEG" else None)
    content, content_type = encoded(out.getvalue())
    sha256 = hashlib.sha256(content).hexdigest()
    return Blob.objects.create(sha256=sha256, content_type=content_type, content=content)


def small(client: Client, blob: Blob) -> Image.Image:
    response = client.get(f"/picture/{blob.sha256}/small")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == blob.content_type
    assert "immutable" in response.headers["Cache-Control"]
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    return Image.open(BytesIO(response.content))


@pytest.mark.parametrize(
    ("kind", "mode"),
    [("JPEG", "RGB"), ("JPEG", "L"), ("PNG", "RGB"), ("PNG", "RGBA"), ("PNG", "P"), ("PNG", "1"), ("WEBP", "RGB")],
)
def test_large_picture_is_scaled_in_its_own_format(client: Client, kind: str, mode: str) -> None:
    blob = kept((3000, 2000), kind, mode)
    picture = small(client, blob)
    assert picture.size == (1200, 800)
    assert picture.format == kind
    assert len(client.get(f"/picture/{blob.sha256}/small").content) < len(bytes(blob.content)) / 2


def test_colour_profile_stays(client: Client) -> None:
    assert small(client, kept((3000, 2000))).info["icc_profile"] == b"a profile"


def test_small_picture_is_sent_as_it_is(client: Client) -> None:
    blob = a_picture()
    assert client.get(f"/picture/{blob.sha256}/small").content == PNG


def test_picture_that_is_missing_is_said_to_be_until_it_is_there(client: Client) -> None:
    sha256 = hashlib.sha256(PNG).hexdigest()
    media._small_picture_bytes.cache_clear()
    assert client.get(f"/picture/{sha256}/small").status_code == 404
    a_picture()
    assert client.get(f"/picture/{sha256}/small").status_code == 200


def test_question_offers_phones_the_small_one_and_links_to_the_whole(client: Client) -> None:
    blob = kept((3000, 2000))
    item = {"item_id": "one", "image": blob, "fields": {"thing": "fern"}}
    html = client.get(begin(client, a_study_of("choice", items=[item]))).text
    assert f'<source media="(max-width: 48rem)" srcset="/picture/{blob.sha256}/small">' in html
    assert f'href="/picture/{blob.sha256}"' in html
