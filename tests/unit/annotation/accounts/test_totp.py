"""Codes of authenticator apps, against the published vectors."""

import base64
from urllib.parse import parse_qs, urlsplit

import pytest

from annotation.accounts.researcher_accounts import address_for_apps, code_at, secret_of, shown_secret, step_of

SECRET = b"12345678901234567890"
# RFC 6238, appendix B, the rows of SHA-1.
VECTORS = [
    (59, "94287082"),
    (1111111109, "07081804"),
    (1111111111, "14050471"),
    (1234567890, "89005924"),
    (2000000000, "69279037"),
    (20000000000, "65353130"),
]
# RFC 4226, appendix D.
COUNTED = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]


@pytest.mark.parametrize(("seconds", "code"), VECTORS)
def test_code_is_that_of_rfc_6238(seconds: int, code: str) -> None:
    assert code_at(SECRET, seconds // 30, digits=8) == code


def test_code_is_that_of_rfc_4226() -> None:
    assert [code_at(SECRET, step) for step in range(10)] == COUNTED


@pytest.mark.parametrize(("late_by", "is_taken"), [(-61, False), (-30, True), (0, True), (30, True), (60, False)])
def test_code_may_be_half_a_minute_off(late_by: int, *, is_taken: bool) -> None:
    now = 1_000_000_000 // 30 * 30 + 0.5
    assert (step_of(SECRET, code_at(SECRET, int(now // 30)), now + late_by) is not None) == is_taken


@pytest.mark.parametrize("code", ["", "28708", "2870822", "٢٨٧٠٨٢", "abcdef"])
def test_what_is_no_code_is_none(code: str) -> None:
    assert step_of(SECRET, code, 59.0) is None


def test_address_says_the_secret_the_site_and_the_name() -> None:
    address = urlsplit(address_for_apps(SECRET, "ada & co", "Touchstone"))
    assert (address.scheme, address.netloc, address.path) == ("otpauth", "totp", "/Touchstone:ada%20%26%20co")
    assert parse_qs(address.query) == {"secret": [base64.b32encode(SECRET).decode()], "issuer": ["Touchstone"]}
    assert shown_secret(SECRET).replace(" ", "") == base64.b32encode(SECRET).decode()


def test_secret_follows_from_the_nonce_and_the_key_of_the_site(settings: object) -> None:
    before = secret_of("nonce")
    assert len(before) == 20
    assert before == secret_of("nonce") != secret_of("another")
    settings.SECRET_KEY = "another key"  # type: ignore[attr-defined]
    assert secret_of("nonce") != before
