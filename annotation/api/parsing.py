"""Bodies as they come in, within limits and by known names; and what is answered where one is refused (RFC 9457)."""

from __future__ import annotations

import json
import logging
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import islice
from typing import IO, Any, NoReturn

from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.db import DataError
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import serializers
from rest_framework.exceptions import APIException, ParseError, Throttled, ValidationError
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from agreement.errors import PAGE, Refused, TouchstoneError
from agreement.typed_json import Json, JsonObject
from annotation.accounts.request_bodies import MOST_BYTES, length_of
from annotation.database.rows import is_doubled
from annotation.models.text_fields import validate_line
from annotation.studies.item_files import name_on_disk
from annotation.web.errors import NOTHING
from annotation.web.responses import CONTENT_TYPE, FieldError, answer, problem
from annotation.web.responses import Problem as ProblemShown

logger = logging.getLogger(__name__)
MOST_ERRORS = 10_000
AT_ONCE = (
    "Another request has just stored something with the same name or number: read what is there, then send yours again."
)
UNFIT = (
    "The request holds a value that can't be looked up or stored: a number of too many digits, a text too long, or a"
    " character that no text has."
)
# "items.csv, row 14, column min: 'ninety' is not a number"
IN_A_FILE = re.compile(r"^[^\n]*?, row (?P<row>\d[\d,]*)\b(?:, column (?P<column>[^:\n]{1,100}):)?")


class Problem(APIException):
    """A refusal with a status of its own."""

    def __init__(self, status: HTTPStatus, detail: str, errors: Sequence[FieldError] = ()) -> None:
        self.status_code = int(status)
        self.errors = errors
        super().__init__(detail)


def problem_of_refusal(refusal: Refused, status: int = HTTPStatus.UNPROCESSABLE_ENTITY) -> ProblemShown:
    """Every reason, as far as one answer holds them, and how many more there are."""
    reasons = list(islice(refusal.words(PAGE), MOST_ERRORS))
    return problem_of_reasons(reasons, len(refusal.words(PAGE)) - len(reasons), status)


def problem_of_reasons(
    reasons: Sequence[str], more: int = 0, status: int = HTTPStatus.UNPROCESSABLE_ENTITY
) -> ProblemShown:
    detail = reasons[0] if len(reasons) == 1 else f"Refused for {len(reasons) + more:,} reasons; nothing was stored."
    return problem(status, detail, [_error(reason) for reason in reasons], more)


def _error(reason: str) -> FieldError:
    """A reason with the row and column that it names.

    >>> _error("items.csv, row 14, column min: 'ninety' is not a number")["row"]
    14
    """
    place = IN_A_FILE.match(reason)
    row = None if place is None else int(place["row"].replace(",", ""))
    return {"field": "" if place is None else place["column"] or "", "row": row, "detail": reason}


def field_errors(errors: object, path: str = "") -> Iterator[FieldError]:
    """The errors of a serializer, each with the path of its field: `labels.2.value`."""
    if isinstance(errors, Mapping):
        for name, inner in errors.items():
            yield from field_errors(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(errors, Sequence) and not isinstance(errors, str):
        for number, inner in enumerate(errors):
            yield from field_errors(inner, f"{path}.{number}" if isinstance(inner, (Mapping, list)) else path)
    else:
        yield {"field": path.removesuffix(".non_field_errors").removeprefix("non_field_errors"), "row": None,
               "detail": str(errors)}  # fmt: skip


@csrf_exempt  # whatever the method is, the answer is the same
def not_found(request: HttpRequest, rest: str = "") -> HttpResponse:
    del request, rest
    return answer(HTTPStatus.NOT_FOUND, NOTHING)


def handle(error: Exception, context: Mapping[str, object]) -> Response | None:
    """DRF's exception handler: every refusal of the project as a problem, what is unexpected as it is."""
    del context
    shown = _problem_of(error)
    if shown is None:
        return None
    headers = {}
    if isinstance(error, Throttled):
        headers["Retry-After"] = str(max(1, round(getattr(error, "wait", None) or 1)))
    if shown["status"] == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="api"'
    return Response(shown, status=shown["status"], content_type=CONTENT_TYPE, headers=headers)


def _problem_of(error: Exception) -> ProblemShown | None:
    for kind, of_kind in MADE.items():
        if isinstance(error, kind):
            return of_kind(error)
    if is_doubled(error):
        logger.warning("two requests at once", exc_info=error)
        return problem(HTTPStatus.CONFLICT, AT_ONCE)
    if is_unfit(error):
        logger.warning("refused a value: %s", type(error).__name__)
        return problem(HTTPStatus.UNPROCESSABLE_ENTITY, UNFIT)
    return None


def _problem_of_validation(error: ValidationError) -> ProblemShown:
    errors = list(field_errors(error.detail))
    detail = errors[0]["detail"] if len(errors) == 1 else f"{len(errors)} values are not right; nothing was changed."
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail, errors)


def _sentence_of_404(error: Http404) -> str:
    """Django's own sentences name models; ours say what is not there."""
    words = str(error)
    return "There is nothing at this address, or it is not shared with you." if "matches the given" in words else words


# The first that fits: subclasses before what they are subclasses of.
MADE: dict[type[Exception], Callable[[Any], ProblemShown]] = {
    Problem: lambda error: problem(error.status_code, str(error.detail), error.errors),
    ValidationError: _problem_of_validation,
    Refused: problem_of_refusal,
    TouchstoneError: lambda error: problem(HTTPStatus.CONFLICT, str(error)),
    APIException: lambda error: problem(error.status_code, str(error.detail)),
    Http404: lambda error: problem(HTTPStatus.NOT_FOUND, _sentence_of_404(error)),
    PermissionDenied: lambda error: problem(HTTPStatus.FORBIDDEN, str(error) or "This is not allowed."),
}


def is_unfit(error: Exception) -> bool:
    """What neither database can compare with anything, or what is nested too deeply to be read."""
    if isinstance(error, (DataError, OverflowError, RecursionError)):
        return True
    words = str(error) if isinstance(error, ValueError) else ""
    return any(phrase in words for phrase in ("NUL", "null character", "integer string conversion", "surrogates"))


class Strict(serializers.Serializer[Any]):
    """Takes an object with these fields and no others."""

    def to_internal_value(self, data: object) -> object:
        unknown = _unknown_fields(self, data)
        try:
            value = super().to_internal_value(data)
        except ValidationError as error:
            told = error.detail if isinstance(error.detail, dict) else {"non_field_errors": error.detail}
            raise ValidationError({**unknown, **told}) from error
        if unknown:
            raise ValidationError(unknown)
        return value


class Line(serializers.CharField):
    """A text of one line, under the rule that the models' fields of one line have."""

    default_validators = [validate_line]


def _unknown_fields(serializer: Strict, data: object) -> dict[str, list[str]]:
    if not isinstance(data, Mapping):
        return {}
    known = [name for name, field in serializer.fields.items() if not field.read_only]
    names = ", ".join(known) or "none"
    return {
        str(name)[:100]: [f"There is no such field here. The fields are: {names}."]
        for name in data
        if name not in known
    }


def read(
    serializer: type[Strict],
    data: object,
    *,
    instance: Model | None = None,
    partial: bool = False,
    context: dict[str, object] | None = None,
) -> dict[str, Any]:
    """What was sent, checked, as a dict; or a refusal that names every bad field."""
    bound = serializer(instance, data=data, partial=partial, context=context or {})
    bound.is_valid(raise_exception=True)
    return dict(bound.validated_data)


class Reason(Strict):
    why = serializers.CharField(max_length=2000, help_text="Recorded in the study's history.")


# Bodies as they come in: JSON up to 2 MB, and files of items or of a model's outputs up to 200 MB.

MOST_JSON = 2_000_000
MOST_FILE = MOST_BYTES
STEP = 1 << 18
# What a file's rows come as, and the ending by which its reader knows it.
KINDS_OF_FILE = {"text/csv": "csv", "application/x-ndjson": "jsonl", "application/jsonl": "jsonl"}


def refuse_too_large(request: Request, most: int) -> None:
    """By the announced length, before any of it is read."""
    if length_of(request.META) > most:
        raise _too_large(most)


def _too_large(most: int) -> Problem:
    detail = f"A body may have {most // 1_000_000} MB here. Larger files of items go to …/items/import/."
    return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)


class StrictJson(BaseParser):
    """JSON as RFC 8259 has it: no NaN, no name twice in one object, no number that becomes infinite."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,  # noqa: ARG002
        parser_context: Mapping[str, object] | None = None,  # noqa: ARG002
    ) -> Any:
        content = stream.read(MOST_JSON + 1)
        if len(content) > MOST_JSON:
            raise _too_large(MOST_JSON)
        try:
            value = json.loads(
                content.decode(),
                parse_constant=_refuse,
                parse_float=_finite_number,
                object_pairs_hook=_object_with_unique_names,
            )
        except UnicodeDecodeError as error:
            raise ParseError(f"The body is not UTF-8: byte {error.start + 1} can't be read.") from error
        except json.JSONDecodeError as error:
            told = f"The body is not JSON: line {error.lineno}, column {error.colno}: {error.msg}."
            raise ParseError(told) from error
        except RecursionError as error:
            raise ParseError("The body is nested too deeply to be read.") from error
        except ValueError as error:  # a whole number of thousands of digits
            raise ParseError(f"The body can't be read: {error}.") from error
        if b"\\u" in content:
            _refuse_no_text(value)
        return value


def _refuse(constant: str) -> NoReturn:
    raise ParseError(f"The body is not JSON: {constant} is no number there.")


def _refuse_no_text(value: object) -> None:
    """JSON can write half of a character, and the one that ends texts elsewhere: no text has either."""
    text = json.dumps(value, ensure_ascii=False)
    if "\\u0000" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ParseError("The body holds a character that no text has: \\u0000, or half of a pair.")


def _finite_number(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ParseError(f"The body holds a number that is too large: {text[:40]}.")
    return number


def _object_with_unique_names(pairs: list[tuple[str, Json]]) -> JsonObject:
    named = dict(pairs)
    if len(named) < len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise ParseError(f"The body names {twice[:80]!r} twice in one object.")
    return named


class _WholeFile(BaseParser):
    """The body is the file itself, written to a temporary file as it is read."""

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None
    ) -> Mapping[str, object]:
        request = parser_context["request"]
        ending = KINDS_OF_FILE[self.media_type or ""]
        name = name_on_disk(request.query_params.get("name"), f"items.{ending}")
        if not name.endswith((".csv", ".jsonl", ".ndjson")):
            name = f"{name}.{ending}"
        file = TemporaryUploadedFile(name, media_type or "", 0, None)
        parser_context["view"].uploads.append(file)  # which closes it at the end, whatever comes
        while piece := stream.read(STEP):
            file.write(piece)
            if file.tell() > MOST_FILE:
                raise _too_large(MOST_FILE)
        file.size = file.tell()
        file.seek(0)
        return {"file": file, "pictures": []}


class CsvFile(_WholeFile):
    media_type = "text/csv"


class JsonLinesFile(_WholeFile):
    media_type = "application/x-ndjson"


class JsonLinesFileToo(_WholeFile):
    media_type = "application/jsonl"


class FilesInParts(MultiPartParser):
    """A file with its pictures, as a browser's form sends them."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        parts = super().parse(stream, media_type, parser_context)
        return {
            **{name: parts.data.get(name) for name in parts.data},
            **{name: parts.files.get(name) for name in parts.files if name != "pictures"},
            "pictures": parts.files.getlist("pictures"),
        }


FILE_PARSERS = [CsvFile, JsonLinesFile, JsonLinesFileToo, FilesInParts]
