"""Who asks: a personal token in the header `Authorization: Bearer`, nothing else; and how often one may ask."""

import logging
import sqlite3
from typing import TYPE_CHECKING

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from annotation.accounts.api_tokens import token_in_header
from annotation.accounts.researcher_accounts import token_of
from annotation.api.request_counts import MINUTE, counts_in
from annotation.entry.links import network_of
from annotation.models import ApiToken, User

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which reads the settings that name this module

logger = logging.getLogger(__name__)
REFUSED = "This token is not known, has expired or was revoked. Create one in the admin, under API tokens."


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        text = token_in_header(request.META.get("HTTP_AUTHORIZATION", ""))
        if not text:
            return None
        token = token_of(text)
        if token is None:
            raise AuthenticationFailed(REFUSED)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        return 'Bearer realm="api"'


class TokenInSchema(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # it registers itself
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:  # noqa: ARG002
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A personal token, made in the admin under “API tokens”, where it is shown once.",
        }


# How often one token, or one network without a token, may ask: counted by all web processes of a machine together.

READING = {"GET", "HEAD", "OPTIONS"}


class PerToken(SimpleRateThrottle):
    scope = "api"
    seconds = 0

    def __init__(self) -> None:
        """The rate follows from the request: reading may come more often than writing."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        self.is_reading = request.method in READING
        if not isinstance(request.auth, ApiToken):
            rate = settings.API_VISITS_PER_MINUTE
        else:
            rate = settings.API_READS_PER_MINUTE if self.is_reading else settings.API_WRITES_PER_MINUTE
        self.rate = f"{rate}/min"
        self.num_requests, self.duration = rate, MINUTE
        try:
            self.seconds = counts_in(settings.VAR_DIR).wait_of(self.get_cache_key(request, view), rate)
        except (sqlite3.Error, OSError) as error:
            # A full disk, say: then each process counts by itself, and nobody is shut out.
            logger.warning("requests are not counted together: %s: %s", type(error).__name__, error)
            return bool(super().allow_request(request, view))
        return self.seconds == 0

    def wait(self) -> float | None:
        return float(self.seconds) if self.seconds else super().wait()

    def get_cache_key(self, request: Request, view: "APIView") -> str:  # noqa: ARG002
        if isinstance(request.auth, ApiToken):
            return f"api-{'r' if self.is_reading else 'w'}-{request.auth.pk}"
        return f"api-visit-{network_of(request)}"
