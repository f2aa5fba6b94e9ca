"""Takes one answer at a time from the page's script: two statements, no session, no user."""

from http import HTTPStatus
from uuid import UUID

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.db import Error, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from annotation.questions import QUESTIONS, BadAnswer, Facts, Fields
from annotation.questions.circumstances import LONGEST_MS, read_circumstances
from annotation.questions.facts import one
from annotation.saving import Asked, AssignmentClosed, NoSuchItem, RevisedTooOften, Saved, asked, store
from annotation.tokens import BadToken, Purpose, read
from config.middleware import log_reason


@csrf_exempt  # the token in the address authorises and no cookie does: see doors.page
@require_POST
def save(request: HttpRequest, token: str) -> HttpResponse:
    """Says "saved" only after the answer is stored. The browser sends again whatever gets a 5xx or no reply.

    It says nothing else: a word that differs between two items would tell a check from a real one.
    """
    try:
        of = read(Purpose.ASSIGNMENT, token)
        _keep_on_this_connection_or_the_next(of.uuid, of.version, dict(request.POST.lists()))
    except BadAnswer as error:
        return _refusal(HTTPStatus.UNPROCESSABLE_ENTITY, error.sentence, field=error.field)
    except (BadToken, NoSuchItem):
        return _refusal(HTTPStatus.NOT_FOUND, _("This link is not valid."))
    except AssignmentClosed:
        return _refusal(HTTPStatus.GONE, _("This assignment is closed. It takes no more answers."))
    except (RequestDataTooBig, TooManyFieldsSent):
        return _refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _("What was sent is larger than this page takes."))
    except Error as error:
        log_reason(error)
        sentence = _("The site can't store anything at the moment. Please try again in a minute.")
        return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, sentence)
    return JsonResponse({"saved": True})


def _keep_on_this_connection_or_the_next(assignment: UUID, version: int, fields: Fields) -> Saved:
    """Before each request Django asks a kept connection whether it still lives: a third statement. Here that is found
    out by using it; a dead one is replaced, and the answer stored again, which its key makes harmless.
    """
    connection.health_check_done = True  # type: ignore[attr-defined]
    try:
        return keep(assignment, version, fields)
    except (OperationalError, InterfaceError):
        if connection.connection is None or connection.in_atomic_block or connection.is_usable():
            raise
        connection.close()
        return keep(assignment, version, fields)


def keep(assignment: UUID, version: int, fields: Fields) -> Saved:
    """Reads one item's form, checks it against its question and stores it."""
    position, client_key = _position(fields), _client_key(fields)
    question = asked(assignment_uuid=assignment, token_version=version, position=position)
    facts = facts_of(question)
    answer = QUESTIONS[question.kind].read(fields, facts)  # type: ignore[index]
    circumstances = read_circumstances(fields, facts, answer)
    try:
        return store(question=question, client_key=client_key, answer=answer, circumstances=circumstances)
    except RevisedTooOften:
        sentence = _(
            "This answer has been changed very often and can't be changed again. What was saved before is kept: reload"
            " the page to see it."
        )
        raise BadAnswer("revision", sentence) from None


def facts_of(question: Asked) -> Facts:
    return Facts(
        low=question.scale_low,
        high=question.scale_high,
        labels=question.labels,
        starts_in_middle=question.slider_start == "middle",
        has_image=question.has_image,
    )


def with_position(form: QueryDict, position: int) -> Fields:
    """One item's fields of a page's form, where each name begins with its item's position."""
    prefix = f"i{position}-"
    fields = {name.removeprefix(prefix): values for name, values in form.lists() if name.startswith(prefix)}
    fields["position"] = [str(position)]
    if took_ms := _since(one(fields, "shown")):
        fields["response_ms"] = [took_ms]
    return fields


def _since(shown_ms: str) -> str:
    """How long ago the page was made, by our own clock; nothing where that can't be true."""
    if not (shown_ms.isascii() and shown_ms.isdecimal() and len(shown_ms) < 16):
        return ""
    took_ms = int(timezone.now().timestamp() * 1000) - int(shown_ms)
    return str(took_ms) if 0 <= took_ms <= LONGEST_MS else ""


def _position(fields: Fields) -> int:
    given = one(fields, "position")
    if not (given.isascii() and given.isdecimal() and len(given) <= 6):
        raise NoSuchItem("There is no such question in this assignment.")
    return int(given)


def _client_key(fields: Fields) -> UUID:
    try:
        return UUID(one(fields, "key"))
    except ValueError:
        raise BadAnswer("key", _("This answer came without its key. Please reload the page.")) from None


def _refusal(status: HTTPStatus, sentence: str, **more: str) -> JsonResponse:
    return JsonResponse({"saved": False, "sentence": sentence, **more}, status=status)
