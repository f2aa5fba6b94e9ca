"""Pages travel compressed; downloads and what the API replies do not."""

import gzip

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
ASKS = {"Accept-Encoding": "gzip, deflate, br"}


def test_page_is_compressed_for_who_asks(client: Client) -> None:
    plain, packed = client.get("/admin/login/"), client.get("/admin/login/", headers=ASKS)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert len(packed.content) < len(plain.content) / 2
    assert b"csrfmiddlewaretoken" in gzip.decompress(packed.content)


def test_what_the_api_replies_is_as_it_was(client: Client) -> None:
    reply = client.get("/api/v1/schema/", headers=ASKS)
    assert "Content-Encoding" not in reply.headers
