"""Logging in: the form, held to its limits before any password is hashed, and the page that asks for a code."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm as BaseAuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from unfold.forms import AuthenticationForm
from unfold.widgets import UnfoldAdminTextInputWidget

from annotation.accounts.researcher_accounts import Lockout, begin_attempt, check_code, end_attempt
from annotation.entry.links import network_of
from annotation.models import LogInAttempt, SecondFactor, User
from annotation.web.middleware import note_log_in
from annotation.web.security import ADMIN_PAGES, policy_allowing

Outcome = LogInAttempt.Outcome
# A password takes half a second of a processor on purpose, and annotators are answered by the same four threads: eight
# attempts at once raised /health from 1 ms to 590 ms. So a process hashes one at a time and turns the others away.
HASHES_AT_ONCE = 1
_hashing = threading.BoundedSemaphore(HASHES_AT_ONCE)
BUSY = "Somebody else is logging in at this moment: try again in a few seconds."
BUSY_SECONDS = 2
PENDING = "log_in"
# From the right password to the code.
PENDING_SECONDS = 300


class LogInLocked(ValidationError):
    """The attempt is not checked at all, for so long."""

    def __init__(self, sentence: str, seconds: int) -> None:
        super().__init__(sentence, code="held")
        self.seconds = seconds


@contextmanager
def hashing_slot() -> Iterator[None]:
    """Room to hash a password, or a refusal at once: a thread that waits is a thread that annotators miss."""
    if not _hashing.acquire(blocking=False):
        raise LogInLocked(BUSY, BUSY_SECONDS)
    try:
        yield
    finally:
        _hashing.release()


def begun_attempt(name: str, request: HttpRequest) -> LogInAttempt:
    attempt = begin_attempt(name=name, network=network_of(request))
    if isinstance(attempt, Lockout):
        raise LogInLocked(str(attempt), attempt.seconds)
    return attempt


class LogInForm(AuthenticationForm):  # type: ignore[misc]  # unfold has no types
    """`held_seconds` says that the attempt was turned away unchecked."""

    held_seconds = 0
    attempt: LogInAttempt

    def clean(self) -> dict[str, object]:
        values: dict[str, object] = self.cleaned_data
        if not values.get("username") or not values.get("password"):
            return values
        try:
            with hashing_slot():
                self.attempt = begun_attempt(str(values["username"]), self.request)
                return self._checked()
        except LogInLocked as held:
            self.held_seconds = held.seconds
            raise

    def _checked(self) -> dict[str, object]:
        try:
            checked: dict[str, object] = super().clean()
        except ValidationError:
            end_attempt(attempt=self.attempt, outcome=Outcome.WRONG)
            raise
        return checked


class CodeForm(forms.Form):
    code = forms.CharField(
        label="Code",
        max_length=40,
        widget=UnfoldAdminTextInputWidget(
            attrs={"autocomplete": "one-time-code", "inputmode": "text", "autofocus": "", "spellcheck": "false"}
        ),
        help_text="The six digits that your authenticator app shows now, or one of your recovery codes.",
    )


@method_decorator([sensitive_post_parameters("password"), never_cache], name="dispatch")
class LogInView(LoginView):
    form_class = LogInForm
    template_name = "admin/touchstone/log_in.html"

    def get(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if admin.site.has_permission(request):
            return redirect("admin:index")
        return super().get(request, *args, **kwargs)

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        context = super().get_context_data(**kwargs)
        own = {"title": "Log in", "subtitle": None, "app_path": self.request.get_full_path()}
        more = {**own, "providers": settings.OIDC_PROVIDERS}
        return {**context, **admin.site.each_context(self.request), **more}

    def render_to_response(self, context: dict[str, object], **more: object) -> HttpResponse:
        """Chromium lets a form lead to a provider only where the page names its origin."""
        response = super().render_to_response(context, **more)
        if origins := [origin for provider in settings.OIDC_PROVIDERS for origin in provider.origins]:
            policy = policy_allowing(ADMIN_PAGES, "form-action", " ".join(["'self'", *origins]))
            response.headers["Content-Security-Policy"] = policy
        return response

    def form_valid(self, form: BaseAuthenticationForm) -> HttpResponse:
        assert isinstance(form, LogInForm)  # noqa: S101 - for the type checker: it is this view's form
        return let_in_or_ask(self.request, form.attempt, form.get_user(), self.get_success_url())

    def form_invalid(self, form: BaseAuthenticationForm) -> HttpResponse:
        assert isinstance(form, LogInForm)  # noqa: S101 - for the type checker: it is this view's form
        response = super().form_invalid(form)
        return _lockout_page(response, form.held_seconds)


@never_cache
def code(request: HttpRequest) -> HttpResponseBase:
    """The second step, for those who have set one up: at most five minutes after the password."""
    pending = _pending_log_in(request)
    if pending is None:
        messages.warning(request, "Log in with your password first. You then have five minutes to enter the code.")
        return redirect("admin:login")
    user, next_page = pending
    form, held_seconds = CodeForm(request.POST if request.method == "POST" else None), 0
    if form.is_valid():
        try:
            attempt = checked_code(request, user, form.cleaned_data["code"])
        except LogInLocked as held:
            form.add_error("code", held)
            held_seconds = held.seconds
        except ValidationError as wrong:
            form.add_error("code", wrong)
        else:
            return _let_in(request, attempt, user, next_page)
    context = {**admin.site.each_context(request), "title": "Code", "form": form}
    return _lockout_page(render(request, "admin/touchstone/log_in_code.html", context), held_seconds)


def checked_code(request: HttpRequest, user: User, typed: str) -> LogInAttempt:
    """The attempt, still open, whose code was right. Wrong codes count as wrong passwords do."""
    attempt = begun_attempt(user.get_username(), request)
    if not check_code(user=user, code=typed):
        end_attempt(attempt=attempt, outcome=Outcome.WRONG_CODE)
        raise ValidationError(
            "That is not the code which the app shows now, nor an unused recovery code. Each code works once: wait for"
            " the next one."
        )
    return attempt


def let_in_or_ask(request: HttpRequest, attempt: LogInAttempt, user: User, next_page: str) -> HttpResponse:
    """After a right password, or a provider's word: in, or on to the second step for those who have set one up."""
    if SecondFactor.objects.filter(user=user).exists():
        end_attempt(attempt=attempt, outcome=Outcome.CODE_ASKED)
        _ask_for_code(request, user, next_page)
        return redirect("log_in_code")
    return _let_in(request, attempt, user, next_page)


def _ask_for_code(request: HttpRequest, user: User, next_page: str) -> None:
    request.session.cycle_key()
    request.session[PENDING] = {
        "user": user.pk,
        "password": user.get_session_auth_hash(),
        "at": time.time(),
        "next": next_page,
    }


def _pending_log_in(request: HttpRequest) -> tuple[User, str] | None:
    """Whose password was right a moment ago, and still is, and where they wanted to go."""
    kept = request.session.get(PENDING)
    if not kept or time.time() - kept["at"] > PENDING_SECONDS:
        return None
    user = User.objects.filter(pk=kept["user"], is_active=True, is_staff=True).first()
    if user is None or not constant_time_compare(user.get_session_auth_hash(), kept["password"]):
        return None
    return user, str(kept["next"])


def _let_in(request: HttpRequest, attempt: LogInAttempt, user: User, next_page: str) -> HttpResponse:
    request.session.pop(PENDING, None)
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    note_log_in(request)
    end_attempt(attempt=attempt, outcome=Outcome.LOGGED_IN)
    return redirect(next_page or reverse("admin:index"))


def _lockout_page(response: HttpResponse, seconds: int) -> HttpResponse:
    if seconds:
        response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        response.headers["Retry-After"] = str(seconds)
    return response
