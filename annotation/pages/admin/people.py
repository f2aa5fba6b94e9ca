"""People in the admin: who took part, under pseudonyms, and one person's page for managers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, cast

from django.contrib import admin, messages
from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path

from agreement.durations import LEAST_TIME, minutes_text, time_taken
from agreement.errors import Refused
from annotation.accounts.permissions import Right, studies_where, study_or_404
from annotation.models import AssignedItem, Participation, Payment
from annotation.pages.admin.base import ReadOnlyAdmin, column, posted, study_filter, study_page, user_of
from annotation.pages.admin.forms import PlatformIdForm, ReasonForm, RejectionForm
from annotation.people.leaving import HERE, PAYMENT_AFTER, leave, withdraw

# For managers, when somebody writes or the platform tells: a person found by the platform's id, withdrawn on their
# behalf, or recorded as returned, timed out or rejected on the platform.

View: TypeAlias = Callable[..., HttpResponse]
Status = Participation.Status


@dataclass(frozen=True, slots=True)
class Ending:
    """How a person left on the platform: what the button says, and what pressing it means."""

    verb: str
    meaning: str


ANSWERS = "Other people answer their items instead, and the answers that they have given count as late."
ENDINGS: dict[str, Ending] = {
    Status.RETURNED: Ending("returned", f"They returned the study on the platform. {ANSWERS}"),
    Status.TIMED_OUT: Ending("timed out", f"The platform ended their part because their time was over. {ANSWERS}"),
    Status.REJECTED: Ending(
        "were rejected",
        "They were rejected on the platform. Their answers don't count, and other people answer their items instead.",
    ),
}


def find(request: HttpRequest) -> HttpResponse:
    """By POST alone: an id in an address would stand in every log on the way."""
    form = PlatformIdForm(posted(request))
    people_with_id = None
    if form.is_valid():
        theirs = Q(worker__platform_id=form.cleaned_data["platform_id"]) | Q(
            payment__platform_id=form.cleaned_data["platform_id"]
        )
        people = Participation.objects.filter(theirs, study__in=studies_where(request.user, Right.MANAGE).values("pk"))
        people_with_id = list(people.select_related("study").order_by("-pk"))
    context = {"title": "Find a person", "opts": Participation._meta, "form": form, "found": people_with_id}
    return render(request, "admin/touchstone/find_person.html", {**admin.site.each_context(request), **context})


def withdraw_person(request: HttpRequest, pk: int) -> HttpResponse:
    person = get_object_or_404(Participation.objects.select_related("study"), pk=pk)
    study = study_or_404(request.user, Right.MANAGE, pk=person.study_id)
    if request.method == "POST":
        erased = withdraw(participation=person, by=user_of(request))
        messages.success(
            request, f"{person} is withdrawn: {erased} answers are erased, and other people can answer those items."
        )
        return redirect("admin:annotation_participation_change", person.pk)
    context = {"person": person}
    return study_page(request, study, "admin/touchstone/withdraw.html", context, section="people", title="Withdraw")


def record_departure_of(request: HttpRequest, pk: int, status: str) -> HttpResponse:
    """What happened on the platform is recorded here; the platform itself is told nothing."""
    person = get_object_or_404(Participation.objects.select_related("study", "worker", "payment"), pk=pk)
    study = study_or_404(request.user, Right.MANAGE, pk=person.study_id)
    if status not in ENDINGS:
        raise Http404(f"{status} is not a way to leave a study.")
    form = (RejectionForm if status == Status.REJECTED else ReasonForm)(posted(request))
    refusal = why_not(person, status)
    if form.is_valid() and not refusal:
        try:
            leave(participation=person, status=status, by=user_of(request), why=form.cleaned_data["why"])
        except Refused as refused:
            form.add_error("why", " ".join(refused.reasons))
        else:
            messages.success(request, f"{person} is recorded as: {person.get_status_display().lower()}.")
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
        return f"{person} has ended already: {person.get_status_display().lower()}. This can't change any more."
    payment = getattr(person, "payment", None)
    if status == Status.REJECTED and payment is not None and payment.status == Payment.Status.PAID:
        return f"{person} has already been paid and can't be rejected."
    return ""


def endings_of(person: Participation) -> list[tuple[str, Ending]]:
    """The endings that can still be recorded of the person."""
    return [(status, ending) for status, ending in ENDINGS.items() if not why_not(person, status)]


def urls_of(wrap: Callable[[View], View]) -> list[URLPattern]:
    return [
        path("find/", wrap(find), name="annotation_participation_find"),
        path("<int:pk>/withdraw/", wrap(withdraw_person), name="annotation_participation_withdraw"),
        path("<int:pk>/left/<slug:status>/", wrap(record_departure_of), name="annotation_participation_leave"),
    ]


# Participations in the admin: who took part, under pseudonyms; platform ids on one person's page, for managers.

COLOURS = {
    "entered": "info",
    "working": "info",
    "finished": "success",
    "withdrawn": "danger",
    "rejected": "danger",
}


@admin.register(Participation)
class ParticipationAdmin(ReadOnlyAdmin):
    list_display = ("pseudonym", "shown_status", "items", "entered_at", "minutes", "marks", "study")
    list_filter = (study_filter("study"), "status", "is_pilot", "is_verified")
    search_fields = ("=pseudonym",)
    search_help_text = "The whole pseudonym"
    list_select_related = ("study",)
    list_before_template = "admin/touchstone/people_head.html"
    change_form_outer_before_template = "admin/touchstone/person_head.html"
    ordering = ("-pk",)
    fields = (
        "pseudonym", "study", "status", "marks", "device", "entered_at", "consented_at", "consent_version",
        "finished_at", "ended_at", "items", "comments", "demographics",
    )  # fmt: skip

    def get_fields(self, request: HttpRequest, obj: Participation | None = None) -> tuple[str, ...]:
        is_manager = obj is not None and self.is_allowed(request, Right.MANAGE, obj)
        return (*self.fields, "platform_id", "session_id") if is_manager else self.fields

    def get_readonly_fields(self, request: HttpRequest, obj: Participation | None = None) -> tuple[str, ...]:
        return self.get_fields(request, obj)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Participation]:
        assigned = AssignedItem.objects.filter(participation=OuterRef("pk")).order_by().values("participation")
        count = Subquery(assigned.annotate(n=Count("pk")).values("n"), output_field=IntegerField())
        people: QuerySet[Participation] = super().get_queryset(request)
        others = Participation.objects.filter(study=OuterRef("study"), worker=OuterRef("worker"))
        return people.annotate(n_items=Coalesce(count, 0), shares_id=Exists(others.exclude(pk=OuterRef("pk"))))

    def render_change_form(
        self, request: HttpRequest, context: dict[str, object], *args: object, **kwargs: object
    ) -> HttpResponse:
        person = cast("Participation | None", kwargs.get("obj"))
        context["can_exclude"] = self.is_allowed(request, Right.CHANGE, person)
        context["can_withdraw"] = is_manager = self.is_allowed(request, Right.MANAGE, person)
        context["endings"] = endings_of(person) if is_manager and person is not None else []
        page: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return page

    def get_urls(self) -> list[URLPattern]:
        return [*urls_of(self.admin_site.admin_view), *super().get_urls()]

    @column("status", ordering="status", colours=COLOURS)
    def shown_status(self, person: Participation) -> tuple[str, str]:
        return person.status, person.get_status_display()

    @column("items", ordering="n_items")
    def items(self, person: Participation) -> int:
        return int(vars(person)["n_items"])

    @column("marks")
    def marks(self, person: Participation) -> str:
        words = (
            "pilot" if person.is_pilot else "",
            "" if person.is_verified else "unverified",
            "another person has the same id" if vars(person)["shares_id"] else "",
        )
        return ", ".join(filter(None, words))

    @column("minutes")
    def minutes(self, person: Participation) -> str:
        time = time_taken(person.consented_at, person.finished_at)
        return "–" if time is None or time < LEAST_TIME else minutes_text(time)

    @column("platform id", if_none="purged, or never known")
    def platform_id(self, person: Participation) -> str | None:
        return person.worker.platform_id

    @column("platform session", if_none="purged, or never known")
    def session_id(self, person: Participation) -> str | None:
        payment = getattr(person, "payment", None)
        return None if payment is None else payment.session_id
