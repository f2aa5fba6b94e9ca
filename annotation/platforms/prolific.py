"""Prolific: its parameters, its signed links and the keys that they are checked by."""

import http.client
import json
import logging
import threading
import time
import urllib.request
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from urllib.parse import urlencode, urlsplit

import jwt
from django.conf import settings
from django.utils.translation import gettext as _
from jwt import PyJWK, PyJWTError

from agreement.errors import TouchstoneError
from annotation.platforms.shape import ID, Arrival, BadArrival, CantTell, Ending, Entrance, Handback, Platform, needed

# Prolific's public keys, with which it signs its links: fetched when they are needed, and kept in this process.

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
            self._keys = _keys_in(_fetched_json(self._url))
        except (OSError, http.client.HTTPException, ValueError, TypeError, PyJWTError) as error:
            logger.warning("Prolific's keys at %s can't be fetched: %s: %s", self._url, type(error).__name__, error)
            self._has_failed = True
        else:
            self._has_failed, self._fetched_at = False, time.monotonic()
        self._asked_at = time.monotonic()


@cache
def keys_at(url: str) -> KeySet:
    return KeySet(url)


def _fetched_json(url: str) -> object:
    with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as reply:  # noqa: S310  the settings take web addresses alone
        answer: object = json.loads(reply.read(MOST_BYTES))
        return answer


def _keys_in(answer: object) -> dict[str, PyJWK]:
    """The RSA keys for signatures; others are passed over."""
    if not isinstance(answer, dict) or not isinstance(answer.get("keys"), list):
        raise TypeError("the answer has no list of keys")
    known = [key for key in answer["keys"] if isinstance(key, dict) and isinstance(key.get("kid"), str)]
    return {
        key["kid"]: PyJWK(key, algorithm="RS256")
        for key in known
        if key.get("kty") == "RSA" and key.get("use", "sig") == "sig" and key.get("alg", "RS256") == "RS256"
    }


# Prolific's signed links (Secured External URL): a token in the address says who comes, to which study, signed.

PARAMETER = "prolific_token"
ISSUER = "https://www.prolific.com"
ALGORITHM = "RS256"  # pinned: the token doesn't choose how it is checked
CLOCKS_DIFFER_SECONDS = 10
LONGEST = 8000


def arrive_signed(parameters: Mapping[str, str], entrance: Entrance) -> Arrival:
    """Who comes, as Prolific has signed it. The plain ids beside the token prove nothing, and have to agree with it."""
    token = parameters.get(PARAMETER, "").strip()
    if not token:
        raise BadArrival(_("This study accepts only signed links from Prolific. Please open it from Prolific again."))
    claims = _claims(token)
    named = claims.get("prolific")
    session = str(claims.get("sub", ""))
    if not isinstance(named, dict) or not _is_meant_for(claims["aud"], entrance):
        raise BadArrival(_("This link is for another study. Please open this study from Prolific again."))
    signed = {name: str(value) for name, value in named.items()}
    if not entrance.study_id or signed.get("STUDY_ID") != entrance.study_id:
        raise BadArrival(_("This link is for another study. Please open this study from Prolific again."))
    person = signed.get("PROLIFIC_PID", "")
    ids = {"PROLIFIC_PID": person, "STUDY_ID": entrance.study_id, "SESSION_ID": session}
    differs = any(parameters.get(name, value).strip() != value for name, value in ids.items())
    if differs or signed.get("SESSION_ID", session) != session or not ID.fullmatch(person) or not ID.fullmatch(session):
        raise BadArrival(_("The parts of this link don't match. Please open the study from Prolific again."))
    return Arrival(platform_id=person, session_id=session, is_verified=True)


def _claims(token: str) -> dict[str, object]:
    """What the token says, once its signature and its time are found to be good."""
    try:
        header = jwt.get_unverified_header(token) if len(token) <= LONGEST else {}
        if header.get("alg") != ALGORITHM or not isinstance(header.get("kid"), str):
            raise jwt.InvalidAlgorithmError("not an RS256 token with a key's id")
        key = keys_at(settings.PROLIFIC_JWKS_URL).find(header["kid"])
        if key is None:
            raise jwt.InvalidKeyError("no key of Prolific")
        claims: dict[str, object] = jwt.decode(
            token,
            key,
            algorithms=[ALGORITHM],
            leeway=CLOCKS_DIFFER_SECONDS,
            options={"require": ["exp", "aud", "sub"], "verify_aud": False},  # _is_meant_for looks at it
        )
    except jwt.ExpiredSignatureError as error:
        raise BadArrival(_("This link has expired. Please open the study from Prolific again.")) from error
    except KeysOutOfReach as error:
        raise CantTell(
            _("Your link can't be checked with Prolific at the moment. Please try again in a minute.")
        ) from error
    except (jwt.PyJWTError, ValueError, TypeError) as error:
        raise BadArrival(
            _("The signature of this link is not Prolific's. Please open the study from Prolific again.")
        ) from error
    if str(claims.get("iss", ISSUER)).rstrip("/") != ISSUER:
        raise BadArrival(_("The signature of this link is not Prolific's. Please open the study from Prolific again."))
    return claims


def _is_meant_for(audience: object, entrance: Entrance) -> bool:
    """Whether one of the audiences is this site, or this very address: Prolific names the tool's domain or its URL."""
    return any(_is_here(each, entrance) for each in (audience if isinstance(audience, list) else [audience]))


def _is_here(audience: object, entrance: Entrance) -> bool:
    if not isinstance(audience, str):
        return False
    try:
        parts = urlsplit(audience if "://" in audience else f"//{audience}")
        host = parts.hostname
    except ValueError:
        return False
    path = parts.path.rstrip("/")
    return host == entrance.host and path in {"", entrance.path.rstrip("/")}


# Prolific: three ids come in the address; people go back by a link with the study's code.

HOME = "https://app.prolific.com/"
COMPLETE = "https://app.prolific.com/submissions/complete"


def _arrive(parameters: Mapping[str, str]) -> Arrival:
    # SESSION_ID is the submission's id: the same person with another one is taking part a second time.
    return Arrival(
        platform_id=needed(parameters, "PROLIFIC_PID", "Prolific"),
        session_id=needed(parameters, "SESSION_ID", "Prolific"),
    )


def _end(handback: Handback) -> Ending:
    if not handback.code:
        return Ending()
    return Ending(code=handback.code, link=f"{COMPLETE}?{urlencode({'cc': handback.code})}")


def _give_back() -> str:
    return _("Please return your submission on Prolific.")


# https://docs.prolific.com, transition of a submission: REJECT needs a message of 100 characters or more.
PLATFORM = Platform(
    key="prolific",
    order=1,
    title="Prolific",
    name="Prolific",
    arrive=_arrive,
    end=_end,
    give_back=_give_back,
    home=HOME,
    arrive_signed=arrive_signed,
    link_query="PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}",
    link_instructions="Paste it into “What is the URL of your study?” on Prolific, and choose URL parameters.",
    signed_link_instructions=("Switch on “Secured External URL” too: nobody can start without Prolific's signature."),
    secret_parameters=("PROLIFIC_PID", "SESSION_ID", PARAMETER),
    # Per hour, on the median time: https://researcher-help.prolific.com (How much should I pay?)
    pay_floors={"GBP": Decimal(6), "USD": Decimal(8)},
    # https://researcher-help.prolific.co (How to Resolve an Underpaying Study): about 33.33 % of every payment, and VAT
    fee_percent=Decimal("33.33"),
    fee_notice="Prolific charges about 33.33 % of every payment; VAT comes on top of its fee where it applies.",
    completed_by=("code_completed",),
    simulated_parameters={"PROLIFIC_PID": "{}", "SESSION_ID": "{}", "STUDY_ID": "simulated"},
    rejection_min_characters=100,
    entry_notice=(
        "Without Prolific's signature the ids in the address can be made up: people count as unverified. Switch on"
        " “Secured External URL” on Prolific, then require signed links under Pay and platform."
    ),
)
