"""What the reading front asks before it reads a large body for the API."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
from granian.rsgi import HTTPProtocol, Scope  # type: ignore[attr-defined]  # public by its documentation

from annotation.accounts.request_bodies import SMALL, Front, has_token_in_force
from annotation.accounts.researcher_accounts import revoke_token
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_researcher

pytestmark = pytest.mark.django_db


class Connection:
    """One request as granian hands it over, and the reply."""

    def __init__(self, length: int, text: str) -> None:
        headers = {"content-length": str(length), "authorization": f"Bearer {text}"}
        names = {"method": "POST", "path": "/api/v1/me/", "query_string": "", "http_version": "1.1", "scheme": "http"}
        where = {"server": "127.0.0.1:8000", "client": "127.0.0.1:9", "authority": None}
        self.scope = SimpleNamespace(**names, **where, headers=headers)
        self.content, self.has_been_read, self.status = b"x" * length, False, 0

    async def __call__(self) -> bytes:
        self.has_been_read = True
        return self.content

    async def __aiter__(self) -> Any:
        self.has_been_read = True
        yield self.content

    def response_bytes(self, status: int, _headers: Any, _content: bytes) -> None:
        self.status = status


def answered(length: int, text: str, lets_in: Any) -> Connection:
    def site(_environ: Any, start_response: Any) -> list[bytes]:
        start_response("200 OK", [])
        return [b""]

    connection = Connection(length, text)
    scope, protocol = cast("Scope", connection.scope), cast("HTTPProtocol", connection)
    asyncio.run(Front(site, lets_in, threads=1).__rsgi__(scope, protocol))
    assert connection.status == 200
    return connection


def fails(_environ: Any) -> bool:
    raise RuntimeError("no database")


@pytest.mark.parametrize(
    ("length", "lets_in", "is_read"),
    [
        (SMALL + 1, lambda _environ: False, False), (SMALL + 1, lambda _environ: True, True),
        (SMALL, lambda _environ: False, True), (SMALL + 1, fails, True),
    ],
)  # fmt: skip
def test_a_large_body_is_read_of_who_is_let_in_alone(length: int, lets_in: Any, *, is_read: bool) -> None:
    assert answered(length, Script(a_researcher()).text, lets_in).has_been_read is is_read


def test_a_revoked_token_lets_nobody_in() -> None:
    script = Script(a_researcher())
    environ = {"HTTP_AUTHORIZATION": f"Bearer {script.text}"}
    assert has_token_in_force(environ)
    revoke_token(token=script.token, by=script.token.user)
    assert not has_token_in_force(environ)
    assert not has_token_in_force({})
