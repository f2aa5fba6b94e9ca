"""Rule sets in the admin: each as it was when first used. Any researcher may read them."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from agreement.models import StoredRuleSet


@admin.register(StoredRuleSet)
class StoredRuleSetAdmin(ModelAdmin):  # type: ignore[misc]
    list_display = ("name", "sha256", "created_at")
    search_fields = ("name", "sha256")
    fields = ("name", "sha256", "created_at", "toml")
    readonly_fields = fields
    actions = None

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_staff

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest, *_: Any) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002
        return False
