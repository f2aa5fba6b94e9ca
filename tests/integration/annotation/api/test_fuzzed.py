"""Requests made up from the API's own description: never a 500, no status that it doesn't name, nothing of others.

They are few, and always the same in CI. The proof sends 20,000 of them, to bare studies of every kind too, with bodies,
types and headers that no client of ours would send.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from agreement.kinds.registry import KINDS
from annotation.api.schema import description
from annotation.models import Participation, Study
from tests.factories import a_small_study, per_assignment_done
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_released_study, a_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.both]
OTHERS = "sentinelofothers"
HOSTILE = [
    "",
    "0",
    "-1",
    "9" * 30,
    "x" * 300,
    "a\x00b",
    "é",
    "null",
    "true",
    "../..",
    "' OR 1=1 --",
    "\ud83d",
    "[]",
    "1e999",
]
METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture
def world() -> tuple[Script, dict[str, str]]:
    study, release, _ = a_released_study()
    other = a_small_study(items=2, owner=a_researcher(), title=OTHERS, summary=OTHERS)
    person = per_assignment_done(other).participation
    Participation.objects.filter(pk=person.pk).update(comments=OTHERS)
    assert study.owner is not None
    person = study.participations.order_by("pk")[0]
    known = {
        "study": study.slug, "number": "1", "what": "judgments", "preset": "typicality", "run": str(release.run.uuid),
        "pseudonym": person.pseudonym, "item": str(study.items.order_by("pk")[0].uuid), "others": other.slug,
        "job": str(study.jobs.order_by("pk")[0].uuid),
    }  # fmt: skip
    return Script(study.owner), known


def values(schema: Any, depth: int = 0) -> st.SearchStrategy[Any]:
    """Values that fit a schema more often than not."""
    schema = resolved(schema)
    wrong: st.SearchStrategy[Any] = st.sampled_from([None, True, 0, -1, 10**20, 1.5, [], {}, *HOSTILE])
    if depth > 3:
        return wrong
    return st.one_of(fitting(schema, depth), fitting(schema, depth), fitting(schema, depth), wrong)


def fitting(schema: Any, depth: int) -> st.SearchStrategy[Any]:
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if kind == "object":
        fields = {name: values(inner, depth + 1) for name, inner in schema.get("properties", {}).items()}
        needed = {name: fields[name] for name in schema.get("required", ()) if name in fields}
        return st.fixed_dictionaries(
            needed, optional={name: fields[name] for name in sorted(fields.keys() - needed.keys())}
        )
    made: dict[str | None, Callable[[], st.SearchStrategy[Any]]] = {
        "array": lambda: st.lists(values(schema.get("items", {}), depth + 1), max_size=3),
        "integer": lambda: st.integers(-3, 200),
        "number": lambda: st.floats(allow_nan=False, allow_infinity=False),
        "boolean": st.booleans,
    }
    return made.get(kind, lambda: st.text(max_size=12))()


def resolved(schema: Any) -> Any:
    for only in ("allOf", "oneOf", "anyOf"):
        if schema.get(only):
            schema = {**schema, **schema[only][0]}
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    return resolved(description()["components"]["schemas"][name]) if name else schema


OPERATIONS = [
    (path, method, operation)
    for path, operations in description()["paths"].items()
    for method, operation in operations.items()
    if method in METHODS
]


@st.composite
def requests(draw: Any) -> tuple[Any, ...]:
    path, method, operation = draw(st.sampled_from(OPERATIONS))
    strange = draw(st.lists(st.sampled_from(["study", "number", "run"]), max_size=1))
    odd = {name: draw(st.sampled_from(HOSTILE)) for name in strange}
    query = {
        one["name"]: draw(st.sampled_from([*HOSTILE, *one["schema"].get("enum", [])]))
        for one in operation.get("parameters", ())
        if one["in"] == "query" and draw(st.booleans())
    }
    bodies = operation.get("requestBody", {}).get("content", {})
    body = draw(values(bodies["application/json"]["schema"])) if "application/json" in bodies else None
    return path, method, operation, odd, query, body, draw(st.sampled_from(["study", "study", "study", "others"]))


@settings(max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(requests())
def test_made_up_requests(world: tuple[Script, dict[str, str]], asked: tuple[Any, ...]) -> None:
    script, known = world
    path, method, operation, odd, query, body, whose = asked
    address = address_of(path, {**known, "study": known[whose]}, odd, query)
    sent = None if body is None else json.dumps(body)
    headers = {"Idempotency-Key": hashlib.sha256(repr(asked).encode()).hexdigest(), "If-Match": '"x"'}
    answer = script.ask(method.upper(), address, sent, headers=headers)
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    what = (method, address, sent, content[:300])
    assert str(answer.status_code) in {*operation["responses"], "405"}, what
    if answer.status_code >= 400:
        assert answer.headers["Content-Type"] == "application/problem+json", what
    assert OTHERS not in content.decode("utf-8", "replace"), what
    assert Study.objects.filter(title=OTHERS).count() == 1


def address_of(path: str, known: dict[str, str], odd: dict[str, str], query: dict[str, str]) -> str:
    for name in [part.partition("}")[0] for part in path.split("{")[1:]]:
        value = odd.get(name) or known.get(name, "1")
        path = path.replace(f"{{{name}}}", quote(value.encode("utf-8", "surrogatepass"), safe=""))
    words = "&".join(f"{name}={quote(value.encode('utf-8', 'surrogatepass'))}" for name, value in query.items())
    return f"{path}?{words}"


# The proof.

REQUESTS = 20_000
TYPES = (
    "application/json", "application/json", "application/json; charset=latin-1", "text/csv", "application/x-ndjson",
    "multipart/form-data; boundary=x", "text/plain", "", "*/*",
)  # fmt: skip
RAW = (
    "{", "[" * 5_000, '{"a": NaN}', '{"a": 1, "a": 2}', '"\\u0000"', '"\\ud83d"', "item_id\n", "--x\r\n\r\n",
    "item_id,left,right\ni,a,b\n", "\ufeff{}", "null", "1e999", "9" * 5_000,
)  # fmt: skip
HEADERS = ("Idempotency-Key", "If-Match", "If-None-Match", "Accept", "Content-Length", "Authorization", "Host", "Range")
HEADER_TEXTS = ("", "*", '"x"', "x" * 300, "-1", "a\tb", "Bearer tst_x", "Basic eDp4", "bytes=0-1", "9" * 30, "\xe9")
VALUES = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=20))


@st.composite
def hostile_requests(draw: Any) -> tuple[Any, ...]:
    path, method, _operation, odd, query, body, whose = draw(requests())
    if draw(st.integers(0, 9)) == 0:
        method = draw(st.sampled_from([*METHODS, "head", "options", "trace", "connect", "x"]))
    if draw(st.integers(0, 4)) == 0:
        whose = f"bare-{draw(st.sampled_from(sorted(KINDS)))}"
    if draw(st.integers(0, 4)) == 0:
        query |= draw(st.dictionaries(st.sampled_from(["cursor", "limit", "since", "x", "name"]), VALUES, max_size=2))
    sent: str | None = None if body is None else json.dumps(body)
    if draw(st.integers(0, 9)) == 0:
        sent = draw(st.one_of(st.sampled_from(RAW), st.text(max_size=200)))
    content_type = draw(st.sampled_from(TYPES)) if draw(st.integers(0, 4)) == 0 else "application/json"
    names = st.sampled_from(HEADERS)
    headers = draw(st.dictionaries(names, st.sampled_from(HEADER_TEXTS), max_size=2)) if draw(st.booleans()) else {}
    return path, method, odd, query, sent, content_type, headers, whose


def with_bare_studies(script: Script, known: dict[str, str]) -> dict[str, str]:
    """Of every kind one that has no labels, no items and no answers."""
    for kind in KINDS.values():
        scale = {"scale_low": 0, "scale_high": 100} if kind.has_scale else {}
        study = Study.objects.create(
            slug=f"bare-{kind.name}", title="Bare", kind=kind.name, question="{a}?", owner=script.token.user, **scale
        )
        known[study.slug] = study.slug
    return known


@pytest.mark.prove
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_twenty_thousand_hostile_requests_and_none_fails(world: tuple[Script, dict[str, str]]) -> None:
    script, known = world
    known = with_bare_studies(script, known)
    script.client.raise_request_exception = False
    statuses: Counter[int] = Counter()

    @settings(
        max_examples=REQUESTS,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(hostile_requests())
    def send(asked: tuple[Any, ...]) -> None:
        path, method, odd, query, sent, content_type, headers, whose = asked
        address = address_of(path, {**known, "study": known[whose]}, odd, query)
        answer = script.ask(method.upper(), address, sent, content_type=content_type, headers=headers)
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        statuses[answer.status_code] += 1
        what = (method, address, sent, headers, content[:300])
        assert answer.status_code < 500, what
        if answer.status_code >= 400 and method != "head":
            assert answer.headers["Content-Type"] == "application/problem+json", what
        assert OTHERS not in content.decode("utf-8", "replace"), what

    send()
    assert Study.objects.filter(title=OTHERS).count() == 1
    assert statuses.total() >= REQUESTS
    told = ", ".join(f"{number:,} times {status}" for status, number in sorted(statuses.items()))
    print(f"{statuses.total():,} requests: {told}")
