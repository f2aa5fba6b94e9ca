"""Cleaning runs in the admin: which rules were applied to a study, when and by whom."""

from django.contrib import admin

from agreement.models import CleaningRun
from annotation.admin.scoped import ReadOnlyAdmin, study_filter


@admin.register(CleaningRun)
class CleaningRunAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "study", "rule_set", "created_by", "completed_at")
    list_filter = (study_filter("study"),)
    list_select_related = ("study", "rule_set", "created_by")
    fields = ("study", "rule_set", "created_by", "created_at", "completed_at", "counts", "job", "uuid")
    readonly_fields = ("uuid",)
