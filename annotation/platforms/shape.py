"""What every platform answers: who has arrived, and how a person gets back with a code."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum

from django.utils.translation import gettext as _

from agreement.errors import TouchstoneError
from annotation.platforms.tokens import Frame

# What the platforms' ids are made of. A placeholder that was not filled in ({{%PROLIFIC_PID%}}) is none of it.
ID = re.compile(r"[A-Za-z0-9_.@~:+=-]{1,200}")


class BadArrival(TouchstoneError):
    """The address lacks what the platform should have added to it."""


class CantTell(TouchstoneError):
    """Whether the address is good can't be found out just now: the person should try again."""


class Outcome(StrEnum):
    """How taking part ended. The first four have a code of their own in the study."""

    COMPLETED = "completed"
    NO_CONSENT = "no-consent"
    FAILED_COMPREHENSION = "failed-comprehension"
    FAILED_QUALIFICATION = "failed-qualification"
    NOTHING_LEFT = "nothing-left"
    OUT_OF_TIME = "out-of-time"
    WITHDRAWN = "withdrawn"
    TURNED_AWAY = "turned-away"
    LEFT = "left"  # the platform knows already: returned, timed out or rejected there

    @property
    def must_be_given_back(self) -> bool:
        """Whether the platform still waits for this person, who will not finish."""
        return self not in {Outcome.COMPLETED, Outcome.LEFT}


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
    """The way back: a link, or a form for the browser to post to `host`; and a code to copy where there is one.

    Where there is none of them, `words` say what to do on the platform.
    """

    code: str = ""
    words: str = ""
    link: str = ""
    post_to: str = ""
    host: str = ""
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Platform:
    """All that differs between platforms. A new one is a module of this folder with a `PLATFORM`, and one migration."""

    key: str  # what is stored
    order: int  # in lists
    title: str  # in lists for researchers
    name: str  # in sentences
    arrive: Callable[[Mapping[str, str]], Arrival]
    end: Callable[[Handback], Ending]
    give_back: Callable[[], str]  # how to give a submission back on the platform, in the language of the moment
    home: str = ""  # where a submission is given back
    # Where the platform can sign its links; a study may let in nobody without.
    arrive_signed: Callable[[Mapping[str, str], Entrance], Arrival] | None = None
    # What the researcher pastes on the platform: the query of the study's address, with the platform's placeholders
    # (none where it adds its parameters unasked), and where to paste it.
    link_query: str = ""
    link_instructions: str = ""
    signed_link_instructions: str = ""  # said beside them where the study requires signed links
    # What the researcher is told of how sure it is who comes.
    entry_notice: str = ""
    secret_parameters: tuple[str, ...] = ()  # of its links: never in a log
    rejection_min_characters: int = 1  # of the message without which the platform takes no rejection
    pay_floors: Mapping[str, Decimal] = field(default_factory=dict)  # the least per hour, by currency
    # What it charges on top of the pay, in per cent, and where it says so; none where it charges nothing by the person.
    fee_percent: Decimal = Decimal(0)
    fee_notice: str = ""
    completed_by: tuple[str, ...] = ()  # the study's fields of which one leads people who have finished back to it
    simulated_parameters: Mapping[str, str] = field(default_factory=dict)  # of a simulated person, {} in their place
    own_links: bool = False  # people come by links of this site, and the platform is nobody
    first_frame: Frame = Frame.NONE  # in which the first page is shown
    is_remembered_by_code: bool = False  # the browser keeps the way back under the code that somebody came with

    def way_back(self, handback: Handback) -> Ending:
        """How this person gets back: never a page without a link, a code or words."""
        ending = self.end(handback)
        if ending.link or ending.post_to or ending.code or not handback.outcome.must_be_given_back:
            return ending
        return replace(ending, words=self.give_back(), link=self.home)


def needed(parameters: Mapping[str, str], name: str, platform: str) -> str:
    value = parameters.get(name, "").strip()  # an address that was copied by hand may end in a space
    if not value:
        sentence = _("This address is incomplete: %(name)s is missing. Please open the study from %(platform)s again.")
    elif not ID.fullmatch(value):
        sentence = _(
            "This address is damaged: %(name)s contains spaces or other characters that don't belong there, or is too"
            " long. Please open the study from %(platform)s again."
        )
    else:
        return value
    raise BadArrival(sentence % {"name": name, "platform": platform})
