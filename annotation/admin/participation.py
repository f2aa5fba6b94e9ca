"""Participations in the admin: who took part, under pseudonyms; platform ids on one person's page, for managers."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, Exists, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import URLPattern

from annotation.admin.columns import column
from annotation.admin.person_pages import endings_of, urls_of
from annotation.admin.scoped import ReadOnlyAdmin, study_filter
from annotation.durations import minutes_text, time_taken
from annotation.models import AssignedItem, Participation
from annotation.permissions import Right

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
    search_help_text = "A pseudonym, whole"
    list_select_related = ("study",)
    list_before_template = "admin/touchstone/people_head.html"
    change_form_outer_before_template = "admin/touchstone/person_head.html"
    ordering = ("-pk",)
    fields = (
        "pseudonym", "study", "status", "marks", "device", "entered_at", "consented_at", "consent_version",
        "finished_at", "ended_at", "items", "comments", "demographics",
    )  # fmt: skip

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        is_manager = obj is not None and self.is_allowed(request, Right.MANAGE, obj)
        return (*self.fields, "platform_id", "session_id") if is_manager else self.fields

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return self.get_fields(request, obj)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Participation]:
        given = AssignedItem.objects.filter(participation=OuterRef("pk")).order_by().values("participation")
        count = Subquery(given.annotate(n=Count("pk")).values("n"), output_field=IntegerField())
        people: QuerySet[Participation] = super().get_queryset(request)
        others = Participation.objects.filter(study=OuterRef("study"), worker=OuterRef("worker"))
        return people.annotate(n_items=Coalesce(count, 0), shares_id=Exists(others.exclude(pk=OuterRef("pk"))))

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        context["can_exclude"] = self.is_allowed(request, Right.CHANGE, kwargs.get("obj"))
        person = kwargs.get("obj")
        context["can_withdraw"] = is_manager = self.is_allowed(request, Right.MANAGE, person)
        context["endings"] = endings_of(person) if is_manager and person is not None else []
        return super().render_change_form(request, context, *args, **kwargs)

    def get_urls(self) -> list[URLPattern]:
        return [*urls_of(self.admin_site.admin_view), *super().get_urls()]

    @column("status", ordering="status", colours=COLOURS)
    def shown_status(self, person: Participation) -> tuple[str, str]:
        return person.status, person.get_status_display()

    @column("items", ordering="n_items")
    def items(self, person: Any) -> int:
        return int(person.n_items)

    @column("marks")
    def marks(self, person: Any) -> str:
        said = (
            "pilot" if person.is_pilot else "",
            "" if person.is_verified else "not verified",
            "another claims the same id" if person.shares_id else "",
        )
        return ", ".join(filter(None, said))

    @column("minutes")
    def minutes(self, person: Participation) -> str:
        time = time_taken(person.consented_at, person.finished_at)
        return "–" if time is None else minutes_text(time)

    @column("platform's id", if_none="purged, or never known")
    def platform_id(self, person: Participation) -> str | None:
        return person.worker.platform_id

    @column("platform's session", if_none="purged, or never known")
    def session_id(self, person: Participation) -> str | None:
        payment = getattr(person, "payment", None)
        return None if payment is None else payment.session_id
