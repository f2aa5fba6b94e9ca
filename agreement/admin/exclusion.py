"""Exclusions in the admin: who is set aside, why, and whether it was lifted. They are made on the results page."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from agreement.models import Exclusion
from annotation.admin.columns import column
from annotation.admin.scoped import ReadOnlyAdmin, study_filter


class InForceFilter(admin.SimpleListFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:  # noqa: ARG002
        return [("in-force", "in force"), ("lifted", "lifted")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Exclusion]) -> QuerySet[Exclusion]:  # noqa: ARG002
        if self.value() is None:
            return queryset
        return queryset.filter(lifted_at__isnull=self.value() == "in-force")


@admin.register(Exclusion)
class ExclusionAdmin(ReadOnlyAdmin):
    study_path = "participation__study"
    list_display = ("participation", "study", "reason", "how", "created_at", "lifted_at", "lift_reason", "results")
    list_filter = (study_filter("participation__study"), InForceFilter)
    search_fields = ("=participation__pseudonym", "reason")
    search_help_text = "A pseudonym, whole, or a part of the reason"
    list_select_related = ("participation__study", "run", "created_by")
    fields = (
        "participation", "study", "reason", "how", "run", "created_by", "created_at",
        "lifted_at", "lifted_by", "lift_reason",
    )  # fmt: skip

    @column("study")
    def study(self, exclusion: Exclusion) -> str:
        return str(exclusion.participation.study)

    @column("made")
    def how(self, exclusion: Exclusion) -> str:
        return "by hand" if exclusion.run_id is None else "by a cleaning run"

    @column("")
    def results(self, exclusion: Exclusion) -> str:
        address = reverse("agreement:results", args=[exclusion.participation.study.uuid])
        return format_html('<a class="t-link" href="{}">Results</a>', address)
