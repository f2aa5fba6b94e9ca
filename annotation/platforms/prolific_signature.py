"""Prolific's signed links (Secured External URL): a token in the address says who comes, to which study, signed."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import jwt
from django.conf import settings
from django.utils.translation import gettext as _

from annotation.platforms.prolific_keys import KeysOutOfReach, keys_at
from annotation.platforms.shape import ID, Arrival, BadArrival, CantTell, Entrance

PARAMETER = "prolific_token"
ISSUER = "https://www.prolific.com"
ALGORITHM = "RS256"  # pinned: the token doesn't choose how it is checked
CLOCKS_DIFFER_SECONDS = 10
LONGEST = 8000


def arrive_signed(parameters: Mapping[str, str], entrance: Entrance) -> Arrival:
    """Who comes, as Prolific has signed it. The plain ids beside the token prove nothing, and have to agree with it."""
    token = parameters.get(PARAMETER, "").strip()
    if not token:
        raise BadArrival(
            _(
                "This study lets in only people whom Prolific sends with a signed link. Please open it from Prolific"
                " again."
            )
        )
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
        raise BadArrival(_("The parts of this link don't belong together. Please open the study from Prolific again."))
    return Arrival(platform_id=person, session_id=session, is_verified=True)


def _claims(token: str) -> dict[str, Any]:
    """What the token says, once its signature and its time are found to be good."""
    try:
        header = jwt.get_unverified_header(token) if len(token) <= LONGEST else {}
        if header.get("alg") != ALGORITHM or not isinstance(header.get("kid"), str):
            raise jwt.InvalidAlgorithmError("not an RS256 token with a key's id")
        key = keys_at(settings.PROLIFIC_JWKS_URL).find(header["kid"])
        if key is None:
            raise jwt.InvalidKeyError("no key of Prolific")
        claims: dict[str, Any] = jwt.decode(
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


def _is_meant_for(audience: Any, entrance: Entrance) -> bool:
    """Whether one of the audiences is this site, or this very address: Prolific names the tool's domain or its URL."""
    return any(_is_here(each, entrance) for each in (audience if isinstance(audience, list) else [audience]))


def _is_here(audience: Any, entrance: Entrance) -> bool:
    try:
        parts = urlsplit(audience if "://" in audience else f"//{audience}")
        host = parts.hostname
    except (TypeError, ValueError):
        return False
    path = parts.path.rstrip("/")
    return host == entrance.host and path in {"", entrance.path.rstrip("/")}
