"""Responses that pages and the API share: files made whole before they are sent, pictures, and refusals (RFC 9457)."""

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from io import BytesIO
from tempfile import TemporaryFile
from typing import IO, TypedDict

from django.http import FileResponse, HttpResponse, JsonResponse

IN_MEMORY = 1 << 20  # bytes; a larger file is written to the disk


class Download(FileResponse):
    """The pieces as a file of that name. It says its size, so that a download that breaks off can't look complete."""

    block_size = 1 << 18

    def __init__(self, pieces: Iterable[bytes], *, name: str, content_type: str = "text/csv; charset=utf-8") -> None:
        super().__init__(_file_of(pieces), as_attachment=True, filename=name, content_type=content_type)


def _file_of(pieces: Iterable[bytes]) -> IO[bytes]:
    rest, beginning = iter(pieces), bytearray()
    for piece in rest:
        beginning += piece
        if len(beginning) > IN_MEMORY:
            break
    else:
        return BytesIO(beginning)
    file = TemporaryFile()  # noqa: SIM115 - the response closes it
    try:
        file.write(beginning)
        file.writelines(rest)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


# A refusal to a script, as application/problem+json (RFC 9457) has it.

CONTENT_TYPE = "application/problem+json"


class FieldError(TypedDict):
    """One bad value: the path of its field or its column, and the row of a file."""

    field: str
    row: int | None
    detail: str


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldError]
    more_errors: int


def problem(status: int, detail: str, errors: Sequence[FieldError] = (), more_errors: int = 0) -> Problem:
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
        "errors": list(errors),
        "more_errors": more_errors,
    }


def answer(status: int, detail: str) -> JsonResponse:
    """For what is answered outside of a view of the API."""
    return JsonResponse(problem(status, detail), status=status, content_type=CONTENT_TYPE)


HEADERS_OF_MEDIA = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
}


def picture_response(content: bytes, content_type: str) -> HttpResponse:
    """A picture that its address names by its content."""
    return HttpResponse(content, content_type=content_type, headers=HEADERS_OF_MEDIA)
