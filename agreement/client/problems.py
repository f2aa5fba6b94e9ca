"""What a site refuses, as exceptions that read well: application/problem+json (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import httpx

from ..errors import TouchstoneError

MOST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: with a field (`labels.2.value`) or with a file's column, and in which row."""

    field: str
    row: int | None
    detail: str

    def __str__(self) -> str:
        """A sentence that names its place; what came from a file names it already."""
        return f"{self.field}: {self.detail}" if self.field and self.row is None else self.detail


class ApiError(TouchstoneError):
    """The site refused a request. `faults` has everything that is wrong, as far as one answer holds it."""

    def __init__(self, request: str, problem: Mapping[str, Any]) -> None:
        self.request = request
        self.status = int(problem.get("status", 0))
        self.detail = str(problem.get("detail") or problem.get("title") or "The site gave no reason.")
        self.faults = [
            Fault(str(one.get("field", "")), one.get("row"), str(one.get("detail", "")))
            for one in problem.get("errors", ())
        ]
        self.more_faults = int(problem.get("more_errors", 0))
        super().__init__(self._in_words())

    def _in_words(self) -> str:
        listed = [str(fault) for fault in self.faults[:MOST_SHOWN]]
        more = len(self.faults) - len(listed) + self.more_faults
        lines = [self.detail, *(f"  {one}" for one in listed if one != self.detail)]
        if more:
            lines.append(f"  and {more:,} more: see .faults")
        return "\n".join([*lines, f"({self.status or 'no answer'}, {self.request})"])


class NotSignedIn(ApiError):
    """401: no token, or one that is not in force."""


class NotAllowed(ApiError):
    """403: the token's scopes, or your role in the study, don't allow it."""


class NotFound(ApiError):
    """404: it is not there, or it has not been shared with you."""


class Conflict(ApiError):
    """409: it can't be done as things stand."""


class Invalid(ApiError):
    """422: something that was sent is not right; each fault is named, and nothing was stored."""


class TooManyRequests(ApiError):
    """429: even after waiting as long as the site asked for."""


class SiteError(ApiError):
    """5xx, or no answer: the site can't be reached, or failed."""


BY_STATUS: Mapping[int, type[ApiError]] = {
    HTTPStatus.UNAUTHORIZED: NotSignedIn,
    HTTPStatus.FORBIDDEN: NotAllowed,
    HTTPStatus.NOT_FOUND: NotFound,
    HTTPStatus.CONFLICT: Conflict,
    HTTPStatus.UNPROCESSABLE_ENTITY: Invalid,
    HTTPStatus.TOO_MANY_REQUESTS: TooManyRequests,
}


def error_of(response: httpx.Response) -> ApiError:
    """The exception that says what an answer refuses; its body has been read."""
    request = f"{response.request.method} {response.request.url.path}"
    problem: Mapping[str, object] = {}
    try:
        body = response.json()
        problem = body if isinstance(body, dict) else {}
    except ValueError:
        pass
    if response.is_redirect:
        address = response.headers.get("Location", "another address")
        problem = {"detail": f"The site sends on to {address}: give the client the site's own address."}
    elif not problem:
        problem = {
            "detail": f"The answer is not one of Touchstone's API: {response.reason_phrase or 'no reason given'}."
        }
    kind = SiteError if response.is_server_error else BY_STATUS.get(response.status_code, ApiError)
    return kind(request, {**problem, "status": response.status_code})


def in_words(problem: Mapping[str, Any] | None) -> Sequence[str]:
    """What a failed job's problem says, a line for each reason."""
    if not problem:
        return ["The site gave no reason."]
    faults = [str(one.get("detail", "")) for one in problem.get("errors", ())]
    return faults or [str(problem.get("detail", ""))]
