"""Every address of the site, with something in place of each part that changes: for tests that walk them all."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RegexPattern, RoutePattern

# A path of the site by which parts it has: given what stands for each, the path.
Fill = Callable[[str], str]


def routes() -> Iterator[str]:
    """The route of every address, with a {} for each part that changes."""
    yield from dict.fromkeys(_routes(get_resolver().url_patterns, "/"))


def _routes(patterns: list[Any], before: str) -> Iterator[str]:
    for one in patterns:
        route = before + _with_braces(one.pattern)
        if isinstance(one, URLResolver):
            yield from _routes(one.url_patterns, route)
        elif isinstance(one, URLPattern):
            yield route


def _with_braces(pattern: RoutePattern | RegexPattern) -> str:
    if isinstance(pattern, RoutePattern):
        parts = str(pattern).split("<")
        return parts[0] + "".join("{}" + part.partition(">")[2] for part in parts[1:])
    # The only ones: the admin's last resort, and pictures by their hash.
    return re.sub(r"\(\?P<[^)]*\)", "{}", pattern.regex.pattern.strip("^$"))
