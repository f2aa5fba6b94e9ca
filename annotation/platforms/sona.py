"""SONA: a survey code comes in the address, and goes back in the completion address that gives the credit."""

from collections.abc import Mapping
from urllib.parse import quote

from django.utils.translation import gettext as _

from annotation.platforms.shape import Arrival, Ending, Handback, Outcome, Platform, needed


def _arrive(parameters: Mapping[str, str]) -> Arrival:
    # Short numbers, which can be counted through: alone a code must never open what somebody has begun.
    return Arrival(platform_id=needed(parameters, "survey_code", "SONA"), is_code_alone=True)


def _end(handback: Handback) -> Ending:
    # SONA shows its client-side completion address as ...&survey_code=XXXX; both ways of marking the place are taken.
    # https://www.sona-systems.com/researcher/external-study-credit-granting/
    if handback.outcome != Outcome.COMPLETED or not handback.platform_id or not handback.finish_url:
        return Ending(code=handback.code)
    code = quote(handback.platform_id, safe="")
    return Ending(code=handback.code, link=handback.finish_url.replace("{survey_code}", code).replace("XXXX", code))


def _give_back() -> str:
    return _("Please cancel your sign-up for this study in SONA.")


PLATFORM = Platform(
    key="sona",
    order=4,
    title="SONA",
    name="SONA",
    arrive=_arrive,
    end=_end,
    give_back=_give_back,
    link_query="survey_code=%SURVEY_CODE%",
    link_instructions="Paste it as the study URL on SONA; SONA fills in the survey code.",
    completed_by=("finish_url",),
    secret_parameters=("survey_code",),
    simulated_parameters={"survey_code": "{}"},
    is_remembered_by_code=True,
    entry_notice=(
        "SONA's entry is unauthenticated: whoever has the address can come in with any survey code. A code alone never"
        " opens what somebody has begun, and a second person with a code that is in use is asked to write to the"
        " study's contact. Everybody counts as unverified. Compare the codes with SONA's list before you give credit."
    ),
)
