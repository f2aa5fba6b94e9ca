"""The description of the API: what drf-spectacular reads from the views, and a page to read it by."""

from collections.abc import Callable, Mapping
from functools import cache
from http import HTTPStatus
from typing import Any, Required, TypedDict, TypeVar, cast

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.settings import spectacular_settings
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers

from annotation.api.once import HEADER
from annotation.models import Scope

DESCRIBED_METHODS = ("get", "post", "put", "patch", "delete")

# The parts of an OpenAPI description that the page shows.

Schema = TypedDict(
    "Schema",
    {
        "$ref": str,
        "items": "Schema",
        "type": str | list[str],
        "enum": list[object],
        "description": str,
        "properties": "dict[str, Schema]",
    },
    total=False,
)


class Content(TypedDict, total=False):
    schema: Schema


class Body(TypedDict, total=False):
    content: dict[str, Content]


Operation = TypedDict(
    "Operation",
    {
        "tags": Required[list[str]],
        "operationId": Required[str],
        "responses": Required[dict[str, Body]],
        "requestBody": Body,
        "summary": str,
        "x-scope": str,
        "parameters": list[object],
    },
    total=False,
)


class Components(TypedDict):
    schemas: dict[str, Schema]


class OpenApi(TypedDict):
    paths: dict[str, dict[str, Operation]]
    components: Components


class OperationShown(TypedDict):
    path: str
    method: str
    summary: str
    scope: str
    parameters: list[object]
    body: list[tuple[str, str]]
    answers: dict[str, list[tuple[str, str]]]
    anchor: str


@cache
def description() -> OpenApi:
    """What the views say, made once for each process."""
    return cast("OpenApi", SchemaGenerator().get_schema(request=None, public=True))  # type: ignore[no-untyped-call]


@require_safe
def schema(request: HttpRequest) -> JsonResponse:  # noqa: ARG001
    headers = {"Cache-Control": "public, max-age=300"}
    return JsonResponse(description(), json_dumps_params={"ensure_ascii": False}, headers=headers)


@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    """Every address with what it takes and gives, as plain HTML."""
    described = description()
    by_tag: dict[str, list[OperationShown]] = {}
    for path, operations in described["paths"].items():
        for method in DESCRIBED_METHODS:
            if method in operations:
                operation = operations[method]
                by_tag.setdefault(operation["tags"][0], []).append(_operation_shown(path, method, operation))
    context = {"tags": sorted(by_tag.items()), "version": spectacular_settings.VERSION, "schemas": _schemas(described)}
    return render(request, "api/documentation.html", context, status=HTTPStatus.OK)


def _operation_shown(path: str, method: str, operation: Operation) -> OperationShown:
    bodies = operation.get("requestBody", {}).get("content", {})
    answers = {
        status: _names(answer.get("content", {}))
        for status, answer in sorted(operation["responses"].items())
        if status.startswith("2")
    }
    return {
        "path": path,
        "method": method.upper(),
        "summary": operation.get("summary", ""),
        "scope": operation.get("x-scope", ""),
        "parameters": operation.get("parameters", []),
        "body": _names(bodies),
        "answers": answers,
        "anchor": operation["operationId"],
    }


def _names(content: Mapping[str, Content]) -> list[tuple[str, str]]:
    """Of each type of content, the schema that it refers to, if it has a name."""
    return [(kind, _reference(one.get("schema", {}))) for kind, one in content.items()]


def _reference(schema: Schema) -> str:
    reference = schema.get("$ref") or schema.get("items", {}).get("$ref", "")
    return str(reference).rpartition("/")[2]


def _schemas(described: OpenApi) -> list[tuple[str, list[tuple[str, str, str]]]]:
    return [
        (
            name,
            [
                (field, _kind(one), str(one.get("description", "")))
                for field, one in parts.get("properties", {}).items()
            ],
        )
        for name, parts in sorted(described["components"]["schemas"].items())
    ]


def _kind(schema: Schema) -> str:
    if name := _reference(schema):
        return f"list of {name}" if schema.get("type") == "array" else name
    kind = schema.get("type", "any")
    words = " or ".join(kind) if isinstance(kind, list) else str(kind)
    return ", ".join(map(str, schema["enum"])) if "enum" in schema else words


# The OpenAPI description: what drf-spectacular reads from the views, and the refusals that all of them share.

Method = TypeVar("Method", bound=Callable[..., object])
Shown = TypeVar("Shown")
CURSOR = OpenApiParameter("cursor", str, description="`next_cursor` of the page before.")
LIMIT = OpenApiParameter("limit", int, description="Rows on a page: 100 unless told, at most 1,000.")
PAGED = [CURSOR, LIMIT]
IF_MATCH = OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, description="The ETag that was read.")
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="An ETag: 304 where nothing has changed."
)
PROBLEM = {
    "type": "object",
    "description": "A refusal (RFC 9457). Nothing was stored.",
    "required": ["type", "title", "status", "detail", "errors", "more_errors"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "description": "Every bad field and row.",
            "items": {
                "type": "object",
                "required": ["field", "row", "detail"],
                "properties": {
                    "field": {"type": "string", "description": "A field's path, or a file's column."},
                    "row": {"type": ["integer", "null"], "description": "The row of a file."},
                    "detail": {"type": "string"},
                },
            },
        },
        "more_errors": {"type": "integer", "description": "How many more there are than are listed."},
    },
}
ALWAYS = {
    "400": "The request can't be read.",
    "401": "No token, or one that is not in force.",
    "403": "The token's scopes, or the role in the study, don't allow it.",
    "404": "It is not there, or it belongs to somebody else.",
    "422": "A value is not right; each is named.",
    "429": "Too many requests: Retry-After says how many seconds to wait.",
    "503": "The database can't be reached, or is full.",
}
WITH_BODY = {
    "409": "It can't be done as things stand.",
    "413": "The body is too large.",
    "415": "The body's Content-Type is not one that is taken here.",
}
WITH_IF_MATCH = {"412": "It has changed since it was read.", "428": "The header If-Match is missing."}
# What any object is described as: its keys are those of a part of a report, or of a problem.
OBJECT = {"type": "object", "additionalProperties": {}}
METHODS = {"get", "post", "put", "patch", "delete"}
# Only these are taken by a client without a token.
OPEN = {"/api/v1/schema/", "/api/v1/docs/"}


class ScopedSchema(AutoSchema):
    """Scopes and idempotency keys as the views declare them."""

    def get_override_parameters(self) -> list[Any]:
        method = getattr(self.view, self.method.lower(), None)
        kind = getattr(method, "idempotency", "")
        if not kind:
            return []
        description = (
            "A text of your own, new for each request: sent again with it, the request is not carried out again."
        )
        return [
            OpenApiParameter(HEADER, str, OpenApiParameter.HEADER, required=kind == "required", description=description)
        ]

    def get_operation_id(self) -> str:
        return f"{self.method.lower()}_{getattr(self.view, 'name', '')}"

    def get_tags(self) -> list[str]:
        return [self.view.__module__.rpartition(".")[2]]

    def get_extensions(self) -> dict[str, str]:
        scope = self.view.scope_of(self.method) if hasattr(self.view, "scope_of") else None
        return {"x-scope": str(Scope(scope))} if scope else {}


def with_refusals(result: dict[str, Any], **_more: object) -> dict[str, Any]:
    """A hook of drf-spectacular: the problems that every operation may answer with."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = PROBLEM
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            if method in METHODS and path not in OPEN:
                _add_refusals(operation)
    _plain_json(result)
    return result


def _plain_json(part: object) -> None:
    """A value of any kind may be null anyway: `oneOf` with null beside it would hold for null twice."""
    if isinstance(part, dict):
        if part.get("oneOf") == [{}, {"type": "null"}]:
            del part["oneOf"]
        for inner in part.values():
            _plain_json(inner)
    elif isinstance(part, list):
        for inner in part:
            _plain_json(inner)


def _add_refusals(operation: dict[str, Any]) -> None:
    headers = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "header"}
    refusals: dict[str, str] = dict(ALWAYS)
    if "requestBody" in operation or HEADER in headers:
        refusals |= WITH_BODY
    if "If-Match" in headers:
        refusals |= WITH_IF_MATCH
    if "If-None-Match" in headers:
        operation["responses"]["304"] = {"description": "Nothing has changed."}
    answer = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for status, words in refusals.items():
        operation["responses"].setdefault(status, {"description": words, "content": answer})


def page_of(
    serializer: type[serializers.BaseSerializer[Shown]], name: str = ""
) -> type[serializers.Serializer[object]]:
    """The schema of a page of these rows."""
    name = name or serializer.__name__
    fields: dict[str, object] = {
        "results": serializer(many=True),
        "next_cursor": serializers.CharField(allow_null=True, help_text="Give it as `cursor` for the next page."),
    }
    return type(f"{name}Page", (serializers.Serializer,), fields)


def describe(summary: str, **more: Any) -> Callable[[Method], Method]:
    """`extend_schema` with the summary in the first place, for every method of the API has one."""
    names = tuple(each.name for each in more.get("parameters", ()) if each.location == OpenApiParameter.QUERY)

    def decorate(method: Method) -> Method:
        described: Method = extend_schema(summary=summary, **more)(method)
        described.query_parameters = names  # type: ignore[attr-defined]  # whatever else comes is refused
        return described

    return decorate


def query_parameters(method: Callable[..., object]) -> tuple[str, ...]:
    """What may stand behind the question mark."""
    return getattr(method, "query_parameters", ())
