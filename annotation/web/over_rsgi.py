"""A request of granian's own interface, RSGI, as a WSGI application takes it, and the application's reply."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from granian.rsgi import HTTPProtocol, Scope  # type: ignore[attr-defined]  # public by its documentation

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

    from granian._granian import RSGIHTTPStreamTransport

Site: TypeAlias = "Callable[[WSGIEnvironment, Callable[..., Any]], Iterable[bytes]]"  # as PEP 3333 has it
Headers: TypeAlias = list[tuple[str, str]]
WHOLE = 1_000_000  # bytes: a reply up to this size leaves its thread at once, however slowly it is fetched
SLOWEST_PIECE_SECONDS = 60
BROKEN = b"The site could not answer this. Please try again in a minute.\n"
PLAIN = [("content-type", "text/plain; charset=utf-8")]


@dataclass(frozen=True, slots=True)
class FilePart:
    """A part of a file, which a response names as its `on_disk` for the web server to send without a thread."""

    path: Path
    start: int
    end: int  # behind the last byte


def answer(site: Site, environ: WSGIEnvironment, proto: HTTPProtocol, loop: asyncio.AbstractEventLoop) -> None:
    """In a thread: asks the site and sends its reply."""
    started: list[tuple[int, Headers]] = []

    def start_response(status: str, headers: Headers, _exc_info: object = None) -> None:
        started[:] = [(int(status[:3]), headers)]

    try:
        pieces = site(environ, start_response)
    except Exception:
        proto.response_bytes(500, PLAIN, BROKEN)
        raise
    try:
        if isinstance(part := getattr(pieces, "on_disk", None), FilePart):
            proto.response_file_range(*started[0], str(part.path), part.start, part.end)
            return
        iterator, gathered = iter(pieces), bytearray()
        for piece in iterator:
            gathered += piece
            if len(gathered) > WHOLE:
                _send_on(proto.response_stream(*started[0]), bytes(gathered), iterator, loop)
                return
        proto.response_bytes(*started[0], bytes(gathered))
    finally:
        if hasattr(pieces, "close"):
            pieces.close()


def _send_on(
    transport: RSGIHTTPStreamTransport, first: bytes, rest: Iterator[bytes], loop: asyncio.AbstractEventLoop
) -> None:
    """Sends a large reply piece by piece from its own thread, for its rows come by that thread's connection."""

    async def send(piece: bytes) -> None:
        await transport.send_bytes(piece)

    for piece in chain([first], rest):
        asyncio.run_coroutine_threadsafe(send(piece), loop).result(SLOWEST_PIECE_SECONDS)


def environ_of(scope: Scope) -> WSGIEnvironment:
    """The request as WSGI (PEP 3333) wants it, but for its body."""
    host, _, port = scope.server.rpartition(":")
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string.encode().decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "SERVER_NAME": host,
        "SERVER_PORT": port,
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope.headers.items():
        if "_" not in name:  # else X_Forwarded_For would pass for the proxy's own X-Forwarded-For
            _add_header(environ, name.upper().replace("-", "_"), value)
    if scope.authority and "HTTP_HOST" not in environ:
        environ["HTTP_HOST"] = scope.authority
    return environ


def _add_header(environ: WSGIEnvironment, name: str, value: str) -> None:
    key = name if name in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{name}"
    if key in environ:
        value = environ[key] + ("; " if key == "HTTP_COOKIE" else ",") + value
    environ[key] = value
