"""Requests to a site: signed with the token, sent again where that is safe, refused with an exception."""

from __future__ import annotations

import os
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from uuid import uuid4

import httpx

from ..places import version
from .problems import SiteError, error_of

if TYPE_CHECKING:
    import pandas as pd

API = "/api/v1/"
ATTEMPTS = 5
LONGEST_PAUSE = 60.0
# Before the first answer of an export, its whole table may have to be made.
SECONDS = httpx.Timeout(60.0, connect=10.0, read=300.0)
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
KEY = "Idempotency-Key"
SAFE = {"GET", "HEAD"}
# Answers that say that the request was not carried out, and may be sent again whatever it was.
NOT_CARRIED_OUT = {HTTPStatus.TOO_MANY_REQUESTS}
PASSING = {HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT}
Row = dict[str, Any]


class Connection:
    """`sleep` is called with seconds between attempts."""

    def __init__(
        self,
        site: str,
        token: str,
        *,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        address = httpx.URL(site)
        if address.scheme not in {"http", "https"} or not address.host:
            raise ValueError(f"{site!r} is not the address of a site, such as https://touchstone.example.org")
        if address.scheme == "http" and address.host not in LOOPBACK:
            raise ValueError(f"{site} would carry the token unencrypted: use https")
        if not token:
            raise ValueError("A token is needed: create one in the site's admin, under API tokens")
        self.site = f"{address.scheme}://{address.netloc.decode()}"
        self._sleep = sleep
        self._http = httpx.Client(
            base_url=self.site,
            headers={"Authorization": f"Bearer {token}", "User-Agent": f"touchstone-annotation/{version()}"},
            timeout=SECONDS,
            transport=transport,
        )

    def close(self) -> None:
        self._http.close()

    def get(self, address: str, **parameters: object) -> Any:
        """The JSON at an address of the API; parameters that are None are left out."""
        return self.request("GET", address, params=_without_none(parameters)).json()

    def post(self, address: str, body: object = None, *, once: bool = True, **parameters: object) -> Any:
        """`once` sends an idempotency key, so that it may be sent again without being carried out twice."""
        return self.request("POST", address, once=once, params=_without_none(parameters), json=body).json()

    def rows(self, address: str, **parameters: object) -> Iterator[Row]:
        """Every row of a list, from page to page."""
        cursor = None
        while True:
            page = self.get(address, **parameters, cursor=cursor)
            yield from page["results"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def request(self, method: str, address: str, *, once: bool = False, **options: object) -> httpx.Response:
        """One answer, read whole. Files in `options` are read from their beginning at each attempt."""
        with self._response(method, address, once=once, options=options, read_body=True) as response:
            return response

    @contextmanager
    def stream(self, address: str, **parameters: object) -> Iterator[httpx.Response]:
        """An answer whose body is read piece by piece, for files."""
        with self._response("GET", address, once=False, options={"params": _without_none(parameters)}) as response:
            try:
                yield response
            except httpx.TransportError as error:
                told = f"{self.site} broke off in the middle of an answer ({error})."
                raise SiteError(f"GET {API}{address}", {"detail": told}) from error

    @contextmanager
    def _response(
        self, method: str, address: str, *, once: bool, options: Mapping[str, Any], read_body: bool = False
    ) -> Iterator[httpx.Response]:
        headers = {**options.get("headers", {}), **({KEY: str(uuid4())} if once else {})}
        may_repeat = method in SAFE or once
        for attempt in range(ATTEMPTS):
            is_last = attempt == ATTEMPTS - 1
            _rewind(options)
            request = self._http.build_request(
                method, API + address, **{**_sendable_options(options), "headers": headers}
            )
            try:
                response = self._send(request, read_body=read_body)
            except httpx.TransportError as error:
                never_sent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout))
                if is_last or not (may_repeat or never_sent):
                    told = f"{self.site} gave no answer ({str(error) or type(error).__name__})."
                    raise SiteError(f"{method} {API}{address}", {"detail": told}) from error
                self._sleep(_pause(attempt))
                continue
            try:
                if response.is_success:
                    yield response
                    return
            finally:
                response.close()
            if is_last or not _may_come_again(response, attempt, may_repeat=may_repeat, once=once):
                raise error_of(response)
            self._sleep(_asked_to_wait(response) or _pause(attempt))

    def _send(self, request: httpx.Request, *, read_body: bool) -> httpx.Response:
        """The answer, read if it is to be read whole, or if it says why not."""
        response = self._http.send(request, stream=True)
        try:
            if read_body or not response.is_success:
                response.read()
        except httpx.TransportError:
            response.close()
            raise
        return response


def _may_come_again(response: httpx.Response, attempt: int, *, may_repeat: bool, once: bool) -> bool:
    """409 to a repeated key says that the first request is still being carried out."""
    if response.status_code in NOT_CARRIED_OUT:
        return True
    if once and attempt > 0 and response.status_code == HTTPStatus.CONFLICT:
        return True
    return may_repeat and response.status_code in PASSING


def _asked_to_wait(response: httpx.Response) -> float | None:
    """Seconds of Retry-After; its other form, a date, is not what this API sends."""
    text = response.headers.get("Retry-After", "")
    return min(float(text), LONGEST_PAUSE) if text.isascii() and text.isdecimal() else None


def _pause(attempt: int) -> float:
    """A second, then twice as long each time, a little apart from other clients that wait."""
    return float(min(2**attempt, LONGEST_PAUSE) * random.uniform(0.75, 1.25))  # noqa: S311 - no secret


def _without_none(parameters: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in parameters.items() if value is not None}


def _sendable_options(options: Mapping[str, object]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _rewind(options: Mapping[str, object]) -> None:
    for opened in _file_parts(options):
        opened.seek(0)


def _file_parts(options: Mapping[str, Any]) -> Iterator[IO[bytes]]:
    if hasattr(options.get("content"), "seek"):
        yield options["content"]
    for _, part in options.get("files") or ():
        yield part[1]


# An answer as a file: under a name of its own until all of it is there.

NAME = re.compile(r'filename="([^"/\\]+)"')


def download(response: httpx.Response, to: Path, progress: Callable[[int], None] | None = None) -> Path:
    """Write the answer to a file, or into a folder under the name that the site gives it."""
    if to.is_dir():
        named = NAME.search(response.headers.get("Content-Disposition", ""))
        to = to / (named[1] if named else "export")
    size = 0
    with _atomic_file(to) as out:
        for piece in response.iter_bytes():
            size += out.write(piece)
            if progress is not None:
                progress(size)
    return to


def write_parquet(frame: pd.DataFrame, to: Path) -> Path:
    """Write a frame as Parquet, without its index."""
    with _atomic_file(to) as out:
        frame.to_parquet(out, index=False)
    return to


@contextmanager
def _atomic_file(to: Path) -> Iterator[IO[bytes]]:
    """A file that has its name once it is written, and is gone if that fails."""
    descriptor, name = tempfile.mkstemp(prefix=f".{to.name}.", dir=to.parent)
    partial = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as out:
            yield out
        partial.chmod(0o666 & ~_umask())
        partial.replace(to)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
