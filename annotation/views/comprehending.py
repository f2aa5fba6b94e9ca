"""Questions about the instructions, before any place is claimed."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.actions.comprehending import TRIES, answer_comprehension
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
    if request.method != "POST":
        return _show(request, visit, questions)
    given = {question.pk: request.POST.get(f"q{question.pk}", "") for question in questions}
    if not all(given.values()):
        return _show(request, visit, questions, sentence=_("Please answer every question."))
    wrong = answer_comprehension(participation=participation, given=given)
    if participation.status != Status.WORKING:
        return redirect(visit.address("done"))
    if wrong:
        sentence = _("Not all of that was right. Please read the instructions again: you have one more try.")
        return _show(request, visit, questions, sentence=sentence)
    return begin(visit)


def _show(
    request: HttpRequest, visit: Visit, questions: list[ComprehensionQuestion], sentence: str = ""
) -> HttpResponse:
    """Which answers were wrong is not said: then the second try would need no reading."""
    seed = visit.participation.seed
    asked = [(question, shuffled(question.answers, generator(seed, f"q{question.pk}"))) for question in questions]
    context = {
        "visit": visit,
        "study": visit.study,
        "asked": asked,
        "sentence": sentence,
        "tries_left": TRIES - visit.participation.comprehension_tries,
        "given": request.POST,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if sentence else HTTPStatus.OK
    return render(request, "annotation/comprehension.html", context, status=status)
