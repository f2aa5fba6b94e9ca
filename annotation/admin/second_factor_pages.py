"""A researcher's own second factor: set up with an app, recovery codes shown once, removed with a code."""

from typing import Any

import segno
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from annotation.actions.logging_in import end_attempt
from annotation.actions.second_factor import (
    new_nonce,
    recovery_codes_left,
    remove_second_factor,
    set_second_factor,
)
from annotation.admin.log_in import CodeForm, Held, begun
from annotation.admin.pages import posted, user_of
from annotation.errors import Refused
from annotation.models import LogInAttempt, SecondFactor
from annotation.totp import address_for_apps, secret_of, shown_secret

# Between the picture and the first code the nonce stands in the session: nothing is set up until an app has shown a
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
            attempt = begun(user.get_username(), request)
            remove_second_factor(user=user, code=form.cleaned_data["code"])
        except Held as held:
            form.add_error("code", held)
            status = 429
        except Refused as refusal:
            end_attempt(attempt=attempt, outcome=LogInAttempt.Outcome.WRONG_CODE)
            form.add_error("code", ValidationError(list(refusal.reasons)))
        else:
            end_attempt(attempt=attempt, outcome=LogInAttempt.Outcome.CONFIRMED)
            messages.success(request, "Your log-in asks for the password alone now.")
            return redirect("second_factor")
    context = {"is_set": True, "form": form, "codes_left": recovery_codes_left(user)}
    return _page(request, context, status)


def qr_code(text: str) -> SafeString:
    """An SVG for the page itself: paths alone, and nothing of `text` in words."""
    drawn = segno.make(text, micro=False).svg_inline(scale=5, dark="#000", light="#fff", title="QR code for the app")
    return mark_safe(drawn)  # noqa: S308


def _page(request: HttpRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    shown = {**admin.site.each_context(request), "title": "Second factor", **context}
    return render(request, PAGE, shown, status=status)
