"""Takes one answer at a time from the page's script."""

from http import HTTPStatus

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from annotation.answering.kinds.form import BadAnswer
from annotation.answering.saving_answers import AssignmentClosed, NoSuchItem, save_answer
from annotation.platforms.tokens import BadToken, Purpose, read
from annotation.web.unavailable import log_reason


@csrf_exempt  # the token in the address authorises and no cookie does: see access.page
@require_POST
def save(request: HttpRequest, token: str) -> HttpResponse:
    """Says "saved" only after the answer is stored. The browser sends again whatever gets a 5xx or no reply.

    It says nothing else: a word that differs between two items would tell a check from a real one.
    """
    try:
        link = read(Purpose.ASSIGNMENT, token)
        save_answer(assignment_uuid=link.uuid, token_version=link.version, fields=dict(request.POST.lists()))
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
    return JsonResponse({"saved": True})


def _refusal(status: HTTPStatus, sentence: str, **more: str) -> JsonResponse:
    return JsonResponse({"saved": False, "sentence": sentence, **more}, status=status)
