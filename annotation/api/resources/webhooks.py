"""Webhooks out: which addresses are told of what happens in a study, and how the last notices arrived."""

from http import HTTPStatus
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.permissions import Right
from annotation.api.once import once
from annotation.api.parsing import Strict, read
from annotation.api.schema import PAGED, describe, page_of
from annotation.api.views import StudyView, page
from annotation.models import Scope, Webhook, WebhookDelivery
from annotation.notices.webhooks import create_webhook, delete_webhook

SHOWN_TO_CHANGERS = {"GET": Right.CHANGE}


class WebhookShown(serializers.ModelSerializer[Webhook]):
    id = serializers.UUIDField(source="uuid")
    address = serializers.SerializerMethodField(help_text="Null without the scope links:read: it may hold a password.")
    events = serializers.ListField(child=serializers.ChoiceField(choices=Webhook.Event.choices))
    by = serializers.CharField(source="created_by.username", allow_null=True, default=None)

    class Meta:
        model = Webhook
        fields = ("id", "address", "events", "by", "created_at")

    def get_address(self, webhook: Webhook) -> str | None:
        return webhook.address if self.context["view"].has_scope(Scope.LINKS) else None


class NewWebhookShown(WebhookShown):
    secret = serializers.SerializerMethodField(help_text="What its notices are signed with. It is not shown again.")

    class Meta(WebhookShown.Meta):
        fields = (*WebhookShown.Meta.fields, "secret")  # type: ignore[assignment]

    def get_secret(self, _webhook: Webhook) -> str:
        return str(self.context["secret"])


class NewWebhook(Strict):
    address = serializers.CharField(max_length=400, help_text="https, of a machine that the internet can reach.")
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=Webhook.Event.choices), min_length=1, max_length=len(Webhook.Event)
    )


class DeliveryShown(serializers.ModelSerializer[WebhookDelivery]):
    id = serializers.UUIDField(source="uuid")
    about = serializers.JSONField()

    class Meta:
        model = WebhookDelivery
        fields = (
            "id", "event", "about", "created_at", "attempts", "due_at", "delivered_at", "last_status", "last_reply",
        )  # fmt: skip


class Webhooks(StudyView):
    name = "webhooks"
    rights = SHOWN_TO_CHANGERS

    @describe("A study's webhooks", parameters=PAGED, responses=page_of(WebhookShown))
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        rows = Webhook.objects.filter(study=self.study).select_related("created_by")
        return Response(
            page(request, rows, lambda webhooks: WebhookShown(webhooks, many=True, context={"view": self}).data)
        )

    @describe("Create a webhook", request=NewWebhook, responses={201: NewWebhookShown})
    @once(secrets=["secret"])
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        webhook, secret = create_webhook(study=self.study, by=self.user, **read(NewWebhook, request.data))
        shown = NewWebhookShown(webhook, context={"view": self, "secret": secret}).data
        where = reverse("api:webhook", args=[self.study.slug, webhook.uuid])
        return Response(shown, status=HTTPStatus.CREATED, headers={"Location": where})


def webhook_or_404(view: StudyView, webhook: UUID) -> Webhook:
    stored = Webhook.objects.filter(study=view.study, uuid=webhook).select_related("created_by", "study").first()
    if stored is None:
        raise Http404("There is no such webhook in this study.")
    return stored


class OneWebhook(StudyView):
    name = "webhook"
    rights = SHOWN_TO_CHANGERS

    @describe("One webhook", responses=WebhookShown)
    def get(self, request: Request, study: str, webhook: UUID) -> Response:  # noqa: ARG002
        return Response(WebhookShown(webhook_or_404(self, webhook), context={"view": self}).data)

    @describe("Delete a webhook and its notices", responses={204: None})
    def delete(self, request: Request, study: str, webhook: UUID) -> Response:  # noqa: ARG002
        delete_webhook(webhook=webhook_or_404(self, webhook), by=self.user)
        return Response(status=HTTPStatus.NO_CONTENT)


class Deliveries(StudyView):
    name = "webhook_deliveries"
    rights = SHOWN_TO_CHANGERS

    @describe("Its notices, newest first, each with the last reply", parameters=PAGED, responses=page_of(DeliveryShown))
    def get(self, request: Request, study: str, webhook: UUID) -> Response:  # noqa: ARG002
        rows = webhook_or_404(self, webhook).deliveries.all()
        return Response(
            page(request, rows, lambda deliveries: DeliveryShown(deliveries, many=True).data, is_newest_first=True)
        )
