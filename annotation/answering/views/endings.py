"""How taking part ended, as a page that leads everybody back to where they came from; and withdrawal."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.answering.saving_answers import is_out_of_time
from annotation.answering.views.access import Problem, Visit, withdrawal_page
from annotation.answering.views.judging import queue_names
from annotation.models import Participation, Payment
from annotation.people.leaving import withdraw as erase
from annotation.platforms import PLATFORMS, Ending, Handback, Outcome
from annotation.web.security import OWN_PAGES, policy_allowing

# How taking part ended, as a page that leads everybody back to where they came from.

Status = Participation.Status
OUTCOMES = {
    Status.FINISHED: Outcome.COMPLETED,
    Status.DECLINED: Outcome.NO_CONSENT,
    Status.FAILED_COMPREHENSION: Outcome.FAILED_COMPREHENSION,
    Status.FAILED_QUALIFICATION: Outcome.FAILED_QUALIFICATION,
    Status.RETURNED: Outcome.LEFT,
    Status.TIMED_OUT: Outcome.LEFT,
    Status.REJECTED: Outcome.LEFT,
    Status.WITHDRAWN: Outcome.WITHDRAWN,
}


def outcome_of(participation: Participation) -> Outcome | None:
    """How it ended for this person; nothing while they may go on."""
    if outcome := OUTCOMES.get(Status(participation.status)):
        return outcome
    assignment = participation.assignments.order_by("-number").first()
    return Outcome.OUT_OF_TIME if assignment and is_out_of_time(assignment) else None


def show_ending(
    request: HttpRequest, visit: Visit, outcome: Outcome, sentence: str = "", status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    """The page of this outcome; `sentence` says why, where the outcome alone doesn't."""
    ending = _ending(visit, outcome)
    context = {
        "visit": visit,
        "study": visit.study,
        "outcome": outcome,
        "sentence": sentence,
        "ending": ending,
        "queues": queue_names(visit.participation),
        "platform": PLATFORMS[visit.participation.worker.platform].name,
        "withdrawal": request.build_absolute_uri(visit.withdrawal_address),
    }
    response = render(request, "annotation/done.html", context, status=status)
    if ending.host:
        # The one form here goes to MTurk, and to that host of it alone.
        response.headers["Content-Security-Policy"] = policy_allowing(OWN_PAGES, "form-action", ending.host)
    return response


def _ending(visit: Visit, outcome: Outcome) -> Ending:
    study, participation = visit.study, visit.participation
    if outcome == Outcome.WITHDRAWN and participation.finished_at is not None:
        outcome = Outcome.COMPLETED  # on the platform: the work was done, and is handed in there as by anybody else
    codes = {
        Outcome.COMPLETED: study.code_completed,
        Outcome.NO_CONSENT: study.code_no_consent,
        Outcome.FAILED_COMPREHENSION: study.code_failed_comprehension,
        Outcome.FAILED_QUALIFICATION: study.code_failed_qualification,
    }
    payment = Payment.objects.filter(participation=participation).first()
    return PLATFORMS[participation.worker.platform].way_back(
        Handback(
            outcome=outcome,
            code=codes.get(outcome, ""),
            finish_url=study.finish_url,
            platform_id=payment.platform_id if payment else None,
            session_id=payment.session_id if payment else None,
            frame=visit.token.frame,
        )
    )


# Withdrawal, by a link of its own that stays good while the answers can be told to be that person's.


@withdrawal_page
def withdraw(request: HttpRequest, visit: Visit) -> HttpResponse:
    is_withdrawn = visit.participation.status == Participation.Status.WITHDRAWN
    if visit.participation.worker.platform_id is None and not is_withdrawn:
        raise Problem(
            _(
                "Your answers have been made anonymous. Nobody can tell which answers are yours, so they can't be"
                " erased."
            ),
            HTTPStatus.GONE,
        )
    if request.method == "POST" and not is_withdrawn:
        erase(participation=visit.participation)
        is_withdrawn = True
    if is_withdrawn:
        return redirect(visit.address("done"))
    context = {"visit": visit, "study": visit.study}
    return render(request, "annotation/withdraw.html", context)
