"""Questions about the instructions, before any place is claimed."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.actions.comprehending import answer_comprehension
from annotation.mixing import generator, shuffled
from annotation.models import ComprehensionQuestion, Participation
from annotation.views.consenting import address_now, begin
from annotation.views.doors import Visit, participation_page

Status = Participation.Status


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
        sentence = _("Not all of that was right. Please read the instructions again: you have one more try.")
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
