"""The record in the admin: who did what to a study, when and why. Append-only, so read-only."""

import json

from django.contrib import admin

from annotation.admin.columns import column
from annotation.admin.scoped import ReadOnlyAdmin, study_filter
from annotation.models import AuditEntry


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("at", "shown_action", "study", "by", "why", "shown_detail")
    list_filter = (study_filter("study"), "action")
    search_fields = ("why", "by__username")
    list_select_related = ("study", "by")
    fields = ("at", "action", "study", "by", "why", "shown_detail")

    @column("what", ordering="action")
    def shown_action(self, entry: AuditEntry) -> str:
        return entry.get_action_display()

    @column("detail")
    def shown_detail(self, entry: AuditEntry) -> str:
        return ", ".join(
            f"{name}: {value if isinstance(value, str | int | float) else json.dumps(value, ensure_ascii=False)}"
            for name, value in entry.detail.items()
        )
