"""What the reading front asks before it reads a large body, and how many it takes."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.test import Client
from granian.rsgi import HTTPProtocol, Scope  # type: ignore[attr-defined]  # public by its documentation

from annotation.accounts.large_bodies import sender_of
from annotation.accounts.request_bodies import (
    KEPT_FOR_ANNOTATORS,
    MOST_BYTES,
    MOST_LARGE,
    MOST_OF_ONE,
    SMALL,
    THREADS,
    UNREAD,
    Front,
)
from annotation.accounts.researcher_accounts import revoke_token
from annotation.models import User
from annotation.web.middleware import IDLE_SECONDS, LOGGED_IN_AT, SEEN_AT, WORKDAY_SECONDS
from tests.integration.annotation.answering.views.people import a_study_of, begin, links_of
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db
LARGE = 5_000_000
API, PRESET = "/api/v1/me/", "/admin/annotation/study/from-preset/"
MADE_UP = ["a=b", "sessionid=made-up", f"sessionid={'x' * 32}", "sessionid=", ";;=", "sessionid"]
PARTS = "multipart/form-data; boundary=x"


class Connection:
    """One request as granian hands it over, and the reply."""

    def __init__(self, length: int, path: str = API, content: bytes = b"x", **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if length:
            named["content-length"] = str(length)
        names = {"method": "POST", "path": path, "query_string": "", "http_version": "1.1", "scheme": "http"}
        where = {"server": "127.0.0.1:8000", "client": "127.0.0.1:9", "authority": None}
        self.scope = SimpleNamespace(**names, **where, headers=named)
        self.content, self.has_been_read, self.status = content * length, False, 0
        self.may_end = asyncio.Event()
        self.may_end.set()

    async def __call__(self) -> bytes:
        self.has_been_read = True
        return self.content

    async def __aiter__(self) -> AsyncIterator[bytes]:
        self.has_been_read = True
        await self.may_end.wait()
        yield self.content

    def response_bytes(self, status: int, _headers: Any, _content: bytes) -> None:
        self.status = status


def accepting_site(_environ: Any, start_response: Any) -> list[bytes]:
    start_response("200 OK", [])
    return [b""]


def serve(front: Front, connection: Connection) -> Any:
    return front.__rsgi__(cast("Scope", connection.scope), cast("HTTPProtocol", connection))


def answered(connection: Connection, sender: Any) -> Connection:
    asyncio.run(serve(Front(accepting_site, sender, threads=1), connection))
    return connection


def fails(_environ: Any) -> str:
    raise RuntimeError("no database")


def of_script(length: int) -> Connection:
    return Connection(length, authorization=f"Bearer {Script(a_researcher()).text}")


@pytest.mark.parametrize(
    ("length", "sender", "is_read"),
    [
        (SMALL + 1, lambda _environ: "", False), (SMALL + 1, lambda _environ: "account 1", True),
        (SMALL, lambda _environ: "", True), (SMALL + 1, fails, False),
        (MOST_BYTES + 1, lambda _environ: "account 1", False),
    ],
)  # fmt: skip
def test_a_large_body_is_read_of_a_known_sender_alone(length: int, sender: Any, *, is_read: bool) -> None:
    connection = of_script(min(length, SMALL + 1))
    connection.scope.headers["content-length"] = str(length)
    assert answered(connection, sender).status == 200
    assert connection.has_been_read is is_read


@pytest.mark.parametrize("cookie", MADE_UP)
@pytest.mark.parametrize("length", [SMALL + 1, LARGE])
@pytest.mark.parametrize("content_type", [PARTS, "application/x-www-form-urlencoded"])
def test_made_up_cookie_lets_nothing_large_in(cookie: str, length: int, content_type: str) -> None:
    connection = Connection(length, PRESET, cookie=cookie, content_type=content_type)
    assert not answered(connection, lambda _environ: "").has_been_read


@pytest.mark.parametrize("cookie", MADE_UP)
def test_nobody_is_behind_a_made_up_cookie(cookie: str) -> None:
    assert sender_of({"PATH_INFO": PRESET, "HTTP_COOKIE": cookie}) == ""


def cookie_of(client: Client) -> str:
    return f"csrftoken=x; sessionid={client.cookies['sessionid'].value}"


def sender(client: Client, path: str) -> str:
    return sender_of({"PATH_INFO": path, "HTTP_COOKIE": cookie_of(client)})


def test_researchers_may_begin_a_study_and_change_their_own() -> None:
    study, client = an_owned_study()
    owner = f"account {study.owner_id}"
    own = [f"/admin/annotation/study/{study.pk}/import-items/", f"/admin/results/{study.uuid}/models/add/"]
    for path in [PRESET, f"/admin/annotation/study/{study.pk}/change/", *own]:
        assert sender(client, path) == owner
    assert sender(client, "/admin/annotation/study/999999/import-items/") == ""
    assert sender(client, "/admin/nothing/of/that/name/") == ""

    viewer, editor, stranger = (signed_in(a_researcher(study, level)) for level in ("viewer", "editor", ""))
    for path in own:
        assert sender(viewer, path) == sender(stranger, path) == ""
        assert sender(editor, path)


def test_session_that_is_over_sends_nothing() -> None:
    _, client = an_owned_study()
    for name, seconds in ((SEEN_AT, IDLE_SECONDS), (LOGGED_IN_AT, WORKDAY_SECONDS)):
        assert sender(client, PRESET)
        session = client.session
        session[name] = int(time.time()) - seconds - 1
        session.save()
        assert sender(client, PRESET) == ""
        session[name] = int(time.time())
        session.save()
    User.objects.update(is_active=False)
    assert sender(client, PRESET) == ""
    User.objects.update(is_active=True, is_staff=False)
    assert sender(client, PRESET) == ""


def test_password_that_was_changed_ends_the_session_here_too() -> None:
    study, client = an_owned_study()
    assert study.owner is not None
    study.owner.set_password("another-wall-nut-9")
    study.owner.save()
    assert sender(client, PRESET) == ""


def test_participants_send_a_long_answer_by_their_link_alone(client: Client) -> None:
    study = a_study_of("text")
    begin(client, study)
    link = links_of(study.participations.get())["assignment"]
    assert sender_of({"PATH_INFO": f"{link}save/"}).startswith("link ")
    for path in ("/a/made.up.link/save/", "/join/x/", "/", "/nothing", "/admin/login/"):
        assert sender_of({"PATH_INFO": path}) == ""


def test_a_revoked_token_lets_nobody_in() -> None:
    script = Script(a_researcher())
    environ = {"PATH_INFO": API, "HTTP_AUTHORIZATION": f"Bearer {script.text}"}
    assert sender_of(environ) == f"account {script.token.user_id}"
    revoke_token(token=script.token, by=script.token.user)
    assert sender_of(environ) == ""
    assert sender_of({"PATH_INFO": API}) == ""


@pytest.mark.parametrize("length", [0, 10, LARGE])
def test_body_in_chunks_is_refused_unread_whatever_length_it_announces(length: int) -> None:
    connection = of_script(length)
    connection.scope.headers["transfer-encoding"] = "chunked"
    assert answered(connection, lambda _environ: "account 1").status == 411
    assert not connection.has_been_read


def test_body_longer_than_announced_is_read_no_further() -> None:
    connection = of_script(LARGE)
    connection.content += b"x"
    assert answered(connection, lambda _environ: "account 1").status == 400


def test_so_many_large_bodies_are_taken_at_once_and_few_of_one_sender() -> None:
    async def crowd(senders: list[str]) -> list[int]:
        names = iter(senders)
        front = Front(accepting_site, lambda _environ: next(names), threads=1)
        connections = [of_text(LARGE) for _ in senders]
        for connection in connections:
            connection.may_end.clear()
        tasks = [asyncio.create_task(serve(front, connection)) for connection in connections]
        for _ in range(200):
            await asyncio.sleep(0.01)
            if sum(one.has_been_read or bool(one.status) for one in connections) == len(senders):
                break
        for connection in connections:
            connection.may_end.set()
        await asyncio.gather(*tasks)
        again = of_text(LARGE)
        names = iter(["account 1"])
        await serve(front, again)
        return [*(one.status for one in connections), again.status]

    text = Script(a_researcher()).text

    def of_text(length: int) -> Connection:
        return Connection(length, authorization=f"Bearer {text}")

    one = asyncio.run(crowd(["account 1"] * (MOST_OF_ONE + 2)))
    assert one == [200] * MOST_OF_ONE + [429] * 2 + [200]
    many = asyncio.run(crowd([f"account {number}" for number in range(MOST_LARGE + 3)]))
    assert many == [200] * MOST_LARGE + [429] * 3 + [200]


def test_who_may_not_send_it_is_told_that_it_is_too_large() -> None:
    """A viewer of the study, who is signed in: the page is never asked."""
    study, _ = an_owned_study()
    viewer = signed_in(a_researcher(study, "viewer"))
    path = f"/admin/annotation/study/{study.pk}/import-items/"
    extra: dict[str, Any] = {UNREAD: True, "CONTENT_LENGTH": str(LARGE)}
    response = viewer.generic("POST", path, b"", content_type=PARTS, **extra)
    assert response.status_code == 413


def test_annotators_are_answered_while_researchers_keep_all_their_threads_busy() -> None:
    may_end, busy = threading.Event(), []

    def site(environ: Any, start_response: Any) -> list[bytes]:
        if environ["PATH_INFO"].startswith(("/admin/", "/api/")):
            busy.append(environ["PATH_INFO"])
            may_end.wait(60)
        return accepting_site(environ, start_response)

    async def crowd() -> None:
        front = Front(site, lambda _environ: "", threads=THREADS)
        large = [Connection(0, path) for path in (PRESET, API, PRESET, API, PRESET, API)]
        waiting = [asyncio.create_task(serve(front, connection)) for connection in large]
        while len(busy) < THREADS - KEPT_FOR_ANNOTATORS:  # noqa: ASYNC110  a thread says so
            await asyncio.sleep(0.01)
        annotator = Connection(0, "/health")
        async with asyncio.timeout(30):
            await serve(front, annotator)
        assert annotator.status == 200
        assert len(busy) == THREADS - KEPT_FOR_ANNOTATORS
        may_end.set()
        await asyncio.gather(*waiting)
        assert {connection.status for connection in large} == {200}

    asyncio.run(crowd())
