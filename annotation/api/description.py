"""The API's own description: as OpenAPI, and as a page to read it by that asks nothing of other sites."""

from functools import cache
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.settings import spectacular_settings

METHODS = ("get", "post", "put", "patch", "delete")


@cache
def description() -> dict[str, Any]:
    """What the views say, made once for each process."""
    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return found


@require_safe
def schema(request: HttpRequest) -> JsonResponse:  # noqa: ARG001
    headers = {"Cache-Control": "public, max-age=300"}
    return JsonResponse(description(), json_dumps_params={"ensure_ascii": False}, headers=headers)


@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    """Every address with what it takes and gives, as plain HTML."""
    found = description()
    by_tag: dict[str, list[dict[str, Any]]] = {}
    for path, operations in found["paths"].items():
        for method in METHODS:
            if method in operations:
                operation = operations[method]
                by_tag.setdefault(operation["tags"][0], []).append(_shown(path, method, operation))
    context = {"tags": sorted(by_tag.items()), "version": spectacular_settings.VERSION, "schemas": _schemas(found)}
    return render(request, "api/documentation.html", context, status=HTTPStatus.OK)


def _shown(path: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
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


def _names(content: dict[str, Any]) -> list[tuple[str, str]]:
    """Of each type of content, the schema that it refers to, if it has a name."""
    return [(kind, _reference(one.get("schema", {}))) for kind, one in content.items()]


def _reference(schema: dict[str, Any]) -> str:
    reference = schema.get("$ref") or schema.get("items", {}).get("$ref", "")
    return str(reference).rpartition("/")[2]


def _schemas(found: dict[str, Any]) -> list[tuple[str, list[tuple[str, str, str]]]]:
    return [
        (
            name,
            [
                (field, _kind(one), str(one.get("description", "")))
                for field, one in parts.get("properties", {}).items()
            ],
        )
        for name, parts in sorted(found["components"]["schemas"].items())
    ]


def _kind(schema: dict[str, Any]) -> str:
    if name := _reference(schema):
        return f"list of {name}" if schema.get("type") == "array" else name
    kind = schema.get("type", "any")
    words = " or ".join(kind) if isinstance(kind, list) else str(kind)
    return ", ".join(map(str, schema["enum"])) if "enum" in schema else words
