"""Middleware: English for researchers, sentences where the database or a value fails, sessions of a workday; health."""

import logging
import os
import time
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from threading import Lock

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.db import DatabaseError, DataError, Error, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation

from annotation.web import responses

# What keeps the site from storing answers: a database that is gone or broken, or a disk without room.

LEAST_FREE_BYTES = 50_000_000  # the log of SQLite and the spooled uploads need some room to the last
SQLITE_MAGIC = b"SQLite format 3\x00"
CUT_SHORT = "The database's file is damaged: its end is missing."
GROWING_SECONDS = 2.0


def what_is_wrong() -> str:
    """A sentence, or nothing while all is well. Nothing is written: a health check must not wait for other writers."""
    return next(_wrong(), "")


def _wrong() -> Iterator[str]:
    try:
        with connection.cursor() as cursor:
            # A table of ours, for a broken file may answer what needs no look into it.
            cursor.execute("SELECT name FROM django_migrations ORDER BY id DESC LIMIT 1")
    except DatabaseError as error:
        yield f"The database does not answer ({type(error).__name__})."
    if connection.vendor == "sqlite" and (broken := broken_sqlite(Path(connection.settings_dict["NAME"]))):
        yield broken
    for folder in _folders():
        if (free := _free_bytes(folder)) < LEAST_FREE_BYTES:
            yield f"The disk is full: {free / 1e6:.0f} MB are free, and {LEAST_FREE_BYTES / 1e6:.0f} MB are needed."


def broken_sqlite(file: Path) -> str:
    """What is wrong with the file to the eye: that it isn't a database of SQLite, or was cut short.

    A file that grows at this moment lacks its end too, for its first page tells the new size before the last page is
    copied from the log. So it has to lack it for a while.
    """
    give_up_at = time.monotonic() + GROWING_SECONDS
    while (broken := _broken(file)) == CUT_SHORT and time.monotonic() < give_up_at:
        time.sleep(GROWING_SECONDS / 20)
    return broken


def _broken(file: Path) -> str:
    try:
        handle = _kept_open(file)
        head, size = os.pread(handle, 100, 0), os.fstat(handle).st_size
    except OSError as error:
        return f"The database's file can't be read ({error.strerror})."
    if not head.startswith(SQLITE_MAGIC) and size:
        return "The database's file is damaged: it is not a database of SQLite any more."
    page_bytes = int.from_bytes(head[16:18], "big") or 0
    pages = int.from_bytes(head[28:32], "big")
    return CUT_SHORT if size < (65536 if page_bytes == 1 else page_bytes) * pages else ""


_handles: dict[tuple[int, int], int] = {}
_opening = Lock()


def _kept_open(file: Path) -> int:
    """A handle of the file that is never closed, one for each file that was ever in this place.

    Closing any handle of a file drops all locks that the process has on it (POSIX advisory locks), those of SQLite's
    connections among them. Another process that closes the database then takes itself for the last and deletes the
    write-ahead log, and what this process goes on writing to it is lost.
    """
    status = file.stat()
    which = (status.st_dev, status.st_ino)
    with _opening:
        if which not in _handles:
            _handles[which] = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
        return _handles[which]


def _folders() -> list[Path]:
    folders: list[Path] = [settings.VAR_DIR]
    if connection.vendor == "sqlite":
        folders.append(Path(connection.settings_dict["NAME"]).parent)
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]


def _free_bytes(folder: Path) -> int:
    space = os.statvfs(folder)
    return space.f_bavail * space.f_frsize


# The researchers' pages and the API speak English, all of them: half of a page in the browser's language helps nobody.
API = "/api/"


class EnglishAdmin:
    """Stands behind LocaleMiddleware, which has chosen among the annotators' languages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith((reverse("admin:index"), API)):
            return self.get_response(request)
        with translation.override("en"):
            response = self.get_response(request)
        response.headers["Content-Language"] = "en"
        return response


# Says that the database is full or gone, on every page that doesn't say so itself.

logger = logging.getLogger(__name__)
UNAVAILABLE = (
    "The site can't reach its database, or can't store anything in it, at the moment. Please try again in a minute."
)
RETRY_SECONDS = 60


def is_unavailable(error: Exception) -> bool:
    """Whether it is the database's own state; a plain DatabaseError is what SQLite says of a file that is damaged."""
    return isinstance(error, (OperationalError, InterfaceError)) or type(error) is DatabaseError


def log_reason(error: Error) -> None:
    """The page says only that nothing can be stored. Errors about a row are named without the row that they quote."""
    logger.error("%s: %s", type(error).__name__, error if is_unavailable(error) else "a row was refused")


class DatabaseUnavailable:
    """503 and a sentence, for what is neither this request's fault nor the code's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not (isinstance(exception, Error) and is_unavailable(exception)):
            return None
        log_reason(exception)
        headers = {"Retry-After": str(RETRY_SECONDS)}
        if request.path.startswith(API):
            answer = responses.answer(HTTPStatus.SERVICE_UNAVAILABLE, UNAVAILABLE)
            answer.headers["Retry-After"] = str(RETRY_SECONDS)
            return answer
        if "json" in request.headers.get("Accept", ""):
            return JsonResponse({"detail": UNAVAILABLE}, status=HTTPStatus.SERVICE_UNAVAILABLE, headers=headers)
        return HttpResponse(
            f"{UNAVAILABLE}\n", status=HTTPStatus.SERVICE_UNAVAILABLE, content_type="text/plain", headers=headers
        )


# Says in a sentence that an address or a form holds a value that no page can look up: never a broken page.

UNFIT_VALUE = (
    "The address or the form holds a value that can't be looked up: a number of too many digits, a text too long, lists"
    " nested too deeply, or a character that no text has."
)


class UnfitValues:
    """400 and a sentence for what neither database can compare with anything; what it is differs between the two.

    PostgreSQL has no NUL in a text and refuses numbers and texts beyond a column's size; SQLite takes texts of any kind
    and no whole number beyond 64 bits.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not _is_unfit(exception):
            return None
        logger.warning("refused a value: %s", type(exception).__name__)
        if request.path.startswith(API):
            return responses.answer(HTTPStatus.BAD_REQUEST, UNFIT_VALUE)
        if "json" in request.headers.get("Accept", ""):
            return JsonResponse({"detail": UNFIT_VALUE}, status=HTTPStatus.BAD_REQUEST)
        context = {"sentence": UNFIT_VALUE}
        return render(request, "annotation/problem.html", context, status=HTTPStatus.BAD_REQUEST)


def _is_unfit(exception: Exception) -> bool:
    if isinstance(exception, (DataError, OverflowError, RecursionError)):
        return True
    if not isinstance(exception, ValueError):
        return False
    said = str(exception)
    return "NUL" in said or "null character" in said or "integer string conversion" in said


# A researcher's session lasts a workday at most, and ends when nobody has used it for two hours.

WORKDAY_SECONDS = 12 * 3600
# The cookie and the session's row last so long from the last time that they were written: SESSION_COOKIE_AGE.
IDLE_SECONDS = 2 * 3600
# They are written no more often than this, for each writing is a transaction.
NOTED_EVERY_SECONDS = 300
LOGGED_IN_AT, SEEN_AT = "logged_in_at", "seen_at"


def note_log_in(request: HttpRequest) -> None:
    request.session[LOGGED_IN_AT] = request.session[SEEN_AT] = int(time.time())


class Workday:
    """Looks at researchers' pages alone: annotators have no session, and theirs cost nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(reverse("admin:index")) or not request.user.is_authenticated:
            return self.get_response(request)
        if LOGGED_IN_AT not in request.session:
            note_log_in(request)  # logged in before there was such a limit
        now = int(time.time())
        if now - request.session[LOGGED_IN_AT] >= WORKDAY_SECONDS:
            return _logged_out(request, "You have been logged in for twelve hours: please log in again.")
        if now - request.session[SEEN_AT] >= IDLE_SECONDS:
            return _logged_out(request, "Nobody has used this session for two hours: please log in again.")
        if now - request.session[SEEN_AT] >= NOTED_EVERY_SECONDS:
            request.session[SEEN_AT] = now
        return self.get_response(request)


def _logged_out(request: HttpRequest, sentence: str) -> HttpResponse:
    """The request itself is not carried out: its session was over."""
    logout(request)
    messages.info(request, sentence)
    return redirect("admin:login")
