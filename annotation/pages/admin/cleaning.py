"""Cleaning runs, verdicts, exclusions and gold releases in the admin, all read-only."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from agreement.report.figure_rows import evidence_text
from annotation.pages.admin.base import ReadOnlyAdmin, column, study_filter
from annotation.releases.models import CleaningRun, Exclusion, GoldRelease, Verdict

# Cleaning runs in the admin: which rules were applied to a study, when and by whom.


@admin.register(CleaningRun)
class CleaningRunAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "study", "rule_set", "created_by", "completed_at")
    list_filter = (study_filter("study"),)
    list_select_related = ("study", "rule_set", "created_by")
    fields = ("study", "rule_set", "created_by", "created_at", "completed_at", "counts", "job", "uuid")
    readonly_fields = ("uuid",)


# Verdicts in the admin: what each rule said of each worker, with its evidence.

COLOURS = {"passed": "success", "failed": "danger", "not applicable": "default"}


@admin.register(Verdict)
class VerdictAdmin(ReadOnlyAdmin):
    study_path = "run__study"
    list_display = ("participation", "rule", "shown_outcome", "shown_evidence", "run")
    list_filter = (study_filter("run__study"), "outcome")
    search_fields = ("=participation__pseudonym", "rule")
    search_help_text = "The whole pseudonym, or a part of a rule"
    list_select_related = ("participation", "run__study", "run__rule_set")
    ordering = ("-pk",)
    fields = ("participation", "rule", "outcome", "shown_evidence", "run")

    @column("verdict", ordering="outcome", colours=COLOURS)
    def shown_outcome(self, verdict: Verdict) -> tuple[str, str]:
        return verdict.outcome, verdict.get_outcome_display()

    @column("evidence")
    def shown_evidence(self, verdict: Verdict) -> str:
        return "; ".join(evidence_text(each) for each in verdict.evidence)


# Exclusions in the admin: who is excluded, why, and whether that was lifted. They are made on the results page.


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
    search_help_text = "The whole pseudonym, or a part of the reason"
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


# Gold releases in the admin: numbered, hashed, never changed.


@admin.register(GoldRelease)
class GoldReleaseAdmin(ReadOnlyAdmin):
    list_display = ("shown_number", "study", "created_at", "created_by", "short_hash", "results")
    list_filter = (study_filter("study"),)
    search_fields = ("sha256", "study__title")
    list_select_related = ("study", "created_by")
    fields = ("study", "number", "created_at", "created_by", "sha256", "run", "methods", "uuid")
    readonly_fields = ("uuid",)
    ordering = ("-pk",)

    @column("release", ordering="number")
    def shown_number(self, release: GoldRelease) -> str:
        return f"release {release.number}"

    @column("SHA-256")
    def short_hash(self, release: GoldRelease) -> str:
        return format_html('<code title="{}">{}</code>', release.sha256, release.sha256[:12])

    @column("")
    def results(self, release: GoldRelease) -> str:
        address = f"{reverse('agreement:results', args=[release.study.uuid])}?release={release.number}"
        return format_html('<a class="t-link" href="{}">Results</a>', address)
