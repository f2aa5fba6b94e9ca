"""What every platform answers: who has arrived, and how a person gets back with a code."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils.translation import gettext as _

from annotation.errors import TouchstoneError
from annotation.tokens import Frame

# What the platforms' ids are made of. A placeholder that was not filled in ({{%PROLIFIC_PID%}}) is none of it.
ID = re.compile(r"[A-Za-z0-9_.@~:+=-]{1,200}")


class BadArrival(TouchstoneError):
    """The address lacks what the platform should have added to it."""


class CantTell(TouchstoneError):
    """Whether the address is good can't be found out just now: the person should try again."""


class Outcome(StrEnum):
    """How taking part ended; each has a code of its own."""

    COMPLETED = "completed"
    NO_CONSENT = "no-consent"
    FAILED_COMPREHENSION = "failed-comprehension"


@dataclass(frozen=True, slots=True)
class Arrival:
    platform_id: str
    session_id: str = ""
    frame: Frame = Frame.NONE
    is_preview: bool = False
    is_verified: bool = False  # signed by the platform, or by an invitation of our own
    is_code_alone: bool = False  # the id is no secret and no session comes with it: the browser is given a secret


@dataclass(frozen=True, slots=True)
class Entrance:
    """Where somebody arrives: what a signature has to be meant for."""

    study_id: str  # the platform's id of the study
    host: str
    path: str


@dataclass(frozen=True, slots=True)
class Handback:
    """What is known at the end: the study's code and address, and the person's ids while they are kept."""

    outcome: Outcome
    code: str
    finish_url: str
    platform_id: str | None
    session_id: str | None
    frame: Frame


@dataclass(frozen=True, slots=True)
class Ending:
    """The way back: a link, or a form for the browser to post to `host`; and a code to copy where there is one."""

    code: str = ""
    link: str = ""
    post_to: str = ""
    host: str = ""
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Platform:
    name: str
    arrive: Callable[[Mapping[str, str]], Arrival]
    end: Callable[[Handback], Ending]
    # Where the platform can sign its links; a study may let in nobody without.
    arrive_signed: Callable[[Mapping[str, str], Entrance], Arrival] | None = None
    # What the researcher is told of how sure it is who comes.
    entry_notice: str = ""
    rejection_min_characters: int = 1  # of the message without which the platform takes no rejection


def needed(parameters: Mapping[str, str], name: str, platform: str) -> str:
    value = parameters.get(name, "").strip()  # an address that was copied by hand may end in a space
    if not ID.fullmatch(value):
        raise BadArrival(
            _("This address is incomplete: %(name)s is missing. Please open the study from %(platform)s again.")
            % {"name": name, "platform": platform}
        )
    return value
