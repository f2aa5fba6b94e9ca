"""Who tried to log in, and what was done to accounts: two records for superusers, read-only."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from annotation.admin.columns import column
from annotation.admin.scoped import QuietChangeList
from annotation.models import AccountEntry, LogInAttempt

COLOURS = {
    "begun": "warning",
    "wrong": "danger",
    "wrong-code": "danger",
    "code-asked": "info",
    "logged-in": "success",
    "confirmed": "success",
    "refused": "default",
}
NETWORK_SHOWN = 8  # enough to tell the networks of one day apart


class SuperusersRecord(ModelAdmin):  # type: ignore[misc]  # unfold has no types
    """Rows that superusers read and nobody changes by hand."""

    actions = None
    list_per_page = 50
    show_full_result_count = False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:  # noqa: ARG002
        return QuietChangeList

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return bool(request.user.is_superuser)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False


@admin.register(LogInAttempt)
class LogInAttemptAdmin(SuperusersRecord):
    list_display = ("at", "account_name", "shown_outcome", "shown_network", "forgiven_at")
    list_filter = ("outcome",)
    search_fields = ("user__username",)
    list_select_related = ("user",)
    fields = ("at", "account_name", "outcome", "shown_network", "forgiven_at")

    @column("account", ordering="user__username")
    def account_name(self, attempt: LogInAttempt) -> str:
        return "no such account" if attempt.user is None else attempt.user.get_username()

    @column("how it ended", ordering="outcome", colours=COLOURS)
    def shown_outcome(self, attempt: LogInAttempt) -> tuple[str, str]:
        return attempt.outcome, attempt.get_outcome_display()

    @column("network", ordering="network")
    def shown_network(self, attempt: LogInAttempt) -> str:
        return attempt.network[:NETWORK_SHOWN] or "unknown"


@admin.register(AccountEntry)
class AccountEntryAdmin(SuperusersRecord):
    list_display = ("at", "action", "user", "by")
    list_filter = ("action",)
    search_fields = ("user__username", "by__username")
    list_select_related = ("user", "by")
    fields = ("at", "action", "user", "by")
