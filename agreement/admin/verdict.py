"""Verdicts in the admin: what each rule said of each worker, with its evidence."""

from django.contrib import admin

from agreement.models import Verdict
from agreement.showing import evidence_text
from annotation.admin.columns import column
from annotation.admin.scoped import ReadOnlyAdmin, study_filter

COLOURS = {"passed": "success", "failed": "danger", "not applicable": "default"}


@admin.register(Verdict)
class VerdictAdmin(ReadOnlyAdmin):
    study_path = "run__study"
    list_display = ("participation", "rule", "shown_outcome", "shown_evidence", "run")
    list_filter = (study_filter("run__study"), "outcome")
    search_fields = ("=participation__pseudonym", "rule")
    search_help_text = "A pseudonym, whole, or a part of a rule"
    list_select_related = ("participation", "run__study", "run__rule_set")
    ordering = ("-pk",)
    fields = ("participation", "rule", "outcome", "shown_evidence", "run")

    @column("verdict", ordering="outcome", colours=COLOURS)
    def shown_outcome(self, verdict: Verdict) -> tuple[str, str]:
        return verdict.outcome, verdict.get_outcome_display()

    @column("evidence")
    def shown_evidence(self, verdict: Verdict) -> str:
        return "; ".join(evidence_text(each) for each in verdict.evidence)
