"""Researchers' accounts in the admin: who may sign in, who tried to, second factors and API tokens."""

import datetime as dt

import segno
from django import forms
from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from agreement.errors import Refused
from annotation.accounts.researcher_accounts import (
    address_for_apps,
    create_token,
    end_attempt,
    new_nonce,
    recovery_codes_left,
    remove_second_factor,
    reset_second_factor,
    revoke_token,
    secret_of,
    set_second_factor,
    shown_secret,
    unlock_account,
)
from annotation.models import AccountEntry, ApiToken, LogInAttempt, Scope, SecondFactor, User
from annotation.models.text_fields import validate_line
from annotation.pages.admin.base import QuietChangeList, column, posted, user_of
from annotation.pages.admin.log_in import CodeForm, LogInLocked, begun_attempt

# Researchers in the admin, for superusers: who may sign in. What they may do is said by roles, study by study.

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

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002
        return bool(request.user.is_superuser)

    has_change_permission = has_view_permission

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002
        return bool(request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002
        return False  # what somebody did stays in the record under their name: make them inactive instead

    @admin.action(description="Unlock after failed log-ins")
    def unlock_log_in(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user in queryset:
            count = unlock_account(user=user, by=user_of(request))
            messages.success(request, f"{user} can log in again: {count} failed log-ins are no longer counted.")

    @admin.action(description="Reset the second factor")
    def reset_second_factors(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user in queryset:
            if reset_second_factor(user=user, by=user_of(request)):
                messages.success(
                    request, f"{user} now logs in with the password alone, and should set up a second factor again."
                )
            else:
                messages.info(request, f"{user} has no second factor.")

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm, change: bool) -> None:  # noqa: FBT001
        if not change:
            obj.is_staff = True  # only researchers have accounts
        super().save_model(request, obj, form, change)


# Who tried to log in, and what was done to accounts: two records for superusers, read-only.

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

    def get_changelist(self, request: HttpRequest, **kwargs: object) -> type[ChangeList]:  # noqa: ARG002
        return QuietChangeList

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002
        return bool(request.user.is_superuser)

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002
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
        return "unknown account" if attempt.user is None else attempt.user.get_username()

    @column("result", ordering="outcome", colours=COLOURS)
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


# A researcher's own second factor: set up with an app, recovery codes shown once, removed with a code.

# Between the picture and the first code the nonce is in the session: nothing is set up until an app has shown a
# right code.
NONCE = "second_factor_nonce"
PAGE = "admin/touchstone/second_factor.html"


@never_cache
def second_factor(request: HttpRequest) -> HttpResponse:
    """What is set up, or the way to it; by POST the first code, which sets it up."""
    user = user_of(request)
    if SecondFactor.objects.filter(user=user).exists():
        context = {"is_set": True, "form": CodeForm(), "codes_left": recovery_codes_left(user)}
        return _page(request, context)
    nonce = request.session.setdefault(NONCE, new_nonce())
    form = CodeForm(posted(request))
    form.fields["code"].help_text = "The six digits that the app shows now."
    if form.is_valid():
        try:
            codes = set_second_factor(user=user, nonce=nonce, code=form.cleaned_data["code"])
        except Refused as refusal:
            form.add_error("code", list(refusal.reasons))
        else:
            del request.session[NONCE]
            return _page(request, {"codes": codes})
    secret = secret_of(nonce)
    address = address_for_apps(secret, user.get_username(), "Touchstone")
    return _page(request, {"form": form, "picture": qr_code(address), "secret": shown_secret(secret)})


@require_POST
@never_cache
def remove(request: HttpRequest) -> HttpResponse:
    """With a code, and held to the limits of log-ins: a session left open must not try a million of them."""
    user, form = user_of(request), CodeForm(request.POST)
    status = 422
    if form.is_valid():
        try:
            attempt = begun_attempt(user.get_username(), request)
            remove_second_factor(user=user, code=form.cleaned_data["code"])
        except LogInLocked as held:
            form.add_error("code", held)
            status = 429
        except Refused as refusal:
            end_attempt(attempt=attempt, outcome=LogInAttempt.Outcome.WRONG_CODE)
            form.add_error("code", ValidationError(list(refusal.reasons)))
        else:
            end_attempt(attempt=attempt, outcome=LogInAttempt.Outcome.CONFIRMED)
            messages.success(request, "You now log in with the password alone.")
            return redirect("second_factor")
    context = {"is_set": True, "form": form, "codes_left": recovery_codes_left(user)}
    return _page(request, context, status)


def qr_code(text: str) -> SafeString:
    """An SVG for the page itself: paths alone, and nothing of `text` in words."""
    drawn = segno.make(text, micro=False).svg_inline(scale=5, dark="#000", light="#fff", title="QR code for the app")
    return mark_safe(drawn)  # noqa: S308


def _page(request: HttpRequest, context: dict[str, object], status: int = 200) -> HttpResponse:
    shown = {**admin.site.each_context(request), "title": "Second factor", **context}
    return render(request, PAGE, shown, status=status)


# A researcher's API tokens in the admin: created here and shown once, listed with their last use, revoked.

LIVES = ((7, "7 days"), (30, "30 days"), (90, "90 days"), (365, "1 year"))
SHOWN = 200


class TokenForm(forms.Form):
    name = forms.CharField(
        label="Name",
        max_length=80,
        validators=[validate_line],
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        help_text="What uses it: the name of a script or a machine.",
    )
    days = forms.TypedChoiceField(
        label="Valid for", coerce=int, choices=LIVES, initial=90, widget=UnfoldAdminSelectWidget
    )
    scopes = forms.MultipleChoiceField(
        label="May",
        choices=Scope.choices,
        initial=[Scope.READ],
        widget=forms.CheckboxSelectMultiple,
        help_text="Never more than you may do yourself. No token can create tokens.",
    )


@never_cache
def api_tokens(request: HttpRequest) -> HttpResponse:
    """The tokens that there are; by POST a new one, whose text this answer alone shows."""
    user, form, text = user_of(request), TokenForm(posted(request)), ""
    if form.is_valid():
        values = form.cleaned_data
        lives = dt.timedelta(days=values["days"])
        try:
            _token, text = create_token(user=user, name=values["name"], scopes=values["scopes"], lives=lives)
        except Refused as refusal:
            form.add_error("name", list(refusal.reasons))
        else:
            form = TokenForm()
    now = timezone.now()
    seen = ApiToken.objects.select_related("user").newest_first()
    own = seen if user.is_superuser else seen.filter(user=user)
    context: dict[str, object] = {
        **admin.site.each_context(request),
        "title": "API tokens",
        "form": form,
        "text": text,
        "tokens": own.filter(revoked_at=None)[:SHOWN],
        "now": now,
    }
    page = "admin/touchstone/api_tokens.html"
    return render(request, page, context, status=422 if form.is_bound and form.errors else 200)


@require_POST
def revoke_api_token(request: HttpRequest, pk: int) -> HttpResponse:
    """One's own; an administrator, anybody's."""
    user = user_of(request)
    tokens = ApiToken.objects.select_related("user")
    token = get_object_or_404(tokens if user.is_superuser else tokens.filter(user=user), pk=pk)
    revoke_token(token=token, by=user)
    messages.success(request, f"The token {token.name} is revoked: it no longer signs in.")
    return redirect("api_tokens")
