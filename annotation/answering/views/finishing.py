"""The end: the last page before handing in, and the way back with a code."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypedDict

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from annotation.answering.judging import Unanswered, finish_and_open_next, finish_qualification, keep_remarks
from annotation.answering.kinds.form import LONGEST_TEXT
from annotation.answering.views.access import Visit, assignment_page, participation_page
from annotation.answering.views.endings import outcome_of, show_ending
from annotation.answering.views.entering import address_now, begin
from annotation.answering.views.judging import Deadline, queue_name
from annotation.answering.views.page_model import pages_of
from annotation.models import Assignment, Participation, Study
from annotation.models.judgment import GRACE

Status = Participation.Status
LONGEST_REMARK = 200


@assignment_page
def finish(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Hands in once every question has an answer that the server holds."""
    assignment = visit.assignment
    if assignment is None or visit.participation.status != Status.WORKING:
        return redirect(address_now(visit))
    if assignment.status == Assignment.Status.SUBMITTED:
        return redirect(visit.address("done"))
    is_last = assignment.number >= visit.study.assignments_per_worker
    if request.method == "POST":
        if is_last:
            keep_remarks(participation=visit.participation, **_remarks(request.POST, visit.study))
        return _qualify(request, visit, assignment) if assignment.is_qualification else _hand_in(visit, assignment)
    now = timezone.now()
    context = {
        "visit": visit,
        "study": visit.study,
        "assignment": assignment,
        "is_last": is_last,
        "unanswered": list(_unanswered_questions(visit, assignment)),
        "deadline": Deadline(assignment.expires_at, now),
        "is_closed": assignment.expires_at + GRACE < now,
        "keep_seconds": int((assignment.expires_at + GRACE - now).total_seconds()),
        "base": visit.assignment_address("resume"),
        "queue": queue_name(assignment),
    }
    return render(request, "annotation/finish.html", context)


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question without an answer: what messages call it, and where it is from here: a whole address each made a page
    of 193 kB where 1,000 are open.
    """

    called: str
    address: str


def _unanswered_questions(visit: Visit, assignment: Assignment) -> Iterator[OpenQuestion]:
    for page in pages_of(assignment, visit.study):
        for item in page.items:
            if not item.is_answered:
                yield OpenQuestion(item.called, f"../{page.number}/#i{item.position}")


def _hand_in(visit: Visit, assignment: Assignment) -> HttpResponse:
    """To the code, to the next part, or back to a question without an answer."""
    try:
        following = finish_and_open_next(assignment=assignment)
    except Unanswered as error:
        return redirect(_page_with_item(visit, assignment, error.positions[0]))
    return redirect(visit.assignment_address("resume", following) if following else visit.address("done"))


def _qualify(request: HttpRequest, visit: Visit, assignment: Assignment) -> HttpResponse:
    """To the items to judge, to the code of who hasn't qualified, or back to a question without an answer."""
    try:
        person = finish_qualification(assignment=assignment)
    except Unanswered as error:
        return redirect(_page_with_item(visit, assignment, error.positions[0]))
    if person.status != Status.WORKING:
        return redirect(visit.address("done"))
    return begin(request, visit)


class Remarks(TypedDict):
    """What somebody writes at the end, by the names that `keep_remarks` has for it."""

    comments: str
    demographics: dict[str, str]


def _remarks(form: QueryDict, study: Study) -> Remarks:
    """What was given of what the study asks; anything else, and anything too long, is left out rather than refused."""
    demographics: dict[str, str] = {}
    for question in study.end_questions.all():
        answer = form.get(f"end-{question.name}", "").replace("\x00", "").strip()[:LONGEST_REMARK]
        if answer and (not question.choices or answer in question.choices):
            demographics[question.name] = answer
    comments = form.get("comments", "") if study.asks_comments else ""
    return {"comments": comments.replace("\x00", "").strip()[:LONGEST_TEXT], "demographics": demographics}


def _page_with_item(visit: Visit, assignment: Assignment, position: int) -> str:
    for page in pages_of(assignment, visit.study):
        if any(item.position == position for item in page.items):
            return visit.assignment_address("judge", number=page.number)
    return visit.assignment_address("resume")


@require_GET
@participation_page
def done(request: HttpRequest, visit: Visit) -> HttpResponse:
    outcome = outcome_of(visit.participation)
    return show_ending(request, visit, outcome) if outcome else redirect(address_now(visit))
