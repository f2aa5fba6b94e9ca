"""Settings from environment variables and, for signing in by OpenID Connect, from the file that one of them names."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypedDict, cast
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

PREFIX = "TOUCHSTONE_"
TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off", ""}


def text(name: str, default: str = "", environ: Mapping[str, str] = os.environ) -> str:
    return environ.get(PREFIX + name, default).strip()


def words(name: str, default: str = "", environ: Mapping[str, str] = os.environ) -> list[str]:
    return [word.strip() for word in text(name, default, environ).split(",") if word.strip()]


def switch(name: str, *, default: bool, environ: Mapping[str, str] = os.environ) -> bool:
    word = text(name, "1" if default else "0", environ).lower()
    if word not in TRUE_WORDS | FALSE_WORDS:
        raise ImproperlyConfigured(f"{PREFIX}{name} is '{word}': write 1 or 0.")
    return word in TRUE_WORDS


def number(name: str, default: int, environ: Mapping[str, str] = os.environ) -> int:
    word = text(name, str(default), environ)
    if not word.isdecimal():
        raise ImproperlyConfigured(f"{PREFIX}{name} is '{word}': write a whole number.")
    return int(word)


def web_address(name: str, default: str, environ: Mapping[str, str] = os.environ) -> str:
    address = text(name, default, environ)
    parts = urlsplit(address)
    if parts.scheme not in {"https", "http"} or not parts.hostname:
        raise ImproperlyConfigured(f"{PREFIX}{name} is '{address}': write an address that begins with https://.")
    return address


# For so long a thread keeps its connection from request to request.
KEPT_SECONDS = 60
Options: TypeAlias = dict[str, str | int | bool | None]  # what the database's driver is told
SQLITE_OPTIONS: Options = {
    # Immediate: a transaction that reads and then writes takes the write lock at once, instead of failing half-way
    # with "database is locked" when another writer came between.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    # FULL: what a form has shown as saved survives a power cut, not only a crash of the process.
    # What is deleted is written over with zeros: erased answers are not left in the file.
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON;"
    ),
}


POSTGRESQL_OPTIONS: Options = {
    # A server that has gone without a word is given up after so long: seconds to connect, then milliseconds.
    "connect_timeout": "5",
    "tcp_user_timeout": "30000",
    # psycopg has a statement planned once a connection, not each time, when it comes for the sixth time. Planning took
    # more than half of the processor's time of a saved answer: 3.0 ms a request without this, 1.7 ms with it.
    "server_side_binding": True,
    "prepare_threshold": 5,
}


class Database(TypedDict, total=False):
    """One of Django's DATABASES; SQLite has no need of most of it."""

    ENGINE: str
    NAME: str | Path
    USER: str
    PASSWORD: str
    HOST: str
    PORT: str
    CONN_MAX_AGE: int
    CONN_HEALTH_CHECKS: bool
    OPTIONS: Options


def database(url: str) -> Database:
    """Django's database settings from `sqlite:///path` or `postgresql://user:password@host:port/name?host=/socket`."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        path = unquote(url.removeprefix("sqlite:///"))
        if not path or path == url:
            raise ImproperlyConfigured(f"{PREFIX}DATABASE_URL is '{url}': write sqlite:/// and a file's path.")
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": Path(path),
            # The last connection that closes writes the log back into the file, which takes longer than a whole answer.
            "CONN_MAX_AGE": KEPT_SECONDS,
            "OPTIONS": dict(SQLITE_OPTIONS),
        }
    if parts.scheme in {"postgresql", "postgres"}:
        query = dict(parse_qsl(parts.query))
        return {
            "ENGINE": "annotation.database.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": query.pop("host", unquote(parts.hostname or "")),
            "PORT": query.pop("port", str(parts.port or "")),
            "CONN_MAX_AGE": KEPT_SECONDS,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": {**POSTGRESQL_OPTIONS, **query, **_prepare_threshold(query)},
        }
    raise ImproperlyConfigured(f"{PREFIX}DATABASE_URL begins with '{parts.scheme}': use sqlite:/// or postgresql://.")


def _prepare_threshold(query: Mapping[str, str]) -> dict[str, int | None]:
    """`prepare_threshold` as psycopg wants it; `none` is for poolers that keep no prepared statements.

    >>> [_prepare_threshold(query) for query in ({}, {"prepare_threshold": "none"}, {"prepare_threshold": "2"})]
    [{}, {'prepare_threshold': None}, {'prepare_threshold': 2}]
    """
    threshold = query.get("prepare_threshold")
    if threshold is None:
        return {}
    if threshold == "none":
        return {"prepare_threshold": None}
    if not (threshold.isascii() and threshold.isdecimal()):
        raise ImproperlyConfigured(
            f"{PREFIX}DATABASE_URL has prepare_threshold={threshold}: write none or a whole number."
        )
    return {"prepare_threshold": int(threshold)}


# Signing in by OpenID Connect: the providers in the file that TOUCHSTONE_OIDC_FILE names; none unless it is set.

OIDC_APPS = ["allauth", "allauth.account", "allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]
OIDC_MIDDLEWARE = "allauth.account.middleware.AccountMiddleware"
NEEDED_OF_PROVIDER = ("id", "name", "server", "client_id", "client_secret")
OPTIONAL_OF_PROVIDER = ("log_in_origins",)


@dataclass(frozen=True, slots=True)
class Provider:
    """`origins` are those that its log-in pages have: a browser lets our form lead to no other."""

    id: str
    name: str
    server: str
    client_id: str
    client_secret: str
    origins: tuple[str, ...]


def providers(path: str) -> list[Provider]:
    """The file's `[[provider]]` tables; nothing without a file."""
    if not path:
        return []
    try:
        with Path(path).open("rb") as file:
            tables = tomllib.load(file).get("provider", [])
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ImproperlyConfigured(f"TOUCHSTONE_OIDC_FILE is '{path}', which can't be read: {error}.") from error
    if not tables:
        raise ImproperlyConfigured(f"TOUCHSTONE_OIDC_FILE is '{path}', which has no [[provider]].")
    return [_provider(path, number, table) for number, table in enumerate(tables, start=1)]


def _provider(path: str, number: int, table: dict[str, object]) -> Provider:
    where = f"{path}, provider {number}"
    if missing := [name for name in NEEDED_OF_PROVIDER if not table.get(name)]:
        raise ImproperlyConfigured(f"{where} lacks {', '.join(missing)}.")
    if unknown := sorted(set(table) - {*NEEDED_OF_PROVIDER, *OPTIONAL_OF_PROVIDER}):
        raise ImproperlyConfigured(f"{where} has {', '.join(unknown)}, which is not known.")
    addresses = cast("list[str]", table.get("log_in_origins")) or [str(table["server"])]
    origins = [_origin(where, address) for address in addresses]
    return Provider(**{name: str(table[name]) for name in NEEDED_OF_PROVIDER}, origins=tuple(dict.fromkeys(origins)))


def _origin(where: str, address: str) -> str:
    parts = urlsplit(str(address))
    if parts.scheme not in {"https", "http"} or not parts.netloc:
        raise ImproperlyConfigured(f"{where}: '{address}' is no address that begins with https://.")
    return f"{parts.scheme}://{parts.netloc}"


def allauth_providers(listed: list[Provider]) -> dict[str, object]:
    """SOCIALACCOUNT_PROVIDERS: addresses by discovery, and PKCE always."""
    apps = [
        {
            "provider_id": one.id,
            "name": one.name,
            "client_id": one.client_id,
            "secret": one.client_secret,
            "settings": {"server_url": one.server},
        }
        for one in listed
    ]
    return {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": apps}}
