"""Every address of the site as each role finds it: what tests/cases/permissions/*.csv say, observed."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

FOLDER = Path(__file__).parent / "cases" / "permissions"
PART = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)")
API = "/api/v1/"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
Ask = Callable[[str, str], Any]


@dataclass(frozen=True, slots=True)
class Address:
    """One pattern of the map of addresses, and the methods by which it is walked."""

    route: str
    methods: tuple[str, ...]

    def filled(self, parts: Callable[[str, str], str]) -> str:
        """With a value for each part; `parts` is given the route and the part's name."""
        path = PART.sub(lambda found: parts(self.route, found[1] or found[2]), self.route)
        return path.replace("^", "").replace("$", "")


def addresses() -> Iterator[Address]:
    yield from dict.fromkeys(_below(get_resolver().url_patterns, "/"))


def _below(patterns: list[Any], before: str) -> Iterator[Address]:
    for one in patterns:
        route = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from _below(one.url_patterns, route)
        elif isinstance(one, URLPattern):
            yield Address(route, _methods(one.callback))


def _methods(view: Any) -> tuple[str, ...]:
    """Those that a view of the API has; a page is asked by GET and POST."""
    kind = getattr(view, "view_class", None) or getattr(view, "cls", None)
    if kind is None:
        return ("GET", "POST")
    return tuple(
        method for method in METHODS if hasattr(kind, method.lower()) and method.lower() in kind.http_method_names
    )


@dataclass(slots=True)
class Answer:
    """What a role got: a status, `login` where it was sent to the log-in page, and the whole of the body."""

    word: str
    body: bytes = field(repr=False)


def asked(ask: Ask, method: str, path: str) -> Answer:
    """Asks, and takes back whatever the request has changed."""
    with transaction.atomic():
        response = ask(method, path)
        body = b"".join(response.streaming_content) if response.streaming else response.content
        transaction.set_rollback(True)
    where = response.headers.get("Location", "")
    is_login = response.status_code == 302 and where.startswith("/admin/login/")
    return Answer("login" if is_login else str(response.status_code), body)


def browser(client: Client) -> Ask:
    def ask(method: str, path: str) -> Any:
        client.raise_request_exception = False
        return client.generic(method, path)

    return ask


def script(client: Client, token: str) -> Ask:
    headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(method: str, path: str) -> Any:
        client.raise_request_exception = False
        body: dict[str, Any] = {} if method == "GET" else {"data": "{}", "content_type": "application/json"}
        more = {**headers, "Idempotency-Key": f"{method} {path}"[:190]} if method == "POST" else headers
        return client.generic(method, path, headers=more, **body)

    return ask


# The tables: one row for each method of each address, one column for each role.


def read(name: str) -> dict[tuple[str, str], dict[str, str]]:
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return {(row.pop("method"), row.pop("address")): row for row in csv.DictReader(file)}


def written(rows: Mapping[tuple[str, str], Mapping[str, str]]) -> str:
    out = io.StringIO()
    columns = list(next(iter(rows.values())))
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["method", "address", *columns])
    for (method, address), row in sorted(rows.items(), key=lambda one: (one[0][1], one[0][0])):
        writer.writerow([method, address, *(row[column] for column in columns)])
    return out.getvalue()


def differences(expected: Mapping[Any, Mapping[str, str]], found: Mapping[Any, Mapping[str, str]]) -> list[str]:
    """What has no row, what is gone, and whose cell is another, in sentences."""
    told = [f"{method} {address} has no row" for method, address in found.keys() - expected.keys()]
    told += [f"{method} {address} has a row and is not there" for method, address in expected.keys() - found.keys()]
    for key in found.keys() & expected.keys():
        told += [
            f"{' '.join(key)}: {role} gets {word}, the table says {expected[key].get(role)}"
            for role, word in found[key].items()
            if expected[key].get(role) != word
        ]
    return sorted(told)
