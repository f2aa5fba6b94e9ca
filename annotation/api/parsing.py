"""Bodies as they come in: JSON up to 2 MB, files up to 200 MB; unknown fields are refused by name."""

import json
import math
from collections import Counter
from collections.abc import Mapping
from http import HTTPStatus
from typing import IO, Any, NoReturn

from django.core.files.uploadedfile import TemporaryUploadedFile
from django.db.models import Model
from rest_framework import serializers
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.request import Request

from agreement.typed_json import Json, JsonObject
from annotation.accounts.request_bodies import MOST_FOR_SCRIPTS, length_of
from annotation.api.problems import Problem
from annotation.studies.item_files import name_on_disk


class Strict(serializers.Serializer[Any]):
    """Takes an object with these fields and no others."""

    def to_internal_value(self, data: object) -> object:
        unknown = _unknown(self, data)
        try:
            value = super().to_internal_value(data)
        except ValidationError as error:
            told = error.detail if isinstance(error.detail, dict) else {"non_field_errors": error.detail}
            raise ValidationError({**unknown, **told}) from error
        if unknown:
            raise ValidationError(unknown)
        return value


def _unknown(serializer: Strict, data: object) -> dict[str, list[str]]:
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
MOST_FILE = MOST_FOR_SCRIPTS
STEP = 1 << 18
# What a file's rows come as, and the ending by which its reader knows it.
KINDS_OF_FILE = {"text/csv": "csv", "application/x-ndjson": "jsonl", "application/jsonl": "jsonl"}


def refuse_too_large(request: Request, most: int) -> None:
    """By the announced length, before any of it is read."""
    if length_of(request.META) > most:
        raise _too_large(most)


def _too_large(most: int) -> Problem:
    told = f"A body may have {most // 1_000_000} MB here. Larger files of items go to …/items/import/."
    return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, told)


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
                content.decode(), parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_each_name_once
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


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ParseError(f"The body holds a number that is too large: {text[:40]}.")
    return number


def _each_name_once(pairs: list[tuple[str, Json]]) -> JsonObject:
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
        found = super().parse(stream, media_type, parser_context)
        return {
            **{name: found.data.get(name) for name in found.data},
            **{name: found.files.get(name) for name in found.files if name != "pictures"},
            "pictures": found.files.getlist("pictures"),
        }


FILE_PARSERS = [CsvFile, JsonLinesFile, JsonLinesFileToo, FilesInParts]
