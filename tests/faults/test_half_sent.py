"""Requests that never arrive whole: they hold nobody up, end after a while, and leave nothing."""

import os
import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from annotation.accounts.request_bodies import MOST_BYTES, SILENCE_SECONDS
from tests.faults.crowd.machines import Machine, make_web
from tools import place

pytestmark = pytest.mark.faults
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server as `make run` starts it, over a site that says how much it was sent."""
    folder, port = tmp_path_factory.mktemp("half-sent"), place.free_port()
    web: Machine = make_web(folder, dict(os.environ), port, app="tests.faults.counting_site")
    web.start()
    try:
        give_up_at = time.monotonic() + 120
        while not is_up(port):
            assert time.monotonic() < give_up_at, "the server did not start"
            time.sleep(0.1)
        yield port
    finally:
        web.stop()


def is_up(port: int) -> bool:
    try:
        return b"200" in ask(port, "GET / HTTP/1.1\r\n")
    except OSError:
        return False


def connect(port: int, request: str, body: bytes = b"") -> socket.socket:
    connection = socket.create_connection((place.HOST, port), timeout=SILENCE_SECONDS + 60)
    connection.sendall(f"{request}Host: {place.HOST}\r\n\r\n".encode() + body)
    return connection


def ask(port: int, request: str, body: bytes = b"") -> bytes:
    with connect(port, f"{request}Connection: close\r\n", body) as connection:
        reply = b""
        while piece := connection.recv(1 << 16):
            reply += piece
    return reply


def test_half_sent_bodies_hold_nobody_up_and_end_after_a_while(port: int) -> None:
    with ExitStack() as stack:
        half = f"POST /count HTTP/1.1\r\n{FORM}Content-Length: 900\r\n"
        slow = [stack.enter_context(connect(port, half, b"number=")) for _ in range(40)]
        time.sleep(0.5)

        assert b"200 OK" in ask(port, "GET /health HTTP/1.1\r\n")
        assert select.select(slow, [], [], 0)[0] == []  # none of them had ended by then

        for connection in slow:
            assert connection.recv(1 << 12).startswith(b"HTTP/1.1 408")


def test_large_body_that_stops_half_way_ends_after_a_while(port: int) -> None:
    request = "POST /admin/count HTTP/1.1\r\nCookie: sessionid=x\r\nContent-Length: 2000000\r\n"
    assert ask(port, request, bytes(500_000)).startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize(("path", "length"), [("/count", 900), ("/admin/count", 2_000_000)])
def test_body_cut_short_by_the_connections_end_gets_a_sentence(port: int, path: str, length: int) -> None:
    request = f"POST {path} HTTP/1.1\r\n{FORM}Cookie: sessionid=x\r\nContent-Length: {length}\r\n"
    with connect(port, request, b"number=5" + bytes(length // 3)) as connection:
        connection.shutdown(socket.SHUT_WR)
        reply = connection.recv(1 << 12)
    assert reply.startswith(b"HTTP/1.1 400")
    assert b"did not arrive whole" in reply


def test_body_of_unknown_length_gets_a_sentence_and_is_not_taken_for_an_empty_one(port: int) -> None:
    """No browser sends a form like that."""
    request = f"POST /count HTTP/1.1\r\n{FORM}Transfer-Encoding: chunked\r\nConnection: close\r\n"
    with connect(port, request, b"8\r\nnumber=5\r\n") as connection:
        reply = connection.recv(1 << 12)
    assert reply.startswith(b"HTTP/1.1 411")
    assert b"how long" in reply


@pytest.mark.parametrize("size", [0, 1, 1 << 16, (1 << 16) + 1, 3_000_000])
def test_whole_bodies_arrive_whole(port: int, size: int) -> None:
    request = f"POST /admin/count HTTP/1.1\r\nCookie: sessionid=x\r\nContent-Length: {size}\r\n"
    assert ask(port, request, b"a" * size).endswith(f"\r\n\r\n{size}".encode())


@pytest.mark.parametrize("path", ["/count", "/admin/count"])
def test_body_that_is_refused_by_its_headers_is_not_waited_for(port: int, path: str) -> None:
    reply = ask(port, f"POST {path} HTTP/1.1\r\nContent-Length: 90000000\r\n", b"a")
    assert reply.startswith(b"HTTP/1.1 200")  # after a wait it would be 408
    assert reply.endswith(b"\r\n\r\n0")


def test_replies_in_pieces_arrive_whole_small_and_large(port: int) -> None:
    assert ask(port, "GET /pieces?10 HTTP/1.1\r\n").count(b"piece") == 10
    assert ask(port, "GET /pieces?400000 HTTP/1.1\r\n").count(b"piece") == 400_000


def test_site_that_fails_says_so_and_its_threads_answer_on(port: int) -> None:
    for _ in range(6):
        assert b"500" in ask(port, "GET /fail HTTP/1.1\r\n")[:20]
    assert b"200 OK" in ask(port, "GET / HTTP/1.1\r\n")


@pytest.mark.parametrize("length", ["", "Content-Length: 10\r\n"], ids=["chunks", "chunks beside a length"])
def test_body_in_chunks_is_refused(port: int, length: str) -> None:
    """A length beside the chunks would say nothing of how much there is."""
    request = f"POST /count HTTP/1.1\r\n{length}Transfer-Encoding: chunked\r\n"
    assert ask(port, request, b"3e8\r\n" + bytes(1000) + b"\r\n0\r\n\r\n").startswith(b"HTTP/1.1 4")


def test_body_beyond_all_limits_is_refused_unread(port: int) -> None:
    request = f"POST /admin/count HTTP/1.1\r\nCookie: sessionid=x\r\nContent-Length: {MOST_BYTES + 1}\r\n"
    assert ask(port, request).endswith(b"\r\n\r\n0")  # the site was asked, without the body
