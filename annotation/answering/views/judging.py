"""The pages of questions, as forms or one answer at a time from their script; and by when they are to be finished."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import TypeAlias

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.formats import date_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from agreement.kinds.answers import Fields
from annotation.answering.kinds.form import LONGEST_MS, SKIP, BadAnswer, last_value
from annotation.answering.notes import NOTE, reasons, save_note, save_sent
from annotation.answering.practice import feedback_on_saved
from annotation.answering.saving_answers import (
    AssignmentClosed,
    NoSuchItem,
    is_out_of_time,
)
from annotation.answering.several_questions import BadAnswers, questions_asked
from annotation.answering.views.access import Problem, Visit, assignment_page
from annotation.answering.views.page_model import (
    Page,
    ShownItem,
    item_as_sent,
    page_as_sent,
    pages_of,
    shown_item,
)
from annotation.answering.views.question_model import fields_of_item
from annotation.models import AssignedItem, Assignment, Item, Participation, Study
from annotation.models.judgment import GRACE
from annotation.models.note import LONGEST_COMMENT
from annotation.platforms.tokens import BadToken, Purpose, read_token
from annotation.web.unavailable import log_reason

# By when a part is to be finished, in sentences with a clock time; script turns that into the person's own time.

SOON = dt.timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Deadline:
    expires_at: dt.datetime
    now: dt.datetime

    @property
    def seconds_left(self) -> int:
        return int((self.expires_at - self.now).total_seconds())

    @property
    def is_past(self) -> bool:
        return self.expires_at <= self.now

    @property
    def is_soon(self) -> bool:
        return not self.is_past and self.expires_at - self.now <= SOON

    @property
    def sentence_before(self) -> str:
        return _("Please finish by {time}.")

    @property
    def sentence_soon(self) -> str:
        return _("Less than five minutes are left: please finish by {time}.")

    @property
    def sentence_after(self) -> str:
        return _("The time ended at {time}. You can still finish, but your answers may be too late to be used.")

    @property
    def current_sentence(self) -> SafeString:
        """The sentence that holds at this moment, with the time in it as a page without script can know it."""
        sentence = self.sentence_after if self.is_past else self.sentence_soon if self.is_soon else self.sentence_before
        before, _mark, after = sentence.partition("{time}")
        return format_html("{}{}{}", escape(before), self._time(), escape(after))

    def _time(self) -> SafeString:
        """In UTC, for the server doesn't know where the person is; so it says how long that is, too."""
        layout = "TIME_FORMAT" if self.expires_at.date() == self.now.date() else "DATETIME_FORMAT"
        clock = f"{date_format(self.expires_at, layout).removesuffix(' UTC')} UTC"  # which some layouts end in
        minutes = self.seconds_left // 60
        left = ngettext("about %(minutes)s minute", "about %(minutes)s minutes", minutes) % {"minutes": minutes}
        left_in_words = "" if self.is_past or not minutes else f" ({left})"
        return format_html(
            '<time datetime="{}">{}</time>{}', self.expires_at.isoformat(timespec="seconds"), clock, left_in_words
        )


# The pages of questions, shown and, where there is no script, taken as forms.

# So many pages travel with the first one, so that a lost network doesn't stop anybody: most assignments whole.
PAGES_AHEAD = 60
LONGEST_AHEAD = 400_000  # characters of stimuli, in each direction: what a phone loads in a few seconds
Problems: TypeAlias = dict[int | str, BadAnswer]  # by the position of the item, or of one of its several questions
# What judge.js needs: named in the page, they come all at once and not each after the one that asks for it.
MODULES = (
    "item",
    "line",
    "gesture",
    "form",
    "hand",
    "queue",
    "store",
    "stage",
    "keys",
    "writing",
    "filter",
    "enlarge",
    "question",
)


@require_GET
@assignment_page
def resume(request: HttpRequest, visit: Visit) -> HttpResponse:  # noqa: ARG001  the link says it all
    """To the first page that lacks an answer, or to the end."""
    if ended := _redirect_if_ended(visit):
        return ended
    for page in pages_of(_assignment(visit), visit.study):
        if not page.is_answered:
            return redirect(visit.assignment_address("judge", number=page.number))
    return redirect(visit.assignment_address("finish"))


@assignment_page
def judge(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    if ended := _redirect_if_ended(visit):
        return ended
    pages = pages_of(_assignment(visit), visit.study)
    if not 1 <= number <= len(pages):
        raise Problem(_("There is no such page."))
    if request.method != "POST":
        return _question_page(request, visit, pages, number)
    items = pages[number - 1].items
    problems = {position: why for item in items for position, why in _store_item_of_form(request, visit, item).items()}
    if problems:
        return _question_page(request, visit, pages_of(_assignment(visit), visit.study), number, problems)
    if any(item.has_several for item in items):
        page = pages_of(_assignment(visit), visit.study)[number - 1]
        if not page.is_answered:  # what was answered asks for more
            return redirect(f"{visit.assignment_address('judge', number=number)}#i{page.first_open}")
    return redirect(_address_after(visit, pages, number))


def _store_item_of_form(request: HttpRequest, visit: Visit, item: ShownItem) -> Problems:
    """Stores one item's part of a form sent without script, unless it says what is stored already; what can't be taken
    by its position on the page.
    """
    fields, link = _fields_of(request.POST, item.position), (visit.token.uuid, visit.token.version)
    is_as_sent = not item.has_several and item_as_sent(item, request.POST) == item
    is_as_sent = is_as_sent and last_value(fields, SKIP) == item.skip_reason
    try:
        if NOTE in fields and item.takes_notes:
            save_note(assignment_uuid=link[0], token_version=link[1], fields=fields)
        if item.is_answered and (item.is_final or is_as_sent):
            return {}
        answer = {name: values for name, values in fields.items() if name != NOTE}
        save_sent(assignment_uuid=link[0], token_version=link[1], fields=answer)
    except BadAnswers as error:
        return {f"{item.position}-q{number}": problem for number, problem in error.problems.items()}
    except BadAnswer as problem:
        return {item.position: problem}
    except (AssignmentClosed, NoSuchItem) as error:  # since we looked: in another tab, or at another's wish
        raise Problem(_("These questions are closed. They can't be answered any more."), HTTPStatus.GONE) from error
    return {}


def _fields_of(form: QueryDict, position: int) -> Fields:
    """One item's fields of a page's form, as the page's script would send them."""
    fields = {**fields_of_item(form, position), "position": [str(position)]}
    if took_ms := _time_since_page(last_value(fields, "shown")):
        fields["response_ms"] = [took_ms]
    return fields


def _time_since_page(shown_ms: str) -> str:
    """How long ago the page was made, by our own clock; nothing where that can't be true."""
    if not (shown_ms.isascii() and shown_ms.isdecimal() and len(shown_ms) < 16):
        return ""
    took_ms = int(timezone.now().timestamp() * 1000) - int(shown_ms)
    return str(took_ms) if 0 <= took_ms <= LONGEST_MS else ""


def _address_after(visit: Visit, pages: list[Page], number: int) -> str:
    """Practice just answered comes back once, with its feedback; then on to the next page, or to the end."""
    page = pages[number - 1]
    if page.kind and not page.is_answered and any(item.has_feedback for item in page.items):
        return visit.assignment_address("judge", number=number)
    if number < len(pages):
        return visit.assignment_address("judge", number=number + 1)
    return visit.assignment_address("finish")


def _question_page(
    request: HttpRequest, visit: Visit, pages: list[Page], number: int, problems: Problems | None = None
) -> HttpResponse:
    assignment, problems, now = _assignment(visit), problems or {}, timezone.now()
    page = pages[number - 1]
    context = {
        "visit": visit,
        "study": visit.study,
        # What could not be taken is shown as it was typed: nobody writes a text twice.
        "page": page_as_sent(page, request.POST, problems.keys()),
        "others": [*travelling(pages[: number - 1][::-1]), *travelling(pages[number:])],
        "pages": len(pages),
        "problems": problems,
        "first_problem": _position_to_focus(page, problems),
        "base": visit.assignment_address("resume"),
        "queue": queue_name(assignment),
        "earlier_queues": queue_names(visit.participation)[: assignment.number - 1] if assignment.number > 1 else [],
        # What this browser keeps of it is of no use to anybody once nothing is taken any more.
        "keep_seconds": int((assignment.expires_at + GRACE - now).total_seconds()),
        "modules": MODULES,
        "has_media": any(item.media for each in pages for item in each.items),
        "reasons": reasons() if visit.study.is_at_expert_pace else [],
        "longest_comment": LONGEST_COMMENT,
        "now_ms": int(now.timestamp() * 1000),
        "deadline": Deadline(assignment.expires_at, now),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if problems else HTTPStatus.OK
    return render(request, "annotation/judge.html", context, status=status)


@require_GET
@assignment_page
def more_pages(request: HttpRequest, visit: Visit, first: int) -> HttpResponse:
    """The pages from that number on, for a page that has come near the last of those that travelled with it."""
    if _redirect_if_ended(visit):
        raise Problem(_("These questions are closed. They can't be answered any more."), HTTPStatus.GONE)
    pages = pages_of(_assignment(visit), visit.study)
    return pages_from(request, visit.study, pages, first, visit.assignment_address("resume"))


def travelling(pages: Sequence[Page]) -> Iterator[Page]:
    """The first of them, as many as travel with the page before them; at least one."""
    length = 0
    for count, page in enumerate(pages[:PAGES_AHEAD]):
        length += sum(len(item.stimulus.words) for item in page.items)
        if count and length > LONGEST_AHEAD:
            return
        yield page


def pages_from(request: HttpRequest, study: Study, pages: Sequence[Page], first: int, base: str) -> HttpResponse:
    others = list(travelling(pages[max(first, 1) - 1 :]))
    context = {"study": study, "others": others, "problems": {}, "base": base}
    return render(request, "annotation/more_pages.html", {**context, "now_ms": int(timezone.now().timestamp() * 1000)})


@require_GET
@assignment_page
def overview(request: HttpRequest, visit: Visit) -> HttpResponse:  # noqa: ARG001  the link says it all
    return overview_of(pages_of(_assignment(visit), visit.study))


def overview_of(pages: Sequence[Page]) -> JsonResponse:
    """Every item in a few characters, for a page's script: its page, its position, what it is called, its state."""
    items = [
        [page.number, item.position, item.called if item.kind else str(item.number), item.state]
        for page in pages
        for item in page.items
    ]
    return JsonResponse({"items": items})


def _position_to_focus(page: Page, problems: Problems) -> int | str | None:
    """Whose answer is to be put right first; where only the words beside it are missing, they take the focus."""
    first = next((each.position for each in page.questions if each.position in problems), None)
    return None if first is None or problems[first].field == "confidence" else first


def queue_name(assignment: Assignment) -> str:
    """Names what a browser keeps of this assignment, without being able to open anything."""
    return salted_hmac("touchstone.queue", str(assignment.uuid)).hexdigest()[:16]


def queue_names(participation: Participation) -> list[str]:
    """Of all this person's assignments in the study: what a browser keeps of those that have ended is to go."""
    return [queue_name(assignment) for assignment in participation.assignments.order_by("number")]


def _assignment(visit: Visit) -> Assignment:
    if visit.assignment is None:
        raise Problem(_("This link is not valid."))
    return visit.assignment


def _redirect_if_ended(visit: Visit) -> HttpResponse | None:
    """Where to send a person whose assignment takes no more answers; nothing while it does."""
    assignment, status = _assignment(visit), visit.participation.status
    if assignment.status == Assignment.Status.SUBMITTED or status != Participation.Status.WORKING:
        return redirect(visit.address("next"))
    if is_out_of_time(assignment):
        return redirect(visit.address("done"))
    return None


def example_of(study: Study) -> dict[str, object] | None:
    """One question to look at, for those who have not accepted yet. Nothing is claimed and nothing stored."""
    item = study.items.filter(kind=Item.Kind.PRACTICE).first() or study.items.targets().first()
    if item is None:
        return None
    return {"item": shown_item(questions_asked(study), AssignedItem(item=item, position=1), {})}


# Takes one answer at a time from the page's script.


@csrf_exempt  # the token in the address authorises and no cookie does: see access.page
@require_POST
def save(request: HttpRequest, token: str) -> HttpResponse:
    """Says "saved" only after the answer is stored. The browser sends again whatever gets a 5xx or no reply.

    It says nothing else but of practice: a word that differs between two items would tell a check from a real one.
    """
    try:
        link = read_token(Purpose.ASSIGNMENT, token)
        fields = dict(request.POST.lists())
        save_sent(assignment_uuid=link.uuid, token_version=link.version, fields=fields)
        feedback = feedback_on_saved(assignment_uuid=link.uuid, fields=fields)
    except BadAnswer as error:
        return _refusal(HTTPStatus.UNPROCESSABLE_ENTITY, error.sentence, field=error.field)
    except (BadToken, NoSuchItem):
        return _refusal(HTTPStatus.NOT_FOUND, _("This link is not valid."))
    except AssignmentClosed:
        return _refusal(HTTPStatus.GONE, _("These questions are closed. They can't be answered any more."))
    except (RequestDataTooBig, TooManyFieldsSent):
        return _refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _("What you sent is larger than this page accepts."))
    except Error as error:
        log_reason(error)
        sentence = _("The site can't save anything at the moment. Please try again in a minute.")
        return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, sentence)
    return JsonResponse({"saved": True} if feedback is None else {"saved": True, "feedback": feedback})


def _refusal(status: HTTPStatus, sentence: str, **more: str) -> JsonResponse:
    return JsonResponse({"saved": False, "sentence": sentence, **more}, status=status)
