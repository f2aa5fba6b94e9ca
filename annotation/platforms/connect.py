"""CloudResearch Connect: two ids come in the address; people go back by the project's redirect, or with its code."""

from collections.abc import Mapping
from decimal import Decimal

from django.utils.translation import gettext as _

from annotation.platforms.shape import Arrival, Ending, Handback, Outcome, Platform, needed


def _arrive(parameters: Mapping[str, str]) -> Arrival:
    return Arrival(
        platform_id=needed(parameters, "participantId", "Connect"),
        session_id=needed(parameters, "assignmentId", "Connect"),
    )


def _end(handback: Handback) -> Ending:
    # The redirect is the researcher's to copy from Connect, and it marks the project complete: not for who said no.
    # https://connect-researcher-help.cloudresearch.com/hc/en-us/articles/5046202939796-Project-Completion
    link = handback.finish_url if handback.outcome == Outcome.COMPLETED else ""
    return Ending(code=handback.code, link=link)


def _give_back() -> str:
    return _("Please return your submission on Connect.")


PLATFORM = Platform(
    key="connect",
    order=2,
    title="CloudResearch Connect",
    name="Connect",
    arrive=_arrive,
    end=_end,
    give_back=_give_back,
    link_instructions="Paste it as the project's link on Connect, which adds its three ids by itself.",
    secret_parameters=("participantId", "assignmentId"),
    simulated_parameters={"participantId": "{}", "assignmentId": "{}", "projectId": "simulated"},
    # https://connect-researcher-help.cloudresearch.com (Project Cost), for academic and non-profit researchers
    fee_percent=Decimal(25),
    fee_notice="Connect charges academic and non-profit researchers 25 % of the pay, and others 40 %.",
    pay_floors={"USD": Decimal("7.50")},  # the least per hour that it takes, on the same page
    completed_by=("finish_url", "code_completed"),
    entry_notice=(
        "Connect sends people with plain ids in the address, which anybody can make up: they count as unverified."
        " Compare the list of payments with Connect's own before you pay."
    ),
)
