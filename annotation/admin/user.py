"""Researchers in the admin, for superusers: who may sign in. What they may do is said by roles, study by study."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from annotation.actions.logging_in import unlock
from annotation.actions.second_factor import reset_second_factor
from annotation.admin.pages import user_of
from annotation.models import User

admin.site.unregister(Group)  # rights hang on studies, not on groups


@admin.register(User)
class UserAdmin(BaseUserAdmin, ModelAdmin):  # type: ignore[misc]
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "first_name", "last_name", "email", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("first_name", "last_name", "email")}),
        ("May", {"fields": ("is_active", "is_staff", "is_superuser")}),
    )
    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("username", "password1", "password2")}),)
    filter_horizontal = ()
    actions = ("unlock_log_in", "reset_second_factors")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return bool(request.user.is_superuser)

    has_change_permission = has_view_permission

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return bool(request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False  # what somebody did stays in the record under their name: make them inactive instead

    @admin.action(description="Unlock after failed log-ins")
    def unlock_log_in(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user in queryset:
            count = unlock(user=user, by=user_of(request))
            messages.success(request, f"{user} can log in again: {count} failed log-ins no longer count.")

    @admin.action(description="Reset the second factor")
    def reset_second_factors(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user in queryset:
            if reset_second_factor(user=user, by=user_of(request)):
                messages.success(request, f"{user} logs in by the password alone now, and should set up a new app.")
            else:
                messages.info(request, f"{user} has no second factor.")

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:  # noqa: FBT001
        if not change:
            obj.is_staff = True  # only researchers have accounts
        super().save_model(request, obj, form, change)
