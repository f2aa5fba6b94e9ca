"""Invitations and open links: for tokens with the scope `links:read`, for whoever has a link can take part."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import ClassVar

from django.db.models import Count
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.permissions import Right
from annotation.api.once import once
from annotation.api.parsing import Line, Strict, read
from annotation.api.schema import PAGED, describe, page_of
from annotation.api.views import StudyView, page
from annotation.entry.links import MOST_AT_ONCE, address_of, make_invitations, make_open_link, platform_url, revoke_link
from annotation.models import EntryLink, Scope
from annotation.models.study import PEOPLE, PEOPLE_PER_HOUR


class LinkShown(serializers.ModelSerializer[EntryLink]):
    id = serializers.IntegerField(source="pk")
    address = serializers.SerializerMethodField(help_text="Null without the scope links:read.")
    people = serializers.SerializerMethodField(help_text="How many came in by it.")

    class Meta:
        model = EntryLink
        fields = ("id", "kind", "address", "note", "capacity", "most_per_hour", "people", "created_at", "revoked_at")

    def get_address(self, link: EntryLink) -> str | None:
        view = self.context["view"]
        return address_of(view.request, link) if view.has_scope(Scope.LINKS) else None

    def get_people(self, link: EntryLink) -> int:
        return int(getattr(link, "people", 0))


class NewInvitations(Strict):
    count = serializers.IntegerField(min_value=1, max_value=MOST_AT_ONCE)
    note = Line(max_length=120, required=False, allow_blank=True, default="")


class NewOpenLink(Strict):
    capacity = serializers.IntegerField(
        min_value=PEOPLE.least,
        max_value=PEOPLE.most,
        allow_null=True,
        required=False,
        default=None,
        help_text="Null: no limit.",
    )
    most_per_hour = serializers.IntegerField(
        min_value=PEOPLE_PER_HOUR.least, max_value=PEOPLE_PER_HOUR.most, required=False, default=20
    )
    note = Line(max_length=120, required=False, allow_blank=True, default="")


class PlatformLink(serializers.Serializer[dict[str, str]]):
    platform = serializers.CharField()
    address = serializers.CharField(allow_blank=True, help_text="Empty where the study has links of its own.")


class Links(StudyView):
    name = "links"
    scopes: ClassVar[Mapping[str, Scope]] = {"GET": Scope.LINKS}
    rights: ClassVar[Mapping[str, Right]] = {"GET": Right.CHANGE}

    @describe(
        "Invitations and open links",
        parameters=[*PAGED, OpenApiParameter("kind", str, enum=EntryLink.Kind.values)],
        responses=page_of(LinkShown),
    )
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        links = self.study.entry_links.annotate(people=Count("participations"))
        if kind := request.query_params.get("kind", ""):
            links = links.filter(kind=kind)
        return Response(page(request, links, lambda rows: LinkShown(rows, many=True, context={"view": self}).data))

    @describe("Make an open link", request=NewOpenLink, responses={201: LinkShown})
    @once()
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        link = make_open_link(study=self.study, by=self.user, **read(NewOpenLink, request.data))
        return Response(LinkShown(link, context={"view": self}).data, status=HTTPStatus.CREATED)


class Invitations(StudyView):
    name = "invitations"

    @describe("Make invitations, each for one person", request=NewInvitations, responses={201: LinkShown(many=True)})
    @once()
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        links = make_invitations(study=self.study, by=self.user, **read(NewInvitations, request.data))
        return Response(LinkShown(links, many=True, context={"view": self}).data, status=HTTPStatus.CREATED)


class RevokeLink(StudyView):
    name = "revoke_link"

    @describe("Revoke a link: nobody new comes in by it", request=None, responses=LinkShown)
    def post(self, request: Request, study: str, link: int) -> Response:  # noqa: ARG002
        stored = self.study.entry_links.filter(pk=link).first()
        if stored is None:
            raise Http404("There is no such link in this study.")
        revoke_link(link=stored, by=self.user)
        stored.refresh_from_db()
        return Response(LinkShown(stored, context={"view": self}).data)


class PlatformAddress(StudyView):
    name = "platform_address"
    scopes: ClassVar[Mapping[str, Scope]] = {"GET": Scope.LINKS}
    rights: ClassVar[Mapping[str, Right]] = {"GET": Right.CHANGE}

    @describe("The address to give to the platform", responses=PlatformLink)
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        return Response({"platform": self.study.platform, "address": platform_url(request, self.study)})
