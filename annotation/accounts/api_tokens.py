"""How API tokens are written: `tst_`, 43 random characters, and a checksum that only this site can make.

With the checksum the site tells, without asking the database, a token of its own from a text that somebody made up:
only whoever has one may send a large body (annotation/accounts/request_bodies.py).
"""

import hashlib
import hmac
import re
import secrets

from django.utils.crypto import salted_hmac

PREFIX = "tst_"
CHECKSUM = 10
FORM = re.compile(rf"{PREFIX}([A-Za-z0-9_-]{{43}})([0-9a-f]{{{CHECKSUM}}})")


def new_text() -> str:
    secret = secrets.token_urlsafe(32)
    return f"{PREFIX}{secret}{_checksum(secret)}"


def is_own_token(text: str) -> bool:
    """Whether a token of this text may have been made here; whether it still holds, the database says."""
    parts = FORM.fullmatch(text)
    return parts is not None and hmac.compare_digest(_checksum(parts[1]), parts[2])


def digest_of(text: str) -> str:
    """What is stored. A plain hash is enough for 256 random bits: there is nothing to guess."""
    return hashlib.sha256(text.encode()).hexdigest()


def token_in_header(authorization: str) -> str:
    """The token in a header `Authorization: Bearer …`, or nothing."""
    kind, _, text = authorization.strip().partition(" ")
    return text.strip() if kind.lower() == "bearer" else ""


def _checksum(secret: str) -> str:
    return salted_hmac("touchstone.api_token", secret, algorithm="sha256").hexdigest()[:CHECKSUM]
