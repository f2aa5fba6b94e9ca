"""Logging in by a provider of OpenID Connect: it says who somebody is, and never makes an account."""

from typing import Any, NoReturn

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from annotation.accounts.researcher_accounts import attempt_by_provider
from annotation.entry.links import network_of
from annotation.models import User
from annotation.pages.admin.log_in import let_in_or_ask

NOBODY = (
    "There is no researcher's account with the e-mail address that your institution gave, or it gave none that it has"
    " verified. Ask an administrator of this site."
)


class Adapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth has no types
    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:  # noqa: ARG002
        return False

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> NoReturn:
        """The whole log-in: allauth's own way on from here, with its forms for new accounts, is never taken."""
        user = sociallogin.user if sociallogin.is_existing else researcher_of(verified_addresses(sociallogin))
        if user is None or not (user.is_active and user.is_staff):
            raise ImmediateHttpResponse(refusal_page(request, NOBODY))
        attempt = attempt_by_provider(user=user, network=network_of(request))
        if not sociallogin.is_existing:
            sociallogin.connect(request, user)
        raise ImmediateHttpResponse(let_in_or_ask(request, attempt, user, next_page(request, sociallogin)))

    def on_authentication_error(self, request: HttpRequest, provider: Any, **_more: object) -> NoReturn:
        """Cancelled there, or something on the way was not as it must be; which, the log says."""
        reason = f"{provider.name} did not log you in: try again, or use your password."
        raise ImmediateHttpResponse(refusal_page(request, reason))


def verified_addresses(sociallogin: Any) -> list[str]:
    return [address.email for address in sociallogin.email_addresses if address.verified and address.email]


def researcher_of(addresses: list[str]) -> User | None:
    """The one account that has one of these addresses; of two, nobody can say which is meant."""
    researchers = {user.pk: user for address in addresses for user in User.objects.filter(email__iexact=address)}
    return next(iter(researchers.values())) if len(researchers) == 1 else None


def next_page(request: HttpRequest, sociallogin: Any) -> str:
    wanted = str(sociallogin.state.get("next") or "")
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if is_ours else reverse("admin:index")


def refusal_page(request: HttpRequest, reason: str) -> HttpResponse:
    messages.error(request, reason)
    return redirect("admin:login")
