"""Reads settings from environment variables, and says which one is wrong and what it must look like."""

import os
from collections.abc import Mapping
from pathlib import Path
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
SQLITE_OPTIONS = {
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


POSTGRESQL_OPTIONS: dict[str, object] = {
    # A server that has gone without a word is given up after so long: seconds to connect, then milliseconds.
    "connect_timeout": "5",
    "tcp_user_timeout": "30000",
    # psycopg has a statement planned once a connection, not each time, when it comes for the sixth time. Planning took
    # more than half of the processor's time of a saved answer: 3.0 ms a request without this, 1.7 ms with it.
    "server_side_binding": True,
    "prepare_threshold": 5,
}


def database(url: str) -> dict[str, object]:
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
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": query.pop("host", unquote(parts.hostname or "")),
            "PORT": query.pop("port", str(parts.port or "")),
            "CONN_MAX_AGE": KEPT_SECONDS,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": {**POSTGRESQL_OPTIONS, **query, **_preparing(query)},
        }
    raise ImproperlyConfigured(f"{PREFIX}DATABASE_URL begins with '{parts.scheme}': use sqlite:/// or postgresql://.")


def _preparing(query: Mapping[str, str]) -> dict[str, int | None]:
    """`prepare_threshold` as psycopg wants it; `none` is for poolers that keep no prepared statements.

    >>> _preparing({}), _preparing({"prepare_threshold": "none"}), _preparing({"prepare_threshold": "2"})
    ({}, {'prepare_threshold': None}, {'prepare_threshold': 2})
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
