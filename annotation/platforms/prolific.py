"""Prolific: three ids come in the address; people go back by a link with the study's code."""

from collections.abc import Mapping
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from annotation.platforms.prolific_signature import arrive_signed
from annotation.platforms.shape import Arrival, Ending, Handback, Platform, needed

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
PROLIFIC = Platform(
    "Prolific",
    _arrive,
    _end,
    _give_back,
    HOME,
    arrive_signed=arrive_signed,
    rejection_min_characters=100,
    entry_notice=(
        "Without Prolific's signature the ids in the address can be made up: people count as unverified. Switch on"
        " “Secured External URL” on Prolific, then require signed links under Pay and platform."
    ),
)
