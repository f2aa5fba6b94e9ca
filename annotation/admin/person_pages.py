"""For managers, when somebody writes or the platform tells: a person found by the platform's id, withdrawn on their
behalf, or recorded as returned, timed out or rejected on the platform.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from django.contrib import admin, messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path

from annotation.actions.leaving import HERE, PAYMENT_AFTER, leave
from annotation.actions.withdrawing import withdraw
from annotation.admin.forms import PlatformIdForm, ReasonForm, RejectionForm
from annotation.admin.pages import posted, study_page, user_of
from annotation.errors import Refused
from annotation.models import Participation, Payment
from annotation.permissions import Right, studies_where, study_or_404

View: TypeAlias = Callable[..., HttpResponse]
Status = Participation.Status


@dataclass(frozen=True, slots=True)
class Ending:
    """How a person left on the platform: what the button says, and what pressing it means."""

    verb: str
    meaning: str


ANSWERS = "Their places open again for others, and what they had answered counts as late."
ENDINGS: dict[str, Ending] = {
    Status.RETURNED: Ending("returned", f"They gave the study back on the platform. {ANSWERS}"),
    Status.TIMED_OUT: Ending("timed out", f"The platform ended their part, for their time was over. {ANSWERS}"),
    Status.REJECTED: Ending(
        "were rejected",
        "They were rejected on the platform. Their answers don't count, and their places open for others.",
    ),
}


def find(request: HttpRequest) -> HttpResponse:
    """By POST alone: an id in an address would stand in every log on the way."""
    form = PlatformIdForm(posted(request))
    found = None
    if form.is_valid():
        theirs = Q(worker__platform_id=form.cleaned_data["platform_id"]) | Q(
            payment__platform_id=form.cleaned_data["platform_id"]
        )
        people = Participation.objects.filter(theirs, study__in=studies_where(request.user, Right.MANAGE).values("pk"))
        found = list(people.select_related("study").order_by("-pk"))
    context = {"title": "Find a person", "opts": Participation._meta, "form": form, "found": found}
    return render(request, "admin/touchstone/find_person.html", {**admin.site.each_context(request), **context})


def withdraw_for(request: HttpRequest, pk: int) -> HttpResponse:
    person = get_object_or_404(Participation.objects.select_related("study"), pk=pk)
    study = study_or_404(request.user, Right.MANAGE, pk=person.study_id)
    if request.method == "POST":
        erased = withdraw(participation=person, by=user_of(request))
        messages.success(request, f"{person} is withdrawn: {erased} answers are erased, and their places open again.")
        return redirect("admin:annotation_participation_change", person.pk)
    context = {"person": person}
    return study_page(request, study, "admin/touchstone/withdraw.html", context, section="people", title="Withdraw")


def leave_for(request: HttpRequest, pk: int, status: str) -> HttpResponse:
    """What happened on the platform is recorded here; the platform itself is told nothing."""
    person = get_object_or_404(Participation.objects.select_related("study", "worker", "payment"), pk=pk)
    study = study_or_404(request.user, Right.MANAGE, pk=person.study_id)
    if status not in ENDINGS:
        raise Http404(f"There is no such ending: {status}.")
    form = (RejectionForm if status == Status.REJECTED else ReasonForm)(posted(request))
    refusal = why_not(person, status)
    if form.is_valid() and not refusal:
        try:
            leave(participation=person, status=status, by=user_of(request), why=form.cleaned_data["why"])
        except Refused as refused:
            form.add_error("why", " ".join(refused.reasons))
        else:
            messages.success(request, f"{person} is recorded: {person.get_status_display().lower()}.")
            return redirect("admin:annotation_participation_change", person.pk)
    payment = getattr(person, "payment", None)
    is_open = payment is not None and payment.status in Payment.OPEN
    context = {
        "person": person,
        "ending": ENDINGS[status],
        "payment_becomes": Payment.Status(PAYMENT_AFTER[status]).value if is_open else "",
        "refusal": refusal,
        "form": form,
    }
    wrong = bool(refusal or form.errors)
    title = f"{person}: {ENDINGS[status].verb} on the platform"
    page = "admin/touchstone/leave.html"
    return study_page(request, study, page, context, section="people", title=title, status=422 if wrong else 200)


def why_not(person: Participation, status: str) -> str:
    """Why this ending can't be recorded of the person; nothing: it can."""
    if person.status not in HERE:
        return f"{person} has ended already: {person.get_status_display().lower()}. That stays as it is."
    payment = getattr(person, "payment", None)
    if status == Status.REJECTED and payment is not None and payment.status == Payment.Status.PAID:
        return f"{person} has been paid already: who was paid can't be rejected."
    return ""


def endings_of(person: Participation) -> list[tuple[str, Ending]]:
    """The endings that can still be recorded of the person."""
    return [(status, ending) for status, ending in ENDINGS.items() if not why_not(person, status)]


def urls_of(wrap: Callable[[View], View]) -> list[URLPattern]:
    return [
        path("find/", wrap(find), name="annotation_participation_find"),
        path("<int:pk>/withdraw/", wrap(withdraw_for), name="annotation_participation_withdraw"),
        path("<int:pk>/left/<slug:status>/", wrap(leave_for), name="annotation_participation_leave"),
    ]
