"""The client against docs/openapi.json: every address, method, parameter and field that it uses is described there.

The site here is the description itself: it refuses what isn't described, and answers with values made from it.
"""

import json
import re
from collections.abc import Callable, Mapping
from email.parser import BytesParser
from pathlib import Path
from typing import Any, get_type_hints

import httpx
import pandas as pd
import pytest

from agreement.client import Client, Job
from agreement.client import tables as shapes

SCHEMA = json.loads((Path(__file__).parents[4] / "docs" / "openapi.json").read_text())
ETAG = '"seen"'
COMPONENTS = SCHEMA["components"]["schemas"]
# Each shape that the client names, and the component of the description.
SHAPES = {
    shapes.Study: "StudyShown",
    shapes.Checklist: "Checklist",
    shapes.StudyProgress: "ProgressShown",
    shapes.Screening: "Screening",
    shapes.Link: "LinkShown",
    shapes.Release: "WholeRelease",
    shapes.Verdict: "Verdict",
    shapes.Probe: "ProbeShown",
    shapes.Me: "MeShown",
}


class DescribedSite:
    """A site that is what its description says; jobs are done, and the release that they name is the listed one."""

    def __init__(self) -> None:
        self.used: set[tuple[str, str]] = set()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path, operation = self._operation(request)
        self.used.add((request.method, path))
        parameters = {(each["in"], each["name"]) for each in operation.get("parameters", ())}
        for name in request.url.params:
            assert ("query", name) in parameters, f"{request.method} {path} takes no {name}"
        if "Idempotency-Key" in request.headers:
            assert ("header", "Idempotency-Key") in parameters, f"{request.method} {path} takes no key"
        self._check_body(request, operation)
        status, answer = next((code, one) for code, one in operation["responses"].items() if code.startswith("2"))
        kinds = answer.get("content", {})
        if "application/json" not in kinds:
            return httpx.Response(int(status), content=b'{"item_id": "a", "mean": "1"}\n')
        return httpx.Response(int(status), json=made(kinds["application/json"]["schema"]), headers={"ETag": ETAG})

    def _operation(self, request: httpx.Request) -> tuple[str, Mapping[str, Any]]:
        for path in sorted(SCHEMA["paths"], key=lambda path: path.count("{")):
            if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), request.url.path):
                assert request.method.lower() in SCHEMA["paths"][path], f"{path} has no {request.method}"
                return path, SCHEMA["paths"][path][request.method.lower()]
        raise AssertionError(f"{request.url.path} is not described")

    def _check_body(self, request: httpx.Request, operation: Mapping[str, Any]) -> None:
        body = request.read()
        if not body:
            return
        kind = request.headers["Content-Type"].partition(";")[0]
        described = operation["requestBody"]["content"]
        assert kind in described, f"{request.url.path} takes no {kind}"
        properties = resolved(described[kind]["schema"]).get("properties", {})
        if kind == "application/json":
            assert set(json.loads(body) or {}) <= set(properties)
        if kind == "multipart/form-data":
            head = f"Content-Type: {request.headers['Content-Type']}\r\n\r\n".encode()
            parts = BytesParser().parsebytes(head + body).get_payload()
            assert {part.get_param("name", header="Content-Disposition") for part in parts} <= set(properties)  # type: ignore[union-attr]


def resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in schema:
        schema = COMPONENTS[schema["$ref"].rpartition("/")[2]]
    return schema


OF_A_TYPE = {"integer": 1, "number": 1, "boolean": True, "string": "text"}
NAMED = {"result": {"release": "an-id", "items": 1}, "id": "an-id", "next_cursor": None}


def made(schema: Mapping[str, Any], name: str = "") -> Any:
    """A value that a schema describes."""
    schema = resolved(schema)
    if found := next((schema[words] for words in ("oneOf", "anyOf", "allOf") if words in schema), None):
        return made(found[0], name)
    if name in NAMED or "enum" in schema:
        return NAMED.get(name, "done" if "done" in schema.get("enum", ()) else schema.get("enum", [None])[0])
    kinds = schema.get("type", "object")
    match kinds if isinstance(kinds, str) else kinds[0]:
        case "array":
            return [made(schema["items"])]
        case "object":
            return {key: made(each, key) for key, each in schema.get("properties", {}).items()}
        case kind:
            return OF_A_TYPE[kind]


CALLS: dict[str, Callable[[Client, Path], object]] = {
    "me": lambda client, _: client.me()["token"],
    "studies": lambda client, _: list(client.studies(status="live")),
    "study": lambda client, _: client.study("colours")["title"],
    "create_study": lambda client, _: client.create_study(
        "colours",
        title="Colours",
        kind="choice",
        question="What colour is {object}?",
        consent="Yes?",
        judgments_per_item=3,
        items_per_assignment=10,
        labels=[{"value": "red"}],
        check_quotas=[{"check_name": "plain", "per_assignment": 1}],
    ),
    "change_study": lambda client, _: client.change_study("colours", title="All colours")["title"],
    "checklist": lambda client, _: client.checklist("colours")["can_open"],
    "open": lambda client, _: client.open("colours"),
    "pause": lambda client, _: client.pause("colours", why="a question"),
    "close_study": lambda client, _: client.close_study("colours"),
    "progress": lambda client, _: client.progress("colours")["judgments_needed"],
    "plan": lambda client, _: client.plan("colours", "alpha", 0.1, items=60, items_per_person=20)["sentence"],
    "suspects": lambda client, _: client.suspects("colours")["suspects"],
    "preview_cleaning": lambda client, _: client.preview_cleaning("colours", rules="screening")["excluded"],
    "open_link": lambda client, _: client.open_link("colours", capacity=5)["address"],
    "add_items": lambda client, _: client.add_items("colours", [{"item_id": "a", "object": "moss"}]),
    "jobs": lambda client, _: list(client.jobs("colours", kind="analyse", status="done")),
    "job": lambda client, _: client.job("an-id").wait(),
    "analyse": lambda client, _: client.analyse("colours", rules="own-bounds", seed=1, replicates=100),
    "releases": lambda client, _: list(client.releases("colours")),
    "release": lambda client, _: client.release("colours", 1)["methods"],
    "verdict": lambda client, _: client.verdict("colours", question="first")["sentence"],
    "report": lambda client, _: client.report("colours", 1),
    "gold": lambda client, _: client.gold("colours", release=1),
    "table": lambda client, _: client.table("colours", "judgments"),
    "export": lambda client, folder: client.export("colours", "judgments", folder / "j.csv", release=1, only_kept=True),
    "judgments": lambda client, _: list(client.judgments("colours", since="x")),
    "upload_probe": lambda client, _: client.upload_probe(
        "colours", "m", pd.DataFrame({"item_id": ["a"], "label": ["red"]}), group="g"
    ),
    "score": lambda client, _: client.score("colours", release=1),
    "answers": lambda client, _: client.answers("colours").attrs["sha256"],
    "decide_answers": lambda client, _: client.decide_answers("colours", {"crimson": "red", "azure": None}),
    "leaderboard": lambda client, _: client.leaderboard("colours", release=1, metric="accuracy"),
    "cancel": lambda client, _: client.job("an-id").cancel(),
}
NOT_REQUESTS = {"close"}


@pytest.mark.parametrize("name", CALLS)
def test_each_call_is_described(name: str, tmp_path: Path) -> None:
    site = DescribedSite()

    CALLS[name](Client("https://touchstone.example.org", "tst_x", transport=httpx.MockTransport(site)), tmp_path)

    assert site.used


def test_pictures_are_described(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"a picture")
    client = Client("https://touchstone.example.org", "tst_x", transport=httpx.MockTransport(DescribedSite()))

    assert client.add_items("colours", [{"item_id": "a", "image": "a.png"}], pictures=[tmp_path / "a.png"]) == 1


def test_every_call_of_the_client_is_among_them() -> None:
    public = {name for name, each in vars(Client).items() if callable(each) and not name.startswith("_")}

    assert public - NOT_REQUESTS == set(CALLS) - {"cancel"}


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_each_field_of_a_shape_is_described(shape: type) -> None:
    assert set(get_type_hints(shape)) <= set(COMPONENTS[SHAPES[shape]]["properties"])


def test_the_fields_of_a_job_are_described() -> None:
    assert set(Job.__slots__) - {"connection"} <= set(COMPONENTS["JobShown"]["properties"])
