"""Who asks: a personal token in the header `Authorization: Bearer`; nothing else signs in, so no page can ask here."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from annotation.actions.api_tokens import token_of
from annotation.api_tokens import in_header
from annotation.models import ApiToken, User

REFUSED = "This token is not known, has expired or was revoked. Create one in the admin, under API tokens."


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        text = in_header(request.META.get("HTTP_AUTHORIZATION", ""))
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
