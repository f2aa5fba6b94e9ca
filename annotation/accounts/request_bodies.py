"""Reads each request whole, within its limits, before a thread takes it up (docs/decisions/0014)."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import cache, partial
from http import HTTPStatus
from io import BytesIO
from queue import SimpleQueue
from tempfile import SpooledTemporaryFile
from threading import Thread
from typing import IO, TYPE_CHECKING, TypeAlias, TypeVar

from django.conf import settings
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from granian.rsgi import HTTPProtocol, ProtocolClosed, Scope  # type: ignore[attr-defined]  # public by its documentation

from annotation.accounts.api_tokens import is_own_token, token_in_header
from annotation.web.over_rsgi import PLAIN, Site, answer, environ_of
from annotation.web.security import OWN_PAGES

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment


API = "/api/"
MOST_BYTES = 200_000_000  # of any body; what less each address takes, its view says (annotation/api/parsing.py)
UNREAD = "touchstone.unread"  # in the environ of a request whose body nobody who sent it may send

# Refuses what no page takes by its headers, before any of it is read: a body too large, and files.


class BodyLimits:
    """Files and large bodies are for the researchers' pages, and there for those who are signed in alone, and for the
    API, whose views look at the token and at the announced length before they read.

    Whoever reads a form of many parts puts its files into the temporary folder first, however many there are, and asks
    only then who sent them. So this comes before all that could read; the check of a form's token is one who does.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        takes_much = is_for_researchers(request.path_info) or is_for_scripts(request.path_info)
        is_refused = not takes_much and announces_too_much(request.META)
        is_refused |= not is_for_scripts(request.path_info) and (
            UNREAD in request.META or length_of(request.META) > MOST_BYTES
        )
        return _refusal(request) if is_refused else self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponse],
        args: tuple[object, ...],
        kwargs: Mapping[str, object],
    ) -> HttpResponse | None:  # Django hands over the view too, which isn't needed
        del view, args, kwargs
        is_visitor = is_for_researchers(request.path_info) and not request.user.is_authenticated
        return _refusal(request) if is_visitor and announces_too_much(request.META) else None


def length_of(environ: Mapping[str, object]) -> int:
    """The announced length of the body; what is no number is none, as Django has it."""
    length = str(environ.get("CONTENT_LENGTH") or "")
    if not (length.isascii() and length.isdecimal()):
        return 0
    return int(length[:18])  # enough digits for any file, and few enough to be read as a number


def announces_too_much(environ: Mapping[str, object]) -> bool:
    return length_of(environ) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE or _has_files(environ)


def is_for_researchers(path: str) -> bool:
    return path.startswith(_researchers_pages())


def is_for_scripts(path: str) -> bool:
    return path.startswith(API)


@cache
def _researchers_pages() -> str:
    return reverse("admin:index")


def _has_files(environ: Mapping[str, object]) -> bool:
    return str(environ.get("CONTENT_TYPE") or "").strip().lower().startswith("multipart/")


def _refusal(request: HttpRequest) -> HttpResponse:
    """In a language that the browser knows, for no study is known yet."""
    is_large = length_of(request.META) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE or not _has_files(request.META)
    with translation.override(translation.get_language_from_request(request)):
        if is_large:
            sentence, status = _("What you sent is larger than this page accepts."), HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        else:
            sentence, status = _("This page accepts no files."), HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        if "text/html" not in request.headers.get("Accept", ""):
            return JsonResponse({"saved": False, "sentence": sentence}, status=status)
        response = render(request, "annotation/problem.html", {"sentence": sentence}, status=status)
    response.headers["Content-Security-Policy"] = OWN_PAGES
    return response


# Reads each request whole before one of the few threads that answer takes it up (docs/decisions/0014).
#
# A thread that waits for the rest of a body answers nobody meanwhile, and a phone in a tunnel makes it wait for as
# long as it likes. Here requests wait in an event loop, which holds any number of them, and each for a limited time.

logger = logging.getLogger(__name__)
Work: TypeAlias = Callable[[], None]
Outcome = TypeVar("Outcome")

THREADS = 4  # for each process, as decision 0002 has it
# Of them never for researchers and scripts, who may ask for seconds of work: annotators and /health get these at once.
KEPT_FOR_ANNOTATORS = 2
# Whoever sends nothing for so long has lost the network, or never meant to go on.
SILENCE_SECONDS = 10
UPLOAD_SECONDS = 1800  # for the whole of a large file
SMALL = 1 << 16  # a body up to this size is kept in memory and has to be there within one silence
# How many larger bodies a process takes at once, and how many of one sender: beyond what annotators' pages take, and up
# to that. Each waits on the disk until it is answered.
MOST_LARGE, MOST_MIDDLE, MOST_OF_ONE = 12, 64, 3
RETRY_SECONDS = 30
TOO_SLOW = b"Your request did not arrive whole and in time. Please send it again.\n"
CUT = b"Your request did not arrive whole: the connection ended before it did. Please send it again.\n"
UNMEASURED = b"Please say how long what you send is, in a header Content-Length.\n"
TOO_MANY = b"Too many large files are on their way here at the moment. Please try again in half a minute.\n"


class Front:
    """A WSGI application served through granian's own interface, RSGI.

    `sender_of` says by the headers of a large body who sends it, and nothing where nobody may: what a cookie or a token
    looks like doesn't say whether it holds.
    """

    def __init__(self, site: Site, sender_of: Callable[[WSGIEnvironment], str], threads: int = THREADS) -> None:
        self.site = site
        self.sender_of = sender_of
        self.large, self.middle = _Places(MOST_LARGE), _Places(MOST_MIDDLE)
        self._for_researchers = asyncio.Semaphore(max(1, threads - KEPT_FOR_ANNOTATORS))
        self._work: SimpleQueue[Work] = SimpleQueue()
        for number in range(threads):
            Thread(target=self._answer_all, name=f"site-{number}", daemon=True).start()

    async def __rsgi__(self, scope: Scope, proto: HTTPProtocol) -> None:
        environ = environ_of(scope)
        # No browser's form has this header. Beside a length it would make the length untrue.
        if "HTTP_TRANSFER_ENCODING" in environ:
            _refuse(proto, 411, UNMEASURED)
            return
        length = length_of(environ)
        if not length or _is_refused_unread(environ):
            await self._answer(environ, proto, BytesIO())
        elif length <= SMALL:
            await self._read_and_answer(environ, proto, length)
        else:
            await self._take_large(environ, proto, length)

    async def _take_large(self, environ: WSGIEnvironment, proto: HTTPProtocol, length: int) -> None:
        """Nothing is read before the sender is known. Where nobody can say who it is, as the database is gone, the site
        itself says so.
        """
        sender = await self._in_thread(partial(_looked_up, self.sender_of, environ), "a sender could not be looked up")
        if not sender:
            if sender is not None:
                environ[UNREAD] = True
            await self._answer(environ, proto, BytesIO())
            return
        places = self.large if length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE else self.middle
        if not places.take(sender):
            _refuse(proto, 429, TOO_MANY, ("retry-after", str(RETRY_SECONDS)))
            return
        try:
            await self._read_and_answer(environ, proto, length)
        finally:
            places.give_back(sender)

    async def _read_and_answer(self, environ: WSGIEnvironment, proto: HTTPProtocol, length: int) -> None:
        try:
            body = await _body(proto, length)
        except TimeoutError:
            _refuse(proto, 408, TOO_SLOW)
        except (ProtocolClosed, CutShort):  # whoever has only stopped sending still reads
            _refuse(proto, 400, CUT)
        else:
            await self._answer(environ, proto, body)

    async def _answer(self, environ: WSGIEnvironment, proto: HTTPProtocol, body: IO[bytes]) -> None:
        path, loop = environ["PATH_INFO"], asyncio.get_running_loop()
        turn = self._for_researchers if is_for_researchers(path) or is_for_scripts(path) else nullcontext()
        with body:
            environ["wsgi.input"] = body
            async with turn:
                await self._in_thread(partial(answer, self.site, environ, proto, loop), "a reply could not be sent")

    async def _in_thread(self, work: Callable[[], Outcome], failed: str) -> Outcome | None:
        """What it returns; None where it fails, for the thread has others to answer."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Outcome | None] = loop.create_future()

        def run() -> None:
            outcome = None
            try:
                outcome = work()
            except Exception:
                logger.exception(failed)
            finally:
                loop.call_soon_threadsafe(done.set_result, outcome)

        self._work.put(run)
        return await done

    def _answer_all(self) -> None:
        """One thread's life. The connection to the database that it makes is its own."""
        while True:
            self._work.get()()


class _Places:
    """For so many large bodies at once, few of them of one sender; taken and given back in the event loop alone."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = Counter[str]()

    def take(self, sender: str) -> bool:
        is_free = self._taken.total() < self._most and self._taken[sender] < MOST_OF_ONE
        if is_free:
            self._taken[sender] += 1
        return is_free

    def give_back(self, sender: str) -> None:
        self._taken[sender] -= 1
        self._taken += Counter()  # forgets who has none left


def _refuse(proto: HTTPProtocol, status: int, sentence: bytes, *headers: tuple[str, str]) -> None:
    proto.response_bytes(status, [*PLAIN, *headers, ("connection", "close")], sentence)


def _looked_up(sender_of: Callable[[WSGIEnvironment], str], environ: WSGIEnvironment) -> str:
    """With the thread's connection to the database as it is before and after each request."""
    close_old_connections()
    try:
        return sender_of(environ)
    finally:
        close_old_connections()


class CutShort(Exception):
    """The body is not as long as was said: what came would be taken for something else than was sent."""


def _refuse_cut_short(came: int, length: int) -> None:
    if came != length:
        raise CutShort


def _refuse_longer(came: int, length: int) -> None:
    if came > length:
        raise CutShort


async def _body(proto: HTTPProtocol, length: int) -> IO[bytes]:
    if length <= SMALL:
        async with asyncio.timeout(SILENCE_SECONDS):
            content = await proto()
        _refuse_cut_short(len(content), length)
        return BytesIO(content)
    return await _large_body(proto, length)


async def _large_body(proto: HTTPProtocol, length: int) -> IO[bytes]:
    """In the temporary folder, but for its beginning."""
    loop = asyncio.get_running_loop()
    end = loop.time() + UPLOAD_SECONDS
    body: IO[bytes] = SpooledTemporaryFile(SMALL)  # noqa: SIM115  whoever asked closes it
    try:
        async with asyncio.timeout(SILENCE_SECONDS) as limit:
            async for piece in proto:
                _refuse_longer(body.tell() + len(piece), length)
                body.write(piece)
                limit.reschedule(min(end, loop.time() + SILENCE_SECONDS))
        _refuse_cut_short(body.tell(), length)
    except BaseException:
        body.close()
        raise
    body.seek(0)
    return body


def _is_refused_unread(environ: WSGIEnvironment) -> bool:
    """Whether the site says no by the headers: to bodies beyond all limits; on researchers' pages, to all without a
    cookie; in the API, to all without a token that was made here.
    """
    if length_of(environ) > MOST_BYTES:
        return True
    if is_for_scripts(environ["PATH_INFO"]):
        return not is_own_token(token_in_header(environ.get("HTTP_AUTHORIZATION", "")))
    may_be_taken = is_for_researchers(environ["PATH_INFO"]) and "HTTP_COOKIE" in environ
    return announces_too_much(environ) and not may_be_taken
