"""Direct: people come by an invitation or an open link of our own, and leave with a code where there is one."""

import re
import secrets
from collections.abc import Mapping

from django.utils.translation import gettext as _

from annotation.platforms.shape import Arrival, BadArrival, Ending, Handback, Outcome, Platform

# To where the study sends people on: not those whom it could not let in, or who have withdrawn.
FINISH_URL_FOR = (
    Outcome.COMPLETED, Outcome.NO_CONSENT, Outcome.FAILED_COMPREHENSION, Outcome.FAILED_QUALIFICATION,
)  # fmt: skip
NEWCOMER = re.compile("[A-Za-z0-9_-]{24}")


def _arrive(parameters: Mapping[str, str]) -> Arrival:  # noqa: ARG001  every platform is asked the same way
    raise BadArrival(_("This study is open to invited people only. Please use the link that you were sent."))


def arrive_by_link(*, invitation: int | None, came_as: str = "") -> Arrival:
    """An invitation names one person, who may come back by it; an open link makes somebody new of everyone.

    `invitation` is its number, none for an open link. `came_as` is the name that the first page gave the newcomer and
    its form sends back: pressing its button twice, or sending it again after no reply came, is still one person.
    """
    if invitation is not None:
        return Arrival(platform_id=f"invitation:{invitation}", is_verified=True)
    return Arrival(platform_id=f"open:{visitor_id(came_as)}")


def new_visitor_id() -> str:
    return secrets.token_urlsafe(18)


def visitor_id(came_as: str) -> str:
    """The name that our own first page gave; who sends none of that shape is somebody new."""
    return came_as if NEWCOMER.fullmatch(came_as) else new_visitor_id()


def _end(handback: Handback) -> Ending:
    return Ending(code=handback.code, link=handback.finish_url if handback.outcome in FINISH_URL_FOR else "")


def _give_back() -> str:
    return _("There is nothing more that you need to do: you can close this page.")


PLATFORM = Platform(
    key="direct",
    order=5,
    title="Direct: invitations or an open link",
    name="",
    arrive=_arrive,
    end=_end,
    give_back=_give_back,
    own_links=True,
)
