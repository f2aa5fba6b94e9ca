"""The record in the admin: who did what to a study, when and why. Append-only, so read-only."""

import json
import re

from django.contrib import admin

from annotation.admin.columns import column
from annotation.admin.scoped import ReadOnlyAdmin, study_filter
from annotation.models import AuditEntry

LONG_NUMBER = re.compile(r"[0-9a-f-]{33,64}")  # a SHA-256 or a UUID

MOST_SHOWN = 10  # of a list, on a line; an entry's own page has all of it


def shown(value: object) -> str:
    """A value of the record on a line: of hashes and UUIDs the beginning, which is enough to tell them apart."""
    if isinstance(value, list):
        more = f" and {len(value) - MOST_SHOWN} more" if len(value) > MOST_SHOWN else ""
        return " ".join(map(shown, value[:MOST_SHOWN])) + more
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    said = str(value)
    return f"{said[:12]}…" if LONG_NUMBER.fullmatch(said) else said


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("at", "shown_action", "study", "by", "why", "shown_detail")
    list_filter = (study_filter("study"), "action")
    search_fields = ("why", "by__username")
    list_select_related = ("study", "by")
    fields = ("at", "action", "study", "by", "why", "whole_detail")

    @column("detail")
    def whole_detail(self, entry: AuditEntry) -> str:
        return json.dumps(entry.detail, ensure_ascii=False, indent=2)

    @column("what", ordering="action")
    def shown_action(self, entry: AuditEntry) -> str:
        return entry.get_action_display()

    @column("detail")
    def shown_detail(self, entry: AuditEntry) -> str:
        return ", ".join(f"{name.replace('_', ' ')}: {shown(value)}" for name, value in entry.detail.items())
