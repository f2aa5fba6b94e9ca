"""Consent and what comes before judging; and the one page that knows where a person stands."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.actions.entering import decline, give_consent
from annotation.actions.judging import ComeAgainSoon, NothingLeft, open_assignment
from annotation.models import Participation
from annotation.platforms import Outcome
from annotation.views.doors import Visit, participation_page
from annotation.views.endings import show_ending
from annotation.views.problems import Problem, TryAgain

Status = Participation.Status


@require_GET
@participation_page
def next_page(request: HttpRequest, visit: Visit) -> HttpResponse:  # noqa: ARG001  the link says it all
    """Sends a person to where they stand, on whatever device and however often they come."""
    return redirect(address_now(visit))


def address_now(visit: Visit) -> str:
    participation = visit.participation
    if participation.status not in {Status.ENTERED, Status.WORKING}:
        return visit.address("done")
    if participation.consented_at is None:
        return visit.address("consent")
    assignment = participation.assignments.order_by("-number").first()
    if assignment is None:
        return visit.address("instructions")
    return visit.assignment_address("resume", assignment)


@participation_page
def consent(request: HttpRequest, visit: Visit) -> HttpResponse:
    if visit.participation.status != Status.ENTERED:
        return redirect(address_now(visit))
    if request.method != "POST":
        return render(request, "annotation/consent.html", {"visit": visit, "study": visit.study})
    if request.POST.get("consent") == "yes":
        give_consent(participation=visit.participation)
    elif request.POST.get("consent") == "no":
        decline(participation=visit.participation)
    else:
        raise Problem(_("Please answer yes or no."), HTTPStatus.BAD_REQUEST)
    return redirect(address_now(visit))


@participation_page
def instructions(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What to do; going on from here claims the places. It may be read again at any time."""
    if visit.participation.consented_at is None:
        return redirect(address_now(visit))
    has_begun = visit.participation.assignments.exists()
    if request.method != "POST":
        context = {"visit": visit, "study": visit.study, "has_begun": has_begun}
        return render(request, "annotation/instructions.html", context)
    if visit.participation.status != Status.WORKING or has_begun:
        return redirect(address_now(visit))
    if visit.study.comprehension_questions.exists():
        return redirect(visit.address("comprehend"))
    return begin(request, visit)


def begin(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Claims the places and sends the person to the first of them, or back where there is none."""
    try:
        assignment = open_assignment(participation=visit.participation)
    except ComeAgainSoon as error:
        raise TryAgain(str(error)) from error
    except NothingLeft as error:
        visit.participation.refresh_from_db()
        if visit.participation.status != Status.WORKING:  # ended in another tab meanwhile
            return redirect(address_now(visit))
        return show_ending(request, visit, Outcome.NOTHING_LEFT, str(error), HTTPStatus.CONFLICT)
    return redirect(visit.assignment_address("resume", assignment))
