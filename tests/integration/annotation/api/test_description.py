"""docs/openapi.json says what the code does, and version 1 only grows."""

import json
from typing import Any

import pytest
from django.test import Client

from annotation.api.schema import description
from tests import described
from tools import place

COMMITTED = place.ROOT / "docs" / "openapi.json"
PROMISED = place.ROOT / "tests" / "cases" / "api" / "promised.txt"


def current() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(description()))
    return found


def test_committed_description_is_what_the_code_says() -> None:
    assert json.loads(COMMITTED.read_text(encoding="utf-8")) == current(), "run `make openapi`"


def test_nothing_that_was_promised_is_gone() -> None:
    """Lines are added to tests/cases/api/promised.txt with each change, and never taken out while this is version 1."""
    promised = set(PROMISED.read_text(encoding="utf-8").splitlines())
    found = described.promises(current())
    assert sorted(promised - found) == [], "version 1 only grows"
    assert sorted(found - promised) == [], f"add these lines to {PROMISED.name}"


def test_a_removal_is_noticed() -> None:
    """The comparison sees a field, a method, a value and a field that is suddenly needed."""
    found = described.promises(current())
    changed = current()
    del changed["components"]["schemas"]["StudyShown"]["properties"]["slug"]
    del changed["paths"]["/api/v1/me/"]
    changed["components"]["schemas"]["NewExclusionRequest"]["required"] = ["participant", "reason", "more"]
    changed["components"]["schemas"]["NewInvitationsRequest"]["required"] = ["count", "note"]
    gone = found - described.promises(changed)
    assert "GET /api/v1/me/" in gone
    assert any("slug" in line for line in gone)
    assert "POST /api/v1/studies/{study}/invitations/ takes no .note" in gone


def test_every_operation_says_its_scope_and_its_refusals() -> None:
    for path, operations in current()["paths"].items():
        for method, operation in operations.items():
            assert operation["x-scope"], (method, path)
            assert {"401", "403", "404", "422", "429"} <= set(operation["responses"]), (method, path)


@pytest.mark.django_db
def test_page_asks_nothing_of_other_sites() -> None:
    shown = Client().get("/api/v1/docs/")
    text = shown.content.decode()
    assert "<script" not in text
    assert not [part for part in text.split('"') if part.startswith(("http:", "https:", "//"))]
    assert "default-src 'none'" in shown.headers["Content-Security-Policy"]
