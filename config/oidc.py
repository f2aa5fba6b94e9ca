"""Signing in by OpenID Connect: the providers in the file that TOUCHSTONE_OIDC_FILE names; none unless it is set."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

APPS = ["allauth", "allauth.account", "allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]
MIDDLEWARE = "allauth.account.middleware.AccountMiddleware"
NEEDED = ("id", "name", "server", "client_id", "client_secret")
OPTIONAL = ("log_in_origins",)


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
    if missing := [name for name in NEEDED if not table.get(name)]:
        raise ImproperlyConfigured(f"{where} lacks {', '.join(missing)}.")
    if unknown := sorted(set(table) - {*NEEDED, *OPTIONAL}):
        raise ImproperlyConfigured(f"{where} has {', '.join(unknown)}, which is not known.")
    addresses = cast("list[str]", table.get("log_in_origins")) or [str(table["server"])]
    origins = [_origin(where, address) for address in addresses]
    return Provider(**{name: str(table[name]) for name in NEEDED}, origins=tuple(dict.fromkeys(origins)))


def _origin(where: str, address: str) -> str:
    parts = urlsplit(str(address))
    if parts.scheme not in {"https", "http"} or not parts.netloc:
        raise ImproperlyConfigured(f"{where}: '{address}' is no address that begins with https://.")
    return f"{parts.scheme}://{parts.netloc}"


def for_allauth(listed: list[Provider]) -> dict[str, object]:
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
