"""Who asks, by which token."""

from typing import cast

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.schema import OBJECT, describe
from annotation.api.views import ApiView
from annotation.models import ApiToken, Scope, User


class TokenShown(serializers.Serializer[ApiToken]):
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices))
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class MeShown(serializers.Serializer[User]):
    username = serializers.CharField()
    is_administrator = serializers.BooleanField(source="is_superuser")
    token = serializers.SerializerMethodField()

    @extend_schema_field(OBJECT)
    def get_token(self, _user: object) -> dict[str, object]:
        return TokenShown(self.context["token"]).data


class Me(ApiView):
    name = "me"

    @describe("Who this token is, and what it may do", responses=MeShown)
    def get(self, request: Request) -> Response:
        return Response(MeShown(self.user, context={"token": cast("ApiToken", request.auth)}).data)
