"""Prolific's public keys, with which it signs its links: fetched when they are needed, and kept in this process."""

import http.client
import json
import logging
import threading
import time
import urllib.request
from functools import cache
from typing import Any

from jwt import PyJWK, PyJWTError

from annotation.errors import TouchstoneError

logger = logging.getLogger(__name__)
TIMEOUT_SECONDS = 3
MOST_BYTES = 100_000
# https://docs.prolific.com, Retrieve JSON Web Key Set: to be updated at least daily.
FRESH_SECONDS = 24 * 3600
# Who sends keys that nobody knows makes us ask no more often than this.
ASK_AGAIN_SECONDS = 60
AFTER_FAILURE_SECONDS = 10


class KeysOutOfReach(TouchstoneError):
    """The keys can't be had at the moment, so nobody can say whether a link is signed by Prolific."""


class KeySet:
    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._keys: dict[str, PyJWK] = {}
        self._asked_at: float | None = None
        self._fetched_at = 0.0
        self._has_failed = False

    def find(self, key_id: str) -> PyJWK | None:
        """The key of this id; none: Prolific has none such. Raises KeysOutOfReach where that can't be said."""
        if self._is_due(key_id, time.monotonic()):
            self._fetch_once(key_id)
        if key_id not in self._keys and self._has_failed:
            raise KeysOutOfReach("Prolific's keys can't be fetched at the moment.")
        return self._keys.get(key_id)

    def _fetch_once(self, key_id: str) -> None:
        """One thread asks and the others wait for what it is told; but not where asking has failed before, for they
        are needed by the people who are answering.
        """
        if not self._lock.acquire(blocking=not self._has_failed):
            return
        try:
            if self._is_due(key_id, time.monotonic()):
                self._fetch()
        finally:
            self._lock.release()

    def _is_due(self, key_id: str, now: float) -> bool:
        wait = AFTER_FAILURE_SECONDS if self._has_failed else ASK_AGAIN_SECONDS
        if self._asked_at is not None and now - self._asked_at < wait:
            return False
        return key_id not in self._keys or now - self._fetched_at > FRESH_SECONDS

    def _fetch(self) -> None:
        try:
            self._keys = _keys_in(_fetched(self._url))
        except (OSError, http.client.HTTPException, ValueError, TypeError, PyJWTError) as error:
            logger.warning("Prolific's keys at %s can't be fetched: %s: %s", self._url, type(error).__name__, error)
            self._has_failed = True
        else:
            self._has_failed, self._fetched_at = False, time.monotonic()
        self._asked_at = time.monotonic()


@cache
def keys_at(url: str) -> KeySet:
    return KeySet(url)


def _fetched(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as reply:  # noqa: S310  the settings take web addresses alone
        return json.loads(reply.read(MOST_BYTES))


def _keys_in(answer: Any) -> dict[str, PyJWK]:
    """The RSA keys for signatures; others are passed over."""
    if not isinstance(answer, dict) or not isinstance(answer.get("keys"), list):
        raise TypeError("the answer has no list of keys")
    known = [key for key in answer["keys"] if isinstance(key, dict) and isinstance(key.get("kid"), str)]
    return {
        key["kid"]: PyJWK(key, algorithm="RS256")
        for key in known
        if key.get("kty") == "RSA" and key.get("use", "sig") == "sig" and key.get("alg", "RS256") == "RS256"
    }
