"""The first pages: who asks, what, for how much; consent; the instructions. Nothing is stored before."""

from dataclasses import dataclass
from decimal import Decimal
from http import HTTPStatus
from urllib.parse import urlsplit

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_safe

from agreement.assignment_order import generator, shuffled
from annotation.answering.judging import ComeAgainSoon, NothingLeft, answer_comprehension, open_assignment
from annotation.answering.practice import qualification_of
from annotation.answering.views.access import (
    Problem,
    TryAgain,
    TurnedAway,
    Visit,
    page,
    page_in_language,
    participation_page,
    remembered_code,
)
from annotation.answering.views.endings import show_ending
from annotation.answering.views.judging import example_of
from annotation.entry.entering import (
    AlreadyEnded,
    EntryRefused,
    TooManyAtOnce,
    decline,
    device_of,
    enter,
    give_consent,
    unproven_sentence,
)
from annotation.entry.links import network_of
from annotation.models import ComprehensionQuestion, EntryLink, Item, Participation, Study
from annotation.platforms import OWN_LINKS, PLATFORMS, Arrival, BadArrival, CantTell, Entrance, Outcome
from annotation.platforms.direct import arrive_by_link, new_visitor_id, visitor_id
from annotation.platforms.tokens import Frame, Token


@require_safe
def front_page(request: HttpRequest) -> HttpResponse:
    """What this site is."""
    return render(request, "annotation/front.html")


# What the first page says of a study beside its summary: who asks, for how long, for how much, how many questions.

MINUTES_PER_HOUR = 60


@dataclass(frozen=True, slots=True)
class Facts:
    """`questions` are those of one part; a study has up to `parts` of them for one person."""

    pay: str
    questions: int
    parts: int


def facts_of(study: Study) -> Facts:
    return Facts(pay=pay_of(study), questions=questions_of(study), parts=study.assignments_per_worker)


def pay_of(study: Study) -> str:
    """Such as "0.60 GBP (7.20 GBP per hour)", by the minutes that the study expects; nothing where none is paid."""
    if study.pay is None or not study.currency:
        return ""
    pay = f"{number_format(study.pay, 2)} {study.currency}"
    if not study.pay or not study.minutes_expected:
        return pay
    hourly = round(study.pay * MINUTES_PER_HOUR / Decimal(study.minutes_expected), 2)
    per_hour = _("%(pay)s per hour") % {"pay": f"{number_format(hourly, 2)} {study.currency}"}
    return f"{pay} ({per_hour})"


def questions_of(study: Study) -> int:
    """How many one assignment has: its items, the checks among them, and the practice before."""
    targets = study.items.targets()[: study.items_per_assignment].count()
    checks = sum(study.check_quotas.values_list("per_assignment", flat=True))
    return targets + checks + study.items.filter(kind=Item.Kind.PRACTICE).count()


# The first page: what is asked, for how much and how long. Nothing is stored until the person goes on.


@page
def platform_entry(request: HttpRequest, slug: str) -> HttpResponse:
    """Entry from a platform, which adds the person's ids to the address."""
    study = Study.objects.filter(slug=slug).exclude(status=Study.Status.DRAFT).first()
    if study is None:
        raise Problem(_("There is no study at this address. Please check that you copied all of it."))
    return page_in_language(
        study, PLATFORMS[study.platform].first_frame, lambda: _platform_entry(request, study), request
    )


def _platform_entry(request: HttpRequest, study: Study) -> HttpResponse:
    arrival = _arrival_signed(request, study) if study.requires_signed_entry else _arrival(request, study)
    if arrival.is_preview:
        return _first_page(request, study, example=example_of(study))
    if request.method != "POST" and arrival.is_verified:
        return _first_page(request, study, arrival=sign_arrival(study, arrival))
    if request.method != "POST" and arrival.is_code_alone:
        code = remembered_code(study, arrival.platform_id)
        return _first_page(request, study, came_as=new_visitor_id(), remembered_as=code)
    return _enter_study(request, study, arrival, platform=study.platform, link=None)


def _arrival(request: HttpRequest, study: Study) -> Arrival:
    try:
        return PLATFORMS[study.platform].arrive(request.GET.dict())
    except BadArrival as error:
        raise Problem(str(error), HTTPStatus.BAD_REQUEST) from error


def _arrival_signed(request: HttpRequest, study: Study) -> Arrival:
    """As the first page's form says, which we have signed; or as the platform has. Outside of any transaction: the
    platform's keys may have to be fetched.
    """
    if request.method == "POST" and (known := read_arrival(study, request.POST.get("arrival", ""))):
        return known
    arrive = PLATFORMS[study.platform].arrive_signed
    if arrive is None:
        raise TurnedAway(unproven_sentence())
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    try:
        return arrive(request.GET.dict(), Entrance(study.platform_study_id, host, request.path))
    except BadArrival as error:
        raise TurnedAway(str(error)) from error
    except CantTell as error:
        raise TryAgain(str(error)) from error


@page
def link_entry(request: HttpRequest, link_token: str) -> HttpResponse:
    """Entry by an invitation or an open link of our own."""
    link = EntryLink.objects.select_related("study").filter(token=link_token).first()
    if link is None:
        raise Problem(_("This link is not valid. Please check that you copied all of it."))
    return page_in_language(link.study, Frame.NONE, lambda: _link_entry(request, link), request)


def _link_entry(request: HttpRequest, link: EntryLink) -> HttpResponse:
    if link.revoked_at is not None:
        raise Problem(_("This link is no longer valid."), HTTPStatus.GONE)
    if request.method != "POST" and link.kind == EntryLink.Kind.OPEN:
        return _first_page(request, link.study, came_as=new_visitor_id(), remembered_as=str(link.study.uuid))
    arrival = arrive_by_link(
        invitation=link.pk if link.kind == EntryLink.Kind.INVITATION else None,
        came_as=request.POST.get("came_as", ""),
    )
    return _enter_study(request, link.study, arrival, platform=OWN_LINKS, link=link)


def _enter_study(
    request: HttpRequest, study: Study, arrival: Arrival, *, platform: str, link: EntryLink | None
) -> HttpResponse:
    if request.method != "POST":
        return _first_page(request, study)
    try:
        participation = enter(
            study=study,
            platform=platform,
            platform_id=arrival.platform_id,
            session_id=arrival.session_id,
            secret=visitor_id(request.POST.get("came_as", "")) if arrival.is_code_alone else "",
            entry_link=link,
            is_verified=arrival.is_verified,
            network=network_of(request),
            device=device_of(request.headers.get("User-Agent", ""), request.headers.get("Sec-CH-UA-Mobile", "")),
        )
    except AlreadyEnded as ended:
        participation = ended.participation
        return redirect(Visit(Token(participation.uuid, frame=arrival.frame), participation).address("done"))
    except EntryRefused as error:
        if error.is_personal and not (arrival.is_verified or link is not None):
            # One page whatever the personal reason: it tells nobody who took part.
            raise TurnedAway(unproven_sentence(), platform) from error
        may_try_again = isinstance(error, TooManyAtOnce)
        raise TurnedAway(error.sentence, platform, may_try_again=may_try_again) from error
    return redirect(Visit(Token(participation.uuid, frame=arrival.frame), participation).address("next"))


def about_study(study: Study) -> dict[str, object]:
    """What the first page says of a study."""
    return {"study": study, "facts": facts_of(study), "qualification": qualification_of(study)}


def _first_page(request: HttpRequest, study: Study, **context: object) -> HttpResponse:
    return render(request, "annotation/landing.html", {**about_study(study), **context})


# A proven arrival, signed anew for the first page's form: a platform's signature is good for two minutes alone, and
# people may read that page for as long as they like.

SALT = "touchstone.arrival"
GOOD_FOR_SECONDS = 2 * 3600


def sign_arrival(study: Study, arrival: Arrival) -> str:
    return signing.dumps([str(study.uuid), arrival.platform_id, arrival.session_id], salt=SALT)


def read_arrival(study: Study, text: str) -> Arrival | None:
    """The arrival that was signed for this study; nothing where the text is none of ours, or too old."""
    try:
        uuid, platform_id, session_id = signing.loads(text, salt=SALT, max_age=GOOD_FOR_SECONDS)
    except (signing.BadSignature, ValueError):
        return None
    if uuid != str(study.uuid):
        return None
    return Arrival(platform_id=platform_id, session_id=session_id, is_verified=True)


# Consent and what comes before judging, questions about the instructions included.

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
    if assignment is None or assignment.is_passed_qualification:
        return visit.address("instructions")
    return visit.assignment_address("resume", assignment)


@participation_page
def consent(request: HttpRequest, visit: Visit) -> HttpResponse:
    if visit.participation.status != Status.ENTERED:
        return redirect(address_now(visit))
    if request.method != "POST":
        return render(request, "annotation/consent.html", {"visit": visit, "study": visit.study})
    if request.POST.get("consent") == "yes":
        give_consent(participation=visit.participation, names_signs=request.POST.get("signs") == "named")
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
    assignment = visit.participation.assignments.order_by("-number").first()
    has_begun = assignment is not None and not assignment.is_passed_qualification
    if request.method != "POST":
        qualification = qualification_of(visit.study) if assignment is None else None
        context = {"visit": visit, "study": visit.study, "has_begun": has_begun, "qualification": qualification}
        return render(request, "annotation/instructions.html", context)
    if visit.participation.status != Status.WORKING or has_begun:
        return redirect(address_now(visit))
    if assignment is None and visit.study.comprehension_questions.exists():
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
        return _comprehension_page(request, visit, questions, sentence if tries else "")
    answers = {question.pk: request.POST.get(f"q{question.pk}", "") for question in questions}
    if not all(answers.values()):
        sentence = _("Please answer every question.")
        return _comprehension_page(request, visit, questions, sentence, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    wrong = answer_comprehension(participation=participation, answers=answers)
    if participation.status != Status.WORKING:
        return redirect(visit.address("done"))
    if wrong:
        return redirect(visit.address("comprehend"))  # so that a reload doesn't spend the try that is left
    return begin(request, visit)


def _comprehension_page(
    request: HttpRequest,
    visit: Visit,
    questions: list[ComprehensionQuestion],
    sentence: str,
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    """Which answers were wrong is not said: then the second try would need no reading."""
    seed = visit.participation.seed
    shuffled_questions = [
        (question, shuffled(question.answers, generator(seed, f"q{question.pk}"))) for question in questions
    ]
    context = {
        "visit": visit,
        "study": visit.study,
        "asked": shuffled_questions,
        "sentence": sentence,
        "tries": visit.participation.comprehension_tries,
        "given": request.POST,
    }
    return render(request, "annotation/comprehension.html", context, status=status)
