"""What the API's description promises, as one line for each promise: a line that goes away breaks somebody's script."""

from collections.abc import Iterator, Mapping
from typing import Any

METHODS = ("get", "post", "put", "patch", "delete")
DEEPEST = 6


def promises(description: Mapping[str, Any]) -> set[str]:
    found: set[str] = set()
    for path, operations in description["paths"].items():
        for method in METHODS:
            if method in operations:
                found |= {f"{method.upper()} {path}{line}" for line in _of_operation(description, operations[method])}
    return found


def _of_operation(description: Mapping[str, Any], operation: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    for parameter in operation.get("parameters", ()):
        if parameter["in"] != "path":
            yield f" may be given {parameter['in']} {parameter['name']}"
            if not parameter.get("required"):
                yield f" doesn't need {parameter['in']} {parameter['name']}"
            yield from (f" takes {parameter['name']}={one}" for one in parameter["schema"].get("enum", ()))
    for kind, body in operation.get("requestBody", {}).get("content", {}).items():
        yield f" takes {kind}"
        yield from (f" takes{line}" for line in _fields(description, body.get("schema", {}), "", is_taken=True))
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            yield f" answers {status}"
            for kind, body in answer.get("content", {}).items():
                yield f" answers {status} {kind}"
                yield from (f" answers {status}{line}" for line in _fields(description, body.get("schema", {}), ""))


def _fields(
    description: Mapping[str, Any], schema: Mapping[str, Any], at: str, *, is_taken: bool = False, depth: int = 0
) -> Iterator[str]:
    schema = _resolved(description, schema)
    if depth > DEEPEST:
        return
    if is_taken:
        yield from (f"{at}={one}" for one in schema.get("enum", ()))
    for name, inner in schema.get("properties", {}).items():
        yield f"{at} .{name}: {_kind(_resolved(description, inner))}"
        if is_taken and name not in schema.get("required", ()):
            yield f"{at} no .{name}"
        yield from _fields(description, inner, f"{at} .{name}", is_taken=is_taken, depth=depth + 1)
    if "items" in schema:
        yield from _fields(description, schema["items"], f"{at} []", is_taken=is_taken, depth=depth + 1)


def _resolved(description: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    for only in ("allOf", "oneOf", "anyOf"):
        if len(schema.get(only, ())) >= 1:
            schema = {**schema, **schema[only][0]}
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    return _resolved(description, description["components"]["schemas"][name]) if name else schema


def _kind(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type", "any")
    return " or ".join(sorted(kind)) if isinstance(kind, list) else str(kind)
