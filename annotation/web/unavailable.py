"""When the site can't store answers, and that it says so: a database gone, full or unprotected, a disk without room."""

import logging
import os
import time
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from threading import Lock

from django.conf import settings
from django.db import DatabaseError, Error, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.database import triggers
from annotation.web import responses

LEAST_FREE_BYTES = 50_000_000  # the log of SQLite and the spooled uploads need some room to the last
SQLITE_MAGIC = b"SQLite format 3\x00"
CUT_SHORT = "The database's file is damaged: its end is missing."
GROWING_SECONDS = 2.0


def what_is_wrong() -> str:
    """A sentence, or nothing while all is well. Nothing is written: a health check must not wait for other writers."""
    return next(_reasons(), "")


def _reasons() -> Iterator[str]:
    try:
        with connection.cursor() as cursor:
            # A table of ours, for a broken file may answer what needs no look into it.
            cursor.execute("SELECT name FROM django_migrations ORDER BY id DESC LIMIT 1")
        if missing := triggers.lacking_triggers(connection):
            yield f"The database lacks {len(missing)} triggers, as while it is migrated."
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
    while (broken := _reason_of_broken_file(file)) == CUT_SHORT and time.monotonic() < give_up_at:
        time.sleep(GROWING_SECONDS / 20)
    return broken


def _reason_of_broken_file(file: Path) -> str:
    try:
        handle = _handle_kept_open(file)
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


def _handle_kept_open(file: Path) -> int:
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


@require_safe
def health(request: HttpRequest) -> HttpResponse:  # noqa: ARG001  nothing of it is needed
    """200 while answers can be stored, else 503 with the reason."""
    wrong = what_is_wrong()
    return HttpResponse(f"{wrong or 'ok'}\n", status=503 if wrong else 200, content_type="text/plain")


# 503 and a sentence, for what is neither a request's fault nor the code's: a database gone, full or unprotected.

logger = logging.getLogger(__name__)

API, HEALTH = "/api/", "/health"
RETRY_SECONDS = 60
# What an annotator's form has sent is put into the page that says so, to be sent again; a file can't be. Researchers'
# forms hold passwords and codes, which belong into no page.
FORM = "application/x-www-form-urlencoded"


def is_unavailable(error: Exception) -> bool:
    """Whether it is the database's own state; a plain DatabaseError is what SQLite says of a file that is damaged."""
    return isinstance(error, (OperationalError, InterfaceError)) or type(error) is DatabaseError


def log_reason(error: Error) -> None:
    """The page says only that nothing can be stored. Errors about a row are named without the row that they quote."""
    logger.error("%s: %s", type(error).__name__, error if is_unavailable(error) else "a row was refused")


def unavailable(request: HttpRequest) -> HttpResponse:
    sentence = _("The site can't save anything at the moment. Please try again in a minute.")
    status = HTTPStatus.SERVICE_UNAVAILABLE
    if request.path.startswith(API):
        response: HttpResponse = responses.answer(status, sentence)
    elif "json" in request.headers.get("Accept", ""):
        response = JsonResponse({"detail": sentence}, status=status)
    else:
        is_kept = request.content_type == FORM and not request.path.startswith(reverse("admin:index"))
        sent = request.POST.lists() if is_kept else ()
        context = {"sentence": sentence, "sent": [(name, value) for name, values in sent for value in values]}
        response = render(request, "annotation/unavailable.html", context, status=status)
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    add_never_cache_headers(response)
    return response


class DatabaseUnavailable:
    """On every page that doesn't say by itself that the database is full or gone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not (isinstance(exception, Error) and is_unavailable(exception)):
            return None
        log_reason(exception)
        return unavailable(request)


class TriggersInPlace:
    """Takes and shows nothing while the database lacks triggers that keep answers as they were.

    They are away while `migrate` runs, and stay away if it is killed. A process has looked for them when it starts, and
    looks again every few seconds; once it has missed them, at every request.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.look_at = time.monotonic() + settings.TRIGGERS_CHECKED_EVERY_SECONDS

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if time.monotonic() >= self.look_at and request.path != HEALTH:
            try:
                lacking = triggers.lacking_triggers(connection)
            except Error:  # a database that doesn't answer is the other class's subject
                lacking = []
            if lacking:
                logger.error("the database lacks %d triggers, as while it is migrated", len(lacking))
                return unavailable(request)
            self.look_at = time.monotonic() + settings.TRIGGERS_CHECKED_EVERY_SECONDS
        return self.get_response(request)
