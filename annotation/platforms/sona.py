"""SONA: a survey code comes in the address, and goes back in the completion address that gives the credit."""

from collections.abc import Mapping
from urllib.parse import quote

from django.utils.translation import gettext as _

from annotation.platforms.shape import Arrival, Ending, Handback, Outcome, Platform, needed


def _arrive(parameters: Mapping[str, str]) -> Arrival:
    return Arrival(platform_id=needed(parameters, "survey_code", "SONA"))


def _end(handback: Handback) -> Ending:
    # SONA shows its client-side completion address as ...&survey_code=XXXX; both ways of marking the place are taken.
    # https://www.sona-systems.com/researcher/external-study-credit-granting/
    if handback.outcome != Outcome.COMPLETED or not handback.platform_id or not handback.finish_url:
        return Ending(code=handback.code)
    code = quote(handback.platform_id, safe="")
    return Ending(code=handback.code, link=handback.finish_url.replace("{survey_code}", code).replace("XXXX", code))


def _give_back() -> str:
    return _("Please cancel your sign-up for this study in SONA.")


SONA = Platform("SONA", _arrive, _end, _give_back)
