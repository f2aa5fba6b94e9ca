"""The OpenAPI description: what drf-spectacular reads from the views, and the refusals that all of them share."""

from collections.abc import Callable
from typing import Any, TypeVar

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers

from annotation.api.once import HEADER
from annotation.models import Scope

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
        told = "A text of your own, new for each request: sent again with it, the request is not carried out again."
        return [OpenApiParameter(HEADER, str, OpenApiParameter.HEADER, required=kind == "required", description=told)]

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
    told: dict[str, str] = dict(ALWAYS)
    if "requestBody" in operation or HEADER in headers:
        told |= WITH_BODY
    if "If-Match" in headers:
        told |= WITH_IF_MATCH
    if "If-None-Match" in headers:
        operation["responses"]["304"] = {"description": "Nothing has changed."}
    answer = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for status, words in told.items():
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
