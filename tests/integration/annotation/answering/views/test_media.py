"""Media that items show: where they lie, how they are served, and what an answer says of them."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from annotation.media.containers import Facts
from annotation.media.storage import path_of, store
from annotation.media.taking import Medium
from annotation.models import Blob, ItemMedium, Judgment, Study
from tests import tiny_media as tiny
from tests.integration.annotation.answering.views.media import a_media_study
from tests.integration.annotation.answering.views.people import begin, save

pytestmark = pytest.mark.django_db
HEARD = [{"block": "audio", "field": "clip", "transcript": "said", "must_play": True}]
ITEMS = "item_id,clip,said\na,a.wav,Hello there.\nb,b.wav,Hello again.\n"


def a_sound_study(**changes: Any) -> Study:
    return a_media_study(HEARD, {"a.wav": tiny.wav_with_secrets(), "b.wav": tiny.wav(0.5)}, ITEMS, **changes)


def two_pictures(side: int = 40) -> dict[str, bytes]:
    files = {}
    for name, colour in (("left.png", "teal"), ("right.png", "orange")):
        out = BytesIO()
        Image.new("RGB", (side, side // 2), colour).save(out, "PNG")
        files[name] = out.getvalue()
    return files


def a_pair_study() -> Study:
    row = [{"block": "image", "field": "left", "title": "Left"}, {"block": "image", "field": "right", "title": "Right"}]
    return a_media_study(
        [{"block": "row", "blocks": row}], two_pictures(), "item_id,left,right\na,left.png,right.png\n"
    )


def get(client: Client, blob: Blob, **headers: str) -> Any:
    return client.get(reverse("annotation:medium", args=[blob.pk]), headers=dict(headers))


def content_of(response: Any) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else bytes(response.content)


def kept_in_folder(content: bytes, tmp_path: Path) -> Blob:
    """A medium that is too large for the database, as far as the test's limit goes."""
    file = tmp_path / "large"
    file.write_bytes(content)
    store([Medium("c" * 64, Facts("audio/wav", duration_ms=250), file, len(content))])
    return Blob.objects.get(pk="c" * 64)


def test_a_sound_comes_in_without_its_metadata_and_its_page_plays_it(client: Client) -> None:
    study = a_sound_study()
    page = client.get(begin(client, study)).content.decode()
    blob = ItemMedium.objects.get(item__item_id="a", column="clip").blob
    assert (blob.content_type, blob.duration_ms, blob.in_folder) == ("audio/wav", 250, False)
    assert bytes(blob.content) == tiny.wav()
    assert f'src="/medium/{blob.pk}"' in page
    assert "Hello there." in page
    assert "I can&#x27;t hear the sound" in page
    assert "pages/media.js" in page


@pytest.mark.parametrize("is_large", [False, True])
def test_a_part_is_served_from_wherever_the_medium_lies(
    *, is_large: bool, client: Client, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_DIR = tmp_path / "media"
    monkeypatch.setattr("annotation.media.storage.IN_DATABASE", 100 if is_large else 10_000)
    blob = kept_in_folder(tiny.wav(), tmp_path)
    assert blob.in_folder is is_large
    assert path_of(blob.pk).exists() is is_large
    size = len(tiny.wav())
    cases: list[tuple[Mapping[str, str], int, bytes, str | None]] = [
        ({}, 200, tiny.wav(), None),
        ({"Range": "bytes=0-9"}, 206, tiny.wav()[:10], f"bytes 0-9/{size}"),
        ({"Range": "bytes=40-"}, 206, tiny.wav()[40:], f"bytes 40-{size - 1}/{size}"),
        ({"Range": "bytes=-7"}, 206, tiny.wav()[-7:], f"bytes {size - 7}-{size - 1}/{size}"),
        ({"Range": "bytes=2000-9999999"}, 206, tiny.wav()[2000:], f"bytes 2000-{size - 1}/{size}"),
        ({"Range": "bytes=0-1,5-9"}, 200, tiny.wav(), None),
        ({"Range": "bytes=9-3"}, 200, tiny.wav(), None),
        ({"Range": "pages=1-2"}, 200, tiny.wav(), None),
        ({"Range": "bytes=0-9", "If-Range": f'"{blob.pk}"'}, 206, tiny.wav()[:10], f"bytes 0-9/{size}"),
        ({"Range": "bytes=0-9", "If-Range": '"another"'}, 200, tiny.wav(), None),
        ({"Range": f"bytes={size}-"}, 416, b"", f"bytes */{size}"),
        ({"Range": "bytes=-0"}, 416, b"", f"bytes */{size}"),
        ({"If-None-Match": f'"{blob.pk}"'}, 304, b"", None),
    ]
    for headers, status, content, content_range in cases:
        response = get(client, blob, **headers)
        assert (response.status_code, response.headers.get("Content-Range")) == (status, content_range), headers
        assert content_of(response) == content, headers
        assert "immutable" in response.headers["Cache-Control"]
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    head = client.head(reverse("annotation:medium", args=[blob.pk]))
    assert (head.headers["Content-Length"], head.headers["Accept-Ranges"]) == (str(size), "bytes")
    assert not content_of(head)


def test_a_medium_that_the_folder_lost_is_missing_and_no_error(
    client: Client, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_DIR = tmp_path / "media"
    monkeypatch.setattr("annotation.media.storage.IN_DATABASE", 100)
    blob = kept_in_folder(tiny.wav(), tmp_path)
    path_of(blob.pk).unlink()
    assert get(client, blob).status_code == 404


def test_what_is_no_sound_is_not_served_as_one(client: Client) -> None:
    blob = Blob.objects.create(sha256="d" * 64, content_type="text/html", content=b"<script>alert(1)</script>")
    assert get(client, blob).status_code == 404


def test_an_answer_waits_for_the_end_of_what_must_be_played_where_a_script_can_tell(client: Client) -> None:
    address = begin(client, a_sound_study())
    refused = save(client, address, label="red", plays="clip:1:0")
    assert (refused.status_code, refused.json()["sentence"]) == (422, "Please play it to its end first.")
    assert save(client, address, label="red").status_code == 422
    assert not Judgment.objects.exists()
    assert save(client, address, label="red", plays="clip:3:2").status_code == 200
    assert Judgment.objects.get().media_use == {"clip": {"started": 3, "ended": 2}}


def test_an_answer_without_script_is_taken_as_it_is(client: Client) -> None:
    address = begin(client, a_sound_study())
    sent = client.post(address, {"i1-key": "0b0f1b9e-6b9a-4d5e-9d0c-000000000001", "i1-label": "red", "i1-plays": ""})
    assert sent.status_code == 302
    assert (Judgment.objects.get().label, Judgment.objects.get().media_use) == ("red", None)


def test_who_cannot_hear_it_says_so_of_that_medium(client: Client) -> None:
    address = begin(client, a_sound_study())
    assert save(client, address, could_not_see="clip", plays="clip:1:0").status_code == 200
    row = Judgment.objects.get()
    assert (row.could_not_see, row.media_use) == (True, {"clip": {"started": 1, "ended": 0, "not_perceived": 1}})
    page = client.get(address).content.decode()
    assert 'value="clip" checked' in page
    assert 'value="clip:1:0"' in page


@pytest.mark.parametrize("plays", ["other:1:1", "clip:1", "clip:-1:0", "clip:x:1", "clip:1:9999999", "clip:1:1:1"])
def test_plays_that_cannot_be_true_are_refused(plays: str, client: Client) -> None:
    answer = save(client, begin(client, a_sound_study()), label="red", plays=plays)
    assert (answer.status_code, answer.json()["field"]) == (422, "plays")


def test_two_pictures_stand_side_by_side_each_with_its_size_and_its_own_complaint(client: Client) -> None:
    address = begin(client, a_pair_study())
    page = client.get(address).content.decode()
    assert page.count('width="40" height="20"') == 2
    assert "I can&#x27;t see the picture (Left)" in page
    assert save(client, address, could_not_see="right").status_code == 200
    assert Judgment.objects.get().media_use == {"right": {"not_perceived": 1}}


def test_media_cost_one_statement_and_only_where_there_are_any(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    """Four are those of any page; a study with a picture alone, or with blocks alone, asks for what it has."""
    address = begin(client, a_sound_study())
    with django_assert_max_num_queries(5) as captured:
        client.get(address)
    assert sum("annotation_blob" in query["sql"] for query in captured) == 1
