"""Every address of the site, with hostile values in its parts, its query and its form: always a page, never a 500."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import EntryLink, User
from annotation.releases.actions.scoring_probes import publish_leaderboard
from tests.addresses import routes
from tests.integration.annotation.answering.views.people import a_study_of, begin, links_of

pytestmark = [pytest.mark.django_db, pytest.mark.both]
HUGE, DEEP = "9" * 25, "[" * 30_000 + "]" * 30_000
HOSTILE = [
    "\x00", "a\x00b", HUGE, "9" * 5_000, "-1", "0", "1", "x" * 3_000, "\ud800", "\u202e", "é", "²", "../..", "%", "{}",
    "nan", "1e999", "5_0", "[]", '{"a": [1]}', DEEP, "' OR 1=1 --", "2026-13-45",
]  # fmt: skip
# What lists, filters, searches and pages read from an address.
QUERIES = [
    "study", "study__id__exact", "status__exact", "kind__exact", "q", "o", "p", "e", "all", "release", "metric", "page",
    "preset", "pseudonym", "term", "app_label", "model_name", "field_name", "participants", "_changelist_filters",
    "created_at__gte", "is_late__exact", "assigned_item__item__kind__exact", "PROLIFIC_PID", "SESSION_ID", "format",
]  # fmt: skip
FIELDS = [
    "terms",
    "position", "key", "number", "label", "labels", "properties", "text", "response_ms", "came_as", "consent", "tries",
    "toml", "rules", "seed", "replicates", "why", "count", "capacity", "most_per_hour", "note", "pseudonym", "reason",
    "slug",
    "preset", "title", "fields", "expected", "min", "max", "study", "item_id", "platform_id", "username", "password",
    "action", "_selected_action", "i1-key", "i1-number", "comments", "judgments_per_item", "pay", "question",
    "spelling-0", "relation-0", "feature-0", "type-0", "seen-0", "was-0", "tick-0", "into", "merge", "allowed",
    "sample", "sample_seed", "metrics", "synonyms",
]  # fmt: skip
ROUTES = sorted(routes())


@pytest.fixture
def parts(client: Client) -> dict[str, list[str]]:
    """What is really there, by the route's beginning, so that walks come further than the first look-up."""
    study = a_study_of("slider")
    begin(client, study)
    person = study.participations.get()
    links = links_of(person)
    EntryLink.objects.create(study=study, kind=EntryLink.Kind.OPEN, token="open")
    board = publish_leaderboard(study=study, by=User.objects.create_superuser("publisher"))
    return {
        "/admin/results/": [str(study.uuid)],
        "/admin/annotation/study/": [str(study.pk)],
        "/admin/annotation/participation/": [str(person.pk)],
        "/admin/annotation/item/": [str(study.items.earliest("pk").pk)],
        "/leaderboard/": [board.token],
        "/take/": [study.slug],
        "/preview/": [study.slug],
        "/join/": ["open"],
        "/p/": [links["participation"].split("/")[2]],
        "/a/": [links["assignment"].split("/")[2]],
        "/withdraw/": [links["withdrawal"].split("/")[2]],
    }


@pytest.fixture
def browsers(client: Client) -> list[Client]:
    superuser = Client(raise_request_exception=False)
    superuser.force_login(User.objects.create_superuser("root"))
    return [Client(raise_request_exception=False), superuser]


def filled(route: str, there: dict[str, list[str]], values: list[str]) -> str:
    """The route with something in each part: first what is there, where it is known, then the values."""
    known = next((own for beginning, own in there.items() if route.startswith(beginning)), [])
    stock = iter([*known, *values, *["1"] * 4])
    return "{}".join(route.split("{}")).format(*(_in_a_path(next(stock)) for _ in range(route.count("{}"))))


def _in_a_path(value: str) -> str:
    return quote(value[:4_000].encode("utf-8", "surrogatepass"), safe="")


def _form(given: dict[str, str]) -> dict[str, str]:
    return {name: value.encode("utf-8", "replace").decode() for name, value in given.items()}


def refuse_500(response: Any, what: object) -> None:
    assert response.status_code < 500, (what, getattr(response, "exc_info", None))


@pytest.mark.parametrize("value", ["\x00", HUGE])
def test_every_address_with_this_in_all_its_parts(value: str, browsers: list[Client]) -> None:
    for route in ROUTES:
        path = filled(route, {}, [value] * 4)
        for browser in browsers:
            refuse_500(browser.get(path), path[:100])


@pytest.mark.parametrize("value", ["\x00", "9" * 5_000])
def test_every_address_with_this_in_its_query(value: str, parts: dict[str, list[str]], browsers: list[Client]) -> None:
    for route in ROUTES:
        path = filled(route, parts, [])
        refuse_500(browsers[1].get(path, dict.fromkeys(QUERIES, value)), path[:100])


@pytest.mark.parametrize("name", ["study", "status__exact", "release", "q"])
def test_lists_with_one_hostile_value_in_the_address(name: str, browsers: list[Client]) -> None:
    lists = [route for route in ROUTES if route.startswith("/admin/") and "{}" not in route and "logout" not in route]
    for path in lists:
        for value in ("\x00", HUGE):
            refuse_500(browsers[1].get(path, {name: value}), (path, name, value[:20]))


def hostile_requests() -> Iterator[Any]:
    values = st.sampled_from(HOSTILE) | st.text(max_size=20)
    yield st.sampled_from([route for route in ROUTES if "logout" not in route])
    yield st.lists(values, min_size=4, max_size=4)
    yield st.dictionaries(st.sampled_from(QUERIES), values, max_size=3)
    yield st.dictionaries(st.sampled_from(FIELDS), values, max_size=8)
    yield st.sampled_from(["GET", "POST", "JSON", "HEAD", "PUT"])
    yield st.booleans()


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.tuples(*hostile_requests()))
def test_any_address_with_any_values_is_answered(
    parts: dict[str, list[str]], browsers: list[Client], asked: tuple[Any, ...]
) -> None:
    route, values, query, form, method, is_superuser = asked
    there = parts if values[0] == "1" or len(values[0]) == 1 else {}
    path, browser = filled(route, there, values), browsers[is_superuser]
    query = _form(query)
    if method == "POST":
        response = browser.post(path, _form(form), query_params=query)
    elif method == "JSON":
        response = browser.post(path, json.dumps(form) + DEEP[:99], content_type="application/json", query_params=query)
    else:
        response = browser.generic(method, path, query_params=query)
    refuse_500(response, (method, path[:200], str(query)[:300], str(form)[:600]))
