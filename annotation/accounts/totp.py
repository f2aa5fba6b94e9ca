"""Codes of authenticator apps: RFC 6238 (time-based) over RFC 4226 (HMAC-SHA-1, six digits, steps of 30 seconds)."""

import base64
import hashlib
import hmac
from urllib.parse import quote, urlencode

from django.utils.crypto import salted_hmac

STEP_SECONDS = 30
DIGITS = 6
SECRET_BYTES = 20  # RFC 4226, section 4: 160 bits
# A clock that is wrong by half a minute, or a code that was typed slowly, still works.
STEPS_OFF = 1


def secret_of(nonce: str) -> bytes:
    """The secret that an app is given: it follows from SECRET_KEY and a random nonce, so it is stored nowhere."""
    return salted_hmac("touchstone.second-factor", nonce, algorithm="sha256").digest()[:SECRET_BYTES]


def code_at(secret: bytes, step: int, digits: int = DIGITS) -> str:
    """The code of one step.

    >>> code_at(b"12345678901234567890", 59 // STEP_SECONDS, digits=8)  # RFC 6238, appendix B
    '94287082'
    """
    digest = hmac.digest(secret, step.to_bytes(8, "big"), hashlib.sha1)
    offset = digest[-1] & 0xF  # RFC 4226, section 5.3: where the last four bits point to
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**digits).zfill(digits)


def step_of(secret: bytes, code: str, now: float) -> int | None:
    """The step whose code this is, among those that may be meant now; None where it is none of them."""
    current = int(now // STEP_SECONDS)
    steps = range(current - STEPS_OFF, current + STEPS_OFF + 1)
    found = [step for step in steps if hmac.compare_digest(code_at(secret, step).encode(), code.encode())]
    return found[-1] if found else None


def shown_secret(secret: bytes) -> str:
    """As apps take it, for those who can't scan: base32 in groups of four."""
    text = base64.b32encode(secret).decode()
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def address_for_apps(secret: bytes, name: str, site: str) -> str:
    """What the QR code says: the `otpauth` address that all authenticator apps read."""
    query = {"secret": base64.b32encode(secret).decode().rstrip("="), "issuer": site}
    return f"otpauth://totp/{quote(site)}:{quote(name)}?{urlencode(query, quote_via=quote)}"
