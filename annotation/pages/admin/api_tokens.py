"""A researcher's API tokens in the admin: created here and shown once, listed with their last use, revoked."""

import datetime as dt

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from agreement.errors import Refused
from annotation.accounts.token_actions import create_token, revoke_token
from annotation.models import ApiToken, Scope
from annotation.pages.admin.base import posted, user_of

LIVES = ((7, "7 days"), (30, "30 days"), (90, "90 days"), (365, "1 year"))
SHOWN = 200


class TokenForm(forms.Form):
    name = forms.CharField(
        label="Name",
        max_length=80,
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
