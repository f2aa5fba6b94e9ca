"""The rows that the API answers with, as far as the client uses them; a test holds them against docs/openapi.json."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class Study(TypedDict):
    slug: str
    status: str
    title: str
    kind: str
    question: str
    judgments_per_item: int
    items_per_assignment: int | None
    created_at: str


class Checklist(TypedDict):
    can_open: bool
    missing: list[str]
    notices: list[str]


class StudyProgress(TypedDict):
    items: int
    judgments_wanted: int
    judgments_done: int
    judgments_in_progress: int
    judgments_needed: int


class Link(TypedDict):
    id: int
    address: str | None
    people: int


class Release(TypedDict):
    id: str
    number: int
    sha256: str
    rules: str
    created_at: str
    counts: NotRequired[dict[str, Any]]
    methods: NotRequired[str]
    out_of_date: NotRequired[list[str]]


class Probe(TypedDict):
    id: str
    name: str
    group: str
    sha256: str


class Me(TypedDict):
    username: str
    token: dict[str, Any]
