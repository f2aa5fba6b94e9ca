"""Participants under their pseudonyms, and their assignments."""

import datetime as dt

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from agreement.screening.evidence import CAUTION
from agreement.screening.suspects import KINDS
from annotation.accounts.permissions import Right
from annotation.api.schema import PAGED, describe, page_of
from annotation.api.views import StudyView, page
from annotation.models import Assignment, Participation, Scope
from annotation.releases.summaries import ask_for_summary, figures_of

NOT_YET = "The study is large, and its answers are being looked at for the first time: ask again in a minute."


class Minute(serializers.DateTimeField):
    """A person's times are given to the minute, as in participants.csv."""

    def to_representation(self, value: dt.datetime) -> str:
        return super().to_representation(value.replace(second=0, microsecond=0))


class ParticipantShown(serializers.ModelSerializer[Participation]):
    entered_at = Minute()
    consented_at = Minute(allow_null=True)
    finished_at = Minute(allow_null=True)
    ended_at = Minute(allow_null=True)
    is_excluded = serializers.SerializerMethodField()
    pay_status = serializers.CharField(source="payment.status", allow_null=True, default=None)
    demographics = serializers.JSONField(help_text="Their answers to the end questions.")
    platform = serializers.CharField(source="worker.platform")
    platform_id = serializers.SerializerMethodField(
        help_text="For managers with the scope platform_ids:read, until it is purged; null for others."
    )

    class Meta:
        model = Participation
        fields = (
            "pseudonym", "status", "is_pilot", "is_verified", "is_excluded", "device", "platform", "platform_id",
            "pay_status", "entered_at", "consented_at", "consent_version", "finished_at", "ended_at",
            "comprehension_tries", "demographics", "comments",
        )  # fmt: skip

    def get_is_excluded(self, person: Participation) -> bool:
        return person.set_aside_at is not None

    def get_platform_id(self, person: Participation) -> str | None:
        return person.worker.platform_id if self.context["with_ids"] else None


def sees_platform_ids(view: StudyView) -> bool:
    return view.has_scope(Scope.PLATFORM_IDS) and view.may(Right.MANAGE)


class Participants(StudyView):
    name = "participants"

    @describe(
        "Everybody who came, by pseudonym",
        parameters=[*PAGED, OpenApiParameter("status", str, enum=Participation.Status.values)],
        responses=page_of(ParticipantShown),
    )
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        people = self.study.participations.select_related("worker", "payment")
        if status := request.query_params.get("status", ""):
            people = people.filter(status=status)
        context = {"with_ids": sees_platform_ids(self)}
        return Response(page(request, people, lambda rows: ParticipantShown(rows, many=True, context=context).data))


class OneParticipant(StudyView):
    name = "participant"

    @describe("One person", responses=ParticipantShown)
    def get(self, request: Request, study: str, pseudonym: str) -> Response:  # noqa: ARG002
        people = self.study.participations.select_related("worker", "payment")
        person = people.filter(pseudonym=pseudonym).first()
        if person is None:
            raise Http404("Nobody in this study has that pseudonym.")
        return Response(ParticipantShown(person, context={"with_ids": sees_platform_ids(self)}).data)


class SuspectShown(serializers.Serializer[dict[str, object]]):
    worker = serializers.CharField(help_text="A pseudonym.")
    kinds = serializers.ListField(child=serializers.ChoiceField(choices=KINDS))
    sentence = serializers.CharField(help_text="What speaks against them, with the figures.")


class Screening(serializers.Serializer[dict[str, object]]):
    made_at = serializers.DateTimeField(allow_null=True, help_text="When answers were last looked at; null: now.")
    undefined = serializers.CharField(allow_blank=True, help_text="Why nobody could be screened; else blank.")
    caution = serializers.CharField(help_text="What this is no ground for.")
    suspects = SuspectShown(many=True, help_text="Nobody is excluded by it.")


class Suspects(StudyView):
    name = "suspects"

    @describe("Whose answers look careless beside those of the others", responses=Screening)
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        figures = figures_of(self.study)
        if figures is None or figures.made_at is not None:
            ask_for_summary(study=self.study, by=self.user)
        of = {} if figures is None else figures.suspects
        names = self.study.participations.filter(pk__in=of).order_by("pk").values_list("pk", "pseudonym")
        screening: dict[str, object] = {
            "made_at": None if figures is None else figures.made_at,
            "undefined": NOT_YET if figures is None else figures.not_screened,
            "caution": CAUTION,
            "suspects": [{**of[key], "worker": name} for key, name in names],
        }
        return Response(Screening(screening).data)


class AssignmentShown(serializers.ModelSerializer[Assignment]):
    id = serializers.UUIDField(source="uuid")
    participant = serializers.CharField(source="participation.pseudonym")
    claimed_at = Minute()
    expires_at = Minute()
    ended_at = Minute(allow_null=True)

    class Meta:
        model = Assignment
        fields = ("id", "participant", "number", "status", "claimed_at", "expires_at", "ended_at")


class Assignments(StudyView):
    name = "assignments"

    @describe(
        "Which shares of the study were given out",
        parameters=[*PAGED, OpenApiParameter("participant", str, description="A pseudonym.")],
        responses=page_of(AssignmentShown),
    )
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        rows = Assignment.objects.filter(participation__study=self.study).select_related("participation")
        if pseudonym := request.query_params.get("participant", ""):
            rows = rows.filter(participation__pseudonym=pseudonym)
        return Response(page(request, rows, lambda assignments: AssignmentShown(assignments, many=True).data))
