"""MTurk: pages stand in a frame of its two hosts, cookies blocked; the end is a form that the browser posts to it."""

from collections.abc import Mapping
from decimal import Decimal
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from annotation.platforms.shape import Arrival, BadArrival, Ending, Handback, Outcome, Platform, needed
from annotation.platforms.tokens import Frame

HOSTS = {Frame.MTURK: "www.mturk.com", Frame.MTURK_SANDBOX: "workersandbox.mturk.com"}
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"


def _arrive(parameters: Mapping[str, str]) -> Arrival:
    if parameters.get("assignmentId") == PREVIEW:
        return Arrival(platform_id="", frame=Frame.MTURK, is_preview=True)
    return Arrival(
        platform_id=needed(parameters, "workerId", "MTurk"),
        session_id=needed(parameters, "assignmentId", "MTurk"),
        frame=_frame(parameters.get("turkSubmitTo", "")),
    )


def _frame(submit_to: str) -> Frame:
    """Which of the two hosts to hand in to. Nothing else of the address is used: it comes through the browser."""
    try:
        parts = urlsplit(submit_to)
        host = parts.hostname if parts.scheme == "https" and parts.port is None else None
    except ValueError:
        host = None
    for frame, known in HOSTS.items():
        if host == known:
            return frame
    raise BadArrival(
        _(
            "This address is incomplete: the part that says where on MTurk to submit is missing. Please open the HIT on"
            " MTurk again."
        )
    )


def _end(handback: Handback) -> Ending:
    if handback.outcome != Outcome.COMPLETED:
        return Ending()  # MTurk has no place for a code: the HIT is returned there
    host = HOSTS.get(handback.frame)
    if not host or not handback.session_id:
        return Ending(code=handback.code)
    # MTurk takes the form only with one more field beside the assignment's id.
    fields = {"assignmentId": handback.session_id, "code": handback.code or "completed"}
    return Ending(
        code=handback.code, post_to=f"https://{host}/mturk/externalSubmit", host=f"https://{host}", fields=fields
    )


def _give_back() -> str:
    return _("Please return the HIT on MTurk.")


PLATFORM = Platform(
    key="mturk",
    order=3,
    title="MTurk",
    name="MTurk",
    arrive=_arrive,
    end=_end,
    give_back=_give_back,
    link_instructions="Use it as the ExternalURL of an ExternalQuestion; MTurk adds its parameters by itself.",
    # https://requester.mturk.com/pricing: 20 % of rewards and bonuses, and 20 % more from ten assignments of a HIT on
    fee_percent=Decimal(40),
    fee_notice="MTurk charges 20 % of the pay, and 20 % more where a HIT has ten assignments or more.",
    secret_parameters=("workerId", "assignmentId"),
    simulated_parameters={
        "workerId": "{}",
        "assignmentId": "{}",
        "hitId": "simulated",
        "turkSubmitTo": "https://workersandbox.mturk.com",
    },
    first_frame=Frame.MTURK,
    entry_notice=(
        "MTurk sends people with plain ids in the address, which anybody can make up: they count as unverified."
        " Compare the list of payments with MTurk's own before you pay."
    ),
)
