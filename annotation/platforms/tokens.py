"""Signed links: who may open which participation, assignment or withdrawal, with no cookie and no session."""

import base64
import binascii
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.core.signing import BadSignature, Signer

from agreement.errors import TouchstoneError


class BadToken(TouchstoneError):
    """The link was not made here, or it was cut short when it was copied."""


class Purpose(StrEnum):
    """What a token opens. Each purpose has a salt of its own, so that one kind can't be passed off as another."""

    PARTICIPATION = "participation"
    ASSIGNMENT = "assignment"
    WITHDRAWAL = "withdrawal"


class Frame(StrEnum):
    """Where the pages are shown: on their own, or inside a page of MTurk, whose two hosts are named nowhere else."""

    NONE = "n"
    MTURK = "m"
    MTURK_SANDBOX = "s"


@dataclass(frozen=True, slots=True)
class Token:
    uuid: UUID
    version: int = 1
    frame: Frame = Frame.NONE


def sign_token(purpose: Purpose, token: Token) -> str:
    uuid = base64.urlsafe_b64encode(token.uuid.bytes).decode().rstrip("=")
    return _signer(purpose).sign(f"{uuid}.{token.frame}{token.version}")


def read_token(purpose: Purpose, text: str) -> Token:
    """What was signed. Whether it still holds (its version, the study's state) is for the database to say."""
    try:
        uuid, rest = _signer(purpose).unsign(text).split(".")
        return Token(UUID(bytes=base64.urlsafe_b64decode(uuid + "==")), int(rest[1:]), Frame(rest[0]))
    except (BadSignature, ValueError, IndexError, binascii.Error) as error:
        raise BadToken("This link is not valid.") from error


def _signer(purpose: Purpose) -> Signer:
    return Signer(salt=f"touchstone.{purpose}", sep=".")
