"""Consent and what comes before judging, questions about the instructions included."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from agreement.assignment_order import generator, shuffled
from annotation.answering.judging import ComeAgainSoon, NothingLeft, answer_comprehension, open_assignment
from annotation.answering.views.access import Problem, TryAgain, Visit, participation_page
from annotation.answering.views.endings import show_ending
from annotation.entry.entering import decline, give_consent
from annotation.models import ComprehensionQuestion, Participation
from annotation.platforms import Outcome

# Consent and what comes before judging; and the one page that knows where a person stands.

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
        raise Problem(_("Please choose whether you want to take part."), HTTPStatus.BAD_REQUEST)
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


# Questions about the instructions, before any place is claimed.


@participation_page
def comprehend(request: HttpRequest, visit: Visit) -> HttpResponse:
    participation = visit.participation
    may_begin = participation.consented_at is not None and participation.status == Status.WORKING
    if not may_begin or participation.assignments.exists():
        return redirect(address_now(visit))
    questions = list(visit.study.comprehension_questions.all())
    tries = participation.comprehension_tries
    # A double tap, or the page of the try before brought back, sends the same try again: it is none of its own.
    if request.method != "POST" or request.POST.get("tries", str(tries)) != str(tries):
        sentence = _("Not all of your answers were right. Please read the instructions again. You have one more try.")
        return _show(request, visit, questions, sentence if tries else "")
    given = {question.pk: request.POST.get(f"q{question.pk}", "") for question in questions}
    if not all(given.values()):
        sentence = _("Please answer every question.")
        return _show(request, visit, questions, sentence, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    wrong = answer_comprehension(participation=participation, given=given)
    if participation.status != Status.WORKING:
        return redirect(visit.address("done"))
    if wrong:
        return redirect(visit.address("comprehend"))  # so that a reload doesn't spend the try that is left
    return begin(request, visit)


def _show(
    request: HttpRequest,
    visit: Visit,
    questions: list[ComprehensionQuestion],
    sentence: str,
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    """Which answers were wrong is not said: then the second try would need no reading."""
    seed = visit.participation.seed
    asked = [(question, shuffled(question.answers, generator(seed, f"q{question.pk}"))) for question in questions]
    context = {
        "visit": visit,
        "study": visit.study,
        "asked": asked,
        "sentence": sentence,
        "tries": visit.participation.comprehension_tries,
        "given": request.POST,
    }
    return render(request, "annotation/comprehension.html", context, status=status)
