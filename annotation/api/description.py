"""The API's own description: as OpenAPI, and as a page to read it by that asks nothing of other sites."""

from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from typing import Required, TypedDict, cast

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.settings import spectacular_settings

METHODS = ("get", "post", "put", "patch", "delete")

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
        for method in METHODS:
            if method in operations:
                operation = operations[method]
                by_tag.setdefault(operation["tags"][0], []).append(_shown(path, method, operation))
    context = {"tags": sorted(by_tag.items()), "version": spectacular_settings.VERSION, "schemas": _schemas(described)}
    return render(request, "api/documentation.html", context, status=HTTPStatus.OK)


def _shown(path: str, method: str, operation: Operation) -> OperationShown:
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
