"""Who may open a page: a signed link gives access, in the study's language, framed only where it must be."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import TypeAlias

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.cache import add_never_cache_headers
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from agreement.errors import TouchstoneError
from annotation.models import Assignment, EntryLink, Participation, Study
from annotation.platforms import OWN_LINKS, PLATFORMS, Ending, Outcome
from annotation.platforms.mturk import HOSTS
from annotation.platforms.tokens import BadToken, Frame, Purpose, Token, read_token, sign_token
from annotation.web.security import OWN_PAGES, policy_allowing
from annotation.web.unavailable import is_unavailable, log_reason, unavailable

# What a page can't do, as a sentence for the person in front of it.


class Problem(TouchstoneError):
    """Ends a request with a plain page that holds one sentence."""

    template = "annotation/problem.html"

    def __init__(self, sentence: str, status: HTTPStatus = HTTPStatus.NOT_FOUND) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status

    def context(self, study: Study | None) -> dict[str, object]:
        return {"sentence": self.sentence, "study": study}


class TryAgain(Problem):
    """What can't be done at the moment, and may be in a minute; the page has a link to try it."""

    template = "annotation/try_again.html"

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, HTTPStatus.SERVICE_UNAVAILABLE)


class TurnedAway(Problem):
    """Somebody comes to a study and can't take part: nothing is broken, and nothing of theirs could be lost."""

    template = "annotation/done.html"

    def __init__(self, sentence: str, platform: str = "", *, may_try_again: bool = False) -> None:
        super().__init__(sentence, HTTPStatus.FORBIDDEN)
        self.platform = platform
        self.may_try_again = may_try_again

    def context(self, study: Study | None) -> dict[str, object]:
        """The way back of the platform that the person came from, in words: who can't take part gets no code."""
        platform = PLATFORMS[self.platform or (study.platform if study else OWN_LINKS)]
        ending = Ending() if self.may_try_again else Ending(words=platform.give_back(), link=platform.home)
        turned_away = {"outcome": Outcome.TURNED_AWAY, "ending": ending, "platform": platform.name}
        return {**super().context(study), **turned_away, "may_try_again": self.may_try_again}


# Decorators: a page behind a signed link, in the study's language, framed only where it must be.

View: TypeAlias = Callable[..., HttpResponse]
MTURK_ORIGINS = " ".join(f"https://{host}" for host in HOSTS.values())


@dataclass(frozen=True, slots=True)
class Visit:
    """One person on one page: who, of which study, by which link."""

    token: Token
    participation: Participation
    assignment: Assignment | None = None

    @property
    def study(self) -> Study:
        return self.participation.study

    def address(self, name: str, **kwargs: object) -> str:
        """Another page of the same participation."""
        token = sign_token(Purpose.PARTICIPATION, Token(self.participation.uuid, frame=self.token.frame))
        return reverse(f"annotation:{name}", kwargs={"token": token, **kwargs})

    def assignment_address(self, name: str, assignment: Assignment | None = None, **kwargs: object) -> str:
        of = assignment or self.assignment
        if of is None:
            raise ValueError("this visit is not to an assignment")
        token = sign_token(Purpose.ASSIGNMENT, Token(of.uuid, of.token_version, self.token.frame))
        return reverse(f"annotation:{name}", kwargs={"token": token, **kwargs})

    @property
    def remembered_as(self) -> str:
        """Under which name this browser remembers the way back, where no link of the person's own leads here."""
        link, worker = self.participation.entry_link, self.participation.worker
        if link is not None:
            return str(self.study.uuid) if link.kind == EntryLink.Kind.OPEN else ""
        is_by_code = PLATFORMS[worker.platform].is_remembered_by_code
        return remembered_code(self.study, worker.platform_id) if is_by_code else ""

    @property
    def next_address(self) -> str:
        return self.address("next")

    @property
    def instructions_address(self) -> str:
        return self.address("instructions")

    @property
    def withdrawal_address(self) -> str:
        token = sign_token(Purpose.WITHDRAWAL, Token(self.participation.uuid, frame=self.token.frame))
        return reverse("annotation:withdraw", kwargs={"token": token})


def remembered_code(study: Study, code: str | None) -> str:
    """Names a survey code without saying it, so that the next person at the same machine is offered nothing of it."""
    return salted_hmac("touchstone.remembered", f"{study.uuid} {code}").hexdigest()[:32] if code else ""


def page(view: View) -> View:
    """Turns whatever goes wrong into a plain page with a sentence.

    Exempt from the CSRF check: what authorises is in the address, the browser adds nothing to it by itself (these pages
    read no cookie), so that there is nothing for another site to misuse; and in MTurk's frame the check's cookie is
    blocked, so that it would refuse everyone.
    """

    @csrf_exempt
    @wraps(view)
    def wrapped(request: HttpRequest, **kwargs: object) -> HttpResponse:
        try:
            response = view(request, **kwargs)
        except Problem as problem:
            response = _sentence_page(request, problem)
        except BadToken:
            response = _sentence_page(
                request, Problem(_("This link is not valid. Please check that you copied all of it."))
            )
        except (RequestDataTooBig, TooManyFieldsSent):
            sentence = _("What you sent is larger than this page accepts.")
            response = _sentence_page(request, Problem(sentence, HTTPStatus.REQUEST_ENTITY_TOO_LARGE))
        except Error as error:
            if not is_unavailable(error):
                raise
            log_reason(error)
            response = unavailable(request)
        add_never_cache_headers(response)
        return response

    return wrapped


def participation_page(view: View) -> View:
    """A page that a participation's token opens."""
    return _page_behind_token(Purpose.PARTICIPATION, _participation_visit, view)


def withdrawal_page(view: View) -> View:
    return _page_behind_token(Purpose.WITHDRAWAL, _participation_visit, view)


def assignment_page(view: View) -> View:
    """A page that an assignment's token opens, as long as its version has not been revoked."""
    return _page_behind_token(Purpose.ASSIGNMENT, _assignment_visit, view)


def _page_behind_token(purpose: Purpose, find: Callable[[Token], Visit], view: View) -> View:
    @page
    @wraps(view)
    def wrapped(request: HttpRequest, *, token: str, **kwargs: object) -> HttpResponse:
        visit = find(read_token(purpose, token))
        return page_in_language(visit.study, visit.token.frame, lambda: view(request, visit, **kwargs), request)

    return wrapped


def page_in_language(
    study: Study, frame: Frame, answer: Callable[[], HttpResponse], request: HttpRequest
) -> HttpResponse:
    """The study's language decides, not the browser's; and a page in MTurk's frame may be framed there alone."""
    with translation.override(study.language):
        try:
            response = answer()
        except Problem as problem:
            response = _sentence_page(request, problem, study)
    response.headers["Content-Language"] = study.language
    if frame != Frame.NONE:
        let_mturk_frame(response)
    return response


def let_mturk_frame(response: HttpResponse) -> None:
    policy = response.headers.get("Content-Security-Policy", OWN_PAGES)
    response.headers["Content-Security-Policy"] = policy_allowing(policy, "frame-ancestors", MTURK_ORIGINS)
    response.xframe_options_exempt = True  # the older header can't name two hosts


def _participation_visit(token: Token) -> Visit:
    participation = (
        Participation.objects.select_related("study", "worker", "entry_link").filter(uuid=token.uuid).first()
    )
    if participation is None:
        raise BadToken("This link is not valid.")
    return Visit(token, participation)


def _assignment_visit(token: Token) -> Visit:
    assignment = (
        Assignment.objects.select_related("participation__study", "participation__worker", "participation__entry_link")
        .filter(uuid=token.uuid, token_version=token.version)
        .first()
    )
    if assignment is None:
        raise BadToken("This link is not valid.")
    return Visit(token, assignment.participation, assignment)


def _sentence_page(request: HttpRequest, problem: Problem, study: Study | None = None) -> HttpResponse:
    response = render(request, problem.template, problem.context(study), status=problem.status)
    if problem.status == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = "60"
    return response
